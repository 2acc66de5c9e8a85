// A RedisPlan under virtual time, with a server whose answers the test chooses.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "publisher/redis_plan.h"

namespace hotkeyd {

inline PublishedEvent event_of(const std::string& ns, EventType type, std::uint64_t seq,
                               std::size_t hot_keys) {
  PublishedEvent made;
  made.ns = ns;
  made.type = type;
  made.seq = seq;
  made.key = "key";
  made.key_data = "data";
  made.bytes = std::make_shared<const std::string>(ns + std::to_string(seq));
  made.hot_keys = hot_keys;
  return made;
}
inline PublishedEvent promoted(std::uint64_t seq, std::size_t hot_keys = 1) {
  return event_of("shop", EventType::promoted, seq, hot_keys);
}
inline PublishedEvent invalidated(std::uint64_t seq, std::size_t hot_keys = 1) {
  return event_of("shop", EventType::invalidated, seq, hot_keys);
}
inline PublishedSnapshot snapshot_of(const std::string& ns, std::uint64_t seq, std::size_t hot_keys) {
  PublishedSnapshot made;
  made.ns = ns;
  made.seq = seq;
  for (std::size_t key = 0; key < hot_keys; ++key)
    made.entries.push_back({"key" + std::to_string(key), "data"});
  made.parts = {std::make_shared<const std::string>("snapshot" + std::to_string(seq))};
  return made;
}

class PlanRig {
 public:
  explicit PlanRig(std::uint64_t seed = 1, RedisPlanOptions options = {})
      : plan({.node = "web-1", .epoch = 7, .lease = std::chrono::seconds{10}, .seed = seed}, options) {}

  // Every action since the last call, one word each and its point: "open", "request shop", "send
  // PUBLISH:shop4".
  std::vector<std::string> did() {
    plan.advance(now);
    collect();
    return std::exchange(done_, {});
  }
  void offer(PublishItem item) { plan.offer(std::move(item), now); }
  void pass(Duration time) {
    now.steady += time;
    now.unix_ms += to_ms(time);
  }
  // Goes to each moment the plan wants to be woken at, until `time` has passed.
  std::vector<std::string> live(Duration time) {
    const Time end = now.steady + time;
    std::vector<std::string> all;
    while (true) {
      for (std::string& action : did()) all.push_back(std::move(action));
      accept_all();
      const Time next = plan.next_wake(now.steady);
      if (next > end) break;
      pass(std::max<Duration>(next - now.steady, std::chrono::milliseconds{1}));
    }
    if (now.steady < end) pass(end - now.steady);
    return all;
  }

  // Connects unless it is connected, and publishes a snapshot of each namespace.
  void come_up(std::size_t hot_keys = 1, const std::string& ns = "shop") {
    offer(NamespaceOpened{ns});
    did();
    if (!std::exchange(is_connected_, true)) plan.connected(now.steady);
    did();
    offer(snapshot_of(ns, 3, hot_keys));
    did();
    accept_all();
    did();
  }

  std::vector<RespValue> results_for(const SendCommands& sent) const {
    std::vector<RespValue> results;
    for (std::size_t at = 1; at + 1 < sent.commands.size(); ++at) {
      RespValue one{RespValue::Kind::integer, "", 1, {}};
      if (sent.commands[at][0] == "SRANDMEMBER") one = {RespValue::Kind::array, "", 0, members};
      results.push_back(one);
    }
    return results;
  }
  void answer(std::vector<RespValue> results) {
    std::vector<RespValue> replies(results.size() + 1, {RespValue::Kind::simple, "QUEUED", 0, {}});
    replies.push_back({RespValue::Kind::array, "", 0, std::move(results)});
    unanswered.pop_front();
    plan.replied(std::move(replies), now);
    collect();
  }
  void accept() { answer(results_for(unanswered.front())); }
  void accept_all() {
    while (!unanswered.empty()) accept();
  }
  // The oldest transaction is aborted because a command of it was answered with this error.
  void refuse(const std::string& error) {
    std::vector<RespValue> replies(unanswered.front().commands.size(),
                                   {RespValue::Kind::simple, "QUEUED", 0, {}});
    replies[1] = {RespValue::Kind::error, error, 0, {}};
    replies.back() = {RespValue::Kind::error, "EXECABORT Transaction discarded", 0, {}};
    unanswered.pop_front();
    plan.replied(std::move(replies), now);
    collect();
  }
  // The oldest transaction runs, but for one command that is answered with this error or integer.
  void accept_but(const std::string& command, const RespValue& answered) {
    const SendCommands sent = unanswered.front();
    std::vector<RespValue> results = results_for(sent);
    for (std::size_t at = 1; at + 1 < sent.commands.size(); ++at) {
      if (sent.commands[at][0] == command) results[at - 1] = answered;
    }
    answer(std::move(results));
  }
  void lose(RedisFailure failure = RedisFailure::connection, const std::string& message = "gone") {
    unanswered.clear();
    plan.lost({failure, message}, now.steady);
  }

  RedisPlan plan;
  Now now{Time{} + std::chrono::hours{1}, 1'000'000};
  std::deque<SendCommands> unanswered;
  std::vector<RespValue> members;  // What SRANDMEMBER answers.

 private:
  void collect() {
    for (const PlanAction& action : plan.take_actions())
      std::visit([this](const auto& one) { note(one); }, action);
  }
  void note(const OpenConnection&) { done_.push_back("open"); }
  void note(const CloseConnection&) {
    done_.push_back("close");
    unanswered.clear();
  }
  void note(const RequestSnapshot& action) { done_.push_back("request " + action.ns); }
  void note(const ErrorLine& line) { done_.push_back("log " + line.event + " " + line.reason); }
  void note(const SendCommands& action) {
    unanswered.push_back(action);
    std::string text = "send";
    for (const RedisCommand& command : action.commands) {
      const bool is_event = command[0] == "PUBLISH" && command[1].starts_with("hotkey:events:");
      if (is_event) text += " " + (command[2].starts_with("{") ? "heartbeat" : command[2]);
      const bool is_other = command[0] != "MULTI" && command[0] != "EXEC" && command[0] != "PUBLISH";
      if (is_other) text += " " + command[0];
    }
    done_.push_back(text);
  }

  std::vector<std::string> done_;
  bool is_connected_ = false;
};

}  // namespace hotkeyd
