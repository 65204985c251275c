// The same search where there is one thread (WebAssembly): it goes on while its caller reads.
//
// The build takes this file instead of parallel.cpp. Parts are searched in their order, so the
// assemblies come in that of the tree.

#include "parallel.hpp"
#include "threads.hpp"

#include <algorithm>
#include <list>

namespace kumitate {

namespace {

constexpr std::uint64_t slice = 20'000;        // nodes between two looks at the clock
constexpr std::size_t most_at_once = 1u << 16; // numbers that a slice may find
const std::atomic<bool> never{false};

} // namespace

struct ParallelSearch::Crew {
    using Clock = std::chrono::steady_clock;

    const bool keep_;
    const std::size_t parts_;
    std::unique_ptr<Search> search_; // stands where the first part does, once it has begun
    std::list<Part> left_;
    bool begun_ = false;
    Report total_;

    Crew(const Cover &cover, const Symmetry *symmetry, std::vector<Part> parts, bool keep)
        : keep_(keep), parts_(parts.size()), search_(make_search(cover, symmetry)),
          left_(std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end())) {}

    bool read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most) {
        const Clock::time_point end = Clock::now() + most;
        do {
            if (left_.empty())
                return true;
            Part &part = left_.front();
            out.insert(out.end(), part.found.begin(), part.found.end());
            part.found.clear();
            if (part.state.done) {
                left_.pop_front();
                begun_ = false;
            } else if (out.empty())
                go_on(part, out);
        } while (out.empty() && Clock::now() < end);
        return left_.empty();
    }

    void go_on(Part &part, std::vector<std::uint32_t> &out) {
        if (!begun_)
            search_->load(part.state);
        begun_ = true;
        const State before = search_->position();
        search_->run(slice, never, keep_ ? &out : nullptr, most_at_once);
        part.state = search_->position();
        total_.nodes += part.state.nodes - before.nodes;
        total_.found += part.state.found - before.found;
        total_.all += part.state.all - before.all;
    }

    Report report() {
        total_.done = left_.empty();
        double left = static_cast<double>(left_.size()) - (begun_ ? 1 - search_->left() : 0);
        left /= static_cast<double>(std::max<std::size_t>(parts_, 1));
        total_.fraction = total_.done ? 1 : std::clamp(1 - left, total_.fraction, 0.9999);
        return total_;
    }
};

ParallelSearch::ParallelSearch(const Cover &cover, const Symmetry *symmetry,
                               std::vector<Part> parts, unsigned threads, bool keep, bool)
    : process_(0) {
    require_threads(threads);
    crew_ = std::make_unique<Crew>(cover, symmetry, std::move(parts), keep);
}

ParallelSearch::~ParallelSearch() = default;

ParallelSearch::Crew &ParallelSearch::crew() {
    return *crew_;
}

bool ParallelSearch::read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most) {
    return crew_->read(out, most);
}

Report ParallelSearch::report() {
    return crew_->report();
}

std::vector<Part> ParallelSearch::pause() {
    std::vector<Part> parts;
    for (const Part &part : crew_->left_)
        if (!part.state.done || !part.found.empty())
            parts.push_back(part);
    return parts;
}

void ParallelSearch::stop() {
    crew_->left_.clear();
}

} // namespace kumitate
