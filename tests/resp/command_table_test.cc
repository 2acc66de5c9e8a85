#include "resp/command_table.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "resp/command_rows.h"

namespace hotkeyd {

void PrintTo(const KeyArgument& key, std::ostream* out) {
  *out << key.index << (key.use == KeyUse::read ? " read" : " write") << " value " << key.value;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<KeyArgument> keys(const std::vector<std::string_view>& arguments) {
  std::vector<KeyArgument> found(keys_of(arguments, {}));
  EXPECT_EQ(keys_of(arguments, found), found.size());
  return found;
}

KeyArgument read(std::uint32_t index) { return {index, KeyUse::read, 0}; }
KeyArgument write(std::uint32_t index, std::uint32_t value = 0) { return {index, KeyUse::write, value}; }

TEST(CommandTable, FindsKeysInAnyCase) {
  EXPECT_THAT(keys({"GET", "k"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"gEt", "k"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"xInFo", "sTrEaM", "k"}), ElementsAre(read(2)));
}

TEST(CommandTable, FindsKeysInRanges) {
  EXPECT_THAT(keys({"MGET", "a", "b", "c"}), ElementsAre(read(1), read(2), read(3)));
  EXPECT_THAT(keys({"BLPOP", "a", "b", "0"}), ElementsAre(write(1), write(2)));
  EXPECT_THAT(keys({"LCS", "a", "b", "LEN"}), ElementsAre(read(1), read(2)));
  EXPECT_THAT(keys({"DEL", "a", "b"}), ElementsAre(write(1), write(2)));
  EXPECT_THAT(keys({"DELEX", "k", "IFEQ", "v"}), ElementsAre(write(1)));
}

TEST(CommandTable, ReadsSourcesAndWritesTheDestination) {
  EXPECT_THAT(keys({"COPY", "a", "b"}), ElementsAre(read(1), write(2)));
  EXPECT_THAT(keys({"BITOP", "AND", "d", "a", "b"}), ElementsAre(write(2), read(3), read(4)));
  EXPECT_THAT(keys({"SUNIONSTORE", "d", "a", "b"}), ElementsAre(write(1), read(2), read(3)));
  EXPECT_THAT(keys({"ZUNIONSTORE", "d", "2", "a", "b", "WEIGHTS", "1", "2"}),
              ElementsAre(write(1), read(3), read(4)));
  EXPECT_THAT(keys({"GEOSEARCHSTORE", "d", "s", "FROMMEMBER", "m", "BYRADIUS", "1", "m"}),
              ElementsAre(write(1), read(2)));
  EXPECT_THAT(keys({"RENAME", "a", "b"}), ElementsAre(write(1), write(2)));
  EXPECT_THAT(keys({"PFMERGE", "d"}), ElementsAre(write(1)));
}

TEST(CommandTable, FindsCountedKeys) {
  EXPECT_THAT(keys({"EVAL", "return 1", "2", "a", "b", "c"}), ElementsAre(write(3), write(4)));
  EXPECT_THAT(keys({"EVAL_RO", "return 1", "1", "a"}), ElementsAre(read(3)));
  EXPECT_THAT(keys({"EVAL", "return 1", "0", "a"}), IsEmpty());
  EXPECT_THAT(keys({"LMPOP", "2", "a", "b", "LEFT"}), ElementsAre(write(2), write(3)));
  EXPECT_THAT(keys({"BLMPOP", "0", "2", "a", "b", "LEFT"}), ElementsAre(write(3), write(4)));
  EXPECT_THAT(keys({"SINTERCARD", "2", "a", "b", "LIMIT", "1"}), ElementsAre(read(2), read(3)));
  EXPECT_THAT(keys({"MSETEX", "2", "a", "1", "b", "2", "EX", "9"}), ElementsAre(write(2, 3), write(4, 5)));
}

TEST(CommandTable, RefusesCountsThatTheServerRefuses) {
  for (const std::string_view count :
       {"3", "-1", "1.5", "", " 1", "x", "2147483648", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551617"}) {
    EXPECT_THAT(keys({"EVAL", "return 1", count, "a", "b"}), IsEmpty()) << count;
    EXPECT_THAT(keys({"ZUNIONSTORE", "d", count, "a", "b"}), IsEmpty()) << count;
    EXPECT_THAT(keys({"MSETEX", count, "a", "1", "b", "2"}), IsEmpty()) << count;
  }
  EXPECT_THAT(keys({"EVAL", "return 1", "-1"}), IsEmpty());
  EXPECT_THAT(keys({"ZUNIONSTORE", "d", "0", "a"}), IsEmpty());
}

TEST(CommandTable, FindsStreams) {
  EXPECT_THAT(keys({"XREAD", "COUNT", "2", "BLOCK", "0", "STREAMS", "s1", "s2", "0", "0"}),
              ElementsAre(read(6), read(7)));
  EXPECT_THAT(keys({"XREAD", "STREAMS", "STREAMS", "0"}), ElementsAre(read(2)));
  EXPECT_THAT(keys({"XREADGROUP", "GROUP", "streams", "c", "NOACK", "streams", "x", ">"}),
              ElementsAre(read(6)));
  EXPECT_THAT(keys({"XREAD", "STREAMS", "a", "b", "0"}), IsEmpty());
  EXPECT_THAT(keys({"XREAD", "COUNT", "1", "STREAMS"}), IsEmpty());
  EXPECT_THAT(keys({"XREAD", "COUNT", "STREAMS", "COUNT"}), IsEmpty());
  EXPECT_THAT(keys({"XREAD", "nothing", "STREAMS", "a", "0"}), IsEmpty());
}

TEST(CommandTable, FindsWhereSortStores) {
  EXPECT_THAT(keys({"SORT", "s", "BY", "w_*", "GET", "store", "STORE", "d"}), ElementsAre(read(1), write(7)));
  EXPECT_THAT(keys({"SORT", "s", "LIMIT", "0", "STORE", "GET", "#"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"SORT", "s", "STORE", "a", "STORE", "b"}), ElementsAre(read(1), write(5)));
  EXPECT_THAT(keys({"SORT", "s", "STORE"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"SORT", "s", "GET"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"SORT_RO", "s", "STORE", "d"}), ElementsAre(read(1)));
}

TEST(CommandTable, FindsWhatMigrates) {
  EXPECT_THAT(keys({"MIGRATE", "h", "6379", "k", "0", "10"}), ElementsAre(write(3)));
  EXPECT_THAT(keys({"MIGRATE", "h", "6379", "", "0", "10", "COPY", "AUTH", "keys", "KEYS", "a", "b"}),
              ElementsAre(write(10), write(11)));
  EXPECT_THAT(keys({"MIGRATE", "h", "6379", "k", "0", "10", "KEYS", "a"}), IsEmpty());
  EXPECT_THAT(keys({"MIGRATE", "h", "6379", "", "0", "10", "KEYS"}), IsEmpty());
}

TEST(CommandTable, FindsWhereGeoradiusStores) {
  EXPECT_THAT(keys({"GEORADIUS", "g", "1", "2", "3", "m", "COUNT", "1", "STORE", "d"}),
              ElementsAre(read(1), write(9)));
  EXPECT_THAT(keys({"GEORADIUSBYMEMBER", "g", "m", "3", "m", "STORE", "d", "STOREDIST", "e"}),
              ElementsAre(read(1), write(8)));
  EXPECT_THAT(keys({"GEORADIUS", "g", "1", "2", "3", "m", "STORE"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"GEORADIUS_RO", "g", "1", "2", "3", "m", "STORE", "d"}), ElementsAre(read(1)));
}

TEST(CommandTable, TellsWhetherBitfieldReads) {
  EXPECT_THAT(keys({"BITFIELD", "k", "GET", "u8", "0", "GET", "u8", "8"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"BITFIELD", "k"}), ElementsAre(read(1)));
  EXPECT_THAT(keys({"BITFIELD", "k", "GET", "u8", "0", "SET", "u8", "0", "1"}), ElementsAre(write(1)));
  EXPECT_THAT(keys({"BITFIELD", "k", "OVERFLOW", "FAIL", "INCRBY", "u8", "0", "1"}), ElementsAre(write(1)));
  EXPECT_THAT(keys({"BITFIELD", "k", "GET", "u8"}), ElementsAre(write(1)));
  EXPECT_THAT(keys({"BITFIELD_RO", "k", "GET", "u8", "0"}), ElementsAre(read(1)));
}

TEST(CommandTable, NamesTheArgumentThatBecomesTheValue) {
  EXPECT_THAT(keys({"SET", "k", "v", "GET"}), ElementsAre(write(1, 2)));
  EXPECT_THAT(keys({"SETEX", "k", "9", "v"}), ElementsAre(write(1, 3)));
  EXPECT_THAT(keys({"MSET", "a", "1", "b", "2"}), ElementsAre(write(1, 2), write(3, 4)));
  EXPECT_THAT(keys({"MSET", "a", "1", "b"}), ElementsAre(write(1, 2), write(3)));
  EXPECT_THAT(keys({"APPEND", "k", "v"}), ElementsAre(write(1)));
}

TEST(CommandTable, TellsNoKeysWhereNoValueIsTouched) {
  EXPECT_THAT(keys({"OBJECT", "FREQ", "k"}), IsEmpty());
  EXPECT_THAT(keys({"MEMORY", "USAGE", "k"}), IsEmpty());
  EXPECT_THAT(keys({"SPUBLISH", "channel", "m"}), IsEmpty());
  EXPECT_THAT(keys({"SSUBSCRIBE", "channel"}), IsEmpty());
  EXPECT_THAT(keys({"CLUSTER", "KEYSLOT", "k"}), IsEmpty());
  EXPECT_THAT(keys({"KEYS", "*"}), IsEmpty());
}

TEST(CommandTable, TellsNoKeysOfWhatTheServerRefuses) {
  EXPECT_THAT(keys({}), IsEmpty());
  EXPECT_THAT(keys({""}), IsEmpty());
  EXPECT_THAT(keys({"GET"}), IsEmpty());
  EXPECT_THAT(keys({"GET", "a", "b"}), IsEmpty());
  EXPECT_THAT(keys({"FOO", "a"}), IsEmpty());
  EXPECT_THAT(keys({"XINFO"}), IsEmpty());
  EXPECT_THAT(keys({"XINFO", "", "k"}), IsEmpty());
  EXPECT_THAT(keys({"XINFO", "FOO", "k"}), IsEmpty());
  EXPECT_THAT(keys({"XINFO|STREAM", "STREAM", "k"}), IsEmpty());
  EXPECT_THAT(keys({"XINFOSTREAM", "k"}), IsEmpty());
  EXPECT_THAT(keys({std::string_view("GET\0", 4), "k"}), IsEmpty());
  EXPECT_THAT(keys({std::string(100'000, 'G'), "k"}), IsEmpty());
}

TEST(CommandTable, WritesNoMoreKeysThanThereIsRoomFor) {
  const std::vector<std::string_view> arguments = {"MGET", "a", "b", "c"};
  std::vector<KeyArgument> room = {write(9), write(9)};
  EXPECT_EQ(keys_of(arguments, std::span(room).first(1)), 3U);
  EXPECT_THAT(room, ElementsAre(read(1), write(9)));
}

TEST(CommandTable, KnowsEveryRowByItsName) {
  ASSERT_GE(command_rows().size(), 399U);
  for (const CommandRow& row : command_rows()) {
    const std::vector<std::string_view> arguments = {row.name, row.subcommand};
    const bool is_main = row.subcommand.empty();
    EXPECT_EQ(is_main ? find_command(row.name) : find_command(arguments), &row)
        << row.name << ' ' << row.subcommand;
  }
}

TEST(CommandTable, CallsACommandPlausibleByNameAndNumberOfArguments) {
  const auto is_plausible = [](const std::vector<std::string_view>& arguments) {
    return is_plausible_command(arguments);
  };
  EXPECT_TRUE(is_plausible({"PING"}));
  EXPECT_TRUE(is_plausible({"set", "k", "v"}));
  EXPECT_TRUE(is_plausible({"OBJECT", "FREQ", "k"}));
  EXPECT_FALSE(is_plausible({"GET", "a", "b"}));
  EXPECT_FALSE(is_plausible({"OBJECT", "COLOUR", "k"}));
  EXPECT_FALSE(is_plausible({"PONG"}));
}

TEST(CommandTable, TellsTheUseByNameAlone) {
  EXPECT_EQ(use_of("get"), KeyUse::read);
  EXPECT_EQ(use_of("HSET"), KeyUse::write);
  EXPECT_EQ(use_of("XREAD"), KeyUse::read);
  EXPECT_EQ(use_of("PING"), std::nullopt);
  EXPECT_EQ(use_of("OBJECT"), std::nullopt);
  EXPECT_EQ(use_of("nonsense"), std::nullopt);
  EXPECT_TRUE(runs_script("evalsha_ro"));
  EXPECT_TRUE(runs_script("FCALL"));
  EXPECT_FALSE(runs_script("SCRIPT"));
}

}  // namespace
}  // namespace hotkeyd
