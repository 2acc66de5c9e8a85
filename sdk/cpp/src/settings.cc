#include "sdk/cpp/src/settings.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushMin{10};
constexpr milliseconds kFlushMax{10'000};
constexpr std::size_t kAppMax = 48;  // A producer has room for it, the host and more.
constexpr char kDefaultSocket[] = "/run/hotkeyd/hotkeyd.sock";

class Environment {
 public:
  Environment(const Surroundings& surroundings, std::vector<std::string>& complaints)
      : surroundings_(surroundings), complaints_(complaints) {}

  // An empty variable is not set.
  std::optional<std::string> text(const char* name) const {
    auto value = surroundings_.variable(name);
    if (value && value->empty()) value.reset();
    return value;
  }
  milliseconds duration(const char* name, milliseconds otherwise) const {
    const auto value = text(name);
    if (!value) return otherwise;
    const auto number = parse_unsigned(*value);
    if (number && *number <= 1'000'000'000) return milliseconds(*number);
    complain(name, "is not a number of milliseconds");
    return otherwise;
  }
  bool flag(const char* name, bool otherwise) const {
    const auto value = text(name);
    if (!value) return otherwise;
    const bool is_true = equals_ignore_case(*value, "true") || *value == "1";
    if (!is_true && !equals_ignore_case(*value, "false") && *value != "0")
      complain(name, "is neither true nor false");
    return is_true;
  }

 private:
  void complain(const char* name, const char* reason) const {
    complaints_.push_back(std::string(name) + " " + reason + ": ignored");
  }

  const Surroundings& surroundings_;
  std::vector<std::string>& complaints_;
};

std::string default_endpoint(const Environment& environment, const Surroundings& surroundings) {
  const auto folder = environment.text("XDG_RUNTIME_DIR");
  if (folder && !surroundings.exists(kDefaultSocket)) {
    const std::string path = *folder + "/hotkeyd.sock";
    if (surroundings.exists(path)) return "unix://" + path;
  }
  return std::string("unix://") + kDefaultSocket;
}

std::string as_name(std::string_view text, std::string_view otherwise) {
  std::string name(text.empty() ? otherwise : text);
  name.resize(std::min(name.size(), kAppMax));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_valid_name(std::string_view(&c, 1)); }, '_');
  return name.empty() ? "app" : name;
}

void disable(Settings& settings, std::string reason) {
  settings.disabled = true;
  settings.complaints.push_back(std::move(reason) + ": the client is disabled");
}

void set_endpoint(Settings& settings, const std::string& url) {
  if (url.starts_with("tls://")) return disable(settings, "endpoint: tls:// is not in this version");
  const auto endpoint = parse_endpoint(url, "unix tcp");
  if (!endpoint) return disable(settings, "endpoint: " + endpoint.error());
  settings.endpoint = *endpoint;
}

void set_flush_interval(Settings& settings, milliseconds wanted) {
  settings.flush_interval = std::clamp(wanted, kFlushMin, kFlushMax);
  if (settings.flush_interval == wanted) return;
  settings.complaints.push_back("flush_interval must be from 10 ms to 10 s: " +
                                std::to_string(settings.flush_interval.count()) + " ms is used");
}

}  // namespace

Settings resolve_settings(const hotkey::Options& options, const Surroundings& surroundings) {
  Settings settings;
  const Environment environment(surroundings, settings.complaints);
  settings.disabled = environment.flag("HOTKEY_SDK_DISABLED", options.disabled);
  if (settings.disabled) return settings;
  settings.app = as_name(environment.text("HOTKEY_APP").value_or(options.app), surroundings.program);
  settings.ns = environment.text("HOTKEY_NAMESPACE").value_or(options.ns);
  settings.max_staleness =
      std::max(milliseconds(0), environment.duration("HOTKEY_MAX_STALENESS_MS", options.max_staleness));
  set_flush_interval(settings, environment.duration("HOTKEY_FLUSH_INTERVAL_MS", options.flush_interval));
  const std::string url = environment.text("HOTKEY_ENDPOINT").value_or(options.endpoint);
  set_endpoint(settings, url.empty() ? default_endpoint(environment, surroundings) : url);
  if (!is_valid_name(settings.ns)) disable(settings, "ns must be 1 to 128 of A-Z a-z 0-9 _ . -");
  return settings;
}

Surroundings process_surroundings() {
  return {.variable = [](const char* name) -> std::optional<std::string> {
            const char* value = std::getenv(name);
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          },
          .exists = [](const std::string& path) { return ::access(path.c_str(), F_OK) == 0; },
          .program = program_invocation_short_name};
}

}  // namespace hotkeyd::sdk
