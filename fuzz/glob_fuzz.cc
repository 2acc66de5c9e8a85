// "glob\ntext": short ones agree with the plain recursive matcher, long ones end.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/glob.h"

namespace {

// For globs without classes: the rest is matched by definition.
bool oracle(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') return oracle(glob.substr(1), text) || (!text.empty() && oracle(glob, text.substr(1)));
  if (text.empty()) return false;
  const bool is_escape = glob[0] == '\\' && glob.size() > 1;
  const bool matches = is_escape ? glob[1] == text[0] : glob[0] == '?' || glob[0] == text[0];
  return matches && oracle(glob.substr(is_escape ? 2 : 1), text.substr(1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input{reinterpret_cast<const char*>(bytes), size};
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view glob = input.substr(0, end);
  const std::string_view text = input.substr(end + 1);
  const bool matches = hotkeyd::glob_matches(glob, text);
  if (glob.size() > 12 || text.size() > 12 || glob.find('[') != std::string_view::npos) return 0;
  if (matches != oracle(glob, text)) std::abort();
  return 0;
}
