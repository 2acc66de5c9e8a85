// Tells those who asked for it that the process forks, so that a child never meets a lock held by a thread it
// lacks.
//
// Any thread may watch and unwatch. The calls below come in the forking thread, with no other fork going on.
#pragma once

namespace hotkeyd::sdk {

class ForkWatcher {
 public:
  virtual ~ForkWatcher() = default;
  virtual void before_fork() = 0;  // Takes the locks.
  virtual void after_fork_in_parent() = 0;
  virtual void after_fork_in_child() = 0;
};

void watch_fork(ForkWatcher* watcher);
void unwatch_fork(ForkWatcher* watcher);

}  // namespace hotkeyd::sdk
