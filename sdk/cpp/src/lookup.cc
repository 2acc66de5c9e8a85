#include "sdk/cpp/src/lookup.h"

#include <netdb.h>

#include <cstring>
#include <system_error>
#include <thread>

namespace hotkeyd::sdk {
namespace {

struct Found {
  int error = 0;
  std::vector<Address> addresses;
};

Found look_up(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  Found found;
  found.error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  for (const addrinfo* at = list; found.error == 0 && at != nullptr; at = at->ai_next) {
    Address address;
    std::memcpy(&address.storage, at->ai_addr, at->ai_addrlen);
    address.size = at->ai_addrlen;
    found.addresses.push_back(address);
  }
  if (list != nullptr) ::freeaddrinfo(list);
  return found;
}

Lookup::Addresses to_result(const Found& found) {
  if (found.error != 0) return Error{::gai_strerror(found.error)};
  return found.addresses;
}

}  // namespace

std::shared_ptr<Lookup> Lookup::start(const std::string& host, std::uint16_t port) {
  auto lookup = std::make_shared<Lookup>();
  if (const Found found = look_up(host, port, AI_NUMERICHOST); found.error != EAI_NONAME) {
    lookup->finish(to_result(found));
    return lookup;
  }
  try {
    std::thread([lookup, host, port] { lookup->finish(to_result(look_up(host, port, 0))); }).detach();
  } catch (const std::system_error& error) {
    lookup->finish(Error{error.what()});
  }
  return lookup;
}

std::optional<Lookup::Addresses> Lookup::result() {
  const std::lock_guard lock(mutex_);
  return result_;
}

void Lookup::finish(Addresses addresses) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(addresses);
}

}  // namespace hotkeyd::sdk
