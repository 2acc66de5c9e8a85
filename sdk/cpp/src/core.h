// One life of a client in one process: its counts, its hot set and its background thread.
//
// A forked child cannot use its parent's: the thread is not there, the connection and the producer's name are
// the parent's. So the child abandons the whole core (it leaks, on purpose) and makes a new one with its next
// call.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "hotkey/client.h"
#include "sdk/cpp/src/key_hash.h"
#include "sdk/cpp/src/settings.h"
#include "sdk/cpp/src/worker.h"

namespace hotkeyd::sdk {

class Core {
 public:
  Core(const Settings& settings, const SdkHash& hash, Callbacks& callbacks, Troubles& troubles,
       NearHub& near);
  ~Core();

  // Any thread.
  void record(std::string_view key, std::uint64_t hash, const Increment& increment) noexcept;
  // For the near cache: the calling thread's recorder, null when there is none, and recording with it.
  Recorder* recorder() noexcept;
  void record(Recorder& recorder, std::string_view key, std::uint64_t hash,
              const Increment& increment) noexcept;
  const std::shared_ptr<RecorderPool>& pool() const { return pool_; }
  bool is_hot(std::uint64_t hash) const noexcept { return hot_set_.contains(hash); }
  bool invalidate(std::string_view key) noexcept;
  hotkey::Stats stats() const;
  bool is_connected() const { return worker_.is_ready(); }
  bool flush(std::chrono::milliseconds timeout);

  // In a forked child: closes the files it shares with the parent and keeps the rest reachable for ever.
  void abandon();

 private:
  Recorder* find_recorder() noexcept;

  const std::shared_ptr<RecorderPool> pool_;
  const std::uint64_t pool_id_;
  HotSet hot_set_;
  Doorbell doorbell_;
  Invalidations invalidations_;
  Core* next_abandoned_ = nullptr;
  Worker worker_;  // Last: its thread uses everything above.
};

}  // namespace hotkeyd::sdk
