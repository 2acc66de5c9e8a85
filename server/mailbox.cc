#include "server/mailbox.h"

#include <algorithm>

namespace hotkeyd {

void Mailbox::ask_snapshot(Feed& feed) {
  const bool asked = std::any_of(jobs_.begin(), jobs_.end(),
                                 [&](const Job& job) { return job.feed == &feed && !job.snapshot; });
  if (!asked) jobs_.push_back({&feed, nullptr, 0});
  options_.output_waits();
}

void Mailbox::send_snapshot(Feed& feed, std::shared_ptr<const StreamSnapshot> snapshot) {
  feed.told_to = snapshot->seq();
  jobs_.push_back({&feed, std::move(snapshot), 0});
  options_.output_waits();
}

// The front one when its parts are being sent, and those that were taken before their turn.
bool Mailbox::has_snapshot_to_send() const {
  return std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.snapshot != nullptr; });
}

void Mailbox::forget(const Feed& feed) {
  std::erase_if(jobs_, [&](const Job& job) { return job.feed == &feed; });
  release_held();
}

void Mailbox::fill(const Capture& capture) {
  while (!jobs_.empty() && output_.size() < options_.low_water) send_part(capture);
}

void Mailbox::send_part(const Capture& capture) {
  Job& job = jobs_.front();
  if (!job.snapshot) {
    job.snapshot = capture(job.feed->stream);
    job.feed->told_to = job.snapshot->seq();
  }
  const std::string part = job.snapshot->encode_part(job.next_part++);
  Message message(job.feed->stream.channel, part);
  output_.share(OutputBuffer::Kind::snapshot, message.frame(job.feed->subscription, version_));
  if (job.next_part < job.snapshot->parts()) return;
  jobs_.pop_front();
  release_held();
}

void Mailbox::release_held() {
  if (has_snapshot_to_send()) return;
  for (SharedBytes& bytes : held_) output_.share(OutputBuffer::Kind::event, std::move(bytes));
  held_.clear();
  held_bytes_ = 0;
}

void Mailbox::deliver(const Feed& feed, std::uint64_t seq, Message& message) {
  if (!feed.told_to || seq <= *feed.told_to) return;
  SharedBytes bytes = message.frame(feed.subscription, version_);
  if (has_snapshot_to_send()) {
    held_bytes_ += bytes->size();
    held_.push_back(std::move(bytes));
  } else {
    output_.share(OutputBuffer::Kind::event, std::move(bytes));
  }
  if (output_.size(OutputBuffer::Kind::event) + held_bytes_ > options_.pending_events_max) {
    return options_.overflowed();
  }
  options_.output_waits();
}

}  // namespace hotkeyd
