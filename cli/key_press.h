// The keys of a terminal, read from the bytes it sends.
//
// A lone escape byte may be the Escape key or the beginning of an arrow: it waits until more comes, or until
// the caller says that nothing did (`idle`). Sequences that are not known are dropped, whatever their length.
// Pure; standard library only; one thread.
#pragma once

#include <string_view>
#include <vector>

namespace hotkeyd {

struct KeyPress {
  enum class Kind { text, enter, backspace, escape, up, down, page_up, page_down, home, end };
  Kind kind = Kind::text;
  char byte = 0;  // text: never a control character; of one beyond ASCII each byte is a press.
  bool operator==(const KeyPress&) const = default;
};

class KeyReader {
 public:
  std::vector<KeyPress> read(std::string_view bytes);
  // No byte followed for a while.
  std::vector<KeyPress> idle();
  bool is_waiting() const { return state_ != State::plain; }

 private:
  enum class State { plain, escape, sequence };

  void take(char byte, std::vector<KeyPress>& out);
  void take_plain(char byte, std::vector<KeyPress>& out);
  void take_in_sequence(char byte, std::vector<KeyPress>& out);

  State state_ = State::plain;
  char parameter_ = 0;  // The digit of "\x1b[5~"; 0 before it, '?' where there is more than one.
};

}  // namespace hotkeyd
