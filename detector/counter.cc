#include "detector/counter.h"

#include "detector/counter_impl.h"

namespace hotkeyd {

Counter::Counter(const CounterOptions& options, CandidateListener& listener)
    : impl_(std::make_unique<Impl>(options, listener)) {}

Counter::~Counter() = default;

void Counter::observe(std::span<const Access> accesses, std::span<const std::uint64_t> hashes, Slot slot,
                      std::uint32_t spread, double factor) {
  impl_->observe(accesses, hashes, slot, spread, factor);
}

void Counter::tick(Slot slot) { impl_->tick(slot); }

std::uint32_t Counter::count(std::uint64_t hash, Slot slot) {
  impl_->look(slot);
  return impl_->count(hash);
}

std::optional<CandidateId> Counter::find(std::uint64_t hash, std::string_view key) const {
  return impl_->find(hash, key);
}

std::optional<CandidateId> Counter::ensure(std::uint64_t hash, std::string_view key, Slot slot) {
  impl_->look(slot);
  return impl_->ensure(hash, key);
}

void Counter::keep(CandidateId id, bool kept) { impl_->keep(id, kept); }

void Counter::set_triggers(CandidateId id, Triggers triggers) {
  impl_->store().record(id).triggers = triggers;
}

void Counter::set_candidate_min(std::uint32_t candidate_min) { impl_->set_candidate_min(candidate_min); }

std::string_view Counter::key(CandidateId id) const { return impl_->store().key(id); }

std::uint64_t Counter::hash(CandidateId id) const { return impl_->store().record(id).hash; }

WindowSums Counter::sums(CandidateId id, Slot slot) {
  impl_->look(slot);
  return impl_->sums(id);
}

WindowSums Counter::sums_without_record(std::uint64_t hash, Slot slot) {
  impl_->look(slot);
  return impl_->sums_without_record(hash);
}

std::uint64_t Counter::total(Slot slot) {
  impl_->look(slot);
  return impl_->total();
}

std::vector<CandidateId> Counter::top(std::size_t n, Slot slot) {
  impl_->look(slot);
  return impl_->top(n);
}

std::vector<CandidateId> Counter::candidates() const { return impl_->store().living(); }

CounterStats Counter::stats() const { return impl_->stats(); }

std::size_t Counter::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace hotkeyd
