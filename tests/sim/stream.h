// A detector and its oracle under the same stream, slot by slot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/detector_driver.h"
#include "tests/support/exact_judge.h"

namespace hotkeyd {

// Both count what `observe` is given; `run` lets time pass and both judge at every slot.
class JudgedStream {
 public:
  JudgedStream(const DetectorOptions& options, const ExactRule& rule)
      : driver(options), exact(rule, options.slots) {}

  void observe(const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      exact.add(std::string(access.key), access.reads + access.writes, driver.now().steady);
    }
    driver.observe(accesses);
    take();
  }
  void run(Duration duration) {
    const Time end = driver.now().steady + duration;
    for (Time edge = next_edge(); edge <= end; edge = next_edge()) {
      driver.jump(edge - driver.now().steady);
      exact.end_slot(edge);
      driver.tick();
      take();
    }
    driver.jump(end - driver.now().steady);
  }

  const std::vector<ExactDecision>& decided() const { return decided_; }
  std::vector<ExactDecision> decided_of(const std::string& key) const { return of(decided_, key); }
  std::vector<ExactDecision> exact_of(const std::string& key) const { return of(exact.decisions(), key); }

  DetectorDriver driver;
  ExactJudge exact;

 private:
  Time next_edge() { return driver.now().steady + driver.detector().until_tick(driver.now().steady); }

  void take() {
    for (const Decision& decision : driver.decisions()) {
      if (decision.kind == DecisionKind::updated) continue;
      decided_.push_back({decision.key.key, decision.kind == DecisionKind::promoted, driver.now().steady});
    }
  }
  static std::vector<ExactDecision> of(const std::vector<ExactDecision>& all, const std::string& key) {
    std::vector<ExactDecision> found;
    for (const ExactDecision& decision : all) {
      if (decision.key == key) found.push_back(decision);
    }
    return found;
  }

  std::vector<ExactDecision> decided_;
};

}  // namespace hotkeyd
