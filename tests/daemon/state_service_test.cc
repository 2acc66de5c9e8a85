#include "daemon/state_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/detector_driver.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string>;

// One life of a daemon, as far as its state is concerned; the data thread is a thread.
class Life {
 public:
  explicit Life(std::optional<std::string> path)
      : detector_(make_options({make_rule("rest", "*", 100)}), start_),
        service_(data_, {std::move(path), "web-17", 10s}, detector_, start_,
                 [this](const StateFileStats& stats) { noted_ = stats; }) {
    service_.restore(start_);
    service_.begin(start_);
    Decisions decisions;
    detector_.tick(start_, decisions);
  }

  // Gives `orders` pins from the data thread, all at once, waits for their answers, and stops.
  Words pin(std::size_t orders) {
    std::vector<std::string> answers;
    asio::post(data_, [&, orders] {
      const auto ns = detector_.open("shop");
      for (std::size_t i = 0; i < orders; ++i) {
        Decisions decisions;
        EXPECT_TRUE(detector_.pin(*ns, "k" + std::to_string(i), std::nullopt, read_clocks(), decisions));
        service_.orders_changed(
            [&](const Result<void>& saved) { answers.push_back(saved ? "OK" : saved.error()); });
      }
      service_.stop([this] { stopped_ = true; });
    });
    run();
    return answers;
  }
  void stop() {
    asio::post(data_, [this] { service_.stop([this] { stopped_ = true; }); });
    run();
  }
  std::size_t hot() const {
    return detector_.find("shop") ? detector_.hot_keys(*detector_.find("shop")).size() : 0;
  }
  std::uint64_t epoch() const { return service_.epoch(); }
  const StateFileStats& noted() const { return noted_; }

 private:
  void run() {
    std::thread data([this] {
      const auto guard = asio::make_work_guard(data_);
      while (!stopped_) data_.run_one();
    });
    data.join();
  }

  const Now start_ = read_clocks();
  StateFileStats noted_;
  bool stopped_ = false;
  asio::io_context data_;
  Detector detector_;
  StateService service_;
};

TEST(StateService, HandsOrdersAndALargerEpochToTheNextLife) {
  const TempFolder folder;
  std::uint64_t epoch = 0;
  {
    Life life(folder.file("state"));
    epoch = life.epoch();
    EXPECT_EQ(life.pin(100), Words(100, "OK"));
    EXPECT_EQ(life.noted().failed, 0U);
    EXPECT_LE(life.noted().saved, 4U);  // The start, the first order, those behind it, the stop.
    EXPECT_FALSE(life.noted().is_unsaved);
  }
  Life next(folder.file("state"));
  EXPECT_GT(next.epoch(), epoch);
  EXPECT_EQ(next.hot(), 100U);
  next.stop();
}

TEST(StateService, AnswersOrdersWhereThereIsNoFolder) {
  const TempFolder folder;
  Life life(folder.file("none/state"));
  const std::string error = folder.file("none/state") + ": the folder does not exist";
  EXPECT_EQ(life.pin(2), (Words{error, error}));
  EXPECT_EQ(life.hot(), 2U);
  EXPECT_GE(life.noted().failed, 3U);
  EXPECT_TRUE(life.noted().is_unsaved);
}

TEST(StateService, SetsADamagedFileAsideOnlyOnceItBegins) {
  const TempFolder folder;
  std::ofstream(folder.file("state")) << "damaged";
  asio::io_context data;
  const Now now = read_clocks();
  Detector detector(make_options({make_rule("rest", "*", 100)}), now);
  StateService service(data, {folder.file("state"), "web-17", 10s}, detector, now,
                       [](const StateFileStats&) {});
  service.restore(now);
  EXPECT_EQ(std::filesystem::file_size(folder.file("state")), 7U);
  service.begin(now);
  EXPECT_GT(std::filesystem::file_size(folder.file("state")), 7U);
  EXPECT_EQ(std::filesystem::file_size(folder.file("state.damaged-" + std::to_string(now.unix_ms))), 7U);
}

TEST(StateService, WithoutAPathKeepsNothing) {
  Life life(std::nullopt);
  EXPECT_GT(life.epoch(), 0U);
  life.stop();
  EXPECT_EQ(life.noted().saved, 0U);
}

}  // namespace
}  // namespace hotkeyd
