// Local copies of the values of hot keys, with one load at a time for each key.
//
//   hotkey::NearCache<Product> cache(client, {.max_bytes = 64 << 20});
//   std::optional<Product> product = cache.get("product:1", load_from_redis);
//
// A key has a local copy only while the daemon says that it is hot and allows one (a rule's `near_cache`).
// Any other read calls the loader, one call at a time for each key: callers that come meanwhile wait and
// share its result. Guarantees:
// - No copy is served past its deadline: the rule's `ttl`, at most the client's `max_staleness`, 0 to 10 %
//   earlier by chance, counted from before its load began. Invalidations make copies fresher, never correct.
// - A call that begins after an invalidation was applied gets no value whose load began before it, whether
//   `Client::invalidate` of this process or an event told it. What may have missed one (a gap, a lost
//   connection) is loaded again at its next use.
// - Bounded: `max_bytes`, beyond which copies go by SIEVE. Everything is counted (`stats`).
// - The loader runs on the caller's thread without a lock held; it may call `get` of this or another cache.
//   What it throws reaches its caller and those who wait for it, and nothing is kept.
// - A load that takes longer than `load_timeout` is given up on: one of those who wait loads in its stead.
//   Nobody waits longer than twice `load_timeout`; then LoadTimeout is thrown.
// - `get` records the access by itself; a hit counts as a local hit.
// Any thread may call any member, but a value's destructor must not call the client or a cache. The client
// must outlive the cache. A forked child starts empty.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hotkey/client.h"
#include "hotkey/near_core.h"

namespace hotkey {

template <typename T>
struct NearOptions {
  std::size_t max_bytes = std::size_t{64} << 20;  // 0: nothing is kept.
  // Bytes of a value. Empty: the elements of a container such as std::string, else sizeof(T). What it throws
  // is as if the loader had thrown it: it reaches the caller and those who wait, the value is given to
  // nobody, nothing is kept, it counts in `failures`, and the next `get` loads anew.
  std::function<std::size_t(const T&)> size_of = {};
  std::chrono::milliseconds load_timeout{3000};  // 1 ms to 1 h.
  // The share of hits (0 to 1) that also load from the source, to count how many copies were stale and how
  // old. On the caller, after its answer is fixed and before it returns; one at a time; what is served never
  // changes.
  double verify = 0;
  // Compares for `verify`. Empty: operator== where T has one.
  std::function<bool(const T&, const T&)> equal = {};
};

template <typename T>
class NearCache {
 public:
  using Options = NearOptions<T>;

  explicit NearCache(Client& client, Options options = {})
      : options_(std::move(options)),
        core_(client, {.max_bytes = options_.max_bytes,
                       .load_timeout = options_.load_timeout,
                       .verify = options_.verify,
                       .can_compare = std::equality_comparable<T> || static_cast<bool>(options_.equal)}) {}

  // `load` returns std::optional<T> (nullopt: there is none; kept as well) and takes the key or nothing.
  template <typename Load>
  std::optional<T> get(std::string_view key, Load&& load) {
    if (detail::NearHit hit; core_.find(key, hit)) {
      std::optional<T> copy = static_cast<const Holder&>(hit.value()).value;
      hit.release();
      if (hit.is_to_verify()) verify(key, load, copy, hit);
      return copy;
    }
    const detail::NearValuePtr loaded =
        core_.load(key, [&]() -> detail::NearValuePtr { return hold(call(load, key)); });
    return static_cast<const Holder&>(*loaded).value;
  }

  NearStats stats() const { return core_.stats(); }

 private:
  struct Holder final : detail::NearValue {
    std::optional<T> value = {};
  };

  template <typename Load>
  static std::optional<T> call(Load& load, std::string_view key) {
    if constexpr (std::is_invocable_v<Load&, std::string_view>) {
      return load(key);
    } else {
      return load();
    }
  }

  detail::NearValuePtr hold(std::optional<T> value) const {
    auto holder = std::make_shared<Holder>();
    holder->value = std::move(value);
    holder->is_found = holder->value.has_value();
    holder->bytes = holder->is_found ? size_of(*holder->value) : 0;
    return holder;
  }

  std::size_t size_of(const T& value) const {
    if (options_.size_of) return options_.size_of(value);
    if constexpr (
        requires { typename T::value_type; } &&
        requires {
          { value.size() } -> std::integral;
        }) {
      return value.size() * sizeof(typename T::value_type);
    } else {
      return sizeof(T);
    }
  }

  bool is_equal(const std::optional<T>& a, const std::optional<T>& b) const {
    if (!a || !b) return a.has_value() == b.has_value();
    if (options_.equal) return options_.equal(*a, *b);
    if constexpr (std::equality_comparable<T>) return *a == *b;
    return true;
  }

  template <typename Load>
  void verify(std::string_view key, Load& load, const std::optional<T>& copy, const detail::NearHit& hit) {
    if (!core_.begin_verify()) return;
    try {
      core_.end_verify(hit, is_equal(copy, call(load, key)));
    } catch (...) {
      core_.fail_verify();
    }
  }

  const Options options_;
  detail::NearCore core_;
};

}  // namespace hotkey
