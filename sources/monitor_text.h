// Arguments as MONITOR prints them: finding where they end, and the bytes they stand for.
//
// Redis and Valkey print \" \\ \n \r \t \a \b \xhh; Valkey 8.1.0 and 8.1.1 print `"` and `\` bare, so that
// there a quote ends an argument only before ` "` or the end of the line. Pure; linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

enum class MonitorQuoting : std::uint8_t { escaped, bare };

// Splits `"a" "b c"` into what stands between the quotes. False: it is not so written. `is_cut`: the line is
// cut, the last argument may lack its closing quote.
bool split_monitor_arguments(std::string_view text, MonitorQuoting quoting, bool is_cut,
                             std::vector<std::string_view>& arguments);

// The bytes of a printed argument: a view into it, or into `decoded`, to which they are appended, if it holds
// escapes. Appending moves `decoded` only beyond its capacity: reserve() where views into it must stay.
std::string_view decode_monitor_argument(std::string_view argument, MonitorQuoting quoting,
                                         std::string& decoded);

// The number of bytes that decode_monitor_argument would give.
std::size_t monitor_argument_size(std::string_view argument, MonitorQuoting quoting);

}  // namespace hotkeyd
