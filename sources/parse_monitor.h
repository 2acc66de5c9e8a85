// Reads what `MONITOR` of Redis or Valkey prints, a line at a time.
//
//   1796052153.073128 [0 127.0.0.1:60974] "SET" "plain" "v"
//
// with or without the leading '+' of the raw connection. What is easy to get wrong:
// - The header is read from the left: a key may hold `] [0 1.2.3.4:5] "GET`. A source is ip:port, [ip6]:port,
//   unix:path (which may hold blanks) or lua.
// - Arguments are escaped as Redis escapes (\" \\ \n \r \t \a \b \xhh). Valkey 8.1.0 and 8.1.1 leave `"` and
// `\` as
//   they are: a line that is wrong by the rules is read again by theirs (a quote ends an argument only before
//   ` "` or the line's end). Where a key of theirs holds `" "` the line is ambiguous, and read as two
//   arguments.
// - EVAL, EVALSHA and FCALL print the keys they declare and then each call they make, as source lua. The
// calls are the
//   accesses; the declared keys are not counted again.
// - MULTI prints the queued commands once, at EXEC; commands that the server refused are not printed.
// - Values are printed whole: they are skipped, never copied.
//
// A dump does not tell hits from misses, so no access is a `miss`; of values it tells the size of what SET,
// MSET and their kin write. Pure and single-threaded; linear in the line; allocates when a key needs decoding
// or a line has more arguments than any before. `sources/line_splitter.h` cuts the lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "resp/command_table.h"
#include "sources/line_splitter.h"
#include "sources/monitor_text.h"
#include "sources/parsed_access.h"

namespace hotkeyd {

struct MonitorLine {
  UnixUs time = 0;
  std::uint32_t db = 0;
  std::string_view source;  // "127.0.0.1:60974", "lua", ...
  std::vector<std::string_view>
      arguments;  // As printed, without the quotes; the first is the command's name.
                  // Empty: the line holds no command ("OK", or nothing at all).
  MonitorQuoting quoting = MonitorQuoting::escaped;
};

// Reads `text` into `line`, whose memory is used again. `is_cut`: bytes are missing at the end, so the last
// argument needs no closing quote. The error is a sentence without place.
Result<void> parse_monitor_line(std::string_view text, bool is_cut, MonitorLine& line);

class MonitorParser {
 public:
  // The accesses of one line, in the order of its keys; none for a line without keys. They are valid until
  // the next call, and as long as the line's text.
  Result<std::span<const ParsedAccess>> parse(const Line& line);

  // The line last parsed.
  const MonitorLine& line() const { return line_; }

 private:
  std::span<const KeyArgument> find_keys();
  std::uint64_t value_bytes(const KeyArgument& key, std::uint64_t cut) const;

  MonitorLine line_;
  std::vector<KeyArgument> keys_;
  std::vector<ParsedAccess> accesses_;
  std::string decoded_;
};

}  // namespace hotkeyd
