#include "sdk/cpp/src/doorbell.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace hotkeyd::sdk {
namespace {

std::uint32_t bit(Wish wish) { return static_cast<std::uint32_t>(wish); }

}  // namespace

Doorbell::Doorbell() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Doorbell::~Doorbell() { abandon(); }

void Doorbell::ring(Wish wish) noexcept {
  if (is_wished(wish)) return;
  if ((wishes_.fetch_or(bit(wish), std::memory_order_acq_rel) & bit(wish)) != 0) return;
  const int saved = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd(), &one, sizeof one);
  errno = saved;
}

bool Doorbell::is_wished(Wish wish) const noexcept {
  return (wishes_.load(std::memory_order_acquire) & bit(wish)) != 0;
}

void Doorbell::answer(Wish wish) noexcept { wishes_.fetch_and(~bit(wish), std::memory_order_acq_rel); }

void Doorbell::quiet() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(fd(), &count, sizeof count);
}

void Doorbell::abandon() noexcept {
  const int fd = fd_.exchange(-1);
  if (fd >= 0) ::close(fd);
}

}  // namespace hotkeyd::sdk
