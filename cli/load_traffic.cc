#include "cli/load_traffic.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hotkeyd {
namespace {

// Of all processes together until then: exact, without the rounding of a division in floating point.
std::uint64_t accesses_until(std::chrono::nanoseconds time, std::uint64_t rate) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto seconds = static_cast<std::uint64_t>(time.count() / kSecond);
  const auto rest = static_cast<std::uint64_t>(time.count() % kSecond);
  return seconds * rate + rest * rate / kSecond;
}

}  // namespace

LoadTraffic::LoadTraffic(const LoadOptions& options, std::uint32_t worker)
    : options_(options),
      worker_(worker),
      zipf_(options.keys, options.zipf),
      random_(options.seed * 1'000'003 + worker),
      key_(options.key_prefix) {}

std::uint64_t LoadTraffic::share_of(std::uint64_t accesses) const {
  const std::uint64_t others_first = worker_ % options_.processes;
  if (accesses <= others_first) return 0;
  return (accesses - others_first - 1) / options_.processes + 1;
}

std::uint64_t LoadTraffic::due(Elapsed now) {
  const Elapsed passed = std::clamp<Elapsed>(now, Elapsed::zero(), options_.duration);
  const std::uint64_t total = share_of(accesses_until(passed, options_.rate));
  if (total <= made_) return 0;
  const std::uint64_t most = accesses_until(kBehindMax, options_.rate) / options_.processes + 1;
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
