#include "resp/writer.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstddef>

namespace hotkeyd {
namespace {

template <typename Integer>
void append_line(std::string& out, char type, Integer number) {
  char text[24];
  const char* const end = std::to_chars(text, text + sizeof text, number).ptr;
  out += type;
  out.append(text, static_cast<std::size_t>(end - text));
  out += "\r\n";
}

void append_bulk(std::string& out, std::string_view bytes) {
  append_line(out, '$', bytes.size());
  out += bytes;
  out += "\r\n";
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

void RespWriter::simple(std::string_view text) {
  assert(text.find_first_of("\r\n") == std::string_view::npos);
  out_ += '+';
  out_ += text;
  out_ += "\r\n";
}

void RespWriter::error(std::string_view text) {
  out_ += '-';
  const std::size_t start = out_.size();
  out_ += text;
  std::replace_if(out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(), is_control, ' ');
  out_ += "\r\n";
}

void RespWriter::integer(std::int64_t value) { append_line(out_, ':', value); }

void RespWriter::bulk(std::string_view bytes) { append_bulk(out_, bytes); }

void RespWriter::null() { out_ += version_ == RespVersion::resp3 ? "_\r\n" : "$-1\r\n"; }

void RespWriter::array(std::size_t size) { append_line(out_, '*', size); }

void RespWriter::map(std::size_t pairs) {
  if (version_ == RespVersion::resp3) return append_line(out_, '%', pairs);
  append_line(out_, '*', 2 * pairs);
}

void RespWriter::push(std::size_t size) {
  append_line(out_, version_ == RespVersion::resp3 ? '>' : '*', size);
}

void RespWriter::boolean(bool value) {
  if (version_ == RespVersion::resp2) return integer(value ? 1 : 0);
  out_ += value ? "#t\r\n" : "#f\r\n";
}

void append_command(std::string& out, std::span<const std::string_view> arguments) {
  append_line(out, '*', arguments.size());
  for (const std::string_view argument : arguments) append_bulk(out, argument);
}

void append_command(std::string& out, std::initializer_list<std::string_view> arguments) {
  append_command(out, std::span(arguments.begin(), arguments.size()));
}

}  // namespace hotkeyd
