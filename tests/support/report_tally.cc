#include "tests/support/report_tally.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <span>
#include <string_view>

#include "resp/reply_parser.h"
#include "resp/request_parser.h"
#include "wire/report.h"

namespace hotkeyd::testing {
namespace {

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
}

// One connection: requests on their way up, replies on their way down.
class Watch {
 public:
  explicit Watch(std::shared_ptr<LifeTally> life) : life_(std::move(life)) {}

  void hear(Way way, std::string_view bytes) { way == Way::up ? hear_requests(bytes) : hear_replies(bytes); }

 private:
  struct Awaited {
    std::optional<BatchId> batch;
    std::uint64_t accesses = 0;
  };

  void hear_requests(std::string_view bytes) {
    input_ += bytes;
    std::size_t done = 0;
    while (true) {
      const auto outcome = parser_.parse(std::string_view(input_).substr(done));
      if (outcome.status == RequestParser::Status::request)
        on_request(parser_.arguments(), input_.substr(done, outcome.consumed));
      if (outcome.status == RequestParser::Status::error) ++life_->unreadable;
      done += outcome.consumed;
      if (outcome.status != RequestParser::Status::request) break;
    }
    input_.erase(0, done);
  }

  void on_request(std::span<const std::string_view> words, std::string frame) {
    if (is_word(words[0], "SUBSCRIBE")) return;  // Confirmed by pushes.
    awaited_.emplace_back();
    if (words.size() < 3 || !is_word(words[0], "HOTKEY") || !is_word(words[1], "REPORT")) return;
    if (!decode_report(words.subspan(2), report_)) return;
    Awaited& last = awaited_.back();
    last.batch = BatchId{std::string(report_.producer), report_.epoch, report_.seq};
    for (const ReportRow& row : report_.rows) last.accesses += row.reads + row.writes;
    if (!life_->acknowledged.contains(*last.batch))
      life_->unanswered.insert_or_assign(*last.batch, LifeTally::Unanswered{last.accesses, std::move(frame)});
  }

  void hear_replies(std::string_view bytes) {
    replies_.feed(bytes);
    while (true) {
      const auto value = replies_.next();
      if (!value) ++life_->unreadable;
      if (!value || !*value) return;
      if ((*value)->kind != RespValue::Kind::push) on_reply(**value);
    }
  }

  void on_reply(const RespValue& reply) {
    if (awaited_.empty()) {
      ++life_->unreadable;
      return;
    }
    const Awaited awaited = std::move(awaited_.front());
    awaited_.pop_front();
    if (!awaited.batch) return;
    life_->unanswered.erase(*awaited.batch);
    if (reply.kind != RespValue::Kind::integer) {
      ++life_->refused;
    } else if (!life_->acknowledged.emplace(*awaited.batch, awaited.accesses).second) {
      ++life_->repeated;
    }
  }

  std::shared_ptr<LifeTally> life_;
  RequestParser parser_;
  ReplyParser replies_;
  std::string input_;
  std::deque<Awaited> awaited_;
  Report report_;
};

}  // namespace

std::uint64_t LifeTally::accesses() const {
  std::uint64_t sum = 0;
  for (const auto& [batch, accesses] : acknowledged) sum += accesses;
  return sum;
}

std::uint64_t LifeTally::unanswered_accesses() const {
  std::uint64_t sum = 0;
  for (const auto& [batch, request] : unanswered) sum += request.accesses;
  return sum;
}

FaultProxy::Tap ReportTally::watch() {
  return [watch = std::make_shared<Watch>(lives_.back())](Way way, std::string_view bytes) {
    watch->hear(way, bytes);
  };
}

std::map<std::string, ProducerTally> ReportTally::producers() const {
  std::map<BatchId, std::uint64_t> batches;
  for (const auto& life : lives_) batches.insert(life->acknowledged.begin(), life->acknowledged.end());
  std::map<std::string, ProducerTally> out;
  for (const auto& [batch, accesses] : batches) {
    ProducerTally& producer = out[batch.producer];
    producer.accesses += accesses;
    ++producer.batches;
    producer.last = batch.seq;  // They come in rising order.
  }
  return out;
}

}  // namespace hotkeyd::testing
