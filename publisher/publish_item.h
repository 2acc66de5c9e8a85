// What the daemon gives a publisher, in the order of each stream, and who the daemon is. Pure values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/clock.h"
#include "wire/published.h"

namespace hotkeyd {

// A namespace exists from now on: its stream begins with a snapshot.
struct NamespaceOpened {
  std::string ns;
};

// Events of this stream were lost before they reached the publisher: only a snapshot heals it.
struct StreamGap {
  std::string ns;
};

using PublishItem = std::variant<NamespaceOpened, PublishedEvent, PublishedSnapshot, StreamGap>;

// Who this daemon is; the same for all its publishers.
struct PublisherIdentity {
  std::string node;
  std::uint64_t epoch = 0;
  Duration lease = std::chrono::seconds{10};
  std::uint64_t seed = 0;  // Of backoff, phases and delays: random in production, constant in tests.
};

}  // namespace hotkeyd
