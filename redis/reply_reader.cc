#include "redis/reply_reader.h"

#include <hiredis/read.h>

#include <string>
#include <utility>

namespace hotkeyd {
namespace {

// Elements a reply may still hold; hiredis hands it to every function as the task's private data.
struct Budget {
  std::size_t items_left = 0;
};

// The value a task fills: an element of its parent, or a new root, which hiredis keeps until it is whole.
RedisReply* place(const redisReadTask* task) {
  if (task->parent == nullptr) return new RedisReply;
  auto* parent = static_cast<RedisReply*>(task->parent->obj);
  return &parent->items[static_cast<std::size_t>(task->idx)];
}

RedisReply::Kind kind_of(int type) {
  if (type == REDIS_REPLY_ERROR) return RedisReply::Kind::error;
  return type == REDIS_REPLY_STATUS ? RedisReply::Kind::simple : RedisReply::Kind::bulk;
}

void* create_string(const redisReadTask* task, char* bytes, std::size_t size) {
  RedisReply* value = place(task);
  value->kind = kind_of(task->type);
  value->text.assign(bytes, size);
  return value;
}

void* create_array(const redisReadTask* task, int elements) {
  auto* budget = static_cast<Budget*>(task->privdata);
  const auto size = static_cast<std::size_t>(elements);
  if (size > budget->items_left) return nullptr;
  budget->items_left -= size;
  RedisReply* value = place(task);
  value->kind = RedisReply::Kind::array;
  value->items.resize(size);
  return value;
}

void* create_integer(const redisReadTask* task, long long integer) {
  RedisReply* value = place(task);
  value->kind = RedisReply::Kind::integer;
  value->integer = integer;
  return value;
}

void* create_nil(const redisReadTask* task) { return place(task); }

void free_root(void* root) { delete static_cast<RedisReply*>(root); }

redisReplyObjectFunctions kFunctions{create_string, create_array, create_integer, create_nil, free_root};

}  // namespace

class ReplyReader::Impl {
 public:
  explicit Impl(ReplyCaps caps)
      : caps_(caps), guard_(caps), reader_(redisReaderCreateWithFunctions(&kFunctions)) {
    reader_->privdata = &budget_;
    begin_reply();
  }

  Result<void> feed(std::string_view bytes) {
    if (auto admitted = guard_.admit(bytes); !admitted) return admitted;
    fed_ += bytes.size();
    if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK) return broken();
    return {};
  }

  Result<std::optional<RedisReply>> next() {
    void* root = nullptr;
    if (redisReaderGetReply(reader_.get(), &root) != REDIS_OK) return broken();
    if (root == nullptr && fed_ > caps_.reply_max) return Error{"protocol error: a reply is too large"};
    if (root == nullptr) return std::optional<RedisReply>{};
    const std::unique_ptr<RedisReply> owned(static_cast<RedisReply*>(root));
    begin_reply();
    return std::optional<RedisReply>{std::move(*owned)};
  }

 private:
  struct FreeReader {
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
  };

  void begin_reply() {
    budget_.items_left = caps_.items_max;
    fed_ = 0;
  }
  Error broken() const { return Error{std::string("protocol error: ") + reader_->errstr}; }

  ReplyCaps caps_;
  ReplyGuard guard_;
  Budget budget_;
  std::size_t fed_ = 0;
  std::unique_ptr<redisReader, FreeReader> reader_;
};

ReplyReader::ReplyReader(ReplyCaps caps) : impl_(std::make_unique<Impl>(caps)) {}
ReplyReader::~ReplyReader() = default;

Result<void> ReplyReader::feed(std::string_view bytes) { return impl_->feed(bytes); }
Result<std::optional<RedisReply>> ReplyReader::next() { return impl_->next(); }

}  // namespace hotkeyd
