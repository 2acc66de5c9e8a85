#include "sdk/cpp/src/fork_watch.h"

#include <pthread.h>

#include <mutex>
#include <vector>

namespace hotkeyd::sdk {
namespace {

// Never destroyed: clients in static storage may outlive any order of destruction.
struct Watched {
  std::mutex mutex;
  std::vector<ForkWatcher*> watchers;
};

Watched& watched() {
  static auto* const all = new Watched;
  return *all;
}

void before_fork() {
  watched().mutex.lock();
  for (ForkWatcher* watcher : watched().watchers) watcher->before_fork();
}

void after_fork_in_parent() {
  for (ForkWatcher* watcher : watched().watchers) watcher->after_fork_in_parent();
  watched().mutex.unlock();
}

void after_fork_in_child() {
  for (ForkWatcher* watcher : watched().watchers) watcher->after_fork_in_child();
  watched().mutex.unlock();
}

}  // namespace

void watch_fork(ForkWatcher* watcher) {
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  static_cast<void>(registered);
  const std::lock_guard lock(watched().mutex);
  watched().watchers.push_back(watcher);
}

void unwatch_fork(ForkWatcher* watcher) {
  const std::lock_guard lock(watched().mutex);
  std::erase(watched().watchers, watcher);
}

}  // namespace hotkeyd::sdk
