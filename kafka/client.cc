#include "kafka/client.h"

#include <librdkafka/rdkafka.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "kafka/client_config.h"
#include "kafka/read_event.h"

namespace hotkeyd {
namespace {

// "; ssl.ca.location: /etc/ca.pem: No such file or directory" for each file that is named and cannot be read:
// librdkafka's own words name neither.
std::string unreadable_files(const KafkaOptions& options) {
  std::string text;
  for (const auto& [name, value] : options.properties) {
    if (!name.ends_with(".location") || ::access(value.c_str(), R_OK) == 0) continue;
    const std::string why = std::generic_category().message(errno);
    text.append("; ").append(name).append(": ").append(value).append(": ").append(why);
  }
  return text;
}

rd_kafka_vu_t text_argument(rd_kafka_vtype_t type, const char* text) {
  rd_kafka_vu_t argument{};
  argument.vtype = type;
  argument.u.cstr = text;
  return argument;
}

rd_kafka_vu_t bytes_argument(rd_kafka_vtype_t type, const std::string& bytes) {
  rd_kafka_vu_t argument{};
  argument.vtype = type;
  argument.u.mem.ptr = const_cast<char*>(bytes.data());  // It is copied, not written to.
  argument.u.mem.size = bytes.size();
  return argument;
}

// Given one by one, librdkafka 2.0.2 frees headers twice when it cannot take the record; these are ours then.
using Headers = std::unique_ptr<rd_kafka_headers_t, decltype(&rd_kafka_headers_destroy)>;

Headers copy_headers(const KafkaRecord& record) {
  Headers headers(rd_kafka_headers_new(record.headers.size()), rd_kafka_headers_destroy);
  for (const auto& [name, value] : record.headers) {
    rd_kafka_header_add(headers.get(), name.c_str(), -1, value.data(), static_cast<ssize_t>(value.size()));
  }
  return headers;
}

rd_kafka_vu_t headers_argument(rd_kafka_headers_t* headers) {
  rd_kafka_vu_t argument{};
  argument.vtype = RD_KAFKA_VTYPE_HEADERS;
  argument.u.headers = headers;
  return argument;
}

rd_kafka_vu_t copy_argument() {
  rd_kafka_vu_t argument{};
  argument.vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  argument.u.i = RD_KAFKA_MSG_F_COPY;
  return argument;
}

rd_kafka_vu_t time_argument(UnixMs created_ms) {
  rd_kafka_vu_t argument{};
  argument.vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  argument.u.i64 = created_ms;
  return argument;
}

rd_kafka_vu_t id_argument(std::uint64_t id) {
  rd_kafka_vu_t argument{};
  argument.vtype = RD_KAFKA_VTYPE_OPAQUE;
  argument.u.ptr = std::bit_cast<void*>(id);
  return argument;
}

constexpr Duration kDestroyPatience = std::chrono::milliseconds{500};

// A thread of the library may hang in a name server's answer: the end then goes on in the background.
void destroy_within(rd_kafka_t* handle, Duration patience) {
  std::promise<void> done;
  const std::future<void> ended = done.get_future();
  std::thread([handle, promise = std::move(done)]() mutable {
    rd_kafka_destroy(handle);
    promise.set_value();
  }).detach();
  ended.wait_for(patience);
}

}  // namespace

struct KafkaClient::Impl {
  Impl(asio::io_context& io, int event_fd, std::string topic_name, std::function<void()> wake_up)
      : topic(std::move(topic_name)), signal(io, event_fd), wake(std::move(wake_up)) {}

  ~Impl() {
    if (handle == nullptr) return;
    rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_queue_io_event_enable(queue, -1, nullptr, 0);
    rd_kafka_queue_destroy(queue);
    destroy_within(handle, kDestroyPatience);
  }

  // The library writes to the eventfd when its queue stops being empty.
  void adopt(rd_kafka_t* opened) {
    handle = opened;
    queue = rd_kafka_queue_get_main(handle);
    rd_kafka_set_log_queue(handle, nullptr);
    const std::uint64_t one = 1;
    rd_kafka_queue_io_event_enable(queue, signal.native_handle(), &one, sizeof(one));
    // Where its threads have spoken already, the queue is not empty, and it would never write.
    static_cast<void>(!write(signal.native_handle(), &one, sizeof(one)));
  }

  void listen() {
    signal.async_wait(asio::posix::stream_descriptor::wait_read,
                      [this, alive = std::weak_ptr<bool>(is_alive)](error_code error) {
                        if (alive.expired() || error) return;
                        on_signal();
                      });
  }

  void on_signal() {
    std::uint64_t count = 0;
    const ssize_t got = read(signal.native_handle(), &count, sizeof(count));
    listen();
    const auto call = wake;  // It may end this client.
    if (got > 0) call();
  }

  void collect(int timeout_ms, std::vector<KafkaEvent>& out) {
    while (rd_kafka_event_t* event = rd_kafka_queue_poll(queue, timeout_ms)) {
      read_event(handle, event, topic, out);
      rd_kafka_event_destroy(event);
      timeout_ms = 0;
    }
  }

  const std::string topic;
  asio::posix::stream_descriptor signal;  // Outlives the handle, which writes to it.
  std::function<void()> wake;
  rd_kafka_t* handle = nullptr;
  rd_kafka_queue_t* queue = nullptr;
  std::shared_ptr<bool> is_alive = std::make_shared<bool>(true);
};

KafkaClient::KafkaClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KafkaClient::~KafkaClient() = default;

Result<std::unique_ptr<KafkaClient>> KafkaClient::open(asio::io_context& io, const KafkaOptions& options,
                                                       std::function<void()> wake) {
  auto conf = make_kafka_conf(options);
  if (!conf) return Error{conf.error()};
  const int event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (event_fd < 0) return Error{"eventfd: " + std::generic_category().message(errno)};
  auto impl = std::make_unique<Impl>(io, event_fd, options.topic, std::move(wake));
  std::array<char, 512> why{};
  rd_kafka_t* handle = rd_kafka_new(RD_KAFKA_PRODUCER, conf->get(), why.data(), why.size());
  if (handle == nullptr) return Error{std::string("librdkafka: ") + why.data() + unreadable_files(options)};
  static_cast<void>(conf->release());  // The handle owns it now.
  impl->adopt(handle);
  impl->listen();
  return std::unique_ptr<KafkaClient>(new KafkaClient(std::move(impl)));
}

std::optional<KafkaDelivery> KafkaClient::send(std::uint64_t id, const KafkaRecord& record) {
  Headers headers = copy_headers(record);
  const std::array<rd_kafka_vu_t, 7> arguments{text_argument(RD_KAFKA_VTYPE_TOPIC, impl_->topic.c_str()),
                                               copy_argument(),
                                               bytes_argument(RD_KAFKA_VTYPE_KEY, record.key),
                                               bytes_argument(RD_KAFKA_VTYPE_VALUE, *record.value),
                                               time_argument(record.created_ms),
                                               id_argument(id),
                                               headers_argument(headers.get())};
  rd_kafka_error_t* error = rd_kafka_produceva(impl_->handle, arguments.data(), arguments.size());
  if (error == nullptr) {
    static_cast<void>(headers.release());  // The library owns them now.
    return std::nullopt;
  }
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  rd_kafka_error_destroy(error);
  return delivery_of(id, code, impl_->topic);
}

std::vector<KafkaEvent> KafkaClient::poll() {
  std::vector<KafkaEvent> events;
  impl_->collect(0, events);
  return events;
}

std::vector<KafkaEvent> KafkaClient::purge(Duration patience) {
  rd_kafka_purge(impl_->handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  const auto ms = static_cast<int>(to_ms(patience));
  rd_kafka_flush(impl_->handle, ms);
  return poll();
}

rd_kafka_s* KafkaClient::handle_for_tests() { return impl_->handle; }

}  // namespace hotkeyd
