#include "cli/key_press.h"

#include <array>
#include <utility>

namespace hotkeyd {
namespace {

using Kind = KeyPress::Kind;

constexpr char kEscape = '\x1b';
constexpr char kDelete = '\x7f';
constexpr char kSeveral = '?';

constexpr std::array<std::pair<char, Kind>, 4> kByLetter{
    {{'A', Kind::up}, {'B', Kind::down}, {'H', Kind::home}, {'F', Kind::end}}};
constexpr std::array<std::pair<char, Kind>, 6> kByNumber{{{'1', Kind::home},
                                                          {'4', Kind::end},
                                                          {'5', Kind::page_up},
                                                          {'6', Kind::page_down},
                                                          {'7', Kind::home},
                                                          {'8', Kind::end}}};

bool is_final(char byte) { return byte >= '@' && byte <= '~'; }

template <typename Names>
void press_named(const Names& names, char wanted, std::vector<KeyPress>& out) {
  for (const auto& [name, kind] : names) {
    if (name == wanted) out.push_back({kind});
  }
}

}  // namespace

std::vector<KeyPress> KeyReader::read(std::string_view bytes) {
  std::vector<KeyPress> presses;
  for (const char byte : bytes) take(byte, presses);
  return presses;
}

std::vector<KeyPress> KeyReader::idle() {
  const State state = std::exchange(state_, State::plain);
  if (state == State::escape) return {{Kind::escape}};
  return {};
}

void KeyReader::take(char byte, std::vector<KeyPress>& out) {
  if (state_ == State::sequence) return take_in_sequence(byte, out);
  const bool begins_sequence = state_ == State::escape && (byte == '[' || byte == 'O');
  if (begins_sequence) {
    state_ = State::sequence;
    parameter_ = 0;
    return;
  }
  if (state_ == State::escape) out.push_back({Kind::escape});
  state_ = State::plain;
  take_plain(byte, out);
}

void KeyReader::take_plain(char byte, std::vector<KeyPress>& out) {
  if (byte == kEscape) {
    state_ = State::escape;
  } else if (byte == '\r' || byte == '\n') {
    out.push_back({Kind::enter});
  } else if (byte == kDelete || byte == '\b') {
    out.push_back({Kind::backspace});
  } else if (static_cast<unsigned char>(byte) >= ' ') {
    out.push_back({Kind::text, byte});
  }
}

void KeyReader::take_in_sequence(char byte, std::vector<KeyPress>& out) {
  if (!is_final(byte)) {
    parameter_ = parameter_ == 0 ? byte : kSeveral;
    return;
  }
  state_ = State::plain;
  if (byte == '~') return press_named(kByNumber, parameter_, out);
  if (parameter_ == 0) press_named(kByLetter, byte, out);
}

}  // namespace hotkeyd
