#include "parallel.hpp"

#include "threads.hpp"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <unistd.h>

namespace kumitate {

namespace {

constexpr std::uint64_t first_nodes = 1'000;    // before there is a thread, of a search with
constexpr std::size_t few_cells = 50'000;       // so few in all placements: some milliseconds
constexpr std::uint64_t slice = 20'000;         // nodes between two looks up: some 5 ms
constexpr std::uint64_t long_search = 100'000;  // nodes: worth an estimate of what lies ahead
constexpr std::size_t most_buffered = 1u << 22; // numbers, over all tasks: 16 MB
constexpr std::size_t most_at_once = 1u << 16;  // numbers that a slice may find, or that are read

} // namespace

// The threads, and what they share.
struct ParallelSearch::Crew {
    struct Task {
        State state;
        double left; // share of the tree not yet done
        bool taken = false, finished = false;
        std::vector<std::uint32_t> found;
        std::size_t given = 0; // numbers of those that were read
    };

    const Cover &cover_;
    const Symmetry *symmetry_;
    const bool keep_, ordered_;
    std::mutex mutex_;
    std::condition_variable work_, output_;
    std::list<Task> tasks_;
    unsigned hungry_ = 0, threads_working_ = 0;
    std::size_t buffered_ = 0;
    double most_done_ = 0;
    bool estimating_ = false;
    std::shared_ptr<const Shares> shares_; // once the search turned out to be long
    Report total_; // of finished tasks, and of the others up to when they last looked up
    std::atomic<bool> stop_{false};
    std::unique_ptr<Search> begun_; // before there was a thread
    Threads threads_{[this] { halt(); }};

    Crew(const Cover &cover, const Symmetry *symmetry, std::vector<Part> parts, unsigned threads,
         bool keep, bool ordered)
        : cover_(cover), symmetry_(symmetry), keep_(keep), ordered_(ordered) {
        for (Part &part : parts) {
            const bool finished = part.state.done;
            buffered_ += part.found.size();
            tasks_.push_back({std::move(part.state), 1.0 / static_cast<double>(parts.size()), false,
                              finished, std::move(part.found), 0});
        }
        // Most searches are over sooner than a thread is there.
        if (threads == 1 && tasks_.size() == 1 && cover_.covers.size() < few_cells)
            threads_.attempt([this] { begin(); });
        if (!stop_ && std::ranges::any_of(tasks_, [](const Task &t) { return !t.finished; }))
            threads_.start(threads, [this](std::size_t) { work(); });
    }
    ~Crew() { halt(); }

    void halt() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        work_.notify_all();
        output_.notify_all();
    }

    void begin();
    void work();
    void estimate(std::unique_lock<std::mutex> &lock);
    void work_on(std::list<Task>::iterator task, Search &search,
                 std::unique_lock<std::mutex> &lock);
    void advance(Task &task, Search &search, std::uint64_t nodes,
                 std::unique_lock<std::mutex> &lock);
    bool read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most);
    Report report();
};

void ParallelSearch::Crew::begin() {
    Task &task = tasks_.front();
    if (task.finished)
        return;
    begun_ = make_search(cover_, symmetry_);
    begun_->load(task.state);
    std::unique_lock lock(mutex_, std::defer_lock);
    advance(task, *begun_, first_nodes, lock);
    task.finished = task.state.done;
}

void ParallelSearch::Crew::work() {
    const std::unique_ptr<Search> search =
        begun_ ? std::move(begun_) : make_search(cover_, symmetry_);
    std::unique_lock lock(mutex_);
    while (!stop_) {
        const auto task = std::find_if(tasks_.begin(), tasks_.end(),
                                       [](const Task &t) { return !t.taken && !t.finished; });
        if (task == tasks_.end()) {
            if (threads_working_ == 0)
                return; // no thread has anything left to give away
            ++hungry_;
            work_.wait(lock);
            --hungry_;
            continue;
        }
        task->taken = true;
        ++threads_working_;
        work_on(task, *search, lock);
        --threads_working_;
        work_.notify_all();
    }
}

// Weigh the tree, and what is left of every task anew. The lock is held on entry and on return.
void ParallelSearch::Crew::estimate(std::unique_lock<std::mutex> &lock) {
    KUMITATE_EXPECT(lock.owns_lock() && !estimating_, "the tree is weighed once, under the lock");
    estimating_ = true;
    lock.unlock();
    const std::unique_ptr<Search> probe = make_search(cover_, nullptr);
    auto shares = std::make_shared<const Shares>(probe->estimate(stop_));
    lock.lock();
    shares_ = probe->shares = std::move(shares);
    for (Task &task : tasks_)
        if (!task.finished) {
            probe->load(task.state);
            task.left = probe->left();
        }
}

// The lock is held on entry and on return, and whenever tasks are touched.
void ParallelSearch::Crew::work_on(std::list<Task>::iterator task, Search &search,
                                   std::unique_lock<std::mutex> &lock) {
    KUMITATE_EXPECT(lock.owns_lock() && task->taken, "a task is taken, and under the lock");
    State start = task->state;
    lock.unlock();
    search.load(std::move(start));
    while (true) {
        advance(*task, search, slice, lock);
        if (!estimating_ && total_.nodes > long_search)
            estimate(lock);
        output_.notify_one();
        if (task->state.done || stop_) {
            task->finished = task->state.done;
            task->taken = false;
            return;
        }
        if (hungry_ > 0) {
            Task half{{}, 0, false, false, {}, 0};
            search.shares = shares_;
            const double whole = search.left();
            if (search.split(half.state)) {
                half.left = whole - search.left();
                task->left = search.left();
                task->state = search.position();
                tasks_.insert(std::next(task), std::move(half));
                work_.notify_one();
            }
        }
        work_.wait(lock, [&] {
            return stop_ || buffered_ < most_buffered ||
                   (ordered_ && task == tasks_.begin() && task->found.size() < most_buffered);
        });
        lock.unlock();
    }
}

// Search on, and note what came of it; the lock is held on return.
void ParallelSearch::Crew::advance(Task &task, Search &search, std::uint64_t nodes,
                                   std::unique_lock<std::mutex> &lock) {
    const State before = search.position();
    std::vector<std::uint32_t> found;
    search.run(nodes, stop_, keep_ ? &found : nullptr, most_at_once);
    lock.lock();
    search.shares = shares_;
    total_.nodes += search.position().nodes - before.nodes;
    total_.found += search.position().found - before.found;
    total_.all += search.position().all - before.all;
    task.found.insert(task.found.end(), found.begin(), found.end());
    buffered_ += found.size();
    task.left = search.left();
    task.state = search.position();
}

bool ParallelSearch::Crew::read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    const auto readable = [&] {
        if (tasks_.empty() || stop_)
            return true;
        if (ordered_)
            return tasks_.front().finished || !tasks_.front().found.empty();
        return std::any_of(tasks_.begin(), tasks_.end(),
                           [](const Task &t) { return t.finished || !t.found.empty(); });
    };
    output_.wait_for(lock, most, readable);
    threads_.rethrow();
    const std::size_t before = buffered_, enough = out.size() + most_at_once;
    for (auto task = tasks_.begin(); task != tasks_.end();) {
        std::vector<std::uint32_t> &found = task->found;
        const auto begin = found.begin() + static_cast<std::ptrdiff_t>(task->given);
        auto end = begin;
        while (end != found.end() && out.size() + static_cast<std::size_t>(end - begin) < enough)
            end += 1 + static_cast<std::ptrdiff_t>(*end);
        out.insert(out.end(), begin, end);
        buffered_ -= static_cast<std::size_t>(end - begin);
        task->given = static_cast<std::size_t>(end - found.begin());
        if (task->given > found.size() / 2) { // so that moving the rest is rare
            found.erase(found.begin(), end);
            task->given = 0;
        }
        if (task->given < found.size())
            break;
        const bool over = task->finished;
        task = over ? tasks_.erase(task) : std::next(task);
        if (ordered_ && !over)
            break;
    }
    if (buffered_ < before || tasks_.empty())
        work_.notify_all();
    return tasks_.empty();
}

Report ParallelSearch::Crew::report() {
    const std::lock_guard lock(mutex_);
    Report now = total_;
    double left = 0;
    for (const Task &task : tasks_)
        left += task.finished ? 0 : task.left;
    now.done = tasks_.empty();
    // Until the tree is weighed the fraction stays 0: equal shares may be off by a quarter, and a
    // fraction never shrinks.
    if (now.done || shares_)
        most_done_ = now.done ? 1 : std::max(most_done_, std::min(1 - left, 0.9999));
    now.fraction = most_done_;
    return now;
}

ParallelSearch::ParallelSearch(const Cover &cover, const Symmetry *symmetry,
                               std::vector<Part> parts, unsigned threads, bool keep, bool ordered)
    : process_(getpid()) {
    require_threads(threads);
    crew_ = std::make_unique<Crew>(cover, symmetry, std::move(parts), threads, keep, ordered);
}

// A forked process has none of the threads, and a lock may be held by one of them: the crew must
// not even be destroyed there.
ParallelSearch::~ParallelSearch() {
    if (getpid() != process_)
        static_cast<void>(crew_.release());
}

ParallelSearch::Crew &ParallelSearch::crew() {
    if (getpid() != process_)
        throw std::runtime_error("this search has its threads in the process that began it, before "
                                 "the fork; begin another search here");
    return *crew_;
}

bool ParallelSearch::read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most) {
    return crew().read(out, most);
}

Report ParallelSearch::report() {
    return crew().report();
}

std::vector<Part> ParallelSearch::pause() {
    Crew &its = crew();
    its.halt();
    its.threads_.join();
    its.threads_.rethrow();
    std::vector<Part> parts;
    for (const Crew::Task &task : its.tasks_) {
        const auto begin = task.found.begin() + static_cast<std::ptrdiff_t>(task.given);
        if (!task.finished || begin != task.found.end())
            parts.push_back({task.state, {begin, task.found.end()}});
    }
    return parts;
}

void ParallelSearch::stop() {
    if (getpid() != process_)
        return;
    crew_->halt();
    crew_->threads_.join();
}

} // namespace kumitate
