#include "sdk/cpp/src/session.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "resp/writer.h"
#include "sdk/cpp/src/smallest_threshold.h"

namespace hotkeyd::sdk {
namespace {

constexpr Duration kAskAfter = std::chrono::seconds(2);  // The daemon's heartbeats come each second.
constexpr Duration kSilenceMax = std::chrono::seconds(5);
constexpr Duration kAnswerMax = std::chrono::seconds(10);
constexpr std::uint64_t kNumberMax = (1ULL << 63) - 1;

}  // namespace

Session::Session(SessionOptions options, Outbox& outbox, HotStream& stream, Invalidations& invalidations,
                 SessionListener& listener)
    : options_(std::move(options)),
      channel_("hotkey:events:" + options_.ns),
      outbox_(outbox),
      stream_(stream),
      invalidations_(invalidations),
      listener_(listener) {}

void Session::open(Time now) {
  close();
  heard_at_ = answered_at_ = now;
  send_hello();
}

void Session::close() {
  is_ready_ = false;
  parser_ = ReplyParser();
  awaited_.clear();
  output_.clear();
  outbox_.connection_lost();
  invalidations_.connection_lost();
}

void Session::send_hello() {
  std::vector<std::string_view> words{"HELLO", "3"};
  const std::string_view user = options_.user.empty() ? std::string_view("default") : options_.user;
  if (options_.has_password) words.insert(words.end(), {"AUTH", user, options_.password});
  words.insert(words.end(), {"SETNAME", options_.app});
  append_command(output_, words);
  awaited_.push_back({Answer::hello});
}

void Session::on_ready(Time now) {
  is_ready_ = true;
  stream_.expect_snapshot();
  append_command(output_, {"SUBSCRIBE", channel_});
  awaited_.push_back({Answer::subscribe});
  ask_rules();
  pump(now);
}

void Session::ask_rules() {
  append_command(output_, {"HOTKEY", "RULES", options_.ns});
  awaited_.push_back({Answer::rules});
}

void Session::pump(Time now) {
  if (!is_ready_) return;
  if (stream_.take_request() && !awaits(Answer::snapshot)) {
    append_command(output_, {"HOTKEY", "SNAPSHOT", options_.ns});
    awaited_.push_back({Answer::snapshot});
  }
  while (const OutgoingBatch* batch = outbox_.next_to_send()) send_batch(*batch, now);
  send_invalidations();
}

void Session::send_batch(const OutgoingBatch& batch, Time now) {
  report_.ns = options_.ns;
  report_.producer = options_.producer;
  report_.epoch = options_.epoch;
  report_.seq = batch.seq;
  report_.rows.clear();
  for (const OutgoingRow& row : batch.rows) {
    const Growth& growth = row.growth;
    report_.rows.push_back({.key = std::string_view(batch.keys).substr(row.offset, row.size),
                            .reads = growth.reads,
                            .writes = growth.writes,
                            .misses = growth.misses,
                            .local_hits = growth.local_hits,
                            .bytes = std::min(growth.bytes, kNumberMax)});
  }
  report_.age_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ms(now - batch.oldest)));
  report_.totals = ReportTotals{.recorded = batch.recorded, .dropped = batch.dropped};
  report_.near = listener_.near_figures(now);
  append_report(output_, report_);
  awaited_.push_back({Answer::report, batch.seq});
}

void Session::send_invalidations() {
  const std::vector<std::string> keys = invalidations_.take();
  if (keys.empty()) return;
  std::vector<std::string_view> words{"HOTKEY", "INVALIDATE", options_.ns};
  words.insert(words.end(), keys.begin(), keys.end());
  append_command(output_, words);
  awaited_.push_back({Answer::invalidate});
}

Result<void> Session::receive(std::string_view bytes, Time now) {
  heard_at_ = now;
  parser_.feed(bytes);
  while (true) {
    auto value = parser_.next();
    if (!value) return Error{value.error()};
    if (!*value) return {};
    if ((*value)->kind == RespValue::Kind::push) {
      on_push(**value, now);
    } else if (auto reply = on_reply(**value, now); !reply) {
      return reply;
    }
  }
}

// A subscription is confirmed by a push and only refused by a reply.
Result<void> Session::on_reply(const RespValue& value, Time now) {
  while (!awaited_.empty() && awaited_.front().answer == Answer::subscribe && !value.is_error())
    awaited_.pop_front();
  if (awaited_.empty()) return Error{"the daemon answered what was not asked"};
  const Awaited awaited = awaited_.front();
  awaited_.pop_front();
  answered_at_ = now;
  if (awaited.answer == Answer::hello && value.is_error()) return Error{"HELLO was refused: " + value.text};
  if (!value.is_error()) return on_answer(awaited, value, now);
  on_refusal(awaited, value);
  return {};
}

Result<void> Session::on_answer(const Awaited& awaited, const RespValue& value, Time now) {
  switch (awaited.answer) {
    case Answer::hello:
      on_ready(now);
      return {};
    case Answer::report:
      if (value.kind != RespValue::Kind::integer) return Error{"a report was not answered by a number"};
      outbox_.acknowledge(awaited.seq);
      return {};
    case Answer::rules:
      if (const auto threshold = smallest_threshold(value.text)) listener_.on_smallest_threshold(*threshold);
      return {};
    case Answer::snapshot:
      on_event_text(value.text, now);
      return {};
    case Answer::invalidate:
      invalidations_.answered();
      return {};
    case Answer::subscribe:
    case Answer::ping:
      return {};
  }
  return {};
}

void Session::on_refusal(const Awaited& awaited, const RespValue& value) {
  if (awaited.answer == Answer::report) outbox_.refuse(awaited.seq);
  if (awaited.answer == Answer::invalidate) invalidations_.answered();
  listener_.on_trouble("the daemon refused: " + value.text);
}

void Session::on_push(const RespValue& push, Time now) {
  if (push.items.size() < 3) return;
  if (push.items[0].text == "message" && push.items[1].text == channel_)
    return on_event_text(push.items[2].text, now);
  if (push.items[0].text != "subscribe") return;
  const auto is_subscribe = [](const Awaited& awaited) { return awaited.answer == Answer::subscribe; };
  const auto found = std::find_if(awaited_.begin(), awaited_.end(), is_subscribe);
  if (found != awaited_.end()) awaited_.erase(found);
}

// An event that cannot be read is missed: the gap it leaves is healed as any other.
void Session::on_event_text(std::string_view json, Time now) {
  const auto event = decode_event(json);
  if (!event) return listener_.on_trouble("an event could not be read: " + event.error());
  if (event->stream.ns != options_.ns) return;
  listener_.on_event(*event, stream_.apply(*event, now));
  if (event->type == EventType::rules_changed && !awaits(Answer::rules)) ask_rules();
}

bool Session::awaits(Answer answer) const {
  return std::any_of(awaited_.begin(), awaited_.end(),
                     [&](const Awaited& awaited) { return awaited.answer == answer; });
}

Time Session::silence_deadline() const {
  const Time silent = heard_at_ + (awaits(Answer::ping) || !is_ready_ ? kSilenceMax : kAskAfter);
  return awaited_.empty() ? silent : std::min(silent, answered_at_ + kAnswerMax);
}

// Events may still come while nothing that is said arrives: then only the answers are missing.
Result<void> Session::check_silence(Time now) {
  if (awaited_.empty()) answered_at_ = now;
  if (now - answered_at_ >= kAnswerMax) return Error{"the daemon has answered nothing for 10 s"};
  if (now - heard_at_ >= kSilenceMax) return Error{"the daemon has been silent for 5 s"};
  if (is_ready_ && now - heard_at_ >= kAskAfter && !awaits(Answer::ping)) {
    append_command(output_, {"PING"});
    awaited_.push_back({Answer::ping});
  }
  return {};
}

}  // namespace hotkeyd::sdk
