// Threads whose exceptions reach the caller.
//
// An exception that leaves the function of a std::thread ends the process, and so does destroying a
// std::thread that was not joined. Here the first exception of any thread is kept until the caller
// asks for it, and threads are joined whatever happens: every thread of the core is one of these.
//
// WebAssembly has one thread (KUMITATE_ALONE): there work is done where it is asked for.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kumitate {

#ifdef KUMITATE_ALONE
inline constexpr std::size_t most_threads = 1;

struct Mutex {
    void lock() {}
    void unlock() {}
};
#else
inline constexpr std::size_t most_threads = 256;

using Mutex = std::mutex;
#endif

// Throws a Refusal unless there are 1 to `most_threads`.
void require_threads(std::size_t threads);

// What throwing needs of a thread is made at its first use, and if there is no room for it then the
// process ends: have it made while there is. The threads below do.
void prepare_to_throw();

#ifndef KUMITATE_ALONE
class Threads {
  public:
    // `alarm` is called when a thread has failed: it tells the others to end.
    explicit Threads(std::function<void()> alarm = [] {});
    ~Threads();
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;

    // Call work(0), work(1), ... on a thread each, once all have started. If one cannot be started
    // none does anything, for there is hardly any memory left, and a Refusal says so.
    void start(std::size_t threads, const std::function<void(std::size_t)> &work);

    // Call it here, as if on one of the threads.
    void attempt(const std::function<void()> &work) noexcept;

    void join() noexcept;

    // Throw the first exception of a thread, if any threw.
    void rethrow();

  private:
    enum class Gate { closed, open, dismissed };
    void open(Gate gate) noexcept;

    std::function<void()> alarm_;
    std::atomic<Gate> gate_ = Gate::closed;
    std::mutex mutex_;
    std::exception_ptr first_;
    std::vector<std::thread> threads_;
};
#endif

// work(0) here and the others on a thread each; returns when all are over, or throws what the first
// of them threw.
void in_parallel(std::size_t threads, const std::function<void(std::size_t)> &work);

} // namespace kumitate
