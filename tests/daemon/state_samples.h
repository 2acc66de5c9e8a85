// A state with everything in it.
#pragma once

#include <string>

#include "daemon/state_codec.h"

namespace hotkeyd {

inline StoredState sample_state() {
  const std::string hostile("\0\r\n\xff\"", 5);
  StoredState state;
  state.header = {"web-17", 1'796'053'922'000, 1'796'053'930'000, 1'796'053'929'000, 10'000};
  state.orders.all_disabled = {true, 1'796'053'999'000};
  state.orders.namespaces = {{"shop",
                              {true, std::nullopt},
                              {{"a", 1, std::nullopt}, {hostile, 1'796'053'922'000, 1'796'053'922'001}},
                              {{std::string(65'536, 'x'), 3, 4}}},
                             {"search", {}, {}, {{"denied", 5, std::nullopt}}}};
  SavedHotKey key{"k",           true,           KeyClass::miss,    {true, false, true}, true,
                  Reason::level, Reason::misses, 1'796'053'925'000, 1'796'053'926'000,   1500,
                  2500};
  state.hot = {{"shop", {key}}};
  key = {};
  key.key = hostile;
  state.hot[0].keys.push_back(key);
  return state;
}

inline std::string encoded(const StoredState& state) {
  return encode_state(state.header, state.orders, state.hot);
}

}  // namespace hotkeyd
