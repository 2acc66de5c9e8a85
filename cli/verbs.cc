#include "cli/verbs.h"

#include "cli/exit_code.h"

namespace hotkeyd {

int run_verb(const CtlCommandLine& line) {
  switch (line.verb) {
    case Verb::top:
      return run_top(line);
    case Verb::list:
      return run_list(line);
    case Verb::watch:
      return run_watch(line);
    case Verb::explain:
      return run_explain(line);
    case Verb::episodes:
      return run_episodes(line);
    case Verb::pin:
    case Verb::unpin:
    case Verb::deny:
    case Verb::allow:
    case Verb::disable:
    case Verb::enable:
      return run_order(line);
    case Verb::invalidate:
      return run_invalidate(line);
    case Verb::status:
      return run_status(line);
    case Verb::reload:
      return run_reload(line);
    case Verb::log_level:
      return run_log_level(line);
    case Verb::analyze:
      return run_analyze(line);
    case Verb::load:
      return run_load(line);
    case Verb::load_worker:
      return run_load_worker(line);
  }
  return ctl_exit_usage;
}

}  // namespace hotkeyd
