// What `top` shows, as a value: the latest sample and how the person wants to see it.
//
// A key press or a sample makes the next view of the last one; nothing here draws or waits. A filter is text
// within the key, or a glob where it holds * ? or [; it matches the key's bytes or the key as it is printed,
// so that what one sees can be typed. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/key_press.h"
#include "cli/top_sample.h"

namespace hotkeyd {

enum class TopOrder { rate, error, key_class, state, key };

struct TopView {
  static constexpr std::size_t kFilterMax = 200;  // Bytes; more are not taken.

  TopOrder order = TopOrder::rate;
  bool is_reversed = false;
  std::string filter;
  bool edits_filter = false;
  bool is_paused = false;
  bool shows_help = false;
  bool is_done = false;     // Quit was asked for.
  std::size_t first = 0;    // The row at the top.
  std::string trouble;      // Why there is nothing new; empty while all is well.
  std::string notice;       // Said until the next key press.
  std::uint64_t epoch = 0;  // Of the daemon that answered last.
  std::size_t page = 10;    // Rows that fit: how far a page goes.
  std::optional<TopSample> sample;
};

struct ShownKey {
  std::size_t rank = 0;  // By rate among all of the sample, from 1.
  const RankedKey* key = nullptr;
};

TopView pressed(TopView view, const KeyPress& press);
// While paused the sample is dropped.
TopView sampled(TopView view, TopSample sample);

// The keys that pass the filter, in order; they point into the view's sample.
std::vector<ShownKey> shown_keys(const TopView& view);

const char* to_string(TopOrder order);

}  // namespace hotkeyd
