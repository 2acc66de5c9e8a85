#include "redis/handshake.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using Commands = std::vector<RedisCommand>;

Endpoint endpoint_of(const std::string& url) { return *parse_endpoint(url, "redis"); }
RespValue ok() { return {RespValue::Kind::simple, "OK", 0, {}}; }
RespValue error(const std::string& text) { return {RespValue::Kind::error, text, 0, {}}; }
Commands commands_of(const std::string& url) { return handshake_commands(endpoint_of(url), "me", {}); }
std::string judged(const std::string& url, const std::vector<RespValue>& replies) {
  const auto result = judge_handshake(commands_of(url), replies);
  return result ? "fine " + std::to_string(*result) : result.error();
}

TEST(Handshake, SaysNoMoreThanNeeded) {
  EXPECT_EQ(commands_of("redis://h:1"), (Commands{{"CLIENT", "SETNAME", "me"}, {"CLIENT", "ID"}, {"PING"}}));
}

TEST(Handshake, AuthenticatesWithAndWithoutAUserAndSelectsTheDatabase) {
  EXPECT_EQ(
      commands_of("redis://:pw@h:1/3"),
      (Commands{{"AUTH", "pw"}, {"SELECT", "3"}, {"CLIENT", "SETNAME", "me"}, {"CLIENT", "ID"}, {"PING"}}));
  EXPECT_EQ(commands_of("redis://u:p%40w@h:1"),
            (Commands{{"AUTH", "u", "p@w"}, {"CLIENT", "SETNAME", "me"}, {"CLIENT", "ID"}, {"PING"}}));
}

TEST(Handshake, EndsTheConnectionBeforeItByIdAndAddress) {
  EXPECT_EQ(handshake_commands(endpoint_of("redis://h:1"), "me", RedisClientId{7, "10.0.0.1:99"})[0],
            (RedisCommand{"CLIENT", "KILL", "ID", "7", "ADDR", "10.0.0.1:99"}));
}

TEST(Handshake, LearnsItsId) {
  const RespValue id{RespValue::Kind::integer, "", 42, {}};
  EXPECT_EQ(judged("redis://h:1", {ok(), id, ok()}), "fine 42");
}

TEST(Handshake, TellsWhatTheServerRefusedItWith) {
  EXPECT_EQ(judged("redis://:pw@h:1", {error("WRONGPASS invalid username-password pair or user is disabled."),
                                       error("NOAUTH Authentication required."), error("NOAUTH")}),
            "WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(judged("redis://h:1",
                   {error("NOAUTH Authentication required."), error("NOAUTH Authentication required.")}),
            "NOAUTH Authentication required.");
  EXPECT_EQ(judged("redis://h:1/99", {error("ERR DB index is out of range"), ok(), ok()}),
            "ERR DB index is out of range");
  EXPECT_EQ(judged("redis://h:1", {ok(), error("LOADING Redis is loading the dataset in memory")}),
            "LOADING Redis is loading the dataset in memory");
}

TEST(Handshake, GoesOnWhereAUserMayNeitherNameItselfNorPing) {
  EXPECT_EQ(judged("redis://h:1", {error("NOPERM no permission"), error("NOPERM no permission"),
                                   error("NOPERM no permission")}),
            "fine 0");
}

TEST(Handshake, NeverShowsAPasswordThatTheServerEchoes) {
  EXPECT_EQ(judged("redis://:s3cr3t@h:1",
                   {error("ERR unknown command `AUTH`, with args beginning with: `s3cr3t`, "), ok(), ok()}),
            "AUTH was answered by an error of kind ERR");
}

TEST(ErrorCodeOf, IsTheFirstWordInCapitals) {
  EXPECT_EQ(error_code_of("WRONGTYPE Operation against"), "WRONGTYPE");
  EXPECT_EQ(error_code_of("NOAUTH"), "NOAUTH");
  EXPECT_EQ(error_code_of("unknown command"), "ERR");
  EXPECT_EQ(error_code_of(""), "ERR");
  EXPECT_EQ(error_code_of(std::string(1000, 'A')), std::string(20, 'A'));
}

}  // namespace
}  // namespace hotkeyd
