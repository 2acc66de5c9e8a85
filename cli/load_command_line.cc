#include "cli/load_command_line.h"

#include <CLI/CLI.hpp>
#include <cmath>

#include <chrono>
#include <functional>

#include "cli/format.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;

constexpr std::uint32_t kProcessesMax = 64;
constexpr std::uint64_t kKeysMax = 1'000'000'000;
constexpr std::uint64_t kRateMax = 1'000'000'000;
constexpr double kZipfMax = 10;
constexpr std::size_t kKeyMax = 1024;

void add_time(CLI::App& verb, const std::string& name, const std::string& help,
              const std::function<void(milliseconds)>& set) {
  const auto read = [name, set](const std::string& text) {
    const auto time = parse_time_span(text);
    if (!time)
      throw CLI::ValidationError(name, "'" + text + "' is not a duration from 1ms to 10000d, such as 20s");
    set(*time);
  };
  verb.add_option_function<std::string>(name, read, help)->type_name("DURATION");
}

void add_share(CLI::App& verb, const std::string& name, const std::string& help, double& share) {
  const auto read = [name, &share](const std::string& text) {
    const auto percent = parse_share(text);
    if (!percent) throw CLI::ValidationError(name, "'" + text + "' is not a share such as 50%");
    share = *percent;
  };
  verb.add_option_function<std::string>(name, read, help)->type_name("PERCENT");
}

std::string in_ms(milliseconds time) { return std::to_string(time.count()) + "ms"; }

// As a share with all its digits: what the worker reads is what the parent has.
std::string exact_percent(double share) {
  std::string text = std::to_string(std::llround(share * 1e10));
  while (text.size() < 9) text.insert(0, "0");
  return text.insert(text.size() - 8, ".") + "%";
}

}  // namespace

void add_load_options(CLI::App& verb, LoadOptions& options) {
  verb.add_option("--processes", options.processes,
                  "Application processes, each with a client of the SDK (4)")
      ->check(CLI::Range(1U, kProcessesMax))
      ->type_name("N");
  verb.add_option("--keys", options.keys, "How many keys there are (100000)")
      ->check(CLI::Range(std::uint64_t{1}, kKeysMax))
      ->type_name("N");
  verb.add_option("--zipf", options.zipf, "How uneven they are asked for; 0: evenly (1.1)")
      ->check(CLI::Range(0.0, kZipfMax))
      ->check([](const std::string& text) {
        return text.find_first_of("nN") == std::string::npos ? "" : "not a number";
      })
      ->type_name("EXPONENT");
  verb.add_option("--rate", options.rate, "Accesses a second, of all processes together (200000)")
      ->check(CLI::Range(std::uint64_t{1}, kRateMax))
      ->type_name("N");
  add_time(verb, "--duration", "How long (20s)", [&options](milliseconds time) { options.duration = time; });
  add_share(verb, "--writes", "Share of writes among the accesses (0%)", options.write_share);
  add_time(verb, "--sale-at", "When one key jumps (never)",
           [&options](milliseconds time) { options.sale_at = time; });
  add_time(verb, "--sale-end", "When it falls back (at the end)",
           [&options](milliseconds time) { options.sale_end = time; });
  add_share(verb, "--sale-share", "Share of all accesses it jumps to (50%)", options.sale_share);
  verb.add_option("--sale-key", options.sale_key, "That key (product:flash-sale)")->type_name("KEY");
  verb.add_option("--key-prefix", options.key_prefix, "What the other keys begin with (product:)")
      ->type_name("TEXT");
  verb.add_option("--seed", options.seed, "Of the random numbers; the same seed asks for the same keys (1)")
      ->type_name("N");
}

std::optional<std::string> wrong_load_options(const LoadOptions& options) {
  if (options.sale_end && !options.sale_at) return "--sale-end without --sale-at";
  if (options.sale_at && *options.sale_at >= options.duration)
    return "--sale-at must come before --duration ends";
  if (options.sale_end && *options.sale_end <= *options.sale_at)
    return "--sale-end must come after --sale-at";
  if (options.sale_key.empty() || options.sale_key.size() > kKeyMax || options.key_prefix.size() > kKeyMax) {
    return "--sale-key and --key-prefix may have at most 1024 bytes, and a key at least one";
  }
  return std::nullopt;
}

std::vector<std::string> load_arguments(const LoadOptions& options) {
  std::vector<std::string> arguments = {"--processes=" + std::to_string(options.processes),
                                        "--keys=" + std::to_string(options.keys),
                                        "--zipf=" + std::to_string(options.zipf),
                                        "--rate=" + std::to_string(options.rate),
                                        "--duration=" + in_ms(options.duration),
                                        "--writes=" + exact_percent(options.write_share),
                                        "--sale-share=" + exact_percent(options.sale_share),
                                        "--sale-key=" + options.sale_key,
                                        "--key-prefix=" + options.key_prefix,
                                        "--seed=" + std::to_string(options.seed)};
  if (options.sale_at) arguments.push_back("--sale-at=" + in_ms(*options.sale_at));
  if (options.sale_end) arguments.push_back("--sale-end=" + in_ms(*options.sale_end));
  return arguments;
}

}  // namespace hotkeyd
