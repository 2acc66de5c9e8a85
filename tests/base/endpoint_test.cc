#include "base/endpoint.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

constexpr std::string_view kAll = "unix tcp tls redis rediss redis+unix";

Endpoint parsed(std::string_view url, std::uint16_t default_port = 0) {
  const auto endpoint = parse_endpoint(url, kAll, default_port);
  EXPECT_TRUE(endpoint) << url << ": " << endpoint.error();
  return endpoint ? *endpoint : Endpoint{};
}

std::string error_of(std::string_view url, std::string_view schemes = kAll) {
  const auto endpoint = parse_endpoint(url, schemes);
  return endpoint ? "" : endpoint.error();
}

TEST(Endpoint, ReadsUnixPaths) {
  const Endpoint endpoint = parsed("unix:///run/hotkeyd/hotkeyd.sock");
  EXPECT_TRUE(endpoint.is_unix());
  EXPECT_EQ(endpoint.address(), "/run/hotkeyd/hotkeyd.sock");
  EXPECT_EQ(endpoint.redacted(), "unix:///run/hotkeyd/hotkeyd.sock");
  EXPECT_TRUE(parsed("redis+unix:///tmp/r.sock").is_unix());
}

TEST(Endpoint, ReadsHostsPortsAndDatabases) {
  const Endpoint endpoint = parsed("redis://10.0.0.1:6380/3");
  EXPECT_FALSE(endpoint.is_unix());
  EXPECT_EQ(endpoint.scheme, "redis");
  EXPECT_EQ(endpoint.host, "10.0.0.1");
  EXPECT_EQ(endpoint.port, 6380);
  EXPECT_EQ(endpoint.database, 3);
  EXPECT_EQ(parsed("redis://cache", 6379).port, 6379);
  EXPECT_EQ(parsed("tcp://127.0.0.1:0").port, 0);
  EXPECT_EQ(parsed("tcp://localhost:7420/").address(), "localhost:7420");
}

TEST(Endpoint, ReadsIpv6InBrackets) {
  const Endpoint endpoint = parsed("tcp://[::1]:7420");
  EXPECT_EQ(endpoint.host, "::1");
  EXPECT_EQ(endpoint.address(), "[::1]:7420");
  EXPECT_EQ(parsed("redis://u:p@[fe80::1]", 6379).host, "fe80::1");
}

TEST(Endpoint, DecodesLoginsAndHidesPasswords) {
  const Endpoint endpoint = parsed("rediss://us%65r:p%40ss%3a@host:1/2");
  EXPECT_EQ(endpoint.user, "user");
  EXPECT_EQ(endpoint.password, "p@ss:");
  EXPECT_TRUE(endpoint.has_password);
  EXPECT_EQ(endpoint.redacted(), "rediss://user:***@host:1/2");
  EXPECT_EQ(endpoint.address(), "host:1");
  EXPECT_EQ(parsed("redis://:secret@host:1").redacted(), "redis://:***@host:1");
  EXPECT_EQ(parsed("redis://name@host:1").redacted(), "redis://name@host:1");
  EXPECT_FALSE(parsed("redis://name@host:1").has_password);
  EXPECT_EQ(parsed("redis://a:b@c@host:1").password, "b@c");
}

TEST(Endpoint, NamesWhatIsWrong) {
  EXPECT_EQ(error_of("http://host:1", "unix tcp"), "endpoint must start with one of: unix tcp");
  EXPECT_EQ(error_of("host:1", "unix tcp"), "endpoint must start with one of: unix tcp");
  EXPECT_EQ(error_of("", "unix"), "endpoint must start with one of: unix");
  EXPECT_EQ(error_of("unix://relative"), "the path of a unix socket must be absolute: unix:///path");
  EXPECT_EQ(error_of("unix://"), "the path of a unix socket must be absolute: unix:///path");
  EXPECT_EQ(error_of("unix:///" + std::string(107, 'x')),
            "the path of a unix socket must be at most 107 bytes");
  EXPECT_EQ(error_of(std::string_view("unix:///a\0b", 11)), "the path of a unix socket must not hold a NUL");
  EXPECT_EQ(error_of("tcp://host"), "port is missing");
  EXPECT_EQ(error_of("tcp://:1"), "host is missing");
  EXPECT_EQ(error_of("tcp://"), "host is missing");
  EXPECT_EQ(error_of("tcp://[]:1"), "host is missing");
  EXPECT_EQ(error_of("tcp://[::1]x:1"), "only :port may follow the ]");
  EXPECT_EQ(error_of("tcp://[::1:1"), "port must be a number from 0 to 65535");
  EXPECT_EQ(error_of("tcp://::1:1"), "host is missing");
  EXPECT_EQ(error_of("tcp://host:65536"), "port must be a number from 0 to 65535");
  EXPECT_EQ(error_of("tcp://host:"), "port must be a number from 0 to 65535");
  EXPECT_EQ(error_of("tcp://host:-1"), "port must be a number from 0 to 65535");
  EXPECT_EQ(error_of("tcp://host:1/2"), "nothing may follow the port");
  EXPECT_EQ(error_of("redis://host:1/x"), "the database after / must be a number");
  EXPECT_EQ(error_of("redis://host:1/99999999"), "the database after / must be a number");
  EXPECT_EQ(error_of("redis://a%4:b@host:1"), "a % in user or password must be followed by two hex digits");
  EXPECT_EQ(error_of("redis://a:%zz@host:1"), "a % in user or password must be followed by two hex digits");
}

TEST(Endpoint, NeverPutsAPasswordIntoAnError) {
  for (const std::string_view url :
       {"redis://u:secret@host", "redis://u:secret@host:x", "redis://u:secret%@host:1",
        "nosuch://u:secret@host:1", "tcp://u:secret@host:1/2", "u:secret@host"}) {
    EXPECT_EQ(error_of(url).find("secret"), std::string::npos) << url;
  }
}

}  // namespace
}  // namespace hotkeyd
