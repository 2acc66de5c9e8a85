// Any bytes as an event: the decoder never throws, and a key's data survives being written and read again.
#include <cstdint>
#include <cstdlib>

#include "wire/event.h"

namespace {

// Shares travel with 4 decimals, texts of foreign events may hold anything: compare what is exact.
bool same(const hotkeyd::KeyData& a, const hotkeyd::KeyData& b) {
  return a.key == b.key && a.seq == b.seq && a.count == b.count && a.rule == b.rule &&
         a.actions == b.actions && a.lease_ms == b.lease_ms;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto event = hotkeyd::decode_event({reinterpret_cast<const char*>(bytes), size});
  if (!event || !event->data) return 0;
  const auto again =
      hotkeyd::decode_event(encode_key_event(event->stream, hotkeyd::EventType::updated, *event->data, 1));
  if (!again || !again->data || !same(*again->data, *event->data)) std::abort();
  return 0;
}
