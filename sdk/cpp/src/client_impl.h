// What a client is made of: settings, what survives a fork, and the core of this process.
//
// Any thread may call any member. `core()` is null while disabled, and in a forked child until its first
// call.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "hotkey/client.h"
#include "sdk/cpp/src/core.h"
#include "sdk/cpp/src/fork_watch.h"
#include "sdk/cpp/src/near_hub.h"

namespace hotkey {

class Client::Impl : private hotkeyd::sdk::ForkWatcher {
 public:
  explicit Impl(const Options& options);
  ~Impl() override;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  hotkeyd::sdk::Core* core() noexcept {
    hotkeyd::sdk::Core* core = core_.load(std::memory_order_acquire);
    return core != nullptr || is_disabled_.load(std::memory_order_relaxed) ? core : revive();
  }
  std::uint64_t hash(std::string_view key) const { return hash_(key); }
  void record(std::string_view key, const hotkeyd::sdk::Increment& increment) noexcept {
    if (hotkeyd::sdk::Core* core = this->core()) core->record(key, hash_(key), increment);
  }
  Status status();
  void complain(const std::string& sentence);  // About options.

  hotkeyd::sdk::Callbacks& callbacks() { return callbacks_; }
  hotkeyd::sdk::NearHub& near() { return near_; }
  const hotkeyd::sdk::Settings& settings() const { return settings_; }
  std::uint64_t forks() const {
    return forks_.load(std::memory_order_relaxed);
  }  // Those this process came by.

 private:
  hotkeyd::sdk::Core* revive() noexcept;
  void before_fork() override;
  void after_fork_in_parent() override;
  void after_fork_in_child() override;

  const hotkeyd::sdk::Settings settings_;
  const hotkeyd::sdk::SdkHash hash_;
  std::atomic<hotkeyd::sdk::Core*> core_{nullptr};
  std::atomic<bool> is_disabled_{false};
  std::atomic<std::uint64_t> forks_{0};
  std::string complaint_;  // The last one about the options.
  const std::function<void(std::string_view)> on_error_;
  hotkeyd::sdk::Callbacks callbacks_;
  hotkeyd::sdk::Troubles troubles_;
  hotkeyd::sdk::NearHub near_;
  std::mutex mutex_;  // Held to make a core.
};

}  // namespace hotkey
