// What an event, just applied to the hot stream, means for the near caches. The background thread.
#pragma once

#include "sdk/cpp/src/hot_stream.h"
#include "sdk/cpp/src/near_hub.h"

namespace hotkeyd::sdk {

// First what may have been missed before the event, then the event itself. An invalidation is passed on
// whatever its place in the stream: one too many costs a load.
void feed_near(NearHub& near, HotStream& stream, const Event& event, const HotStream::Outcome& outcome);

}  // namespace hotkeyd::sdk
