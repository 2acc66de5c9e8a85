// What a client runs with: the application's options, overridden by the environment, checked. Pure.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.h"
#include "hotkey/client.h"

namespace hotkeyd::sdk {

struct Settings {
  Endpoint endpoint;
  std::string app;  // A name: other bytes became '_'.
  std::string ns;
  std::chrono::milliseconds flush_interval{100};
  std::chrono::milliseconds max_staleness{0};
  bool disabled = false;                // On purpose, or by an error.
  std::vector<std::string> complaints;  // The last one says why an error disables.
};

struct Surroundings {
  std::function<std::optional<std::string>(const char*)> variable;  // Of the environment.
  std::function<bool(const std::string&)> exists;                   // A file.
  std::string program;
};

Settings resolve_settings(const hotkey::Options& options, const Surroundings& surroundings);
Surroundings process_surroundings();  // For edges only.

}  // namespace hotkeyd::sdk
