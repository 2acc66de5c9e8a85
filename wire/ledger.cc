#include "wire/ledger.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "wire/drop_ratio.h"
#include "wire/loss_account.h"
#include "wire/sequence_window.h"

namespace hotkeyd {
namespace {

// One epoch of a producer, a node of the list from the longest idle to the latest.
struct Producer {
  Producer(std::uint64_t epoch_started, std::uint64_t first)
      : epoch(epoch_started), numbers(first), drops(first) {}

  std::uint64_t epoch;
  SequenceWindow numbers;
  LossAccount account;
  DropRatio drops;
  const std::string* name = nullptr;
  Producer* older = nullptr;
  Producer* newer = nullptr;
};

Verdict to_verdict(SequenceWindow::Place place) {
  switch (place) {
    case SequenceWindow::Place::fresh:
      return Verdict::counts;
    case SequenceWindow::Place::seen:
      return Verdict::repeated;
    case SequenceWindow::Place::old:
      return Verdict::old;
  }
  return Verdict::old;
}

Verdict judge(const Producer& producer, std::uint64_t epoch, std::uint64_t seq) {
  if (epoch < producer.epoch) return Verdict::old;
  if (epoch > producer.epoch) return Verdict::counts;
  return to_verdict(producer.numbers.place(seq));
}

// What is still awaited will not come any more.
void give_up(Producer& producer, LedgerOutcome& outcome) {
  outcome.lost_batches += producer.numbers.awaited();
  outcome.lost_accesses += producer.account.take_loss();
}

void settle(Producer& producer, LedgerOutcome& outcome) {
  if (producer.numbers.awaited() == 0) outcome.lost_accesses += producer.account.take_loss();
}

}  // namespace

class Ledger::Impl {
 public:
  explicit Impl(std::size_t producers_max) : producers_max_(std::max<std::size_t>(producers_max, 1)) {
    producers_.reserve(producers_max_);
  }

  const Producer* find(std::string_view name) const {
    const auto found = producers_.find(name);
    return found == producers_.end() ? nullptr : &found->second;
  }

  LedgerOutcome admit(const LedgerEntry& entry) {
    const auto found = producers_.find(entry.producer);
    if (found == producers_.end()) return open(entry);
    touch(found->second);
    return admit_known(found->second, entry);
  }

  std::size_t size() const { return producers_.size(); }

 private:
  LedgerOutcome open(const LedgerEntry& entry) {
    LedgerOutcome outcome;
    if (producers_.size() == producers_max_) forget_oldest(outcome);
    const auto [at, created] = producers_.try_emplace(std::string(entry.producer), entry.epoch, entry.seq);
    at->second.name = &at->first;
    append(at->second);
    start(at->second, entry, outcome);
    return outcome;
  }

  static LedgerOutcome admit_known(Producer& producer, const LedgerEntry& entry) {
    LedgerOutcome outcome{.verdict = judge(producer, entry.epoch, entry.seq)};
    if (outcome.verdict != Verdict::counts) return outcome;
    if (entry.epoch > producer.epoch) {
      give_up(producer, outcome);
      producer.epoch = entry.epoch;
      producer.numbers = SequenceWindow(entry.seq);
      producer.account = {};
      producer.drops = DropRatio(entry.seq);
      start(producer, entry, outcome);
      return outcome;
    }
    const bool is_largest = entry.seq > producer.numbers.largest();
    outcome.lost_batches = producer.numbers.add(entry.seq);
    outcome.dropped_accesses = producer.account.add(entry.seq, entry.accesses, entry.totals, is_largest);
    if (is_largest && entry.totals) producer.drops.tell(*entry.totals, entry.now);
    outcome.drop_ratio = producer.drops.ratio(entry.now);
    settle(producer, outcome);
    return outcome;
  }

  // The first batch of an epoch: it sets the bases, so it can show neither a loss nor a ratio.
  static void start(Producer& producer, const LedgerEntry& entry, LedgerOutcome& outcome) {
    outcome.dropped_accesses = producer.account.add(entry.seq, entry.accesses, entry.totals, true);
    if (entry.totals) producer.drops.tell(*entry.totals, entry.now);
  }

  void forget_oldest(LedgerOutcome& outcome) {
    Producer& oldest = *oldest_;
    give_up(oldest, outcome);
    unlink(oldest);
    producers_.erase(producers_.find(*oldest.name));
  }

  void touch(Producer& producer) {
    if (newest_ == &producer) return;
    unlink(producer);
    append(producer);
  }

  void append(Producer& producer) {
    producer.older = newest_;
    producer.newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = &producer;
    newest_ = &producer;
  }

  void unlink(Producer& producer) {
    (producer.older != nullptr ? producer.older->newer : oldest_) = producer.newer;
    (producer.newer != nullptr ? producer.newer->older : newest_) = producer.older;
  }

  std::size_t producers_max_;
  std::unordered_map<std::string, Producer, SeededHash, std::equal_to<>> producers_;
  Producer* oldest_ = nullptr;
  Producer* newest_ = nullptr;
};

Ledger::Ledger(std::size_t producers_max) : impl_(std::make_unique<Impl>(producers_max)) {}
Ledger::~Ledger() = default;

Verdict Ledger::peek(std::string_view producer, std::uint64_t epoch, std::uint64_t seq) const {
  const Producer* known = impl_->find(producer);
  return known == nullptr ? Verdict::counts : judge(*known, epoch, seq);
}

LedgerOutcome Ledger::admit(const LedgerEntry& entry) { return impl_->admit(entry); }

std::size_t Ledger::producers() const { return impl_->size(); }

}  // namespace hotkeyd
