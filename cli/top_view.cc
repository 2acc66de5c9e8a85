#include "cli/top_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/glob.h"
#include "base/text.h"

namespace hotkeyd {
namespace {

using Kind = KeyPress::Kind;

constexpr std::array<std::pair<char, TopOrder>, 5> kOrders{{{'r', TopOrder::rate},
                                                            {'e', TopOrder::error},
                                                            {'c', TopOrder::key_class},
                                                            {'s', TopOrder::state},
                                                            {'k', TopOrder::key}}};

bool is_glob(std::string_view filter) { return filter.find_first_of("*?[") != std::string_view::npos; }

bool passes(std::string_view filter, std::string_view text) {
  return is_glob(filter) ? glob_matches(filter, text) : text.find(filter) != std::string_view::npos;
}

bool passes_filter(const std::string& filter, const std::string& key) {
  return filter.empty() || passes(filter, key) || passes(filter, redis_escape(key));
}

// The hottest first whatever the order: ties keep the sample's ranks.
bool comes_before(TopOrder order, const RankedKey& a, const RankedKey& b) {
  switch (order) {
    case TopOrder::rate:
      return a.rate > b.rate;
    case TopOrder::error:
      return a.error > b.error;
    case TopOrder::key_class:
      return a.key_class < b.key_class;
    case TopOrder::state:
      return a.state < b.state;
    case TopOrder::key:
      return a.key < b.key;
  }
  return false;
}

// A whole character: what stands in front of it in UTF-8 goes too.
void erase_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

void clear_filter(TopView& view) {
  view.filter.clear();
  view.edits_filter = false;
  view.first = 0;
}

void edit_filter(TopView& view, const KeyPress& press) {
  view.first = 0;
  if (press.kind == Kind::backspace) erase_last(view.filter);
  if (press.kind == Kind::enter) view.edits_filter = false;
  if (press.kind == Kind::text && view.filter.size() < TopView::kFilterMax) view.filter += press.byte;
}

void take_letter(TopView& view, char letter) {
  for (const auto& [name, order] : kOrders) {
    if (name != letter) continue;
    view.is_reversed = view.order == order && !view.is_reversed;
    view.order = order;
    view.first = 0;
  }
  if (letter == 'q') view.is_done = true;
  if (letter == 'p' || letter == ' ') view.is_paused = !view.is_paused;
  if (letter == '/') view.edits_filter = true;
  if (letter == 'h' || letter == '?') view.shows_help = true;
}

void scroll(TopView& view, Kind kind) {
  const std::size_t rows = shown_keys(view).size();
  const std::size_t last = rows > view.page ? rows - view.page : 0;
  const std::size_t first = view.first;
  if (kind == Kind::up) view.first = first - std::min<std::size_t>(first, 1);
  if (kind == Kind::down) view.first = first + 1;
  if (kind == Kind::page_up) view.first = first - std::min(first, view.page);
  if (kind == Kind::page_down) view.first = first + view.page;
  if (kind == Kind::home) view.first = 0;
  if (kind == Kind::end) view.first = last;
  view.first = std::min(view.first, last);
}

}  // namespace

TopView pressed(TopView view, const KeyPress& press) {
  view.notice.clear();
  if (std::exchange(view.shows_help, false)) {
    view.is_done = press == KeyPress{Kind::text, 'q'};
    return view;
  }
  if (press.kind == Kind::escape) {
    clear_filter(view);
  } else if (view.edits_filter) {
    edit_filter(view, press);
  } else if (press.kind == Kind::text) {
    take_letter(view, press.byte);
  } else {
    scroll(view, press.kind);
  }
  return view;
}

TopView sampled(TopView view, TopSample sample) {
  view.trouble.clear();
  const std::uint64_t epoch = std::exchange(view.epoch, sample.epoch);
  if (epoch != 0 && epoch != sample.epoch) view.notice = "reconnected: the daemon was restarted";
  if (view.is_paused && view.sample) return view;
  view.sample = std::move(sample);
  return view;
}

std::vector<ShownKey> shown_keys(const TopView& view) {
  std::vector<ShownKey> shown;
  if (!view.sample) return shown;
  const auto& keys = view.sample->keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (passes_filter(view.filter, keys[i].key)) shown.push_back({i + 1, &keys[i]});
  }
  std::stable_sort(shown.begin(), shown.end(), [&view](const ShownKey& a, const ShownKey& b) {
    return comes_before(view.order, view.is_reversed ? *b.key : *a.key, view.is_reversed ? *a.key : *b.key);
  });
  return shown;
}

const char* to_string(TopOrder order) {
  switch (order) {
    case TopOrder::rate:
      return "rate";
    case TopOrder::error:
      return "error";
    case TopOrder::key_class:
      return "class";
    case TopOrder::state:
      return "state";
    case TopOrder::key:
      return "key";
  }
  return "";
}

}  // namespace hotkeyd
