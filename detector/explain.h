// Why a key is hot or is not, as one English sentence: figures, rule and thresholds, never the key itself.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "detector/decision.h"
#include "detector/hot_record.h"
#include "detector/orders.h"
#include "detector/rules.h"

namespace hotkeyd {

struct Circumstances {
  const Order* pin = nullptr;
  const Order* denial = nullptr;
  bool is_disabled = false;
  const HotRecord* hot = nullptr;
  const Rule* rule = nullptr;  // The one that the key falls under, hot or not.
  bool is_waiting = false;     // It came to a way in, and something kept it out.
  bool is_full = false;        // The hot set takes a key only in place of a cooler one.
  WindowView view;
};

std::string explain(const Circumstances& circumstances);

}  // namespace hotkeyd
