#include "bench/support/probe_times.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <utility>

namespace hotkeyd {

void ProbeTimes::came(std::string_view number, const std::vector<Time>& sent) {
  std::size_t probe = sent.size();
  std::from_chars(number.data(), number.data() + number.size(), probe);
  if (probe >= sent.size() || came_after_[probe] >= 0) return;
  came_after_[probe] = std::chrono::duration<double>(Clock::now() - sent[probe]).count();
  ++received_;
}

void ProbeTimes::print(const std::string& name) const {
  std::vector<double> times;
  std::copy_if(came_after_.begin(), came_after_.end(), std::back_inserter(times),
               [](double t) { return t >= 0; });
  std::sort(times.begin(), times.end());
  std::cout << name << "_received " << received_ << '\n';
  for (const auto& [label, share] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}}) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    const double time = times.empty() ? 0 : times[std::min(at, times.size() - 1)];
    std::cout << name << '_' << label << "_us " << static_cast<std::uint64_t>(time * 1e6) << '\n';
  }
}

}  // namespace hotkeyd
