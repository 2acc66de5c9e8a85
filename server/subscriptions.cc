#include "server/subscriptions.h"

#include <memory>

#include "base/glob.h"
#include "base/text.h"

namespace hotkeyd {

void Subscriptions::subscribe(Mailbox& mailbox, bool is_pattern, std::string_view name) {
  auto& entries = mailbox.entries(is_pattern);
  if (const auto found = entries.find(name); found != entries.end()) {
    for (const auto& feed : found->second.feeds) mailbox.ask_snapshot(*feed);
    return;
  }
  if (is_pattern && entries.empty()) with_patterns_.push_back(&mailbox);
  auto& entry = entries[std::string(name)];
  entry.subscription = {is_pattern, std::string(name)};
  ++size_;
  begin(mailbox, entry);
}

void Subscriptions::begin(Mailbox& mailbox, Mailbox::Entry& entry) {
  const std::string_view name = entry.subscription.name;
  if (entry.subscription.is_pattern) {
    for (LocalStream* stream : streams_.opened_by_name()) {
      if (glob_matches(name, stream->channel)) mailbox.ask_snapshot(follow(mailbox, entry, *stream));
    }
    return;
  }
  if (!name.starts_with(kEventChannelPrefix)) return;
  const std::string_view ns = name.substr(kEventChannelPrefix.size());
  if (is_valid_name(ns)) mailbox.ask_snapshot(follow(mailbox, entry, streams_.of(ns)));
}

Feed& Subscriptions::follow(Mailbox& mailbox, Mailbox::Entry& entry, LocalStream& stream) {
  entry.feeds.push_back(std::make_unique<Feed>(Feed{mailbox, entry.subscription, stream, std::nullopt}));
  stream.feeds.push_back(entry.feeds.back().get());
  return *entry.feeds.back();
}

void Subscriptions::unfollow(Mailbox::Entry& entry) {
  for (const auto& feed : entry.feeds) {
    std::erase(feed->stream.feeds, feed.get());
    feed->mailbox.forget(*feed);
    streams_.drop_unused(feed->stream);
  }
}

bool Subscriptions::unsubscribe(Mailbox& mailbox, bool is_pattern, std::string_view name) {
  auto& entries = mailbox.entries(is_pattern);
  const auto found = entries.find(name);
  if (found == entries.end()) return false;
  unfollow(found->second);
  entries.erase(found);
  --size_;
  if (is_pattern && entries.empty()) std::erase(with_patterns_, &mailbox);
  return true;
}

void Subscriptions::unsubscribe_all(Mailbox& mailbox) {
  for (const bool is_pattern : {false, true}) {
    auto& entries = mailbox.entries(is_pattern);
    for (auto& [name, entry] : entries) unfollow(entry);
    size_ -= entries.size();
    entries.clear();
  }
  std::erase(with_patterns_, &mailbox);
}

void Subscriptions::namespace_opened(LocalStream& stream,
                                     const std::shared_ptr<const StreamSnapshot>& empty) {
  for (Mailbox* mailbox : with_patterns_) {
    for (auto& [pattern, entry] : mailbox->entries(true)) {
      if (glob_matches(pattern, stream.channel))
        mailbox->send_snapshot(follow(*mailbox, entry, stream), empty);
    }
  }
}

}  // namespace hotkeyd
