// A FaultProxy and a ReportTally for tests in Python: commands on standard input, one line of JSON each as
// the answer.
//
//   fault_proxy LISTEN SERVER         unix:///path or tcp://127.0.0.1:port (0: a free one); first line:
//   {"port":n} delay WAY MS | stall WAY | bytes WAY | cut WAY N [reset] | reset WAY | refuse on|off | heal
//   stats | tally | life | unanswered                          WAY is up, down or both
//
// Ends with its standard input.
#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/support/fault_proxy.h"
#include "tests/support/report_tally.h"

namespace {

using hotkeyd::testing::CutBy;
using hotkeyd::testing::FaultProxy;
using hotkeyd::testing::ReportTally;
using hotkeyd::testing::Way;
using Json = nlohmann::json;

constexpr char kSchemes[] = "unix tcp";

hotkeyd::Endpoint endpoint(const std::string& url) {
  // Port 0 is refused where an address is connected to.
  const auto parsed = hotkeyd::parse_endpoint(url, kSchemes);
  if (!parsed) throw std::runtime_error(url + ": " + parsed.error());
  return *parsed;
}

hotkeyd::Endpoint listen_endpoint(const std::string& url) {
  if (url != "tcp://127.0.0.1:0") return endpoint(url);
  hotkeyd::Endpoint free = endpoint("tcp://127.0.0.1:1");
  free.port = 0;
  return free;
}

Way way(std::istream& words) {
  std::string word;
  words >> word;
  if (word == "up") return Way::up;
  if (word == "down") return Way::down;
  if (word == "both") return Way::both;
  throw std::runtime_error("a direction is up, down or both, not '" + word + "'");
}

std::uint64_t number(std::istream& words) {
  std::uint64_t value = 0;
  if (!(words >> value)) throw std::runtime_error("a number is missing");
  return value;
}

std::string hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += {kDigits[value >> 4U], kDigits[value & 15U]};
  }
  return out;
}

Json stats(FaultProxy& proxy) {
  const auto stats = proxy.stats();
  return {{"connections", stats.connections}, {"open", stats.open},
          {"refused", stats.refused},         {"cut", stats.cut},
          {"bytes_up", stats.bytes_up},       {"bytes_down", stats.bytes_down}};
}

Json producers(const ReportTally& tally) {
  Json out = Json::object();
  for (const auto& [name, sum] : tally.producers())
    out[name] = {{"accesses", sum.accesses}, {"batches", sum.batches}, {"last", sum.last}};
  return out;
}

Json tally_of(const ReportTally& tally) {
  const auto& life = tally.life();
  return {{"life", tally.lives()},
          {"batches", life.acknowledged.size()},
          {"accesses", life.accesses()},
          {"repeated", life.repeated},
          {"refused", life.refused},
          {"unanswered", life.unanswered.size()},
          {"unanswered_accesses", life.unanswered_accesses()},
          {"unreadable", life.unreadable},
          {"producers", producers(tally)}};
}

Json unanswered(const ReportTally& tally) {
  Json out = Json::array();
  for (const auto& [batch, sent] : tally.life().unanswered) out.push_back(hex(sent.request));
  return out;
}

// Queries; null where the word is none.
Json look(const std::string& word, FaultProxy& proxy, ReportTally& tally) {
  Json out;
  if (word == "stats") out = stats(proxy);
  if (word == "tally") proxy.run([&] { out = tally_of(tally); });
  if (word == "unanswered") proxy.run([&] { out = unanswered(tally); });
  if (word == "life") proxy.run([&] { tally.next_life(); });
  return word == "life" ? Json(true) : out;
}

void cut(FaultProxy& proxy, std::istream& words) {
  const Way direction = way(words);
  const std::uint64_t bytes = number(words);
  std::string how;
  words >> how;
  proxy.cut_after(direction, bytes, how == "reset" ? CutBy::reset : CutBy::end);
}

void refuse(FaultProxy& proxy, std::istream& words) {
  std::string word;
  words >> word;
  proxy.refuse(word == "on");
}

void break_it(const std::string& word, FaultProxy& proxy, std::istream& words) {
  if (word == "heal") return proxy.heal();
  if (word == "cut") return cut(proxy, words);
  if (word == "refuse") return refuse(proxy, words);
  if (word != "delay" && word != "stall" && word != "bytes" && word != "reset")
    throw std::runtime_error("unknown command '" + word + "'");
  const Way direction = way(words);
  if (word == "delay") return proxy.delay(direction, std::chrono::milliseconds(number(words)));
  if (word == "stall") return proxy.stall(direction);
  if (word == "bytes") return proxy.byte_at_a_time(direction);
  proxy.reset(direction);
}

Json answer(const std::string& line, FaultProxy& proxy, ReportTally& tally) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  try {
    if (Json out = look(word, proxy, tally); !out.is_null()) return out;
    break_it(word, proxy, words);
    return true;
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: fault_proxy LISTEN SERVER\n";
    return 64;
  }
  try {
    ReportTally tally;
    FaultProxy proxy(listen_endpoint(argv[1]), endpoint(argv[2]), [&] { return tally.watch(); });
    std::cout << Json{{"port", proxy.endpoint().port}} << std::endl;
    for (std::string line; std::getline(std::cin, line);)
      std::cout << answer(line, proxy, tally) << std::endl;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "fault_proxy: " << error.what() << '\n';
    return 1;
  }
}
