// Lets foreign invalidations through to the data thread, at most `kWaitingMax` on their way at a time.
//
// Beyond that the newest is dropped and counted: the copies live on until their deadline. `pass` on the
// control thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "io/asio.h"

namespace hotkeyd {

class RelayGate {
 public:
  static constexpr std::size_t kWaitingMax = 10'000;
  using Deliver = std::function<void(const std::string& ns, const std::string& bytes)>;

  // `deliver` is called on the thread of `data`.
  RelayGate(asio::io_context& data, Deliver deliver) : data_(data), deliver_(std::move(deliver)) {}

  void pass(const std::string& ns, std::string bytes);
  std::uint64_t dropped() const { return dropped_; }  // Any thread.

 private:
  asio::io_context& data_;
  const Deliver deliver_;
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace hotkeyd
