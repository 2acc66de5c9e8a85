// Appends RESP2 and RESP3 values, and commands, to a string. Pure; standard library only.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace hotkeyd {

enum class RespVersion { resp2 = 2, resp3 = 3 };

class RespWriter {
 public:
  RespWriter(std::string& out, RespVersion version) : out_(out), version_(version) {}

  void simple(std::string_view text);  // +OK. `text` must hold neither CR nor LF (asserted).
  // -ERR ... Control bytes in the text, CR and LF above all, are written as spaces, so that no caller can
  // forge a reply.
  void error(std::string_view text);
  void integer(std::int64_t value);   // :1
  void bulk(std::string_view bytes);  // $n
  void null();                        // $-1, or _ in RESP3
  void array(std::size_t size);       // *n: then n values
  void map(std::size_t pairs);        // %n, or *2n in RESP2: then n times key, value
  void push(std::size_t size);        // >n, or *n in RESP2
  void boolean(bool value);           // #t, or :1 in RESP2

 private:
  std::string& out_;
  RespVersion version_;
};

// Appends one request as an array of bulk strings.
void append_command(std::string& out, std::span<const std::string_view> arguments);
void append_command(std::string& out, std::initializer_list<std::string_view> arguments);

}  // namespace hotkeyd
