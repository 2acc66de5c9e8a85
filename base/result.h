// A value or the reason why there is none, shaped like std::expected (which g++ 12 lacks).
//
// Expected failures travel as Result; exceptions come only from third-party code and are caught in the
// folder that is its door. A message names the thing and the cause: "redis 10.0.0.7:6379: connection
// refused".
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace hotkeyd {

struct Error {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  bool has_value() const { return state_.index() == 0; }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& value() {
    assert(has_value());
    return std::get<0>(state_);
  }
  const T& value() const {
    assert(has_value());
    return std::get<0>(state_);
  }
  const std::string& error() const {
    assert(!has_value());
    return std::get<1>(state_).message;
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : failed_(true), error_(std::move(error)) {}

  explicit operator bool() const { return !failed_; }
  bool has_value() const { return !failed_; }
  const std::string& error() const {
    assert(failed_);
    return error_.message;
  }

 private:
  bool failed_ = false;
  Error error_;
};

}  // namespace hotkeyd
