#include "analyze/replay.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hotkeyd {
namespace {

using std::chrono::microseconds;

constexpr std::size_t kKeyMax = 65'536;
constexpr std::size_t kKeyBytesMax = std::size_t{64} << 20;
constexpr UnixUs kSpanMax = UnixUs{10} * 365 * 86'400 * 1'000'000;
constexpr std::uint64_t kSeed = 0x686f746b65796421;

DetectorOptions seeded(DetectorOptions options) {
  options.seed = kSeed;
  return options;
}

Access observed(const ParsedAccess& access) {
  Access row;
  row.key = access.key;
  row.reads = access.kind == AccessKind::write ? 0 : 1;
  row.writes = access.kind == AccessKind::write ? 1 : 0;
  row.misses = access.kind == AccessKind::miss ? 1 : 0;
  row.bytes = access.bytes;
  return row;
}

UnixUs in_us(Duration duration) { return std::chrono::duration_cast<microseconds>(duration).count(); }

// The first microsecond that is not before.
UnixUs rounded_up(Duration duration) { return std::chrono::ceil<microseconds>(duration).count(); }

}  // namespace

Replay::Replay(ReplayOptions options) : options_(std::move(options)), hash_(kSeed) {
  options_.detector = seeded(std::move(options_.detector));
  Duration longest = options_.detector.window;
  for (const RuleOptions& rule : options_.detector.rules) longest = std::max(longest, rule.window);
  silence_seen_ = 2 * in_us(longest);
}

Result<void> Replay::check(const ReplayOptions& options) {
  Detector detector(seeded(options.detector), Now{});
  if (auto opened = detector.open(options.ns); !opened) return Error{opened.error()};
  return {};
}

void Replay::take(const ParsedAccess& access) {
  if (!is_playable(access)) return;
  if (!detector_) start(access.time);
  AnalysisTotals& totals = report_.totals;
  if (access.time < totals.end) ++totals.late;
  const UnixUs at = std::max(access.time, totals.end);
  totals.end = at;
  advance(at);
  const Access row = observed(access);
  ++totals.accesses;
  totals.reads += row.reads;
  totals.writes += row.writes;
  totals.misses += row.misses;
  top_shares_.add(hash_(access.key));
  if (!hot_.empty()) replay_hot(access, at);
  detector_->observe(ns_, {&row, 1}, {}, now(at), decisions_);
  if (!decisions_.empty()) follow(at);
}

bool Replay::is_playable(const ParsedAccess& access) {
  const bool is_far = detector_ && access.time - report_.totals.start > kSpanMax;
  const bool is_playable = !access.key.empty() && access.key.size() <= kKeyMax && !is_far;
  if (!is_playable) ++report_.totals.skipped;
  return is_playable;
}

void Replay::start(UnixUs first) {
  report_.totals.start = report_.totals.end = first;
  detector_.emplace(options_.detector, now(first));
  ns_ = *detector_->open(options_.ns);
  next_tick_ = first + rounded_up(detector_->until_tick(now(first).steady));
}

Now Replay::now(UnixUs at) const { return {Time{} + microseconds(at - report_.totals.start), at / 1000}; }

// Where nothing is hot, a long silence is skipped but for its end, in which every window empties.
void Replay::advance(UnixUs until) {
  while (next_tick_ <= until) {
    const bool is_idle = hot_.empty() && until - next_tick_ > silence_seen_;
    tick(is_idle ? until - silence_seen_ : next_tick_);
  }
}

void Replay::tick(UnixUs at) {
  detector_->tick(now(at), decisions_);
  follow(at);
  if (!hot_.empty()) see_peaks();
  next_tick_ = at + std::max<UnixUs>(rounded_up(detector_->until_tick(now(at).steady)), 1);
}

void Replay::follow(UnixUs at) {
  for (const Decision& decision : decisions_) follow(decision, at);
  decisions_.clear();
}

void Replay::follow(const Decision& decision, UnixUs at) {
  const HotKey& key = decision.key;
  Running& running = hot_[key.key];
  AnalyzedEpisode& episode = running.episode;
  if (decision.kind == DecisionKind::promoted) {
    episode.key = key.key;
    episode.start = at;
  }
  if (key.is_hot) {
    episode.rule = key.rule;
    episode.key_class = key.key_class;
    episode.peak_rate = std::max(episode.peak_rate, key.figures.rate);
    episode.share = std::max(episode.share, key.figures.share);
    const auto& near = key.actions.near_cache;
    running.near.allow(near ? std::optional(options_.near_ttl_us.value_or(in_us(near->ttl))) : std::nullopt);
    running.has_hot_pool = key.actions.hot_pool_copies.has_value();
    return;
  }
  close(running, at);
  hot_.erase(key.key);
}

void Replay::see_peaks() {
  for (const HotKey* key : detector_->hot_keys(ns_)) {
    const auto found = hot_.find(key->key);
    if (found == hot_.end()) continue;
    AnalyzedEpisode& episode = found->second.episode;
    episode.peak_rate = std::max(episode.peak_rate, key->figures.rate);
    episode.share = std::max(episode.share, key->figures.share);
  }
}

void Replay::replay_hot(const ParsedAccess& access, UnixUs at) {
  const auto found = hot_.find(access.key);
  if (found == hot_.end()) return;
  Running& running = found->second;
  ++report_.totals.hot_accesses;
  if (access.kind == AccessKind::write) return running.near.write();
  const bool is_saved = running.near.read(at, running.episode.near);
  if (!is_saved && running.has_hot_pool) ++report_.totals.hot_pool_reads;
}

void Replay::close(Running& running, UnixUs at) {
  AnalyzedEpisode& episode = running.episode;
  AnalysisTotals& totals = report_.totals;
  episode.end = at;
  ++totals.episodes;
  totals.near.saved += episode.near.saved;
  totals.near.stale += episode.near.stale;
  key_bytes_ += episode.key.size();
  if (report_.episodes.size() >= options_.episodes_max || key_bytes_ > kKeyBytesMax) {
    ++totals.unlisted;
    return;
  }
  report_.episodes.push_back(std::move(episode));
}

// The slot that runs is seen to its end, so that the last accesses are in a peak as well.
AnalysisReport Replay::finish() {
  if (detector_) {
    detector_->tick(now(next_tick_), decisions_);
    decisions_.clear();
    see_peaks();
  }
  report_.totals.still_hot = hot_.size();
  std::vector<Running*> running;
  for (auto& [key, one] : hot_) running.push_back(&one);
  const auto order = [](const AnalyzedEpisode& a, const AnalyzedEpisode& b) {
    return std::tie(a.start, a.key) < std::tie(b.start, b.key);
  };
  std::sort(running.begin(), running.end(),
            [&](const Running* a, const Running* b) { return order(a->episode, b->episode); });
  for (Running* one : running) close(*one, report_.totals.end);
  std::sort(report_.episodes.begin(), report_.episodes.end(), order);
  report_.top_shares = top_shares_.curve();
  return std::move(report_);
}

}  // namespace hotkeyd
