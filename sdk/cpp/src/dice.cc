#include "sdk/cpp/src/dice.h"

#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"

namespace hotkeyd::sdk {

// Where the system gives none, the clocks and the process have to do.
std::uint64_t roll_dice() noexcept {
  std::uint64_t dice = 0;
  if (::getrandom(&dice, sizeof dice, GRND_NONBLOCK) == sizeof dice) return dice;
  const Now now = read_clocks();
  const auto steady = static_cast<std::uint64_t>(now.steady.time_since_epoch().count());
  return Random(steady ^ static_cast<std::uint64_t>(::getpid()) << 40).next();
}

}  // namespace hotkeyd::sdk
