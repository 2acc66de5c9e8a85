// What lets ThreadSanitizer watch code of ours around librdkafka, which is not instrumented.
//
// librdkafka uses C11 threads, which TSan does not intercept: it would crash in the first thread, and see
// none of the locks that order the library's work and ours. Here they are over the POSIX threads that it does
// intercept, in place of the C library's (glibc gives both the same objects). The suppression leaves out what
// the library's own frames do, memcpy and free for example; since it would leave out their read-write locks
// too, those are called from here. A race in code of ours is still seen, also where a thread of the library
// runs it. Only for the tests of a TSan build.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
              sizeof(thrd_t) == sizeof(pthread_t) && sizeof(once_flag) == sizeof(pthread_once_t));

namespace {

int code_of(int error) {
  if (error == 0) return thrd_success;
  if (error == ETIMEDOUT) return thrd_timedout;
  if (error == EBUSY) return thrd_busy;
  return error == ENOMEM || error == EAGAIN ? thrd_nomem : thrd_error;
}

pthread_mutex_t* of(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* of(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

using Start = std::pair<thrd_start_t, void*>;

void* run(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  return reinterpret_cast<void*>(std::intptr_t{start->first(start->second)});
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): names that the sanitizer gives.
const char* __tsan_default_suppressions();
int __interceptor_pthread_rwlock_rdlock(pthread_rwlock_t* lock);
int __interceptor_pthread_rwlock_wrlock(pthread_rwlock_t* lock);
int __interceptor_pthread_rwlock_unlock(pthread_rwlock_t* lock);
const char* __tsan_default_suppressions() { return "called_from_lib:librdkafka.so.1\n"; }
// NOLINTEND(readability-identifier-naming)

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = std::make_unique<Start>(function, argument);
  const int error = pthread_create(thread, nullptr, run, start.get());
  if (error == 0) static_cast<void>(start.release());
  return code_of(error);
}

int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return code_of(error);
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  const int error = pthread_mutex_init(of(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return code_of(error);
}
int mtx_lock(mtx_t* mutex) { return code_of(pthread_mutex_lock(of(mutex))); }
int mtx_unlock(mtx_t* mutex) { return code_of(pthread_mutex_unlock(of(mutex))); }
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(of(mutex)); }

int cnd_init(cnd_t* condition) { return code_of(pthread_cond_init(of(condition), nullptr)); }
int cnd_signal(cnd_t* condition) { return code_of(pthread_cond_signal(of(condition))); }
int cnd_broadcast(cnd_t* condition) { return code_of(pthread_cond_broadcast(of(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) { return code_of(pthread_cond_wait(of(condition), of(mutex))); }
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return code_of(pthread_cond_timedwait(of(condition), of(mutex), until));
}
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(of(condition)); }

void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) { return __interceptor_pthread_rwlock_rdlock(lock); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) { return __interceptor_pthread_rwlock_wrlock(lock); }
int pthread_rwlock_unlock(pthread_rwlock_t* lock) { return __interceptor_pthread_rwlock_unlock(lock); }

}  // extern "C"
