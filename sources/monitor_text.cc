#include "sources/monitor_text.h"

#include <array>

namespace hotkeyd {
namespace {

constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  escapes['n'] = '\n';
  escapes['r'] = '\r';
  escapes['t'] = '\t';
  escapes['a'] = '\a';
  escapes['b'] = '\b';
  return escapes;
}();

int hex_digit(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  return -1;
}

// One byte and how many it was printed as.
struct Decoded {
  char byte;
  std::size_t printed;
};

// Of text that begins with a backslash. What is no escape stands for itself.
Decoded decode_escape(std::string_view text, MonitorQuoting quoting) {
  if (text.size() < 2) return {'\\', 1};
  const char next = text[1];
  if (const char control = kEscapes[static_cast<unsigned char>(next)]; control != 0) return {control, 2};
  if (next == 'x' && text.size() >= 4 && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
    return {static_cast<char>(hex_digit(text[2]) * 16 + hex_digit(text[3])), 4};
  }
  if (quoting == MonitorQuoting::escaped && (next == '\\' || next == '"')) return {next, 2};
  return {'\\', 1};
}

// Whether an argument may end with the quote at `quote`: the line does, or the next argument begins.
bool is_boundary(std::string_view text, std::size_t quote) {
  return quote + 1 == text.size() || text.substr(quote + 1, 2) == " \"";
}

// Whether the byte at `index` is escaped: an odd number of backslashes stands before it, from `begin` on.
bool is_escaped(std::string_view text, std::size_t begin, std::size_t index) {
  std::size_t first = index;
  while (first > begin && text[first - 1] == '\\') --first;
  return (index - first) % 2 == 1;
}

// Index of the closing quote of what begins at `begin`; npos: there is none.
std::size_t find_escaped_end(std::string_view text, std::size_t begin) {
  std::size_t quote = text.find('"', begin);
  while (quote != std::string_view::npos && is_escaped(text, begin, quote)) quote = text.find('"', quote + 1);
  return quote;
}

std::size_t find_bare_end(std::string_view text, std::size_t begin) {
  std::size_t quote = text.find('"', begin);
  while (quote != std::string_view::npos && !is_boundary(text, quote)) quote = text.find('"', quote + 1);
  return quote;
}

std::size_t find_end(std::string_view text, std::size_t begin, MonitorQuoting quoting) {
  return quoting == MonitorQuoting::escaped ? find_escaped_end(text, begin) : find_bare_end(text, begin);
}

}  // namespace

bool split_monitor_arguments(std::string_view text, MonitorQuoting quoting, bool is_cut,
                             std::vector<std::string_view>& arguments) {
  arguments.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    if (text[begin] != '"') return is_cut && begin + 1 >= text.size();
    const std::size_t end = find_end(text, begin + 1, quoting);
    if (end == std::string_view::npos) {
      arguments.push_back(text.substr(begin + 1));
      return is_cut;
    }
    if (!is_boundary(text, end) && !(is_cut && end + 2 == text.size() && text[end + 1] == ' ')) return false;
    arguments.push_back(text.substr(begin + 1, end - begin - 1));
    begin = end + 2;
  }
  return !arguments.empty();
}

std::string_view decode_monitor_argument(std::string_view argument, MonitorQuoting quoting,
                                         std::string& decoded) {
  std::size_t escape = argument.find('\\');
  if (escape == std::string_view::npos) return argument;
  const std::size_t begin = decoded.size();
  for (; escape != std::string_view::npos; escape = argument.find('\\')) {
    const Decoded byte = decode_escape(argument.substr(escape), quoting);
    decoded.append(argument.substr(0, escape)).push_back(byte.byte);
    argument.remove_prefix(escape + byte.printed);
  }
  decoded.append(argument);
  return std::string_view(decoded).substr(begin);
}

std::size_t monitor_argument_size(std::string_view argument, MonitorQuoting quoting) {
  std::size_t size = argument.size();
  for (std::size_t escape = argument.find('\\'); escape != std::string_view::npos;
       escape = argument.find('\\')) {
    const Decoded byte = decode_escape(argument.substr(escape), quoting);
    size -= byte.printed - 1;
    argument.remove_prefix(escape + byte.printed);
  }
  return size;
}

}  // namespace hotkeyd
