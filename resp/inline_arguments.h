// Splits an inline command into its arguments by the rules of Redis (sdssplitargs).
//
// Blanks separate; "..." knows \xhh \n \r \t \b \a and \ before any other byte, '...' knows \' only; a
// closing quote must be followed by a blank or the end. Pure; standard library only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

// Replaces `arguments` by views into `line`, or into `unquoted` for those with quotes. False: unbalanced
// quotes.
bool split_inline(std::string_view line, std::string& unquoted, std::vector<std::string_view>& arguments);

}  // namespace hotkeyd
