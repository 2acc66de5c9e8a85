#include "cli/load_story.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kStart = 5'000'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMs = 1'000'000;

using Lines = std::vector<std::string>;
using Kind = LoadNote::Kind;

LoadOptions options() {
  LoadOptions options;
  options.processes = 2;
  options.duration = 20s;
  options.sale_at = 5s;
  options.sale_end = 15s;
  return options;
}

LoadNote note(Kind kind, std::int64_t at_ns) {
  LoadNote note;
  note.kind = kind;
  note.at_ns = at_ns;
  return note;
}

LoadNote done(std::uint64_t recorded, std::uint64_t dropped) {
  LoadNote note;
  note.recorded = recorded;
  note.acknowledged = recorded - dropped;
  note.dropped = dropped;
  return note;
}

Event event(EventType type, const std::string& key) {
  Event event;
  event.type = type;
  event.key = key;
  event.data = KeyData{};
  event.data->key = key;
  event.data->rate = 2000;
  event.data->rule = "sale";
  event.data->reason = "rate";
  return event;
}

// A story of a sale that went well, up to its summary.
LoadStory whole_story() {
  LoadStory story(options(), kStart);
  story.noted(0, note(Kind::first_access, kStart + 5 * kSecond));
  story.noted(1, note(Kind::first_access, kStart + 5 * kSecond + kMs));
  story.noted(1, note(Kind::hot, kStart + 5 * kSecond + 20 * kMs));
  story.noted(0, note(Kind::hot, kStart + 5 * kSecond + 23 * kMs));
  story.told(event(EventType::promoted, "product:1"), kStart);
  story.told(event(EventType::promoted, "product:flash-sale"), kStart + 5 * kSecond);
  story.told(event(EventType::demoted, "product:flash-sale"), kStart + 18 * kSecond + 500 * kMs);
  story.noted(0, done(2'000'000, 0));
  story.noted(1, done(1'990'000, 10'000));
  return story;
}

TEST(LoadStory, SaysWhatItDoes) {
  EXPECT_EQ(
      LoadStory(options(), kStart).beginning(),
      Lines{"   0.0 s  2 application processes make 200,000 accesses a second to 100,000 keys (Zipf 1.1)"});
}

TEST(LoadStory, TellsTheMomentsOfTheSaleOnce) {
  LoadStory story(options(), kStart);
  EXPECT_EQ(story.passed(kStart + 4 * kSecond), Lines{});
  EXPECT_EQ(story.passed(kStart + 5 * kSecond),
            Lines{"   5.0 s  the sale begins: product:flash-sale takes 50% of all accesses"});
  EXPECT_EQ(story.passed(kStart + 6 * kSecond), Lines{});
  EXPECT_EQ(story.passed(kStart + 16 * kSecond), Lines{"  15.0 s  the sale ends"});
  EXPECT_EQ(story.passed(kStart + 17 * kSecond), Lines{});
}

TEST(LoadStory, MeasuresFromTheFirstAccessUntilTheLastProcessKnows) {
  LoadStory story(options(), kStart);
  EXPECT_EQ(story.noted(1, note(Kind::hot, kStart + 5 * kSecond + 20 * kMs)), Lines{});
  EXPECT_EQ(story.noted(0, note(Kind::first_access, kStart + 5 * kSecond)), Lines{});
  EXPECT_EQ(story.noted(0, note(Kind::hot, kStart + 5 * kSecond + 23 * kMs)),
            Lines{"   5.0 s  all 2 processes know it is hot, 23.0 ms after its first access (the fastest "
                  "after 20.0 ms)"});
  EXPECT_EQ(story.noted(1, note(Kind::first_access, kStart + 6 * kSecond)), Lines{});
}

TEST(LoadStory, TellsEventsOfTheSalesKeyOnly) {
  LoadStory story(options(), kStart);
  EXPECT_EQ(story.told(event(EventType::promoted, "other"), kStart), Lines{});
  EXPECT_EQ(story.told(event(EventType::promoted, "product:flash-sale"), kStart + 5 * kSecond),
            Lines{"   5.0 s  hotkey.promoted  product:flash-sale at 2,000/s (rule sale, reason rate)"});
}

TEST(LoadStory, ShowsTheTopKeys) {
  RespValue row{RespValue::Kind::array, "", 0, {}};
  row.items = {{RespValue::Kind::bulk, "a\n", 0, {}},
               {RespValue::Kind::integer, "", 26'977, {}},
               {RespValue::Kind::integer, "", 0, {}},
               {RespValue::Kind::bulk, "read", 0, {}},
               {RespValue::Kind::bulk, "hot", 0, {}}};
  RespValue warm = row;
  warm.items[4].text = "warm";
  const RespValue reply{RespValue::Kind::array, "", 0, {row, warm}};
  EXPECT_EQ(LoadStory(options(), kStart).top(reply, kStart + 2 * kSecond),
            Lines{"   2.0 s  top: a\\n 26,977/s hot,  a\\n 26,977/s"});
}

TEST(LoadStory, TellsATroubleOnceHoweverManyProcessesHaveIt) {
  LoadStory story(options(), kStart);
  LoadNote trouble = note(Kind::trouble, 0);
  trouble.text = "no daemon";
  EXPECT_EQ(story.noted(0, trouble).size(), 1U);
  EXPECT_EQ(story.noted(1, trouble).size(), 0U);
}

TEST(LoadStory, SumsUp) {
  EXPECT_EQ(
      whole_story().summary(),
      (Lines{
          "", "accesses   3,990,000 recorded = 3,980,000 acknowledged + 10,000 dropped + 0 pending",
          "rate       199,500/s for 20 s", "hot keys   2 promoted, 1 demoted",
          "the sale   known to all processes 23.0 ms after its first access, demoted 3.5 s after it ended"}));
}

TEST(LoadStory, SumsUpForScripts) {
  EXPECT_EQ(
      whole_story().summary_json(),
      R"({"processes":2,"recorded":3990000,"acknowledged":3980000,"dropped":10000,"pending":0,"duration_ms":20000,)"
      R"("promoted":2,"demoted":1,"sale":{"key":"product:flash-sale","known_after_ms":23.000,)"
      R"("known_after_ms_each":[20.000,23.000],"demoted_after_ms":3500}})");
}

TEST(LoadStory, SaysWhenTheSaleWasNotNoticed) {
  LoadStory story(options(), kStart);
  story.noted(0, done(1, 0));
  EXPECT_EQ(story.missing(), 1U);
  EXPECT_EQ(story.summary().back(), "the sale   not known to every process");
  EXPECT_NE(story.summary_json().find(R"("known_after_ms":null)"), std::string::npos);
}

}  // namespace
}  // namespace hotkeyd
