#include "daemon/state_codec.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "daemon/state_bytes.h"

namespace hotkeyd {
namespace {

constexpr std::string_view kMagic = "hotkeyST";
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kPrefixSize = 8 + 4 + 8;
constexpr std::size_t kChecksumSize = 8;
constexpr std::size_t kKeySizeMax = 65'536;
constexpr KeyHash kChecksum{0};  // A constant of the format.

void put(StateWriter& out, const KillSwitch& kill_switch) {
  out.flag(kill_switch.is_on);
  out.optional_time(kill_switch.ends_ms);
}

KillSwitch get_switch(StateReader& in) {
  KillSwitch out;
  out.is_on = in.flag();
  out.ends_ms = in.optional_time();
  return out;
}

void put(StateWriter& out, const std::vector<SavedOrder>& orders) {
  out.u32(orders.size());
  for (const SavedOrder& order : orders) {
    out.text(order.key);
    out.time(order.since_ms);
    out.optional_time(order.ends_ms);
  }
}

std::string get_key(StateReader& in) {
  std::string key = in.text();
  if (key.empty() || key.size() > kKeySizeMax) in.fail();
  return key;
}

std::string get_name(StateReader& in) {
  std::string name = in.text();
  if (!is_valid_name(name)) in.fail();
  return name;
}

std::vector<SavedOrder> get_orders(StateReader& in) {
  std::vector<SavedOrder> orders;
  for (std::uint32_t left = in.u32(); left > 0 && in.is_good(); --left) {
    SavedOrder& order = orders.emplace_back();
    order.key = get_key(in);
    order.since_ms = in.time();
    order.ends_ms = in.optional_time();
  }
  return orders;
}

void put(StateWriter& out, const SavedOrders& orders) {
  put(out, orders.all_disabled);
  out.u32(orders.namespaces.size());
  for (const SavedNamespaceOrders& space : orders.namespaces) {
    out.text(space.ns);
    put(out, space.disabled);
    put(out, space.pins);
    put(out, space.denials);
  }
}

SavedOrders get_all_orders(StateReader& in) {
  SavedOrders orders;
  orders.all_disabled = get_switch(in);
  for (std::uint32_t left = in.u32(); left > 0 && in.is_good(); --left) {
    SavedNamespaceOrders& space = orders.namespaces.emplace_back();
    space.ns = get_name(in);
    space.disabled = get_switch(in);
    space.pins = get_orders(in);
    space.denials = get_orders(in);
  }
  return orders;
}

void put(StateWriter& out, const SavedHotKey& key) {
  out.text(key.key);
  out.flag(key.by_rate);
  out.choice(key.key_class);
  for (const bool level : key.levels) out.flag(level);
  out.flag(key.has_near_cache);
  out.choice(key.reason);
  out.choice(key.promoted_by);
  out.time(key.detected_at_ms);
  out.time(key.hot_since_ms);
  out.u64(key.rate);
  out.u64(key.peak_rate);
}

SavedHotKey get_hot_key(StateReader& in) {
  SavedHotKey key;
  key.key = get_key(in);
  key.by_rate = in.flag();
  key.key_class = in.choice(KeyClass::write);
  for (bool& level : key.levels) level = in.flag();
  key.has_near_cache = in.flag();
  key.reason = in.choice(Reason::disabled);
  key.promoted_by = in.choice(Reason::disabled);
  key.detected_at_ms = in.time();
  key.hot_since_ms = in.time();
  key.rate = in.u64();
  key.peak_rate = in.u64();
  return key;
}

SavedHotSets get_hot_sets(StateReader& in) {
  SavedHotSets sets;
  for (std::uint32_t left = in.u32(); left > 0 && in.is_good(); --left) {
    SavedHotSet& set = sets.emplace_back();
    set.ns = get_name(in);
    for (std::uint32_t keys = in.u32(); keys > 0 && in.is_good(); --keys) set.keys.push_back(get_hot_key(in));
  }
  return sets;
}

void put(StateWriter& out, const StateHeader& header) {
  out.text(header.node);
  out.u64(header.epoch);
  out.time(header.saved_at_ms);
  out.time(header.hot_at_ms);
  out.time(header.lease_ms);
}

StateHeader get_header(StateReader& in) {
  StateHeader header;
  header.node = get_name(in);
  header.epoch = static_cast<std::uint64_t>(in.time());  // The same range: it can always grow.
  header.saved_at_ms = in.time();
  header.hot_at_ms = in.time();
  header.lease_ms = in.time();
  return header;
}

Error changed() { return Error{"is cut off or was changed: its checksum does not match"}; }

}  // namespace

std::string encode_state(const StateHeader& header, const SavedOrders& orders, const SavedHotSets& hot) {
  StateWriter content;
  put(content, header);
  put(content, orders);
  content.u32(hot.size());
  for (const SavedHotSet& set : hot) {
    content.text(set.ns);
    content.u32(set.keys.size());
    for (const SavedHotKey& key : set.keys) put(content, key);
  }
  return seal_state(content.bytes());
}

std::string seal_state(std::string_view content) {
  StateWriter file;
  file.raw(kMagic);
  file.u32(kFormat);
  file.u64(content.size());
  file.raw(content);
  file.u64(kChecksum(file.bytes()));
  return file.take();
}

Result<StoredState> decode_state(std::string_view bytes) {
  if (bytes.empty()) return Error{"is empty"};
  if (!bytes.starts_with(kMagic)) return Error{"is not one of hotkeyd"};
  if (bytes.size() < kPrefixSize + kChecksumSize) return changed();
  StateReader prefix(bytes.substr(kMagic.size()));
  const std::uint32_t format = prefix.u32();
  if (format != kFormat) {
    return Error{fmt::format("has format {}; this version reads {}", format, kFormat)};
  }
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumSize);
  const bool is_whole = prefix.u64() == checked.size() - kPrefixSize;
  if (!is_whole || StateReader(bytes.substr(checked.size())).u64() != kChecksum(checked)) return changed();
  StateReader in(checked.substr(kPrefixSize));
  StoredState state;
  state.header = get_header(in);
  state.orders = get_all_orders(in);
  state.hot = get_hot_sets(in);
  if (!in.is_done()) return Error{"holds values that this version cannot have written"};
  return state;
}

}  // namespace hotkeyd
