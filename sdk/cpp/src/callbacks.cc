#include "sdk/cpp/src/callbacks.h"

#include <algorithm>
#include <exception>
#include <string>

namespace hotkeyd::sdk {

std::uint64_t Callbacks::add(Callback callback) {
  const std::lock_guard lock(mutex_);
  if (!callback || list_.size() == kCallbacksMax) return 0;
  list_.push_back(std::make_shared<const Registered>(Registered{++last_id_, std::move(callback)}));
  return last_id_;
}

void Callbacks::remove(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  std::erase_if(list_, [&](const auto& registered) { return registered->id == id; });
  if (caller_ == std::this_thread::get_id()) return;
  call_over_.wait(lock, [&] { return caller_ == std::thread::id{}; });
}

bool Callbacks::empty() const {
  const std::lock_guard lock(mutex_);
  return list_.empty();
}

bool Callbacks::is_registered(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(list_.begin(), list_.end(),
                     [&](const auto& registered) { return registered->id == id; });
}

std::string Callbacks::call(const hotkey::Event& event) {
  List list;
  {
    const std::lock_guard lock(mutex_);
    list = list_;
    caller_ = std::this_thread::get_id();
  }
  std::string failure;
  for (const auto& registered : list) {
    if (!is_registered(registered->id)) continue;
    try {
      registered->callback(event);
    } catch (const std::exception& error) {
      if (failure.empty()) failure = std::string("an event callback threw: ") + error.what();
    } catch (...) {
      if (failure.empty()) failure = "an event callback threw";
    }
  }
  list.clear();
  const std::lock_guard lock(mutex_);
  caller_ = {};
  call_over_.notify_all();
  return failure;
}

}  // namespace hotkeyd::sdk
