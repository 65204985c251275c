#include "threads.hpp"

#include "contract.hpp"

#include <system_error>

namespace kumitate {

void require_threads(std::size_t threads) {
    if (threads < 1 || threads > most_threads)
        throw Refusal("threads: " + std::to_string(threads) + "; there can be 1 to " +
                      std::to_string(most_threads));
}

void prepare_to_throw() {
    static_cast<void>(std::current_exception());
}

#ifdef KUMITATE_ALONE

void in_parallel(std::size_t threads, const std::function<void(std::size_t)> &work) {
    require(threads == 1, "work is done on the one thread that there is");
    work(0);
}

#else

Threads::Threads(std::function<void()> alarm) : alarm_(std::move(alarm)) {
    prepare_to_throw();
}

Threads::~Threads() {
    join();
}

void Threads::start(std::size_t threads, const std::function<void(std::size_t)> &work) {
    threads_.reserve(threads);
    gate_ = Gate::closed;
    try {
        for (std::size_t i = 0; i < threads; ++i)
            threads_.emplace_back([this, work, i] {
                gate_.wait(Gate::closed);
                if (gate_ == Gate::dismissed)
                    return;
                prepare_to_throw();
                attempt([&] { work(i); });
            });
        open(Gate::open);
    } catch (const std::system_error &error) {
        const std::size_t started = threads_.size();
        open(Gate::dismissed);
        join();
        throw Refusal("only " + std::to_string(started) + " of " + std::to_string(threads) +
                      " threads could be started (" + error.code().message() +
                      "); use fewer threads");
    } catch (...) {
        open(Gate::dismissed);
        join();
        throw;
    }
}

void Threads::open(Gate gate) noexcept {
    gate_ = gate;
    gate_.notify_all();
}

void Threads::attempt(const std::function<void()> &work) noexcept {
    try {
        work();
    } catch (...) {
        {
            const std::lock_guard lock(mutex_);
            if (!first_)
                first_ = std::current_exception();
        }
        alarm_();
    }
}

void Threads::join() noexcept {
    for (std::thread &thread : threads_)
        thread.join();
    threads_.clear();
}

void Threads::rethrow() {
    const std::lock_guard lock(mutex_);
    if (first_)
        std::rethrow_exception(first_);
}

void in_parallel(std::size_t threads, const std::function<void(std::size_t)> &work) {
    require(threads > 0, "work is done on one thread at least");
    Threads others;
    others.start(threads - 1, [&](std::size_t i) { work(i + 1); });
    others.attempt([&] { work(0); });
    others.join();
    others.rethrow();
}

#endif

} // namespace kumitate
