// A remote sink of the event streams: what the daemon sees of it.
//
// The data thread pushes what it told its local subscribers; the publisher carries it to a server on the
// control thread. A server that is absent, slow or refuses costs events, which are counted, and never time of
// the data thread: `push` takes a mutex for the length of a list insertion. What was lost heals by a
// snapshot, which the publisher asks for and gets as one more item at its place in the stream.
//
// `push` and `stats` may be called from any thread; everything else, and every hook, runs on the control
// thread. The publisher must be destroyed on the control thread (or after its io_context has stopped).
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "publisher/options.h"
#include "publisher/publish_item.h"
#include "publisher/stats.h"

namespace hotkeyd {

struct PublisherHooks {
  // Must lead to a push of a PublishedSnapshot of this namespace, in stream order: every event pushed before
  // it is in it, none pushed after it is. It is asked again when none comes. An unknown namespace answers an
  // empty one.
  std::function<void(const std::string& ns)> request_snapshot;
  // An `invalidated` event of another node, to be handed to the local subscribers of `ns` as it is.
  std::function<void(const std::string& ns, std::string bytes)> relay;
};

class Publisher {
 public:
  using Stopped = std::function<void(bool drained)>;

  virtual ~Publisher() = default;
  virtual void start() = 0;
  // Never blocks on I/O. Over the limits of the options it drops and counts: first what a snapshot heals,
  // then invalidations. Items pushed before `start` wait.
  virtual void push(PublishItem item) = 0;
  virtual PublisherStats stats() const = 0;
  // Whether events that a snapshot already holds are to be pushed behind it all the same. Any thread.
  virtual bool wants_history() const { return false; }
  // Sends what is queued, then calls `stopped` once: with true when nothing was left unacknowledged or there
  // is no server to send to, with false when `deadline` passed first. A server that is lost meanwhile is
  // tried again until then. Nothing is published and no hook is called after it.
  virtual void stop(Duration deadline, Stopped stopped) = 0;
};

// The publisher that `options.type` names. `io` belongs to the control thread and must outlive the publisher.
std::unique_ptr<Publisher> make_publisher(boost::asio::io_context& io, PublisherOptions options,
                                          PublisherIdentity identity, PublisherHooks hooks);

}  // namespace hotkeyd
