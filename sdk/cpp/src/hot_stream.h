// The hot set of one namespace as the daemon's stream of events tells it (docs/protocol.md, Events).
//
// Events are applied by (epoch, seq), so that repeated and late ones change nothing. Whoever misses one sees
// a gap and asks for a snapshot; what is newer than the snapshot stands. Every event and heartbeat extends
// the lease; when it runs out everything known of the stream is forgotten. The stream follows one node, that
// of the last snapshot that opened it; invalidations of other nodes are passed on and change nothing. Keys
// are known by their hash. Pure: time comes in; one thread. Bounded: `kKeysMax` keys, the rest is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "wire/event.h"

namespace hotkeyd::sdk {

class HotStream {
 public:
  static constexpr std::size_t kKeysMax = 131'072;

  enum class Change { none, added, removed, everything };
  struct Outcome {
    Change change = Change::none;
    std::uint64_t hash = 0;  // added, removed
    bool is_news = false;    // Not seen before: worth telling.
    bool is_gap = false;     // A gap was found just now.
    bool operator==(const Outcome&) const = default;
  };

  using Hash = std::function<std::uint64_t(std::string_view)>;
  explicit HotStream(Hash hash) : hash_(std::move(hash)) {}

  Outcome apply(const Event& event, Time now);
  // A new subscription begins with a snapshot, whatever node and epoch it comes from.
  void expect_snapshot() { is_opening_ = true; }
  // Whether a snapshot must be asked for; true once for each gap and each message that finds it still open.
  bool take_request();
  // Whether invalidations may have been missed before the last event applied; true once for each time.
  bool take_missed();
  // When the lease ends; nullopt while nothing is known.
  std::optional<Time> lease_end() const { return lease_end_; }
  // True when the lease has run out: then everything is forgotten.
  bool expire(Time now);

  std::size_t size() const { return entries_.size(); }
  std::vector<std::uint64_t> hashes() const;
  std::uint64_t hash(std::string_view key) const { return hash_(key); }
  // What a near cache may do: for one key, and for all that have it.
  using NearCaches = std::unordered_map<std::uint64_t, EventNearCache>;
  std::optional<EventNearCache> near_cache(std::uint64_t hash) const;
  NearCaches near_caches() const;
  bool has_gap() const { return missing_.has_value(); }

 private:
  using Versions = std::unordered_map<std::uint64_t, std::uint64_t>;  // Hash of a key to seq.
  struct Entry {
    std::uint64_t seq = 0;
    std::optional<EventNearCache> near_cache = {};
  };
  using Entries = std::unordered_map<std::uint64_t, Entry>;

  void forget();
  void start(const Event& event);
  bool opens(const Event& event) const;
  void note_gap(std::uint64_t upto, Outcome& outcome);
  void note_seq(std::uint64_t seq, Outcome& outcome);
  void extend_lease(const Event& event, Time now);
  Outcome apply_event(const Event& event, Outcome outcome);
  Outcome apply_key(const Event& event, Outcome outcome);
  Outcome apply_heartbeat(const Event& event, Outcome outcome);
  Outcome apply_part(const Event& event, Outcome outcome);
  void apply_snapshot(std::uint64_t seq);

  Hash hash_;
  bool is_known_ = false;
  bool is_opening_ = true;
  std::string node_;
  std::uint64_t epoch_ = 0;
  std::int64_t lease_ms_ = 10'000;
  std::optional<Time> lease_end_;
  std::uint64_t complete_ = 0;  // Everything up to this seq is known.
  std::uint64_t last_ = 0;      // The largest seq seen; larger than complete_ only while there is a gap.
  std::optional<std::uint64_t> missing_;  // While there is a gap: a snapshot must be at least as new as this.
  bool wants_request_ = false;
  bool is_missed_ = false;
  bool is_truncated_ = false;
  Entries entries_;
  Versions demoted_;  // Demotions and their seq, while a snapshot is awaited or being read.
  struct Parts {
    std::uint64_t seq = 0;
    std::uint64_t parts = 0;
    std::uint64_t next = 1;
    Entries entries;
  };
  std::optional<Parts> reading_;
};

}  // namespace hotkeyd::sdk
