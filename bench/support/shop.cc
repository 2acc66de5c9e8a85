#include "bench/support/shop.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "bench/support/ask.h"
#include "hotkey/client.h"
#include "hotkey/near_cache.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kPageBytes = 1000;
constexpr milliseconds kBehindMax{100};

std::size_t index_of(ShopPhase phase) { return static_cast<std::size_t>(phase); }

std::uint64_t version_of(std::string_view page) {
  std::uint64_t version = 0;
  std::from_chars(page.data(), page.data() + page.size(), version);
  return version;
}

class ShopProcess {
 public:
  ShopProcess(const ShopOptions& options, const ShopBoard& board, ShopNotes& notes)
      : options_(options),
        board_(board),
        notes_(notes),
        redis_(options.redis),
        client_({.endpoint = "unix://" + options.socket, .app = "shop", .ns = kShopNamespace}),
        cache_(client_) {}

  void run() {
    while (client_.status().state != hotkey::Status::State::connected)
      std::this_thread::sleep_for(milliseconds(1));
    notes_.is_ready = true;
    const nanoseconds between = nanoseconds(std::chrono::seconds(2 * options_.processes)) / options_.rate;
    Time next = Clock::now();
    while (board_.phase != ShopPhase::done) {
      read_wanted(board_.phase);
      read_other();
      next = std::max(next + between, Clock::now() - kBehindMax);
      std::this_thread::sleep_until(next);
    }
    client_.flush(milliseconds(1000));
  }

 private:
  std::optional<std::string> load(std::string_view key) {
    RespValue reply = key == kWantedKey ? redis_.ask({"HGET", key, kWantedField}) : redis_.ask({"GET", key});
    if (reply.kind != RespValue::Kind::bulk) return std::nullopt;
    return std::move(reply.text);
  }

  std::optional<std::string> get(std::string_view key) {
    return cache_.get(key, [this](std::string_view wanted) { return load(wanted); });
  }

  void read_wanted(ShopPhase phase) {
    const std::int64_t begin = steady_ns();
    const auto page = get(kWantedKey);
    const std::int64_t took = steady_ns() - begin;
    ++notes_.wanted_reads[index_of(phase)];
    const std::uint64_t hits = cache_.stats().hits;
    notes_.hits[index_of(phase)] += hits - std::exchange(hits_, hits);
    notes_.knows = client_.is_hot(kWantedKey);
    note_version(page ? version_of(*page) : 0, begin);
    if (phase == ShopPhase::before) note_time(0, took);
    if (phase == ShopPhase::after) note_time(1, took);
  }

  void read_other() {
    other_ = (other_ + 1) % kOtherKeys;
    if (!get(other_key(other_))) notes_.failed = true;
  }

  void note_version(std::uint64_t version, std::int64_t begin) {
    if (version < version_) ++notes_.went_back;
    for (; version_ < std::min<std::uint64_t>(version, ShopNotes::kVersionsMax - 1);)
      notes_.seen_ns[++version_] = begin;
  }

  void note_time(std::size_t which, std::int64_t took) {
    const std::size_t at = notes_.timed[which];
    if (at == ShopNotes::kReadsMax) return;
    notes_.took_ns[which][at] = static_cast<std::uint32_t>(std::min<std::int64_t>(took, UINT32_MAX));
    notes_.timed[which] = at + 1;
  }

  const ShopOptions& options_;
  const ShopBoard& board_;
  ShopNotes& notes_;
  AskConnection redis_;
  hotkey::Client client_;
  hotkey::NearCache<std::string> cache_;
  std::uint64_t version_ = 0;
  std::uint64_t hits_ = 0;
  std::size_t other_ = 0;
};

}  // namespace

std::string other_key(std::size_t number) { return "product:" + std::to_string(number); }

std::string page_of(std::uint64_t version) {
  std::string page = std::to_string(version) + " ";
  page.resize(kPageBytes, '.');
  return page;
}

void run_shop_process(const ShopOptions& options, const ShopBoard& board, ShopNotes& notes) {
  ShopProcess(options, board, notes).run();
}

}  // namespace hotkeyd
