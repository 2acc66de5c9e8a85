#include "server/client.h"

namespace hotkeyd {

unsigned permissions_without_users(bool is_unix) {
  constexpr unsigned kAdmin = static_cast<unsigned>(Permission::admin);
  constexpr unsigned kAll = kAdmin * 2 - 1;
  return is_unix ? kAll : kAll & ~kAdmin;
}

}  // namespace hotkeyd
