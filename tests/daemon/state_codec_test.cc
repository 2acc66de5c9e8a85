#include "daemon/state_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/daemon/state_samples.h"

namespace hotkeyd {
namespace {

std::string error_of(std::string_view bytes) {
  const auto state = decode_state(bytes);
  return state ? "" : state.error();
}

TEST(StateCodec, ReadsWhatItWrote) {
  for (const StoredState& state : {sample_state(), StoredState{{"n", 1, 0, 0, 0}, {}, {}}}) {
    const auto read = decode_state(encoded(state));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, state);
  }
}

TEST(StateCodec, FindsEveryFlippedBitAndEveryMissingOrSurplusByte) {
  StoredState state = sample_state();
  state.orders.namespaces[0].denials.clear();  // A shorter file, so that every bit has its turn.
  const std::string file = encoded(state);
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string changed = file;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode_state(changed)) << "bit " << bit;
  }
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(decode_state(file.substr(0, size))) << size << " bytes";
  }
  EXPECT_FALSE(decode_state(file + '\0'));
  EXPECT_FALSE(decode_state(file + file));
}

TEST(StateCodec, SaysWhatIsWrong) {
  const std::string file = encoded(sample_state());
  EXPECT_EQ(error_of(""), "is empty");
  EXPECT_EQ(error_of(std::string(100'000, '[')), "is not one of hotkeyd");
  EXPECT_EQ(error_of(file.substr(0, 10)), "is cut off or was changed: its checksum does not match");
  EXPECT_EQ(error_of(file.substr(0, file.size() - 1)),
            "is cut off or was changed: its checksum does not match");
  std::string later = file;
  later[8] = 2;
  EXPECT_EQ(error_of(later), "has format 2; this version reads 1");
  EXPECT_EQ(error_of(seal_state("")), "holds values that this version cannot have written");
  EXPECT_EQ(error_of(seal_state(std::string(1000, '\xff'))),
            "holds values that this version cannot have written");
}

TEST(StateCodec, RefusesValuesOutOfRangeBehindARightChecksum) {
  StoredState no_name = sample_state();
  no_name.orders.namespaces[0].ns = "sh op";
  StoredState no_node = sample_state();
  no_node.header.node = "";
  StoredState no_key = sample_state();
  no_key.hot[0].keys[0].key = "";
  StoredState long_key = sample_state();
  long_key.orders.namespaces[0].pins[0].key = std::string(65'537, 'x');
  StoredState no_class = sample_state();
  no_class.hot[0].keys[0].key_class = static_cast<KeyClass>(4);
  StoredState no_reason = sample_state();
  no_reason.hot[0].keys[0].reason = static_cast<Reason>(99);
  StoredState huge_epoch = sample_state();
  huge_epoch.header.epoch = std::numeric_limits<std::uint64_t>::max();
  for (const StoredState& state : {no_name, no_node, no_key, long_key, no_class, no_reason, huge_epoch}) {
    EXPECT_EQ(error_of(encoded(state)), "holds values that this version cannot have written");
  }
}

TEST(StateCodec, CutsTimesThatAreFarAway) {
  StoredState state = sample_state();
  state.orders.namespaces[0].pins[0].ends_ms = std::numeric_limits<UnixMs>::max();
  state.header.saved_at_ms = -1;
  const auto read = decode_state(encoded(state));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->orders.namespaces[0].pins[0].ends_ms, std::int64_t{1} << 60);
  EXPECT_EQ(read->header.saved_at_ms, 0);
}

TEST(StateCodec, BelievesNoCountBeforeItsItems) {
  StoredState state{{"n", 1, 0, 0, 0}, {}, {}};
  std::string file = encoded(state);
  std::string content = file.substr(20, file.size() - 28);
  content.replace(content.size() - 4, 4, "\xff\xff\xff\xff");  // The number of hot sets.
  EXPECT_EQ(error_of(seal_state(content)), "holds values that this version cannot have written");
}

}  // namespace
}  // namespace hotkeyd
