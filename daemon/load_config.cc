#include "daemon/load_config.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/environment.h"
#include "base/read_file.h"

namespace hotkeyd {
namespace {

namespace fs = std::filesystem;

constexpr char kDefaultPath[] = "/etc/hotkeyd/hotkeyd.yaml";

HostFacts read_host_facts() {
  HostFacts facts;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) facts.hostname = name.data();
  facts.environment = read_environment();
  return facts;
}

LoadedConfig unreadable(const std::string& path, const std::string& cause) {
  return {{std::nullopt, {path + ": cannot be read: " + cause}}, path};
}

// Nothing but blanks and comments: what an editor leaves for a moment, or half of a copy.
bool says_nothing(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t first = text.substr(0, end).find_first_not_of(" \t\r");
    if (first != std::string_view::npos && text[first] != '#') return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

enum class Accept { anything, whole_files };

LoadedConfig load_file(const std::string& path, const HostFacts& facts, Accept accept) {
  std::error_code ignored;
  if (accept == Accept::whole_files && fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return unreadable(path, "it is not a regular file, and a reload reads it again");
  // One byte over the limit lets the parser say that it is too large.
  const auto text = read_file(path, kConfigBytesMax + 1);
  if (!text) return unreadable(path, text.error());
  if (accept == Accept::whole_files && says_nothing(*text))
    return unreadable(path, "it is empty; write it whole, beside the old one, and rename it");
  return {parse_config(*text, path, facts), path};
}

LoadedConfig load(const std::optional<std::string>& path, Accept accept) {
  const HostFacts facts = read_host_facts();
  if (path) return load_file(*path, facts, accept);
  std::error_code ignored;
  if (fs::exists(kDefaultPath, ignored)) return load_file(kDefaultPath, facts, accept);
  return {{embedded_default(facts), {}}, "embedded default"};
}

}  // namespace

LoadedConfig load_config(const std::optional<std::string>& path) { return load(path, Accept::anything); }
LoadedConfig reload_config(const std::optional<std::string>& path) { return load(path, Accept::whole_files); }

}  // namespace hotkeyd
