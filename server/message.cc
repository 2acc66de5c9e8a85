#include "server/message.h"

#include <memory>

namespace hotkeyd {
namespace {

constexpr std::size_t kFramedMax = 8;

}  // namespace

SharedBytes Message::frame(const Subscription& subscription, RespVersion version) {
  const std::string_view pattern = subscription.is_pattern ? std::string_view(subscription.name) : "";
  for (const Framed& known : framed_) {
    if (known.version == version && known.is_pattern == subscription.is_pattern && known.pattern == pattern) {
      return known.bytes;
    }
  }
  SharedBytes bytes = make(subscription, version);
  if (framed_.size() < kFramedMax) {
    framed_.push_back({version, subscription.is_pattern, std::string(pattern), bytes});
  }
  return bytes;
}

SharedBytes Message::make(const Subscription& subscription, RespVersion version) const {
  std::string out;
  out.reserve(event_.size() + channel_.size() + subscription.name.size() + 64);
  RespWriter writer(out, version);
  writer.push(subscription.is_pattern ? 4 : 3);
  writer.bulk(subscription.is_pattern ? "pmessage" : "message");
  if (subscription.is_pattern) writer.bulk(subscription.name);
  writer.bulk(channel_);
  writer.bulk(event_);
  return std::make_shared<const std::string>(std::move(out));
}

}  // namespace hotkeyd
