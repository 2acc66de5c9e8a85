// A Kafka producer that loses nothing it took: the outbox keeps each record until the broker has it.
//
// Joins the outbox, the link (both pure) and the client (I/O). A client that broke for good is replaced and
// gets every unacknowledged record again, in order and unchanged; records refused for a reason that may go
// away (no such topic, no right) are sent again after a pause. A record may so lie in the topic twice; its
// headers name it. One thread. `noted` may be called from within a member; the other hooks come from the
// loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/backoff.h"
#include "io/asio.h"
#include "io/timer.h"
#include "kafka/client.h"
#include "kafka/link.h"
#include "kafka/outbox.h"

namespace hotkeyd {

// Something for the log, as a value; `kind` is what to limit its rate by.
struct KafkaNote {
  std::string event;  // "kafka_lost"
  std::string kind;   // "_TRANSPORT"
  std::string reason;
  int level = 4;  // As syslog: up to 4 is a warning.
};

struct KafkaProducerHooks {
  std::function<void()> changed;    // Acknowledgements, a connection found or lost, a retry.
  std::function<void()> connected;  // A connection stands; before `changed`.
  std::function<void(const KafkaNote&)> noted;
};

class KafkaProducer {
 public:
  KafkaProducer(asio::io_context& io, KafkaOptions options, std::uint64_t seed, KafkaProducerHooks hooks);
  ~KafkaProducer();

  void start();
  // Stops for good, blocking for at most `patience`; what is in the outbox then is lost.
  void stop(Duration patience);

  bool is_full() const { return outbox_.is_full(); }
  // Before `start`, it waits.
  KafkaOutbox::Id add(KafkaRecord record, const Now& now);

  const KafkaOutbox& outbox() const { return outbox_; }
  const KafkaLink& link() const { return link_; }
  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t rebuilt() const { return rebuilt_; }
  rd_kafka_s* handle_for_tests() { return client_ ? client_->handle_for_tests() : nullptr; }

 private:
  void open();
  void rebuild(const KafkaTrouble& trouble);
  void on_wake();
  void on_timer();
  void flush(Time now);
  bool flush_one(Time now);
  void take_in(const std::vector<KafkaEvent>& events);
  void take_in_one(const KafkaDelivery& delivery);
  void take_in_one(const KafkaTrouble& trouble);
  void take_in_one(const KafkaReach& reach);
  void take_in_one(const KafkaLogLine& line);
  void arm(Time when);
  void note(std::string event, std::string kind, std::string reason, int level = 4);

  asio::io_context& io_;
  const KafkaOptions options_;
  const KafkaProducerHooks hooks_;
  KafkaOutbox outbox_;
  KafkaLink link_;
  Backoff reopen_;
  std::unique_ptr<KafkaClient> client_;
  Timer timer_;
  bool is_started_ = false;
  bool is_newly_connected_ = false;
  std::optional<KafkaTrouble> fatal_;
  std::uint64_t accepted_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t rebuilt_ = 0;
};

}  // namespace hotkeyd
