// The SDK's side of one connection to the daemon: what is said, in which order, and what the answers mean.
//
//   HELLO 3 [AUTH user pass] SETNAME app     then, once it is answered:
//   SUBSCRIBE hotkey:events:<ns>, HOTKEY RULES <ns>, every unacknowledged batch, and from then on new ones.
//
// Replies come in the order of the commands; pushes (RESP3) come between them. Every batch not answered when
// the connection ends is sent again on the next one. Pure: bytes and time come in, bytes go out; one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "resp/reply_parser.h"
#include "sdk/cpp/src/hot_stream.h"
#include "sdk/cpp/src/invalidations.h"
#include "sdk/cpp/src/outbox.h"
#include "wire/event.h"
#include "wire/report.h"

namespace hotkeyd::sdk {

struct SessionOptions {
  std::string ns = {};
  std::string app = {};
  std::string user = {};  // Empty with a password: "default".
  std::string password = {};
  bool has_password = false;
  std::string producer = {};
  std::uint64_t epoch = 0;
};

// Hears what a session learns.
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void on_event(const Event& event, const HotStream::Outcome& outcome) = 0;
  virtual std::optional<NearCacheFigures> near_figures(Time now) = 0;  // For the next report.
  virtual void on_smallest_threshold(std::uint64_t accesses) = 0;
  virtual void on_trouble(const std::string& sentence) = 0;
};

class Session {
 public:
  Session(SessionOptions options, Outbox& outbox, HotStream& stream, Invalidations& invalidations,
          SessionListener& listener);

  void open(Time now);  // A connection stands.
  void close();         // It ended.
  // Takes what arrived. An error means: close the connection.
  Result<void> receive(std::string_view bytes, Time now);
  // Appends to `output` what may be said now.
  void pump(Time now);
  // Keeps a silent connection honest: asks, and after `kSilenceMax` fails. Fails also when events come but no
  // answers, after `kAnswerMax`: then only one direction is alive.
  Result<void> check_silence(Time now);
  Time silence_deadline() const;

  bool is_ready() const { return is_ready_; }  // HELLO was answered.
  std::string& output() { return output_; }

 private:
  enum class Answer { hello, subscribe, rules, snapshot, report, invalidate, ping };
  struct Awaited {
    Answer answer;
    std::uint64_t seq = 0;  // report
  };

  void send_hello();
  void on_ready(Time now);
  void ask_rules();
  void send_batch(const OutgoingBatch& batch, Time now);
  void send_invalidations();
  Result<void> on_reply(const RespValue& value, Time now);
  Result<void> on_answer(const Awaited& awaited, const RespValue& value, Time now);
  void on_refusal(const Awaited& awaited, const RespValue& value);
  void on_push(const RespValue& push, Time now);
  void on_event_text(std::string_view json, Time now);
  bool awaits(Answer answer) const;

  SessionOptions options_;
  std::string channel_;
  Outbox& outbox_;
  HotStream& stream_;
  Invalidations& invalidations_;
  SessionListener& listener_;
  ReplyParser parser_;
  std::deque<Awaited> awaited_;
  std::string output_;
  Report report_;
  bool is_ready_ = false;
  Time heard_at_{};
  Time answered_at_{};  // Or nothing was asked then.
};

}  // namespace hotkeyd::sdk
