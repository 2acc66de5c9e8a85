#include "cli/top_feed.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "cli/exit_code.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kEvery{1};
constexpr seconds kStayWithout{30};
constexpr seconds kFirstConnectMax{5};
constexpr milliseconds kConnectMax{500};
constexpr seconds kSlow{2};
constexpr seconds kSilenceMax{10};
constexpr std::string_view kKeysAsked = "1000";

}  // namespace

TopFeed::TopFeed(const Endpoint& daemon, std::string_view ns)
    : daemon_(daemon), ns_(ns), sampler_(ns), backoff_(milliseconds(100), seconds(2), 1) {}

std::optional<TopSample> TopFeed::step(Now now) {
  if (ended_) return std::nullopt;
  if (!connection_ && now.steady >= next_) connect(now.steady);
  if (!connection_) return std::nullopt;
  auto sample = collect(now);
  if (!sample) {
    lose(sample.error(), now.steady);
    return std::nullopt;
  }
  if (!is_asked_ && now.steady >= next_) {
    if (const auto asked = ask(now.steady); !asked) lose(asked.error(), now.steady);
  } else if (is_asked_ && now.steady - asked_ > kSilenceMax) {
    lose("lost the daemon: no answer within 10 s", now.steady);
  }
  return std::move(*sample);
}

void TopFeed::connect(Time now) {
  auto opened =
      DaemonConnection::open(daemon_, was_connected_ ? Duration(kConnectMax) : Duration(kFirstConnectMax));
  if (opened) {
    connection_.emplace(std::move(*opened));
    was_connected_ = true;
    next_ = now;
    return;
  }
  if (!was_connected_) return end(ctl_exit_unreachable, opened.error());
  lose(opened.error(), now);
}

Result<void> TopFeed::ask(Time now) {
  answers_.clear();
  const std::string_view top[] = {"HOTKEY", "TOP", ns_, kKeysAsked};
  const std::string_view info[] = {"INFO"};
  if (auto sent = connection_->send(top); !sent) return sent;
  if (auto sent = connection_->send(info); !sent) return sent;
  is_asked_ = true;
  asked_ = now;
  next_ = std::max(next_ + kEvery, now);
  return {};
}

Result<std::optional<TopSample>> TopFeed::collect(Now now) {
  while (is_asked_) {
    auto value = connection_->receive(Duration::zero());
    if (!value) return Error{value.error()};
    if (!*value) break;
    if ((*value)->kind == RespValue::Kind::push) continue;
    if ((*value)->is_error()) {
      end(ctl_exit_refused, "the daemon refused: " + redis_escape((*value)->text));
      return std::optional<TopSample>();
    }
    answers_.push_back(std::move(**value));
    if (answers_.size() < 2) continue;
    is_asked_ = false;
    give_up_at_.reset();
    backoff_.reset();
    return std::optional(sampler_.take(answers_[0], answers_[1], now));
  }
  return std::optional<TopSample>();
}

void TopFeed::lose(std::string reason, Time now) {
  connection_.reset();
  is_asked_ = false;
  if (!give_up_at_) give_up_at_ = now + kStayWithout;
  if (now >= *give_up_at_) return end(ctl_exit_unreachable, std::move(reason));
  reason_ = std::move(reason);
  next_ = now + backoff_.next();
}

void TopFeed::end(int exit_code, std::string reason) {
  ended_ = exit_code;
  reason_ = std::move(reason);
}

std::string TopFeed::trouble(Time now) const {
  if (ended_) return reason_;
  if (give_up_at_) return reason_ + "; trying again";
  if (is_asked_ && now - asked_ > kSlow) return "the daemon does not answer";
  return {};
}

}  // namespace hotkeyd
