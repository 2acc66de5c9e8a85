#include "cli/load_story.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTopShown = 3;

double ns_in_ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::int64_t to_ns(milliseconds time) { return std::chrono::nanoseconds(time).count(); }

// "product:1 26,977/s hot": a row of HOTKEY TOP; empty where it is not one.
std::string top_row(const RespValue& row) {
  if (row.items.size() < 5) return {};
  const auto rate = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.items[1].integer));
  const std::string state = row.items[4].text == "warm" ? "" : " " + redis_escape(row.items[4].text);
  return shown_key(row.items[0].text, 60) + " " + with_separators(rate) + "/s" + state;
}

std::string in_plain_ms(double ms) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", ms);
  return text.data();
}

std::string figures_text(const LoadNote& total) {
  return with_separators(total.recorded) + " recorded = " + with_separators(total.acknowledged) +
         " acknowledged + " + with_separators(total.dropped) + " dropped + " +
         with_separators(total.pending) + " pending";
}

}  // namespace

LoadStory::LoadStory(const LoadOptions& options, std::int64_t start_ns)
    : options_(options), start_ns_(start_ns), processes_(options.processes) {}

std::string LoadStory::at(std::int64_t now_ns, const std::string& text) const {
  std::array<char, 32> time{};
  std::snprintf(time.data(), time.size(), "%6.1f s  ",
                std::max(0.0, static_cast<double>(now_ns - start_ns_) / 1e9));
  return time.data() + text;
}

LoadStory::Lines LoadStory::beginning() const {
  std::array<char, 32> zipf{};
  std::snprintf(zipf.data(), zipf.size(), "%g", options_.zipf);
  return {at(start_ns_, std::to_string(options_.processes) + " application processes make " +
                            with_separators(options_.rate) + " accesses a second to " +
                            with_separators(options_.keys) + " keys (Zipf " + zipf.data() + ")")};
}

LoadStory::Lines LoadStory::passed(std::int64_t now_ns) {
  if (!options_.sale_at) return {};
  const std::int64_t begins = start_ns_ + to_ns(*options_.sale_at);
  const std::int64_t ends = start_ns_ + to_ns(options_.sale_stop());
  if (!sale_began_ && now_ns >= begins) {
    sale_began_ = true;
    return {at(begins, "the sale begins: " + shown_key(options_.sale_key) + " takes " +
                           in_percent(options_.sale_share) + " of all accesses")};
  }
  if (sale_began_ && !sale_ended_ && now_ns >= ends) {
    sale_ended_ = true;
    return {at(ends, "the sale ends")};
  }
  return {};
}

LoadStory::Lines LoadStory::noted(std::size_t process, const LoadNote& note) {
  Process& from = processes_.at(process);
  switch (note.kind) {
    case LoadNote::Kind::first_access:
      from.first_access_ns = note.at_ns;
      return known_everywhere(note.at_ns);
    case LoadNote::Kind::hot:
      if (!from.hot_ns) from.hot_ns = note.at_ns;
      return known_everywhere(note.at_ns);
    case LoadNote::Kind::cold:
      return {};
    case LoadNote::Kind::trouble:
      if (std::exchange(last_trouble_, note.text) == note.text) return {};
      return {"        the SDK says: " + note.text};
    case LoadNote::Kind::done:
      from.figures = note;
      return {};
  }
  return {};
}

std::optional<std::int64_t> LoadStory::first_access_ns() const {
  std::optional<std::int64_t> first;
  for (const Process& process : processes_) {
    if (process.first_access_ns)
      first = std::min(first.value_or(*process.first_access_ns), *process.first_access_ns);
  }
  return first;
}

std::vector<double> LoadStory::delays_ms() const {
  const auto first = first_access_ns();
  std::vector<double> delays;
  delays.reserve(processes_.size());
  for (const Process& process : processes_) {
    if (!first || !process.hot_ns) return {};
    delays.push_back(std::max(0.0, ns_in_ms(*process.hot_ns - *first)));
  }
  std::sort(delays.begin(), delays.end());
  return delays;
}

LoadStory::Lines LoadStory::known_everywhere(std::int64_t now_ns) {
  const auto delays = delays_ms();
  if (delays.empty() || std::exchange(known_told_, true)) return {};
  return {at(now_ns, "all " + std::to_string(delays.size()) + " processes know it is hot, " +
                         fixed(delays.back(), 1) + " ms after its first access (the fastest after " +
                         fixed(delays.front(), 1) + " ms)")};
}

LoadStory::Lines LoadStory::told(const Event& event, std::int64_t now_ns) {
  promotions_ += event.type == EventType::promoted ? 1 : 0;
  demotions_ += event.type == EventType::demoted ? 1 : 0;
  if (!options_.sale_at || event.key != options_.sale_key || !event.data) return {};
  const KeyData& data = *event.data;
  const std::string about = shown_key(event.key) + " at " + with_separators(data.rate) + "/s (rule " +
                            redis_escape(data.rule.value_or("-")) + ", reason " + redis_escape(data.reason) +
                            ")";
  if (event.type == EventType::demoted) {
    demoted_after_ms_ = static_cast<std::int64_t>(ns_in_ms(now_ns - start_ns_ - to_ns(options_.sale_stop())));
  }
  if (event.type != EventType::promoted && event.type != EventType::demoted) return {};
  return {at(now_ns, std::string(to_string(event.type)) + "  " + about)};
}

LoadStory::Lines LoadStory::top(const RespValue& reply, std::int64_t now_ns) const {
  std::string text = "top: ";
  for (std::size_t i = 0; i < std::min(kTopShown, reply.items.size()); ++i) {
    text += (i == 0 ? "" : ",  ") + top_row(reply.items[i]);
  }
  return {at(now_ns, text)};
}

LoadNote LoadStory::total() const {
  LoadNote total;
  for (const Process& process : processes_) {
    if (!process.figures) continue;
    total.recorded += process.figures->recorded;
    total.acknowledged += process.figures->acknowledged;
    total.dropped += process.figures->dropped;
    total.pending += process.figures->pending;
  }
  return total;
}

std::size_t LoadStory::missing() const {
  const auto has_none = [](const Process& process) { return !process.figures; };
  return static_cast<std::size_t>(std::count_if(processes_.begin(), processes_.end(), has_none));
}

LoadStory::Lines LoadStory::summary() const {
  const LoadNote total = this->total();
  const double seconds = std::chrono::duration<double>(options_.duration).count();
  Lines lines = {"", "accesses   " + figures_text(total),
                 "rate       " + fixed(static_cast<double>(total.recorded) / seconds, 0) + "/s for " +
                     in_time(options_.duration),
                 "hot keys   " + with_separators(promotions_) + " promoted, " + with_separators(demotions_) +
                     " demoted"};
  const auto delays = delays_ms();
  if (!options_.sale_at) return lines;
  lines.push_back("the sale   " + (delays.empty() ? std::string("not known to every process")
                                                  : "known to all processes " + fixed(delays.back(), 1) +
                                                        " ms after its first access"));
  if (demoted_after_ms_)
    lines.back() +=
        ", demoted " + fixed(static_cast<double>(*demoted_after_ms_) / 1000, 1) + " s after it ended";
  return lines;
}

std::string LoadStory::summary_json() const {
  const LoadNote total = this->total();
  std::string json = "{\"processes\":" + std::to_string(options_.processes) +
                     ",\"recorded\":" + std::to_string(total.recorded) +
                     ",\"acknowledged\":" + std::to_string(total.acknowledged) +
                     ",\"dropped\":" + std::to_string(total.dropped) +
                     ",\"pending\":" + std::to_string(total.pending) +
                     ",\"duration_ms\":" + std::to_string(options_.duration.count()) +
                     ",\"promoted\":" + std::to_string(promotions_) +
                     ",\"demoted\":" + std::to_string(demotions_) + ",\"sale\":";
  if (!options_.sale_at) return json + "null}";
  json += "{";
  append_json_key(json, options_.sale_key);
  const auto delays = delays_ms();
  std::string list;
  for (const double delay : delays) list += (list.empty() ? "" : ",") + in_plain_ms(delay);
  json += ",\"known_after_ms\":" + (delays.empty() ? "null" : in_plain_ms(delays.back())) +
          ",\"known_after_ms_each\":[" + list + "]";
  json += ",\"demoted_after_ms\":" + (demoted_after_ms_ ? std::to_string(*demoted_after_ms_) : "null") + "}}";
  return json;
}

}  // namespace hotkeyd
