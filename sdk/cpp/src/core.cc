#include "sdk/cpp/src/core.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "sdk/cpp/src/dice.h"

namespace hotkeyd::sdk {
namespace {

constexpr std::size_t kHostMax = 40;

// Reached by nobody: it only keeps abandoned cores from looking lost.
Core* abandoned_cores = nullptr;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string host(name.data());
  host.resize(std::min(host.size(), kHostMax));
  return is_valid_name(host) ? host : "host";
}

std::string producer_name(const std::string& app) {
  std::array<char, 24> random{};
  std::snprintf(random.data(), random.size(), "%016llx", static_cast<unsigned long long>(roll_dice()));
  return app + "/" + host_name() + "/" + std::to_string(::getpid()) + "/" + random.data();
}

WorkerOptions worker_options(const Settings& settings) {
  return {.endpoint = settings.endpoint,
          .session = {.ns = settings.ns,
                      .app = settings.app,
                      .user = settings.endpoint.user,
                      .password = settings.endpoint.password,
                      .has_password = settings.endpoint.has_password,
                      .producer = producer_name(settings.app),
                      .epoch = static_cast<std::uint64_t>(read_clocks().unix_ms)},
          .flush_interval = settings.flush_interval,
          .seed = roll_dice()};
}

}  // namespace

Core::Core(const Settings& settings, const SdkHash& hash, Callbacks& callbacks, Troubles& troubles,
           NearHub& near)
    : pool_(std::make_shared<RecorderPool>()),
      pool_id_(pool_->id()),
      worker_(worker_options(settings),
              {*pool_, hot_set_, doorbell_, invalidations_, callbacks, troubles, near}, hash) {}

Core::~Core() { pool_->close(); }

void Core::record(std::string_view key, std::uint64_t hash, const Increment& increment) noexcept {
  Recorder* const recorder = this->recorder();
  if (recorder == nullptr) return pool_->count_stray();
  record(*recorder, key, hash, increment);
}

void Core::record(Recorder& recorder, std::string_view key, std::uint64_t hash,
                  const Increment& increment) noexcept {
  const Wish wish = recorder.add(key, hash, increment);
  if (wish != Wish::none) doorbell_.ring(wish);
}

Recorder* Core::recorder() noexcept {
  const CachedRecorder& cached = cached_recorders[pool_id_ % kCachedRecorders];
  return cached.pool_id == pool_id_ && cached.recorder != nullptr ? cached.recorder : find_recorder();
}

Recorder* Core::find_recorder() noexcept {
  const bool has_none = cached_recorders[pool_id_ % kCachedRecorders].pool_id == pool_id_;
  return has_none ? nullptr : recorder_of_thread(pool_);
}

bool Core::invalidate(std::string_view key) noexcept {
  try {
    if (!invalidations_.push(key)) return false;
  } catch (...) {  // Out of memory.
    return false;
  }
  doorbell_.ring(Wish::send);
  return true;
}

// What is settled is read before what was recorded, so that nothing settled was not recorded.
hotkey::Stats Core::stats() const {
  const std::uint64_t acknowledged = worker_.acknowledged();
  const std::uint64_t dropped = worker_.dropped() + pool_->dropped();
  const std::uint64_t recorded = pool_->recorded();
  return {.recorded = recorded,
          .acknowledged = acknowledged,
          .dropped = dropped,
          .pending = recorded - acknowledged - dropped};
}

bool Core::flush(std::chrono::milliseconds timeout) {
  const std::uint64_t recorded = pool_->recorded();
  doorbell_.ring(Wish::now);
  return worker_.wait(timeout, [&] {
    const hotkey::Stats now = stats();
    return now.acknowledged + now.dropped >= recorded && invalidations_.empty();
  });
}

void Core::abandon() {
  doorbell_.abandon();
  worker_.abandon();
  next_abandoned_ = abandoned_cores;
  abandoned_cores = this;
}

}  // namespace hotkeyd::sdk
