#include "io/asio.h"

// The one place where Asio's own functions are compiled.
#include <boost/asio/impl/src.hpp>
