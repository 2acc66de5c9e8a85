#include "daemon/relay_gate.h"

namespace hotkeyd {

void RelayGate::pass(const std::string& ns, std::string bytes) {
  if (waiting_ >= kWaitingMax) {
    ++dropped_;
    return;
  }
  ++waiting_;
  asio::post(data_, [this, ns, event = std::move(bytes)] {
    --waiting_;
    deliver_(ns, event);
  });
}

}  // namespace hotkeyd
