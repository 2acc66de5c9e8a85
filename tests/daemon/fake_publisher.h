// A publisher that notes what it is told and stops when a test says so.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "publisher/publisher.h"

namespace hotkeyd {

class FakePublisher final : public Publisher {
 public:
  FakePublisher(std::string name, std::vector<std::string>& log) : name_(std::move(name)), log_(log) {}
  ~FakePublisher() override { note("gone"); }

  void start() override { note("starts"); }
  void push(PublishItem item) override {
    std::visit([this](const auto& any) { note(describe(any)); }, item);
  }
  PublisherStats stats() const override { return counted; }
  void stop(Duration, Stopped stopped) override {
    note("stops");
    stopped_ = std::move(stopped);
  }
  bool wants_history() const override { return keeps_history; }
  void end(bool drained) { std::exchange(stopped_, {})(drained); }

  PublisherStats counted;
  bool keeps_history = false;

 private:
  static std::string describe(const NamespaceOpened& opened) { return "opens " + opened.ns; }
  static std::string describe(const PublishedEvent& event) {
    return event.ns + " event " + std::to_string(event.seq);
  }
  static std::string describe(const PublishedSnapshot& snapshot) {
    return snapshot.ns + " snapshot " + std::to_string(snapshot.seq);
  }
  static std::string describe(const StreamGap& gap) { return gap.ns + " gap"; }
  void note(const std::string& what) { log_.push_back(name_ + " " + what); }

  const std::string name_;
  std::vector<std::string>& log_;
  Stopped stopped_;
};

}  // namespace hotkeyd
