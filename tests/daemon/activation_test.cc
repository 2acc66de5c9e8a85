#include "daemon/activation.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

Endpoint endpoint(const std::string& url) { return *parse_endpoint(url, "unix tcp"); }

std::vector<ListenOptions> listen_on(const std::vector<std::string>& urls) {
  std::vector<ListenOptions> out;
  out.reserve(urls.size());
  for (const std::string& url : urls) out.push_back({endpoint(url), 0660, std::nullopt});
  return out;
}

// Sockets of one unit with these addresses, and the numbers of their descriptors.
class Passed {
 public:
  explicit Passed(const std::vector<std::string>& urls) {
    for (const std::string& url : urls) add(endpoint(url));
  }
  Passed& add(std::optional<Endpoint> address) {
    FileDescriptor descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    numbers.push_back(descriptor.get());
    sockets.push_back({"hotkeyd.socket", std::move(address), std::move(descriptor)});
    return *this;
  }

  std::vector<PassedSocket> sockets;
  std::vector<int> numbers;
};

TEST(Activation, PutsEachSocketInThePlaceOfItsListener) {
  Passed passed({"tcp://[::1]:7420", "unix:///run/hotkeyd/hotkeyd.sock"});
  const auto placed = place_passed(
      std::move(passed.sockets),
      listen_on({"unix:///run/hotkeyd/hotkeyd.sock", "tcp://127.0.0.1:7420", "tcp://[::1]:7420"}));
  ASSERT_TRUE(placed) << placed.error();
  ASSERT_EQ(placed->size(), 3U);
  EXPECT_EQ((*placed)[0].get(), passed.numbers[1]);
  EXPECT_FALSE((*placed)[1].is_open());
  EXPECT_EQ((*placed)[2].get(), passed.numbers[0]);
}

TEST(Activation, LeavesEveryPlaceOpenWhereNothingIsPassed) {
  const auto placed = place_passed({}, listen_on({"unix:///s", "tcp://127.0.0.1:1"}));
  ASSERT_TRUE(placed) << placed.error();
  ASSERT_EQ(placed->size(), 2U);
  EXPECT_FALSE((*placed)[0].is_open() || (*placed)[1].is_open());
}

TEST(Activation, RefusesASocketThatNoListenerHas) {
  for (const std::string url : {"unix:///run/other.sock", "tcp://127.0.0.1:7421", "tcp://[::1]:7420"}) {
    const auto placed =
        place_passed(std::move(Passed({url}).sockets), listen_on({"unix:///s", "tcp://127.0.0.1:7420"}));
    ASSERT_FALSE(placed) << url;
    EXPECT_EQ(placed.error(), "socket activation: hotkeyd.socket passes " + url +
                                  ", which is no address of `listen`: add it there, or take it out of the "
                                  "socket unit");
  }
}

TEST(Activation, GivesAListenerOneSocketAndRefusesTheSecond) {
  EXPECT_FALSE(place_passed(std::move(Passed({"unix:///s", "unix:///s"}).sockets), listen_on({"unix:///s"})));
}

TEST(Activation, RefusesWhatDoesNotListen) {
  const auto placed = place_passed(std::move(Passed({}).add(std::nullopt).sockets), listen_on({"unix:///s"}));
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error(),
            "socket activation: hotkeyd.socket passes what is no listening stream socket: its unit needs "
            "ListenStream= and Accept=no");
}

}  // namespace
}  // namespace hotkeyd
