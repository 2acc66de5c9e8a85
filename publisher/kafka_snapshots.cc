#include "publisher/kafka_snapshots.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {

Duration KafkaSnapshots::share_of(Duration whole) {
  return std::chrono::duration_cast<Duration>(whole * random_.fraction());
}

KafkaSnapshots::Stream& KafkaSnapshots::stream_of(const std::string& ns, Time now) {
  const auto [at, is_new] = streams_.try_emplace(ns);
  if (!is_new) return at->second;
  at->second.is_owed = !has_begun_;
  at->second.due = has_begun_ ? now + times_.interval - share_of(times_.spread) : now;
  return at->second;
}

void KafkaSnapshots::opened(const std::string& ns, Time now) { stream_of(ns, now); }

void KafkaSnapshots::event(const std::string& ns, Time now) { stream_of(ns, now).is_quiet = false; }

void KafkaSnapshots::gap(const std::string& ns, Time now) {
  Stream& stream = stream_of(ns, now);
  stream.is_owed = true;
  const bool was_asked = stream.asked != Time::min();
  stream.due = std::min(stream.due, was_asked ? std::max(now, stream.asked + times_.gap_pause) : now);
}

void KafkaSnapshots::came(const std::string& ns, bool is_empty, Time now) {
  Stream& stream = stream_of(ns, now);
  stream.is_owed = false;
  stream.is_quiet = is_empty;
  stream.due = now + times_.interval - share_of(times_.spread);
}

void KafkaSnapshots::connected(Time now) {
  is_connected_ = true;
  const bool is_first = !std::exchange(was_connected_, true);
  if (is_first) return;  // What is due since the start is asked for now.
  for (auto& [ns, stream] : streams_) {
    stream.is_owed = true;
    stream.due = now + share_of(times_.settle_max);
  }
}

std::vector<std::string> KafkaSnapshots::take_due(Time now) {
  std::vector<std::string> asked;
  if (!is_connected_) return asked;
  for (auto& [ns, stream] : streams_) {
    if (now < stream.due) continue;
    if (stream.is_quiet && !stream.is_owed) {
      stream.due = now + times_.interval - share_of(times_.spread);
      continue;
    }
    stream.asked = now;
    stream.due = now + times_.answer_within;
    asked.push_back(ns);
  }
  return asked;
}

Time KafkaSnapshots::next_wake() const {
  Time wake = Time::max();
  if (!is_connected_) return wake;
  for (const auto& [ns, stream] : streams_) wake = std::min(wake, stream.due);
  return wake;
}

bool KafkaSnapshots::all_came() const {
  return std::none_of(streams_.begin(), streams_.end(),
                      [](const auto& entry) { return entry.second.is_owed; });
}

}  // namespace hotkeyd
