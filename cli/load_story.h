// What `load` tells: puts the notes of its processes, the daemon's events and its top keys into lines for
// people, and into a summary for people or scripts.
//
// Times are nanoseconds of the steady clock, as the processes note them. Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/load_note.h"
#include "cli/load_options.h"
#include "resp/reply_parser.h"
#include "wire/event.h"

namespace hotkeyd {

class LoadStory {
 public:
  LoadStory(const LoadOptions& options, std::int64_t start_ns);

  // What may be told now; lines without a line feed.
  using Lines = std::vector<std::string>;
  Lines beginning() const;
  Lines passed(std::int64_t now_ns);  // The moments of the plan: the sale begins, ends.
  Lines noted(std::size_t process, const LoadNote& note);
  Lines told(const Event& event, std::int64_t now_ns);
  Lines top(const RespValue& reply, std::int64_t now_ns) const;
  Lines summary() const;
  std::string summary_json() const;
  // Processes that ended without their figures.
  std::size_t missing() const;

 private:
  struct Process {
    std::optional<std::int64_t> first_access_ns;
    std::optional<std::int64_t> hot_ns;
    std::optional<LoadNote> figures;
  };

  std::string at(std::int64_t now_ns, const std::string& text) const;
  std::optional<std::int64_t> first_access_ns() const;
  // Of each process, in ms from the first access of any to its knowing; empty until all know.
  std::vector<double> delays_ms() const;
  Lines known_everywhere(std::int64_t now_ns);
  LoadNote total() const;

  LoadOptions options_;
  std::int64_t start_ns_;
  std::vector<Process> processes_;
  bool sale_began_ = false;
  bool sale_ended_ = false;
  bool known_told_ = false;
  std::string last_trouble_;
  std::uint64_t promotions_ = 0;
  std::uint64_t demotions_ = 0;
  std::optional<std::int64_t> demoted_after_ms_;  // From the end of the sale.
};

}  // namespace hotkeyd
