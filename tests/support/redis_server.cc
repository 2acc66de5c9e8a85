#include "tests/support/redis_server.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/support/eventually.h"

namespace hotkeyd::testing {
namespace {

std::string temporary_folder() {
  std::string path = std::filesystem::temp_directory_path() / "hotkeyd-redis-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot create " + path);
  return path;
}

[[noreturn]] void become_redis(const std::string& config) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execlp("redis-server", "redis-server", config.c_str(), nullptr);
  _exit(127);
}

}  // namespace

std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(socket);
  if (!bound) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

RedisServer::RedisServer(std::vector<std::string> config, Start start)
    : folder_(temporary_folder()), port_(free_port()), config_(std::move(config)) {
  write_config();
  if (start == Start::now) this->start();
}

RedisServer::~RedisServer() {
  kill();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void RedisServer::write_config() const {
  std::ofstream file(folder_ + "/redis.conf");
  file << "port " << port_ << "\nbind 127.0.0.1\nunixsocket " << folder_ << "/redis.sock\ndir " << folder_
       << "\nsave \"\"\nappendonly no\nlogfile " << folder_ << "/redis.log\n";
  for (const std::string& line : config_) file << line << '\n';
}

void RedisServer::start() {
  const std::string config = folder_ + "/redis.conf";
  process_ = fork();
  if (process_ == 0) become_redis(config);
  wait_until_it_answers();
}

void RedisServer::wait_until_it_answers() const {
  const bool answers = eventually([this] {
    if (waitpid(process_, nullptr, WNOHANG) == process_)
      throw std::runtime_error("redis-server did not start");
    try {
      return RespClient(port_).command({"PING"}).text != "";
    } catch (const std::runtime_error&) {
      return false;
    }
  });
  if (!answers) throw std::runtime_error("redis-server does not answer");
}

void RedisServer::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void RedisServer::pause() { ::kill(process_, SIGSTOP); }
void RedisServer::resume() { ::kill(process_, SIGCONT); }

Endpoint RedisServer::endpoint(const std::string& login, const std::string& suffix) const {
  return *parse_endpoint("redis://" + login + "127.0.0.1:" + std::to_string(port_) + suffix, "redis");
}

Endpoint RedisServer::unix_endpoint() const {
  return *parse_endpoint("redis+unix://" + folder_ + "/redis.sock", "redis+unix");
}

}  // namespace hotkeyd::testing
