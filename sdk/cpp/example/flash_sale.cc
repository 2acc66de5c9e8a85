// A shop in which one product is suddenly wanted by everybody: it records its reads and says when it learns
// that the product is hot.
//
//   flash_sale [ENDPOINT [SECONDS]]
#include <hotkey/client.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using Clock = std::chrono::steady_clock;

int main(int argc, char** argv) {
  const auto seconds = std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 5);
  hotkey::Client client({.endpoint = argc > 1 ? argv[1] : "",
                         .app = "flash_sale",
                         .ns = "shop",
                         .on_error = [](std::string_view trouble) {
                           std::fprintf(stderr, "%.*s\n", static_cast<int>(trouble.size()), trouble.data());
                         }});
  client.on_event([](const hotkey::Event& event) {
    if (!event.hot_key) return;
    std::printf("%s is %s: %llu/s\n", event.key.c_str(), event.hot_key->hot ? "hot" : "cold",
                static_cast<unsigned long long>(event.hot_key->rate));
  });

  bool was_hot = false;
  const auto start = Clock::now();
  for (int i = 0; Clock::now() < start + seconds; ++i) {
    for (int read = 0; read < 10; ++read) client.record_read("product:10001", 148);
    client.record_read("product:" + std::to_string(i % 10'000), 148);
    was_hot = was_hot || client.is_hot("product:10001");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  client.flush(std::chrono::seconds(1));
  const hotkey::Stats stats = client.stats();
  std::printf("product:10001 %s; recorded %llu, acknowledged %llu, dropped %llu, pending %llu\n",
              was_hot ? "became hot" : "stayed cold", static_cast<unsigned long long>(stats.recorded),
              static_cast<unsigned long long>(stats.acknowledged),
              static_cast<unsigned long long>(stats.dropped), static_cast<unsigned long long>(stats.pending));
}
