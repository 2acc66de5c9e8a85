// analyze: recordings through the detector, offline.
#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "analyze/merge.h"
#include "analyze/replay.h"
#include "base/text.h"
#include "cli/analyze_config.h"
#include "cli/analyze_input.h"
#include "cli/analyze_text.h"
#include "cli/ctl_session.h"
#include "cli/format.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

int fail(std::string_view reason) {
  complain(reason);
  return ctl_exit_refused;
}

class Analysis {
 public:
  explicit Analysis(const CtlCommandLine& line) : line_(line), options_(line.analyze) {}

  int run() {
    if (const int code = spare_what_is_read(); code != ctl_exit_done) return code;
    if (const int code = read_rules(); code != ctl_exit_done) return code;
    if (const int code = open_files(); code != ctl_exit_done) return code;
    Replay replay(replay_);
    Merge merge(pointers());
    while (const ParsedAccess* access = merge.next()) replay.take(*access);
    progress_.clear();
    if (const int code = tell_troubles(); code != ctl_exit_done) return code;
    const AnalysisReport report = replay.finish();
    tell_disorder(report.totals);
    return print(report);
  }

 private:
  // The page must not take the place of what it is made from.
  int spare_what_is_read() const {
    std::error_code none;
    if (!options_.html || !std::filesystem::is_regular_file(*options_.html, none)) return ctl_exit_done;
    std::vector<std::string> read = options_.files;
    if (options_.config) read.push_back(*options_.config);
    for (const std::string& name : read) {
      if (std::filesystem::equivalent(name == "-" ? "/dev/stdin" : name, *options_.html, none))
        return fail(redis_escape(name) + ": is the file that --html names, and would be lost: name another");
    }
    return ctl_exit_done;
  }

  int read_rules() {
    auto rules = read_analyze_rules(options_.config);
    for (const std::string& error : rules.errors) complain(printable(error));
    if (!rules.options) return ctl_exit_refused;
    replay_.detector = std::move(*rules.options);
    if (!line_.ns.empty()) replay_.ns = line_.ns;
    if (options_.near_ttl) replay_.near_ttl_us = options_.near_ttl->count() * 1000;
    const auto checked = Replay::check(replay_);
    return checked ? ctl_exit_done : fail(printable(checked.error()) + " (choose another with --ns)");
  }

  int open_files() {
    for (const std::string& name : options_.files) {
      auto file = AnalyzeFile::open(name, progress_);
      if (!file) return fail(file.error());
      recordings_.emplace_back(files_.emplace_back(std::move(*file)));
    }
    return ctl_exit_done;
  }

  std::vector<Recording*> pointers() {
    std::vector<Recording*> all;
    for (Recording& recording : recordings_) all.push_back(&recording);
    return all;
  }

  int tell_troubles() const {
    int code = ctl_exit_done;
    for (std::size_t at = 0; at < recordings_.size(); ++at) {
      const std::string name = redis_escape(options_.files[at]);
      const RecordingStats& stats = recordings_[at].stats();
      for (const BadLine& bad : stats.first_bad)
        complain(name + ":" + std::to_string(bad.number) + ": skipped: " + printable(bad.reason));
      if (stats.bad_lines > stats.first_bad.size())
        complain(name + ": " + counted(stats.bad_lines, "line", "lines") + " skipped in all");
      if (const auto& error = recordings_[at].error()) code = fail(name + ": " + printable(*error));
    }
    return code;
  }

  // A few late ones are usual where several threads write a trace; many make every figure wrong.
  static void tell_disorder(const AnalysisTotals& totals) {
    if (totals.late * 100 <= totals.accesses) return;
    complain(with_separators(totals.late) + " of " + with_separators(totals.accesses) +
             " accesses are dated before one already seen and count at its time: sort the recording by time");
  }

  int print(const AnalysisReport& report) const {
    AnalyzedInput input;
    input.files = options_.files;
    for (const Recording& recording : recordings_) {
      input.lines += recording.stats().lines;
      input.bad_lines += recording.stats().bad_lines;
    }
    if (options_.html) {
      std::ofstream page(*options_.html, std::ios::binary | std::ios::trunc);
      page << analysis_page(report, input) << std::flush;
      if (!page) return fail(redis_escape(*options_.html) + ": cannot be written");
    }
    std::cout << (line_.json ? analysis_json(report, input) : analysis_table(report, input)) << std::flush;
    return ctl_exit_done;
  }

  const CtlCommandLine& line_;
  const AnalyzeOptions& options_;
  ReplayOptions replay_;
  AnalyzeProgress progress_;
  std::deque<AnalyzeFile> files_;
  std::deque<Recording> recordings_;
};

}  // namespace

int run_analyze(const CtlCommandLine& line) { return Analysis(line).run(); }

}  // namespace hotkeyd
