#include "detector/access_math.h"

namespace hotkeyd {
namespace {

template <class Function>
Access each_column(const Access& access, Function function) {
  return {.key = access.key,
          .reads = function(access.reads),
          .writes = function(access.writes),
          .misses = function(access.misses),
          .local_hits = function(access.local_hits),
          .bytes = function(access.bytes)};
}

}  // namespace

void hash_keys(const KeyHash& hash, std::span<const Access> accesses, std::span<std::uint64_t> hashes) {
  if (accesses.empty()) return;
  hash.hash_rows(&accesses.front().key, sizeof(Access), hashes.first(accesses.size()));
}

Access scaled(const Access& access, double factor, Random& dice) {
  constexpr double kColumnMax = 0x1.0p63;
  const double up = dice.fraction();
  return each_column(access, [&](std::uint64_t column) {
    const double exact = static_cast<double>(column) * factor + up;
    return exact >= kColumnMax ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(exact);
  });
}

Access share_of(const Access& access, std::uint32_t spread, bool oldest) {
  return each_column(access,
                     [&](std::uint64_t column) { return column / spread + (oldest ? column % spread : 0); });
}

}  // namespace hotkeyd
