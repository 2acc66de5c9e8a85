// One producer handle of librdkafka on an Asio loop: the only code that calls the library to send.
//
// The library's threads never run code of ours: delivery reports, errors, statistics and log lines wait in
// its queue, an eventfd wakes the loop, and `poll` returns them as values. Records are copied, and kept and
// sent again by the library for as long as it takes; after a fatal error the handle must be replaced. The
// destructor discards what is unsent and waits for the library's threads: some tens of milliseconds, at most
// half a second. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "io/asio.h"
#include "kafka/event.h"
#include "kafka/options.h"
#include "kafka/record.h"

struct rd_kafka_s;

namespace hotkeyd {

class KafkaClient {
 public:
  // `wake` is called on the loop when `poll` has something. The error says which option cannot work.
  static Result<std::unique_ptr<KafkaClient>> open(asio::io_context& io, const KafkaOptions& options,
                                                   std::function<void()> wake);
  ~KafkaClient();
  KafkaClient(const KafkaClient&) = delete;
  KafkaClient& operator=(const KafkaClient&) = delete;

  // nullopt: taken, a delivery of this number will come. Else why not.
  std::optional<KafkaDelivery> send(std::uint64_t id, const KafkaRecord& record);
  std::vector<KafkaEvent> poll();
  // Gives up what is unsent and returns what is known by then; blocks for at most `patience`.
  std::vector<KafkaEvent> purge(Duration patience);

  rd_kafka_s* handle_for_tests();

 private:
  struct Impl;
  explicit KafkaClient(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

// Whether this version of the library may be idempotent: before 2.3.0 one lost connection can be fatal.
bool kafka_is_idempotent(int library_version);

}  // namespace hotkeyd
