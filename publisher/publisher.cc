#include "publisher/publisher.h"

#include <utility>

#include "publisher/kafka_publisher.h"
#include "publisher/redis_publisher.h"

namespace hotkeyd {

std::unique_ptr<Publisher> make_publisher(boost::asio::io_context& io, PublisherOptions options,
                                          PublisherIdentity identity, PublisherHooks hooks) {
  if (options.type == PublisherType::kafka)
    return std::make_unique<KafkaPublisher>(io, std::move(options), identity, std::move(hooks));
  return std::make_unique<RedisPublisher>(io, std::move(options), std::move(identity), std::move(hooks));
}

}  // namespace hotkeyd
