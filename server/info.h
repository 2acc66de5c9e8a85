// The text of INFO: sections of name:value lines, as Redis writes them. Data thread.
#pragma once

#include <string>
#include <string_view>

#include "server/command.h"

namespace hotkeyd {

// `section` in any case; "all", "default" and "everything" are all of them; an unknown one is empty.
std::string info_text(const CommandServices& server, std::string_view section, Now now);

}  // namespace hotkeyd
