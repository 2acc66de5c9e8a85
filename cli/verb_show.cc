// list, episodes, explain, status: asks once and prints.
#include <iostream>

#include "base/clock.h"
#include "cli/ctl_session.h"
#include "cli/json_text.h"
#include "cli/listing.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

constexpr std::uint64_t kEpisodesShown = 20;
constexpr std::uint64_t kEpisodesKept = 1000;

int print(const std::string& text) {
  std::cout << text << std::flush;
  return ctl_exit_done;
}

}  // namespace

int run_list(const CtlCommandLine& line) {
  CtlSession session(line.daemon);
  const auto keys = session.ask_many({"HOTKEY", "LIST", line.ns});
  if (!keys) return session.exit_code();
  return print(line.json ? json_array(*keys) + "\n" : hot_keys_table(*keys, read_clocks().unix_ms));
}

int run_episodes(const CtlCommandLine& line) {
  CtlSession session(line.daemon);
  const std::uint64_t count = line.count.value_or(line.json ? kEpisodesKept : kEpisodesShown);
  const auto episodes = session.ask_many({"HOTKEY", "EPISODES", line.ns, std::to_string(count)});
  if (!episodes) return session.exit_code();
  return print(line.json ? json_array(*episodes) + "\n" : episodes_table(*episodes, read_clocks().unix_ms));
}

int run_explain(const CtlCommandLine& line) {
  CtlSession session(line.daemon);
  const std::string& key = line.keys.front();
  const auto answer = session.ask_text({"HOTKEY", "GET", line.ns, key});
  if (!answer) return session.exit_code();
  if (line.json) return print(answer->empty() ? "null\n" : *answer + "\n");
  return print(explanation(key, *answer, read_clocks().unix_ms));
}

int run_status(const CtlCommandLine& line) {
  CtlSession session(line.daemon);
  const auto stats = session.ask_text({"HOTKEY", "STATS"});
  if (!stats) return session.exit_code();
  return print(line.json ? *stats + "\n"
                         : status_text(*stats, line.daemon.redacted(), read_clocks().unix_ms));
}

}  // namespace hotkeyd
