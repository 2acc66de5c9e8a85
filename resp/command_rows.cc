#include "resp/command_rows.h"

#include <iterator>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr CommandRow kRows[] = {
#include "resp/command_rows.inc"
};

constexpr std::size_t kNameMax = 32;
constexpr std::size_t kIndexSize = 2048;
static_assert(std::size(kRows) < kIndexSize / 2);

constexpr std::uint32_t hash_name(std::uint32_t hash, std::string_view name) {
  for (const char byte : name) hash = (hash ^ (static_cast<unsigned char>(byte) | 0x20U)) * 16777619U;
  return hash;
}

constexpr std::size_t slot_of(std::string_view name, std::string_view subcommand) {
  const std::uint32_t hash = hash_name(hash_name(2166136261U, name), subcommand);
  return (hash ^ (hash >> 15)) % kIndexSize;
}

// Open addressing: number of the row + 1; 0 is empty.
constexpr auto kIndex = [] {
  std::array<std::uint16_t, kIndexSize> index{};
  for (std::size_t row = 0; row < std::size(kRows); ++row) {
    std::size_t slot = slot_of(kRows[row].name, kRows[row].subcommand);
    while (index[slot] != 0) slot = (slot + 1) % kIndexSize;
    index[slot] = static_cast<std::uint16_t>(row + 1);
  }
  return index;
}();

const CommandRow* find(std::string_view name, std::string_view subcommand) {
  if (name.size() > kNameMax || subcommand.size() > kNameMax) return nullptr;
  for (std::size_t slot = slot_of(name, subcommand); kIndex[slot] != 0; slot = (slot + 1) % kIndexSize) {
    const CommandRow& row = kRows[kIndex[slot] - 1];
    if (equals_ignore_case(row.name, name) && equals_ignore_case(row.subcommand, subcommand)) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const CommandRow> command_rows() { return kRows; }

const CommandRow* find_command(std::string_view name) { return find(name, {}); }

const CommandRow* find_command(Arguments arguments) {
  if (arguments.empty()) return nullptr;
  const CommandRow* row = find(arguments[0], {});
  if (row == nullptr || row->kind != CommandKind::container) return row;
  return arguments.size() < 2 || arguments[1].empty() ? nullptr : find(arguments[0], arguments[1]);
}

}  // namespace hotkeyd
