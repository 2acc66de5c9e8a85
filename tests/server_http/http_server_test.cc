#include <gmock/gmock.h>

#include "tests/server_http/http_fixture.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using HttpServerTest = HttpFixture;

TEST_F(HttpServerTest, AnswersMetricsWithSafeHeaders) {
  start();
  EXPECT_EQ(get("/metrics"),
            "HTTP/1.1 200 OK\r\n"
            "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            "Content-Security-Policy: default-src 'none'\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Cache-Control: no-store\r\n"
            "Content-Length: 13\r\n\r\n"
            "hotkeyd_up 1\n");
}

TEST_F(HttpServerTest, AnswersHealthAndReadinessByBothNames) {
  start();
  for (const char* path : {"/healthz", "/-/healthy"}) EXPECT_EQ(body(get(path)), "ok\n") << path;
  for (const char* path : {"/readyz", "/-/ready"}) EXPECT_EQ(body(get(path)), "ready\n") << path;
}

TEST_F(HttpServerTest, SaysWhyOnlyWhenAsked) {
  readiness_.lines = {"publisher redis: connection refused; next try in 2 s", "evil\x1b\r\n"};
  start();
  EXPECT_EQ(body(get("/readyz")), "ready\n");
  EXPECT_EQ(body(get("/readyz?verbose")),
            "ready\npublisher redis: connection refused; next try in 2 s\nevil\\x1b\\r\\n\n");
  EXPECT_EQ(body(get("/readyz?a=1&verbose=1")), body(get("/readyz?verbose")));
}

TEST_F(HttpServerTest, Answers503WhenNotReady) {
  readiness_.is_ready = false;
  start();
  const std::string answer = get("/readyz");
  EXPECT_EQ(status(answer), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(body(answer), "not ready\n");
}

TEST_F(HttpServerTest, Answers404ForOtherPaths) {
  start();
  for (const std::string path :
       {"/nosuch", "/metrics/x", "/..", "/%00", "/metrics%2f", "*", "http://x/metrics"}) {
    const std::string answer = get(path);
    EXPECT_EQ(status(answer), "HTTP/1.1 404 Not Found") << path;
    EXPECT_EQ(body(answer), "{\"error\":\"there is no such path\"}\n") << path;
  }
}

TEST_F(HttpServerTest, Answers405ForOtherMethods) {
  start();
  const std::string answer = exchange("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(status(answer), "HTTP/1.1 405 Method Not Allowed");
  EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n"));
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  start();
  EXPECT_THAT(exchange("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
              AllOf(HasSubstr("Content-Length: 13\r\n"), testing::EndsWith("\r\n\r\n")));
}

TEST_F(HttpServerTest, AnswersRequestsOfOneConnectionInOrder) {
  start();
  const std::string answer =
      exchange("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_LT(answer.find("ok\n"), answer.find("hotkeyd_up 1\n"));
  EXPECT_EQ(server_->stats().responses, (std::map<int, std::uint64_t>{{200, 2}}));
}

TEST_F(HttpServerTest, KeepsAConnectionOpenBetweenRequests) {
  start();
  const auto client = connect();
  for (int round = 1; round <= 3; ++round) {
    client->send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    until([&] { return server_->stats().responses[200] == static_cast<std::uint64_t>(round); });
  }
  EXPECT_FALSE(client->is_closed());
  EXPECT_EQ(server_->connections(), 1U);
}

TEST_F(HttpServerTest, ClosesWhenAskedTo) {
  start();
  const auto client = connect();
  client->send("GET /healthz HTTP/1.0\r\n\r\n");
  until([&] { return client->is_closed(); });
  EXPECT_THAT(client->received(), HasSubstr("Connection: close\r\n"));
}

TEST_F(HttpServerTest, RefusesWhatIsNoRequestAndServesTheNext) {
  start();
  const std::vector<std::string> bad{std::string("\x00\xff\x00\xff", 4) + std::string(200, '\xff'),
                                     "GET\r\n\r\n",
                                     "GET / HTTP/9.9\r\n\r\n",
                                     "*1\r\n$4\r\nPING\r\n",
                                     "PING\r\n",
                                     "GET / HTTP/1.1\r\nA b: c\r\n\r\n",
                                     "GET /\x01 HTTP/1.1\r\n\r\n",
                                     "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                                     "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                     "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"};
  for (const std::string& request : bad) {
    EXPECT_EQ(status(exchange(request)), "HTTP/1.1 400 Bad Request") << request;
  }
  EXPECT_EQ(body(get("/healthz")), "ok\n");
}

TEST_F(HttpServerTest, LimitsHeaderAndBody) {
  start();
  EXPECT_EQ(status(exchange("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(status(exchange("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(status(exchange("POST / HTTP/1.1\r\nContent-Length: 2000\r\n\r\n" + std::string(2000, 'a'))),
            "HTTP/1.1 413 Payload Too Large");
}

TEST_F(HttpServerTest, ClosesWithoutAWordWhereARequestEndsInTheMiddle) {
  start();
  EXPECT_EQ(exchange("GET /metrics HTTP/1.1\r\nHo"), "");
  EXPECT_EQ(exchange(""), "");
}

TEST_F(HttpServerTest, ClosesWhoSendsNoRequestInTime) {
  options_.request_time_max = 1ms;
  start();
  const auto silent = connect();
  until([&] { return silent->is_closed(); });
  EXPECT_EQ(silent->received(), "");
  EXPECT_EQ(server_->stats().slow_clients, 1U);
}

TEST_F(HttpServerTest, ClosesWhoIsIdleBetweenRequests) {
  options_.idle_time_max = 1ms;
  start();
  const auto client = connect();
  client->send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  until([&] { return client->is_closed(); });
  EXPECT_EQ(body(client->received()), "ok\n");
  EXPECT_EQ(server_->stats().slow_clients, 0U) << "nobody who is idle is slow";
}

TEST_F(HttpServerTest, MakesRoomForANewcomerByClosingTheOldestWithoutARequest) {
  options_.clients_max = 3;
  is_held_ = true;
  start();
  const auto asking = connect();
  asking->send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  until([&] { return held_.size() == 1; });
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (std::size_t i = 0; i < 5; ++i) {
    silent.push_back(connect());
    silent.back()->send("GET /metrics HTTP/1.1\r\nHo");
    until([&] {
      return server_->stats().cut_clients == (i < 2 ? 0 : i - 1) &&
             server_->connections() == std::min<std::size_t>(i + 2, 3);
    });
  }
  until([&] { return silent[0]->is_closed() && silent[1]->is_closed() && silent[2]->is_closed(); });
  EXPECT_FALSE(silent[3]->is_closed());
  EXPECT_FALSE(silent[4]->is_closed());
  EXPECT_EQ(body(get("/healthz")), "ok\n");
  held_[0]("late page\n");
  until([&] { return body(asking->received()) == "late page\n"; });
}

TEST_F(HttpServerTest, ClosesTheNewcomerWhereEveryoneIsBeingAnswered) {
  options_.clients_max = 1;
  is_held_ = true;
  start();
  const auto asking = connect();
  asking->send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  until([&] { return held_.size() == 1; });
  const auto newcomer = connect();
  until([&] { return newcomer->is_closed(); });
  EXPECT_FALSE(asking->is_closed());
}

TEST_F(HttpServerTest, Answers503WhereTheMetricsDoNotComeAndDropsThemLater) {
  options_.request_time_max = 50ms;
  is_held_ = true;
  start();
  const auto client = connect();
  client->send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  until([&] { return !body(client->received()).empty(); });
  EXPECT_EQ(status(client->received()), "HTTP/1.1 503 Service Unavailable");
  ASSERT_EQ(held_.size(), 1U);
  held_[0]("too late");
  client->send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  until([&] { return client->received().ends_with("ok\n"); });
  EXPECT_THAT(client->received(), testing::Not(HasSubstr("too late")));
}

TEST_F(HttpServerTest, DropsAnAnswerThatComesAfterItsClientOrServerIsGone) {
  is_held_ = true;
  start();
  {
    const auto client = connect();
    client->send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    until([&] { return held_.size() == 1; });
  }
  server_->stop();
  server_.reset();
  held_[0]("nobody is there");
  io_.restart();
  io_.run();
}

TEST_F(HttpServerTest, StopsAtOnce) {
  start();
  const auto client = connect();
  until([&] { return server_->connections() == 1; });
  server_->stop();
  until([&] { return client->is_closed(); });
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(HttpServerTest, NamesTheAddressThatCannotBeBound) {
  start();
  HttpOptions taken = options_;
  taken.listen->port = port_;
  HttpServer second(io_, taken, hooks_);
  EXPECT_EQ(second.listen().error(),
            "http tcp://127.0.0.1:" + std::to_string(port_) + ": Address already in use");
}

TEST_F(HttpServerTest, BindsNothingWithoutAListen) {
  HttpServer server(io_, HttpOptions{}, hooks_);
  EXPECT_TRUE(server.listen());
  EXPECT_EQ(server.bound_address(), std::nullopt);
}

}  // namespace
}  // namespace hotkeyd
