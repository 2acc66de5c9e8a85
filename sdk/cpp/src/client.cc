#include "hotkey/client.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

#include "sdk/cpp/src/core.h"
#include "sdk/cpp/src/dice.h"
#include "sdk/cpp/src/fork_watch.h"

namespace hotkey {
namespace {

using hotkeyd::sdk::Core;
using hotkeyd::sdk::Increment;

constexpr std::uint64_t kSecond = std::uint64_t{1} << 32;  // One in the upper half of a packed word.

std::uint64_t capped(std::size_t bytes) { return std::min<std::uint64_t>(bytes, 0xffff'ffffU); }

void complain(const Options& options, std::string_view sentence) {
  if (options.on_error) return options.on_error(sentence);
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

}  // namespace

// `core_` is null while disabled, and in a forked child until its first call.
class Client::Impl : private hotkeyd::sdk::ForkWatcher {
 public:
  explicit Impl(const Options& options)
      : settings_(hotkeyd::sdk::resolve_settings(options, hotkeyd::sdk::process_surroundings())),
        hash_(hotkeyd::sdk::roll_dice()),
        troubles_(options.on_error) {
    for (const std::string& sentence : settings_.complaints) {
      complaint_ = "hotkey: " + sentence;
      complain(options, complaint_);
    }
    is_disabled_ = settings_.disabled;
    hotkeyd::sdk::watch_fork(this);
    revive();
  }
  ~Impl() override {
    hotkeyd::sdk::unwatch_fork(this);
    delete core_.load();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Core* core() noexcept {
    Core* core = core_.load(std::memory_order_acquire);
    return core != nullptr || is_disabled_.load(std::memory_order_relaxed) ? core : revive();
  }
  void record(std::string_view key, const Increment& increment) noexcept {
    if (Core* core = this->core()) core->record(key, hash_(key), increment);
  }
  bool is_hot(std::string_view key) noexcept {
    const Core* core = this->core();
    return core != nullptr && core->is_hot(hash_(key));
  }
  Status status() {
    if (Core* core = this->core()) {
      const auto state = core->is_connected() ? Status::State::connected : Status::State::connecting;
      const std::string trouble = troubles_.last();
      return {state, settings_.endpoint.redacted() + (trouble.empty() ? "" : ": " + trouble)};
    }
    const std::string trouble = troubles_.last();
    return {Status::State::disabled, !trouble.empty()                           ? trouble
                                     : settings_.disabled && complaint_.empty() ? "disabled"
                                                                                : complaint_};
  }
  hotkeyd::sdk::Callbacks& callbacks() { return callbacks_; }
  const hotkeyd::sdk::Settings& settings() const { return settings_; }

 private:
  Core* revive() noexcept;
  void before_fork() override;
  void after_fork_in_parent() override;
  void after_fork_in_child() override;

  const hotkeyd::sdk::Settings settings_;
  const hotkeyd::sdk::SdkHash hash_;
  std::atomic<Core*> core_{nullptr};
  std::atomic<bool> is_disabled_{false};
  std::string complaint_;  // The last one about the options.
  hotkeyd::sdk::Callbacks callbacks_;
  hotkeyd::sdk::Troubles troubles_;
  std::mutex mutex_;  // Held to make a core.
};

// A process without room for another thread runs on without us.
Core* Client::Impl::revive() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    Core* core = core_.load(std::memory_order_acquire);
    if (core != nullptr || is_disabled_) return core;
    core = new Core(settings_, hash_, callbacks_, troubles_);
    core_.store(core, std::memory_order_release);
    return core;
  } catch (const std::exception& error) {
    is_disabled_ = true;
    troubles_.report(std::string("hotkey: cannot start: ") + error.what() + ": the client is disabled",
                     hotkeyd::Clock::now());
  }
  return nullptr;
}

void Client::Impl::before_fork() {
  mutex_.lock();
  callbacks_.mutex().lock();
  troubles_.mutex().lock();
}

void Client::Impl::after_fork_in_parent() {
  troubles_.mutex().unlock();
  callbacks_.mutex().unlock();
  mutex_.unlock();
}

void Client::Impl::after_fork_in_child() {
  callbacks_.forget_call();
  if (Core* core = core_.exchange(nullptr)) core->abandon();
  after_fork_in_parent();
}

Client::Client(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Client::~Client() = default;

void Client::record_read(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, {.reads_misses = 1, .writes_locals = 0, .bytes = capped(bytes)});
}

void Client::record_write(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, {.reads_misses = 0, .writes_locals = 1, .bytes = capped(bytes)});
}

void Client::record_miss(std::string_view key) noexcept {
  impl_->record(key, {.reads_misses = kSecond + 1, .writes_locals = 0, .bytes = 0});
}

void Client::record_local_hit(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, {.reads_misses = 1, .writes_locals = kSecond, .bytes = capped(bytes)});
}

bool Client::is_hot(std::string_view key) const noexcept { return impl_->is_hot(key); }

bool Client::invalidate(std::string_view key) noexcept {
  Core* core = impl_->core();
  return core != nullptr && core->invalidate(key);
}

std::uint64_t Client::on_event(EventCallback callback) { return impl_->callbacks().add(std::move(callback)); }

void Client::remove_event_callback(std::uint64_t id) { impl_->callbacks().remove(id); }

Stats Client::stats() const noexcept {
  const Core* core = impl_->core();
  return core == nullptr ? Stats{} : core->stats();
}

Status Client::status() const { return impl_->status(); }

std::chrono::milliseconds Client::max_staleness() const noexcept { return impl_->settings().max_staleness; }

bool Client::flush(std::chrono::milliseconds timeout) {
  Core* core = impl_->core();
  return core == nullptr || core->flush(timeout);
}

}  // namespace hotkey
