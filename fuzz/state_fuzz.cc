// Any bytes as a state file, and as the content of one whose checksum is right: the reader never throws, and
// what it reads survives being written and read again.
#include <cstdint>
#include <cstdlib>

#include "daemon/state_codec.h"

namespace {

void check(std::string_view file) {
  const auto state = hotkeyd::decode_state(file);
  if (!state) return;
  const auto again = hotkeyd::decode_state(hotkeyd::encode_state(state->header, state->orders, state->hot));
  if (!again || !(*again == *state)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check(text);
  check(hotkeyd::seal_state(text));
  return 0;
}
