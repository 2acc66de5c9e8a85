// A configuration as a tree of names and texts: what --print-config and CONFIG GET show. Pure.
//
// Every effective value is there, in the order of the shipped file, written so that parse_config reads it
// back; passwords are "***".
#pragma once

#include "config/config.h"
#include "config/yaml_tree.h"

namespace hotkeyd {

YamlNode describe(const Config& config);

}  // namespace hotkeyd
