// Everything commands work on, without sockets and on virtual time: what the RESP server wires up, for tests.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "resp/reply_parser.h"
#include "server/client.h"
#include "server/command.h"
#include "server/local_stream.h"
#include "server/reports.h"
#include "server/streams.h"
#include "server/subscriptions.h"
#include "tests/support/detector_driver.h"
#include "wire/event.h"

namespace hotkeyd {

constexpr std::uint64_t kEpoch = 1'796'053'922'000;

// What the publishers would get.
class RecordingOutlet : public Outlet {
 public:
  void namespace_opened(const std::string& ns) override { opened.push_back(ns); }
  void told(const PublishedEvent& event) override { events.push_back(event); }

  std::vector<std::string> opened;
  std::vector<PublishedEvent> events;
};

class ServerRig {
 public:
  explicit ServerRig(DetectorOptions detector_options = make_options({make_rule("rest", "*", 100)}))
      : detector(detector_options, now),
        streams(options, detector, local_streams, subscriptions, &outlet, now) {}

  std::unique_ptr<Client> connect(bool is_unix = true, std::size_t pending_events_max = 8 << 20) {
    return std::make_unique<Client>(++last_id, permissions_without_users(is_unix),
                                    MailboxOptions{.pending_events_max = pending_events_max,
                                                   .output_waits = [] {},
                                                   .overflowed = [this] { ++overflows; }});
  }

  // The reply as the bytes that the client would read.
  std::string raw(Client& client, const std::vector<std::string>& words) {
    const std::vector<std::string_view> arguments(words.begin(), words.end());
    execute(services, client, arguments, now);
    return read(client);
  }
  std::string raw(Client& client, std::initializer_list<std::string> words) {
    return raw(client, std::vector<std::string>(words));
  }
  // The one reply as a value.
  RespValue ask(Client& client, std::initializer_list<std::string> words) {
    const auto values = parse(raw(client, words));
    return values.empty() ? RespValue{} : values.front();
  }

  // What waits in the client's output, snapshots included, as if its socket drained.
  std::string read(Client& client) {
    std::string out;
    do {
      client.mailbox.fill([this](LocalStream& stream) { return streams.capture(stream); });
      std::array<std::string_view, 8> pieces;
      const std::size_t count = client.output.gather(pieces, 1 << 20);
      std::size_t size = 0;
      for (std::size_t i = 0; i < count; ++i) size += out.append(pieces[i]).size() * 0 + pieces[i].size();
      client.output.consume(size);
    } while (!client.output.empty() || client.mailbox.snapshot_waits());
    return out;
  }

  static std::vector<RespValue> parse(std::string_view bytes) {
    ReplyParser parser;
    parser.feed(bytes);
    std::vector<RespValue> out;
    while (auto value = *parser.next()) out.push_back(std::move(*value));
    return out;
  }

  // The events that wait in the client's output, as "promoted k 1" (type, key, seq) each.
  std::vector<std::string> events(Client& client) {
    std::vector<std::string> out;
    for (const RespValue& value : parse(read(client))) {
      if (value.items.size() < 3 || !value.items[0].text.ends_with("message")) continue;
      const auto event = decode_event(value.items.back().text);
      out.push_back(event ? sentence_of(*event) : event.error());
    }
    return out;
  }
  static std::string sentence_of(const Event& event) {
    const std::string type(to_string(event.type).substr(sizeof("hotkey.") - 1));
    return type + (event.key.empty() ? "" : " " + event.key) + " " + std::to_string(event.seq);
  }

  // Lets time pass as the server's ticker does, a tick each 100 ms.
  void run(Duration duration) {
    for (const Time end = now.steady + duration; now.steady < end;) {
      now.steady += 100ms;
      now.unix_ms += 100;
      Decisions decisions;
      detector.tick(now, decisions);
      streams.tell(decisions, std::nullopt);
      streams.tick(now);
    }
  }

  Now now{Time{}, kStartMs};
  std::uint64_t last_id = 0;
  int overflows = 0;
  ServerOptions options{
      .node = "web-17", .epoch = kEpoch, .version = "1.2.3", .listen = {}, .subscriptions_max = 100};
  ServerHooks hooks;
  RecordingOutlet outlet;
  Detector detector;
  LocalStreams local_streams;
  Subscriptions subscriptions{local_streams, options.subscriptions_max};
  Streams streams;
  Reports reports{options, detector, streams};
  CommandServices services{
      options, hooks, detector, streams, subscriptions, reports, [this] { return stats(); }, now};

  DataStats stats() const {
    DataStats out;
    reports.add_to(out, now.steady);
    return out;
  }
};

}  // namespace hotkeyd
