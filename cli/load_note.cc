#include "cli/load_note.h"

#include <array>

#include "base/text.h"

namespace hotkeyd {
namespace {

using Kind = LoadNote::Kind;

constexpr std::size_t kTextMax = 1000;
constexpr std::array<std::pair<Kind, std::string_view>, 5> kNames{{{Kind::first_access, "first"},
                                                                   {Kind::hot, "hot"},
                                                                   {Kind::cold, "cold"},
                                                                   {Kind::trouble, "trouble"},
                                                                   {Kind::done, "done"}}};

std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

bool take_number(std::string_view& line, std::uint64_t& number) {
  const auto parsed = parse_unsigned(take_word(line));
  number = parsed.value_or(0);
  return parsed.has_value();
}

bool read_figures(std::string_view line, LoadNote& note) {
  return take_number(line, note.recorded) && take_number(line, note.acknowledged) &&
         take_number(line, note.dropped) && take_number(line, note.pending);
}

bool read_time(std::string_view line, LoadNote& note) {
  std::uint64_t ns = 0;
  if (!take_number(line, ns)) return false;
  note.at_ns = static_cast<std::int64_t>(ns);
  return true;
}

}  // namespace

std::string encode_note(const LoadNote& note) {
  std::string line;
  for (const auto& [kind, name] : kNames) {
    if (kind == note.kind) line = name;
  }
  if (note.kind == Kind::trouble) {
    line += " " + redis_escape(note.text, kTextMax);
  } else if (note.kind == Kind::done) {
    for (const auto number : {note.recorded, note.acknowledged, note.dropped, note.pending}) {
      line += " " + std::to_string(number);
    }
  } else {
    line += " " + std::to_string(note.at_ns);
  }
  return line + "\n";
}

std::optional<LoadNote> decode_note(std::string_view line) {
  const std::string_view word = take_word(line);
  for (const auto& [kind, name] : kNames) {
    if (name != word) continue;
    LoadNote note;
    note.kind = kind;
    if (kind == Kind::trouble) note.text = line;
    const bool is_whole =
        kind == Kind::trouble || (kind == Kind::done ? read_figures(line, note) : read_time(line, note));
    return is_whole ? std::optional(note) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hotkeyd
