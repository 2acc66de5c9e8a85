#include "resp/command_table.h"

#include "resp/command_rows.h"
#include "resp/number.h"
#include "resp/odd_commands.h"

namespace hotkeyd {
namespace {

// Where keys stand: `count` of them from `first` on, `step` apart.
struct Places {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t step = 1;
};

bool fits_arity(const CommandRow& row, std::size_t arguments) {
  return row.arity >= 0 ? arguments == static_cast<std::size_t>(row.arity)
                        : arguments >= static_cast<std::size_t>(-row.arity);
}

Places range_places(const KeySpec& spec, std::size_t arguments) {
  const std::size_t end = spec.last < 0 ? arguments - static_cast<std::size_t>(-1 - spec.last)
                                        : std::size_t{1} + spec.begin + static_cast<std::size_t>(spec.last);
  if (end <= spec.begin || end > arguments) return {};
  return {spec.begin, (end - spec.begin - 1) / spec.step + 1, spec.step};
}

// nullopt: the number of keys is none that the server takes. Only a script may have no keys.
std::optional<Places> count_places(const CommandRow& row, const KeySpec& spec, Arguments arguments) {
  if (spec.begin >= arguments.size()) return std::nullopt;
  const auto count = parse_resp_integer(arguments[spec.begin]);
  const std::size_t first = std::size_t{1} + spec.begin;
  if (!count || *count < (row.kind == CommandKind::script ? 0 : 1)) return std::nullopt;
  const std::size_t room = (arguments.size() - first + spec.step - 1) / spec.step;
  if (static_cast<std::uint64_t>(*count) > room) return std::nullopt;
  return Places{first, static_cast<std::size_t>(*count), spec.step};
}

std::optional<Places> places_of(const CommandRow& row, const KeySpec& spec, Arguments arguments) {
  if (spec.find == KeyFind::count) return count_places(row, spec, arguments);
  return range_places(spec, arguments.size());
}

void add_keys(const KeySpec& spec, Places places, std::size_t arguments, KeySink& sink) {
  for (std::size_t i = 0; i < places.count; ++i) {
    const std::size_t index = places.first + i * places.step;
    const std::size_t value = index + spec.value;
    sink.add(index, spec.use, spec.value > 0 && value < arguments ? value : 0);
  }
}

void add_plain_keys(const CommandRow& row, Arguments arguments, KeySink& sink) {
  std::array<Places, 2> places;
  for (std::size_t i = 0; i < row.specs.size() && row.specs[i].find != KeyFind::none; ++i) {
    const auto found = places_of(row, row.specs[i], arguments);
    if (!found) return;
    places[i] = *found;
  }
  for (std::size_t i = 0; i < row.specs.size(); ++i)
    add_keys(row.specs[i], places[i], arguments.size(), sink);
}

}  // namespace

std::size_t keys_of(Arguments arguments, std::span<KeyArgument> keys) {
  const CommandRow* row = find_command(arguments);
  if (row == nullptr || row->kind == CommandKind::quiet || !fits_arity(*row, arguments.size())) return 0;
  KeySink sink(keys);
  if (row->kind == CommandKind::plain || row->kind == CommandKind::script) {
    add_plain_keys(*row, arguments, sink);
  } else {
    add_odd_keys(row->kind, arguments, sink);
  }
  return sink.count();
}

bool is_plausible_command(Arguments arguments) {
  const CommandRow* row = find_command(arguments);
  return row != nullptr && fits_arity(*row, arguments.size());
}

std::optional<KeyUse> use_of(std::string_view name) {
  const CommandRow* row = find_command(name);
  if (row == nullptr || row->specs[0].find == KeyFind::none) return std::nullopt;
  return row->specs[0].use;
}

bool runs_script(std::string_view name) {
  const CommandRow* row = find_command(name);
  return row != nullptr && row->kind == CommandKind::script;
}

}  // namespace hotkeyd
