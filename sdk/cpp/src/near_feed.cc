#include "sdk/cpp/src/near_feed.h"

namespace hotkeyd::sdk {

void feed_near(NearHub& near, HotStream& stream, const Event& event, const HotStream::Outcome& outcome) {
  if (stream.take_missed()) near.interrupt();
  if (outcome.change == HotStream::Change::everything) near.allow_only(stream.near_caches());
  if (event.data && outcome.is_news) {
    const std::uint64_t hash = stream.hash(event.key);
    near.allow(hash, stream.near_cache(hash));
  }
  if (event.type == EventType::invalidated) near.invalidate(stream.hash(event.key));
}

}  // namespace hotkeyd::sdk
