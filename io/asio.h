// The door to Boost.Asio: what the rest of the daemon uses of it, under short names.
//
// Asio itself is compiled once, in io/asio.cc. A `StreamSocket` is a connected TCP or unix stream socket:
// which of the two no longer matters once it is accepted.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hotkeyd {

namespace asio = boost::asio;
using boost::system::error_code;
using StreamSocket = asio::generic::stream_protocol::socket;

}  // namespace hotkeyd
