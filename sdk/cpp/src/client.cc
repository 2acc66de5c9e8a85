#include "hotkey/client.h"

#include <cstdio>
#include <exception>
#include <utility>

#include "sdk/cpp/src/client_impl.h"
#include "sdk/cpp/src/dice.h"
#include "sdk/cpp/src/increments.h"

namespace hotkey {

using hotkeyd::sdk::Core;

Client::Impl::Impl(const Options& options)
    : settings_(hotkeyd::sdk::resolve_settings(options, hotkeyd::sdk::process_surroundings())),
      hash_(hotkeyd::sdk::roll_dice()),
      on_error_(options.on_error),
      troubles_(options.on_error) {
  for (const std::string& sentence : settings_.complaints) {
    complaint_ = "hotkey: " + sentence;
    complain(complaint_);
  }
  is_disabled_ = settings_.disabled;
  hotkeyd::sdk::watch_fork(this);
  revive();
}

Client::Impl::~Impl() {
  hotkeyd::sdk::unwatch_fork(this);
  delete core_.load();
}

void Client::Impl::complain(const std::string& sentence) {
  if (on_error_) return on_error_(sentence);
  std::fprintf(stderr, "%s\n", sentence.c_str());
}

Status Client::Impl::status() {
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

// A process without room for another thread runs on without us.
Core* Client::Impl::revive() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    Core* core = core_.load(std::memory_order_acquire);
    if (core != nullptr || is_disabled_) return core;
    core = new Core(settings_, hash_, callbacks_, troubles_, near_);
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
  near_.mutex().lock();
}

void Client::Impl::after_fork_in_parent() {
  near_.mutex().unlock();
  troubles_.mutex().unlock();
  callbacks_.mutex().unlock();
  mutex_.unlock();
}

void Client::Impl::after_fork_in_child() {
  callbacks_.forget_call();
  near_.forget_in_child();
  forks_.fetch_add(1, std::memory_order_relaxed);
  if (Core* core = core_.exchange(nullptr)) core->abandon();
  after_fork_in_parent();
}

Client::Client(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Client::~Client() = default;

void Client::record_read(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, hotkeyd::sdk::read_of(bytes));
}

void Client::record_write(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, hotkeyd::sdk::write_of(bytes));
}

void Client::record_miss(std::string_view key) noexcept { impl_->record(key, hotkeyd::sdk::miss()); }

void Client::record_local_hit(std::string_view key, std::size_t bytes) noexcept {
  impl_->record(key, hotkeyd::sdk::local_hit_of(bytes));
}

bool Client::is_hot(std::string_view key) const noexcept {
  const Core* core = impl_->core();
  return core != nullptr && core->is_hot(impl_->hash(key));
}

bool Client::invalidate(std::string_view key) noexcept {
  impl_->near().invalidate(impl_->hash(key));
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
