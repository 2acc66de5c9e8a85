#include "kafka/producer.h"

#include <utility>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBusyPause = 20ms;

}  // namespace

KafkaProducer::KafkaProducer(asio::io_context& io, KafkaOptions options, std::uint64_t seed,
                             KafkaProducerHooks hooks)
    : io_(io),
      options_(std::move(options)),
      hooks_(std::move(hooks)),
      outbox_(options_.records_max, options_.bytes_max),
      link_(seed),
      reopen_(500ms, 30s, seed + 1),
      timer_(io) {}

KafkaProducer::~KafkaProducer() = default;

void KafkaProducer::start() {
  is_started_ = true;
  open();
}

void KafkaProducer::open() {
  auto opened = KafkaClient::open(io_, options_, [this] { on_wake(); });
  if (!opened) {
    link_.cut_off();
    link_.troubled(opened.error());
    note("kafka_refused", "open", opened.error());
    return arm(Clock::now() + reopen_.next());
  }
  client_ = std::move(*opened);
  outbox_.take_back_all();
  flush(Clock::now());
}

void KafkaProducer::rebuild(const KafkaTrouble& trouble) {
  ++rebuilt_;
  note("kafka_rebuilt", trouble.kind, trouble.reason);
  link_.cut_off();
  link_.troubled(trouble.reason);
  client_.reset();
  arm(Clock::now() + reopen_.next());
}

KafkaOutbox::Id KafkaProducer::add(KafkaRecord record, const Now& now) {
  const KafkaOutbox::Id id = outbox_.add(std::move(record), now.steady);
  flush(now.steady);
  return id;
}

void KafkaProducer::flush(Time now) {
  if (!client_ || fatal_) return;
  if (!link_.may_send(now)) return arm(link_.next_send());
  while (flush_one(now)) {
  }
}

bool KafkaProducer::flush_one(Time now) {
  const auto next = outbox_.next_unsent();
  if (!next) return false;
  const auto denied = client_->send(next->first, *next->second);
  if (!denied) {
    outbox_.sent(next->first);
    return true;
  }
  if (denied->verdict == KafkaVerdict::busy) {
    arm(now + kBusyPause);
    return false;
  }
  take_in_one(*denied);
  if (denied->verdict == KafkaVerdict::try_again) arm(link_.next_send());
  return denied->verdict == KafkaVerdict::refused;
}

void KafkaProducer::on_wake() {
  take_in(client_->poll());
  if (fatal_) rebuild(*std::exchange(fatal_, std::nullopt));
  flush(Clock::now());
  if (std::exchange(is_newly_connected_, false)) hooks_.connected();
  hooks_.changed();
}

void KafkaProducer::on_timer() {
  if (!client_) open();
  flush(Clock::now());
  hooks_.changed();
}

void KafkaProducer::take_in(const std::vector<KafkaEvent>& events) {
  for (const KafkaEvent& event : events) {
    std::visit([this](const auto& one) { take_in_one(one); }, event);
  }
}

void KafkaProducer::take_in_one(const KafkaDelivery& delivery) {
  switch (delivery.verdict) {
    case KafkaVerdict::accepted:
      if (outbox_.remove(delivery.id)) ++accepted_;
      is_newly_connected_ |= link_.accepted();
      return reopen_.reset();
    case KafkaVerdict::refused:
      if (outbox_.remove(delivery.id)) ++refused_;
      return note("kafka_refused", delivery.kind, delivery.reason);
    default:
      outbox_.take_back(delivery.id);
      if (fatal_ || !is_started_) return;  // The client is at its end; these are no words of the broker.
      link_.refused(delivery.reason, Clock::now());
      return note("kafka_refused", delivery.kind, delivery.reason);
  }
}

void KafkaProducer::take_in_one(const KafkaTrouble& trouble) {
  if (trouble.is_fatal) {
    fatal_ = trouble;
    return;
  }
  if (trouble.is_cut_off) {
    link_.cut_off();
  } else {
    link_.troubled(trouble.reason);
  }
  note("kafka_lost", trouble.kind, trouble.reason);
}

void KafkaProducer::take_in_one(const KafkaReach& reach) {
  is_newly_connected_ |= link_.reached(reach.is_connected);
}

void KafkaProducer::take_in_one(const KafkaLogLine& line) {
  note("kafka_said", line.facility, line.text, line.level);
}

void KafkaProducer::stop(Duration patience) {
  timer_.cancel();
  is_started_ = false;
  if (!client_) return;
  take_in(client_->purge(patience));
  client_.reset();
}

void KafkaProducer::arm(Time when) {
  if (!is_started_) return;
  timer_.start(when, [this] { on_timer(); });
}

void KafkaProducer::note(std::string event, std::string kind, std::string reason, int level) {
  hooks_.noted({std::move(event), std::move(kind), std::move(reason), level});
}

}  // namespace hotkeyd
