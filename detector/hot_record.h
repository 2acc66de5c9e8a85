// One hot key and its hysteresis: what is in force, and since when each thing has been about to change.
//
// Everything falls only after it has been below its way out for `after` without a break: the key itself, each
// level, a new class. What takes the near cache away applies at once. Judged at ticks on whole windows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "detector/counter.h"
#include "detector/decision.h"
#include "detector/episodes.h"
#include "detector/figures.h"
#include "detector/rules.h"
#include "detector/saved_state.h"
#include "detector/thresholds.h"

namespace hotkeyd {

class Window;

// How long a condition has held without a break.
class Hold {
 public:
  // True when it has held for `after`.
  bool update(bool condition, Time at, Duration after) {
    if (!condition) since_.reset();
    if (condition && !since_) since_ = at;
    return condition && at - *since_ >= after;
  }
  void reset() { since_.reset(); }

 private:
  std::optional<Time> since_;
};

// What a tick shows of the key's window.
struct WindowView {
  WindowSums sums;
  WindowScale scale;
  Time edge{};           // The instant at which the window ended.
  bool is_whole = true;  // False until a whole window was seen: then nothing falls.
};

struct HotRecord {
  HotKey shown;                // As events and the hot set say it.
  const Rule* rule = nullptr;  // Null where none matches (a pin).
  Window* window = nullptr;    // The rule's; the base window without one.
  std::optional<CandidateId> candidate;
  bool is_pinned = false;
  bool by_rate = false;     // Hot by its figures, whatever the orders.
  UnixMs hot_since_ms = 0;  // Since when its state (hot or pinned) holds.
  EpisodeNumber episode = 0;
  double rate_before = 0;  // Of a restored key: when it was saved.
  std::array<bool, kLevels.size()> level_on{};

  Hold cold;
  std::array<Hold, kLevels.size()> level_cold;
  Hold other_class;
  KeyClass next_class = KeyClass::read;
  bool next_near_cache = false;

  Duration after() const;
  // Levels, class and near cache as the figures have them now: at the promotion.
  void start(const WindowSums& sums);
  // Goes on where a process before left off; `rule`, `window` and `by_rate` are set.
  void resume(const SavedHotKey& saved, UnixMs now_ms);
  SavedHotKey save(Reason promoted_by, std::uint64_t peak_rate) const;
  // Goes on under another rule, or the same with other values: what it no longer offers is gone.
  void follow(const Rule* other, const WindowSums& sums);
  // Levels that the figures reach now go on; true when one did.
  bool raise_levels(std::uint64_t count);
  // The count at which the next level begins; Triggers::kNever where none is left.
  std::uint32_t next_level_count() const;
  // Judge at a tick. `cools`: no longer hot by its figures. The others: true when something changed.
  bool cools(const WindowView& view);
  bool judge_levels(const WindowView& view);
  bool judge_class(const WindowView& view);
  // Forgets what was about to fall: another window begins.
  void reset_holds();

 private:
  void set_class(KeyClass key_class, std::optional<NearCacheOptions> near_cache);
  void show_levels();
};

}  // namespace hotkeyd
