// Any text as a configuration: it is refused with a reason, or what it says is printed and read back the
// same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace hotkeyd;
  const HostFacts host{"fuzz", {{"A", "1"}, {"RUNTIME_DIRECTORY", "/run/fuzz"}}};
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const ConfigOutcome outcome = parse_config(text, "fuzz.yaml", host);
  if (outcome.config.has_value() != outcome.errors.empty()) std::abort();
  if (!outcome.config) return 0;
  const std::string printed = print_config(*outcome.config);
  const ConfigOutcome again = parse_config(printed, "printed.yaml", host);
  if (!again.config || print_config(*again.config) != printed) std::abort();
  return 0;
}
