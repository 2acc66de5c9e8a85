// A shop in which one product is suddenly wanted by everybody: it reads through a near cache, which answers
// from memory once the product is hot, and changes the price half way.
//
//   flash_sale [ENDPOINT [SECONDS]]
#include <hotkey/client.h>
#include <hotkey/near_cache.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

using Clock = std::chrono::steady_clock;

struct Product {
  std::string name;
  int price = 0;
};

// Stands for your Redis or database, and counts how often it is asked.
class Catalogue {
 public:
  std::optional<Product> load(std::string_view key) {
    ++loads_;
    return Product{std::string(key), price_};
  }
  void set_price(int price) { price_ = price; }
  unsigned long loads() const { return loads_; }

 private:
  int price_ = 100;
  unsigned long loads_ = 0;
};

int main(int argc, char** argv) {
  const auto seconds = std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 5);
  const std::string wanted = "product:10001";
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

  Catalogue catalogue;
  hotkey::NearCache<Product> cache(client, {.max_bytes = 64 << 20, .size_of = [](const Product& product) {
                                              return sizeof product + product.name.size();
                                            }});
  unsigned long reads = 0;
  const auto get = [&](const std::string& key) {
    ++reads;
    return cache.get(key,
                     [&](std::string_view missing) { return catalogue.load(missing); });  // Records the read.
  };

  bool was_hot = false;
  bool is_cheap = false;
  const auto start = Clock::now();
  for (int i = 0; Clock::now() < start + seconds; ++i) {
    for (int read = 0; read < 10; ++read) get(wanted);
    get("product:" + std::to_string(i % 10'000));
    was_hot = was_hot || client.is_hot(wanted);
    if (!is_cheap && Clock::now() > start + seconds / 2) {
      is_cheap = true;
      catalogue.set_price(50);
      client.record_write(wanted);
      client.invalidate(wanted);  // Every process drops its copy, this one at once.
      std::printf("the price is now %d\n", get(wanted)->price);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  client.flush(std::chrono::seconds(1));
  const hotkey::Stats stats = client.stats();
  std::printf("%s %s; %lu reads, %lu of them reached the catalogue\n", wanted.c_str(),
              was_hot ? "became hot" : "stayed cold", reads, catalogue.loads());
  std::printf("recorded %llu, acknowledged %llu, dropped %llu, pending %llu\n",
              static_cast<unsigned long long>(stats.recorded),
              static_cast<unsigned long long>(stats.acknowledged),
              static_cast<unsigned long long>(stats.dropped), static_cast<unsigned long long>(stats.pending));
}
