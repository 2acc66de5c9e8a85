// A small world around the near cache in virtual time: a source, writers, a daemon, a channel that loses
// messages and breaks, and readers whose loads are slow, fail or hang. A seed chooses every step; the hot
// stream, the hub, the store and its shards are the real ones.
//
// What it claims of every answer, from what it did itself:
// - a copy is served only while the daemon, as far as it was heard, allows one, and before its deadline;
// - nothing is answered that is older than an invalidation applied, or a loss noticed, before the question;
// - one load of a key at a time, overdue ones excepted;
// - a copy that is still allowed is not loaded again;
// - what a reader reads is alive.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/random.h"
#include "sdk/cpp/src/hot_stream.h"
#include "sdk/cpp/src/near_hub.h"
#include "sdk/cpp/src/recorder_pool.h"

namespace hotkeyd::sdk {

// What happened, so that a test can claim that it happened often enough.
struct Happened {
  std::uint64_t hits = 0;
  std::uint64_t loads = 0;
  std::uint64_t joined = 0;
  std::uint64_t waited = 0;
  std::uint64_t overtaken = 0;
  std::uint64_t invalidations = 0;
  std::uint64_t losses = 0;
  std::uint64_t disconnections = 0;
  std::uint64_t demotions = 0;
  std::uint64_t lease_ends = 0;
};

class NearWorld {
 public:
  explicit NearWorld(std::uint64_t seed);
  ~NearWorld();
  NearWorld(const NearWorld&) = delete;
  NearWorld& operator=(const NearWorld&) = delete;

  // Runs so many steps, or until a claim fails: then what failed, else "".
  std::string run(int steps);
  const Happened& happened() const { return happened_; }

 private:
  static constexpr std::size_t kKeys = 3;
  static constexpr std::size_t kReaders = 5;

  struct Copy : hotkey::detail::NearValue {
    ~Copy() { *is_alive = false; }
    std::size_t key = 0;
    std::uint64_t version = 0;
    std::uint64_t load_step = 0;
    Time started{};
    Time deadline_max{};  // As it was allowed when the load ended.
    std::shared_ptr<bool> is_alive = std::make_shared<bool>(true);
  };
  struct Reader {
    enum class Does { nothing, copies, loads, waits };
    Does does = Does::nothing;
    std::size_t key = 0;
    std::uint64_t version_min = 0;  // Of the last invalidation applied before the question.
    std::uint64_t after_step = 0;   // The load must have begun later.
    Time give_up_at{};
    std::shared_ptr<const bool> is_alive = {};  // copies: what it reads
    NearShard::Step step = {};                  // loads, waits
    std::uint64_t load_step = 0;
    Time started{};
    std::optional<std::uint64_t> version = {};  // Once the source was read.
    bool hangs = false;
  };
  struct Message {
    Event event;
    bool is_after_loss = false;
    bool is_opening = false;
  };
  struct Kept {
    Time started{};
    Time sure_until{};
  };

  void act();
  void fail(const std::string& what);
  bool chance(std::uint32_t one_in) { return random_.below(one_in) == 0; }
  std::uint64_t hash(std::size_t key) const { return stream_.hash(names_[key]); }

  // near_world_readers.cc
  void read(Reader& reader);
  void ask(Reader& reader);
  bool ask_fast(Reader& reader);
  void begin(Reader& reader);
  void start_load(Reader& reader);
  void nest(Reader& reader);
  void go_on_loading(Reader& reader);
  void finish_load(Reader& reader);
  void go_on_waiting(Reader& reader);
  void answer(const Reader& reader, const Copy& copy, bool is_local);
  void note_kept(const Reader& reader, Copy& copy);
  Duration ttl(const EventNearCache& allowed) const;
  std::size_t caller(const Reader& reader) const;

  // near_world.cc
  void write();
  void apply_invalidation(std::size_t key);
  void note_loss();
  Event event(EventType type, std::uint64_t seq) const;
  void tell(Event event);
  void tell_snapshot(bool is_opening);
  void change_hotness();
  void deliver();
  void lose_message();
  void disconnect();
  void reconnect();
  void end_lease();

  Random random_;
  const Duration max_staleness_;
  Time now_{std::chrono::hours(1)};
  std::uint64_t step_ = 1;
  std::string failure_;
  Happened happened_;

  std::array<std::string, kKeys> names_{"a", "b", "c"};
  std::array<std::uint64_t, kKeys> versions_{};  // The source.
  std::array<std::uint64_t, kKeys> untold_{};    // Written and not yet invalidated: how many.
  std::map<std::size_t, EventNearCache> hot_;    // The daemon's.
  std::uint64_t seq_ = 0;
  std::deque<Message> channel_;
  bool is_connected_ = true;
  bool is_loss_pending_ = false;
  bool is_snapshot_asked_ = false;

  HotStream stream_;
  NearHub hub_;
  NearHub::Home home_{nullptr};
  NearStore* store_ = nullptr;
  std::array<Recorder*, kReaders> recorders_{};
  std::array<Reader, kReaders> readers_;
  std::set<std::weak_ptr<NearFlight>, std::owner_less<>> done_;

  // What the world knows must hold.
  std::array<std::uint64_t, kKeys> version_min_{};
  std::array<std::uint64_t, kKeys> invalidated_step_{};
  std::uint64_t loss_step_ = 0;
  bool is_stream_forgotten_ = true;
  std::map<std::size_t, Kept> kept_;
  std::array<std::uint64_t, kKeys> last_load_{};  // Steps.
};

}  // namespace hotkeyd::sdk
