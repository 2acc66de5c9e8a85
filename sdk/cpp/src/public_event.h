// An event of the wire as the application sees it. Pure.
#pragma once

#include "hotkey/event.h"
#include "wire/event.h"

namespace hotkeyd::sdk {

hotkey::Event to_public(const Event& event);  // Of any type but heartbeat.

}  // namespace hotkeyd::sdk
