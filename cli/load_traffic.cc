#include "cli/load_traffic.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hotkeyd {
namespace {

double in_seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

LoadTraffic::LoadTraffic(const LoadOptions& options, std::uint32_t worker)
    : options_(options),
      rate_(static_cast<double>(options.rate) / options.processes),
      zipf_(options.keys, options.zipf),
      random_(options.seed * 1'000'003 + worker),
      key_(options.key_prefix) {}

std::uint64_t LoadTraffic::due(Elapsed now) {
  const auto total = static_cast<std::uint64_t>(
      std::max(0.0, in_seconds(std::min<Elapsed>(now, options_.duration)) * rate_));
  if (total <= made_) return 0;
  const auto most = static_cast<std::uint64_t>(in_seconds(kBehindMax) * rate_) + 1;
  const std::uint64_t due = std::min(total - made_, most);
  made_ = total;
  return due;
}

bool LoadTraffic::is_sale(Elapsed now) const {
  return options_.sale_at && now >= *options_.sale_at && now < options_.sale_stop();
}

LoadTraffic::Access LoadTraffic::next(Elapsed now) {
  if (is_sale(now) && random_.fraction() < options_.sale_share) return {options_.sale_key, false, true};
  std::array<char, 24> digits;
  const char* const end =
      std::to_chars(digits.data(), digits.data() + digits.size(), zipf_.sample(random_)).ptr;
  key_.resize(options_.key_prefix.size());
  key_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  return {key_, options_.write_share > 0 && random_.fraction() < options_.write_share, false};
}

}  // namespace hotkeyd
