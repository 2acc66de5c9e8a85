// Reads a CSV trace, a record at a time: `time,key[,op[,bytes]]`, no header.
//
//   1700000000.25,user:42,GET,148
//   1700000000.5,"a ""quoted"" key, with a comma",write
//
// time: Unix seconds, with a fraction of which six digits count. op: `read`, `write`, `miss` or the name of a
// command that has keys, in any case; read if absent or empty. bytes: of the value; unknown if absent or
// empty. Quotes as in RFC 4180: only around a whole field, doubled inside; a quoted key may hold line breaks,
// so cut records with LineSplitter({.quoted = true}).
//
// Pure and single-threaded; linear in the line; copies a key only to remove doubled quotes.
#pragma once

#include <string>

#include "base/result.h"
#include "sources/line_splitter.h"
#include "sources/parsed_access.h"

namespace hotkeyd {

class CsvParser {
 public:
  // The record's access, valid until the next call and as long as the line's text. The error is a sentence
  // without place. An empty line is an error, too: ask for `line.text.empty()` where blank lines are welcome.
  Result<ParsedAccess> parse(const Line& line);

 private:
  std::string unquoted_;
};

}  // namespace hotkeyd
