#include "resp/odd_commands.h"

#include "base/text.h"

namespace hotkeyd {
namespace {

// An option and the number of arguments that it takes.
struct Option {
  std::string_view name;
  std::size_t arguments;
};

// The arguments of the option at `argument`; nullptr: it is none of them.
const Option* find_option(std::span<const Option> options, std::string_view argument) {
  for (const Option& option : options) {
    if (equals_ignore_case(option.name, argument)) return &option;
  }
  return nullptr;
}

constexpr Option kSortOptions[] = {{"limit", 2}, {"get", 1}, {"by", 1}};
constexpr Option kStreamOptions[] = {{"block", 1}, {"count", 1}, {"claim", 1}, {"group", 2}, {"noack", 0}};
constexpr Option kMigrateOptions[] = {{"copy", 0}, {"replace", 0}, {"auth", 1}, {"auth2", 2}};
constexpr Option kBitfieldReads[] = {{"get", 2}, {"overflow", 1}};

void add_sort(Arguments arguments, KeySink& sink) {
  std::size_t store = 0;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    if (const Option* option = find_option(kSortOptions, arguments[i])) {
      i += option->arguments;
    } else if (equals_ignore_case(arguments[i], "store") && i + 1 < arguments.size()) {
      store = ++i;
    }
  }
  sink.add(1, KeyUse::read);
  if (store > 0) sink.add(store, KeyUse::write);
}

// Index of the first stream; the number of arguments if there is none.
std::size_t find_streams(Arguments arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (equals_ignore_case(arguments[i], "streams")) return i + 1;
    const Option* option = find_option(kStreamOptions, arguments[i]);
    if (option == nullptr) break;
    i += option->arguments;
  }
  return arguments.size();
}

void add_streams(Arguments arguments, KeySink& sink) {
  const std::size_t first = find_streams(arguments);
  const std::size_t streams_and_ids = arguments.size() - first;
  if (streams_and_ids % 2 != 0) return;
  for (std::size_t i = first; i < first + streams_and_ids / 2; ++i) sink.add(i, KeyUse::read);
}

// Index of what follows KEYS; 0 if it is not there.
std::size_t find_migrate_keys(Arguments arguments) {
  for (std::size_t i = 6; i < arguments.size(); ++i) {
    if (equals_ignore_case(arguments[i], "keys")) return i + 1;
    if (const Option* option = find_option(kMigrateOptions, arguments[i])) i += option->arguments;
  }
  return 0;
}

void add_migrate(Arguments arguments, KeySink& sink) {
  const std::size_t keys = find_migrate_keys(arguments);
  if (keys == 0) return sink.add(3, KeyUse::write);
  if (!arguments[3].empty()) return;
  for (std::size_t i = keys; i < arguments.size(); ++i) sink.add(i, KeyUse::write);
}

void add_georadius(Arguments arguments, KeySink& sink) {
  std::size_t store = 0;
  for (std::size_t i = 5; i + 1 < arguments.size(); ++i) {
    if (equals_ignore_case(arguments[i], "store") || equals_ignore_case(arguments[i], "storedist"))
      store = ++i;
  }
  sink.add(1, KeyUse::read);
  if (store > 0) sink.add(store, KeyUse::write);
}

bool only_reads_bits(Arguments arguments) {
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const Option* option = find_option(kBitfieldReads, arguments[i]);
    if (option == nullptr || option->arguments >= arguments.size() - i) return false;
    i += option->arguments;
  }
  return true;
}

}  // namespace

void KeySink::add(std::size_t index, KeyUse use, std::size_t value) {
  if (count_ < keys_.size()) {
    keys_[count_] = {static_cast<std::uint32_t>(index), use, static_cast<std::uint32_t>(value)};
  }
  ++count_;
}

void add_odd_keys(CommandKind kind, Arguments arguments, KeySink& sink) {
  switch (kind) {
    case CommandKind::sort:
      return add_sort(arguments, sink);
    case CommandKind::streams:
      return add_streams(arguments, sink);
    case CommandKind::migrate:
      return add_migrate(arguments, sink);
    case CommandKind::georadius:
      return add_georadius(arguments, sink);
    case CommandKind::bitfield:
      return sink.add(1, only_reads_bits(arguments) ? KeyUse::read : KeyUse::write);
    case CommandKind::plain:
    case CommandKind::container:
    case CommandKind::script:
    case CommandKind::quiet:
      return;
  }
}

}  // namespace hotkeyd
