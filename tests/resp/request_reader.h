// Reads a whole stream with a RequestParser as a server does, the bytes moving in memory with every piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/request_parser.h"

namespace hotkeyd {

// What a client's stream came to: the requests in order, then the error if there was one.
struct Requests {
  std::vector<std::vector<std::string>> requests;
  std::string error;
  bool operator==(const Requests&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Requests& read) {
  for (const auto& request : read.requests) {
    out << '[';
    for (const auto& argument : request) out << '<' << argument << '>';
    out << ']';
  }
  return out << " error: " << read.error;
}

class RequestReader {
 public:
  explicit RequestReader(RequestLimits limits = {}) : parser_(limits) {}

  void feed(std::string_view piece) {
    if (!read_.error.empty()) return;
    std::string moved = pending_;  // A new buffer: the bytes do not stay where they were.
    pending_ = std::move(moved.append(piece));
    std::size_t taken = 0;
    while (true) {
      const auto outcome = parser_.parse(std::string_view(pending_).substr(taken));
      taken += outcome.consumed;
      if (outcome.status == RequestParser::Status::error) read_.error = parser_.error();
      if (outcome.status != RequestParser::Status::request) break;
      read_.requests.emplace_back(parser_.arguments().begin(), parser_.arguments().end());
    }
    pending_.erase(0, taken);
  }

  const Requests& read() const { return read_; }
  const std::string& pending() const { return pending_; }
  RequestParser& parser() { return parser_; }

 private:
  RequestParser parser_;
  std::string pending_;
  Requests read_;
};

inline Requests read_whole(std::string_view stream, RequestLimits limits = {}) {
  RequestReader reader(limits);
  reader.feed(stream);
  return reader.read();
}

inline Requests read_in_pieces(std::string_view stream, std::size_t piece, RequestLimits limits = {}) {
  RequestReader reader(limits);
  for (std::size_t at = 0; at < stream.size(); at += piece) reader.feed(stream.substr(at, piece));
  return reader.read();
}

}  // namespace hotkeyd
