#include "server/local_stream.h"

#include <algorithm>

namespace hotkeyd {

LocalStream& LocalStreams::of(std::string_view ns) {
  if (LocalStream* known = find(ns)) return *known;
  auto stream = std::make_unique<LocalStream>();
  stream->ns = std::string(ns);
  stream->channel = std::string(kEventChannelPrefix) + stream->ns;
  return *by_name_.emplace(ns, std::move(stream)).first->second;
}

LocalStream* LocalStreams::find(std::string_view ns) const {
  const auto found = by_name_.find(ns);
  return found == by_name_.end() ? nullptr : found->second.get();
}

LocalStream& LocalStreams::open(std::string_view ns) {
  LocalStream& stream = of(ns);
  stream.id = static_cast<NamespaceId>(by_id_.size());
  by_id_.push_back(&stream);
  return stream;
}

void LocalStreams::drop_unused(LocalStream& stream) {
  if (!stream.id && stream.feeds.empty()) by_name_.erase(stream.ns);
}

std::vector<LocalStream*> LocalStreams::all() const {
  std::vector<LocalStream*> out;
  out.reserve(by_name_.size());
  for (const auto& [name, stream] : by_name_) out.push_back(stream.get());
  return out;
}

std::vector<LocalStream*> LocalStreams::opened_by_name() const {
  std::vector<LocalStream*> out = by_id_;
  std::sort(out.begin(), out.end(), [](const LocalStream* a, const LocalStream* b) { return a->ns < b->ns; });
  return out;
}

}  // namespace hotkeyd
