#include "search_tree.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kumitate {

namespace {

// Options tried for an estimate: some 50 ms. Puzzles of the library need 43,000 at most.
constexpr std::uint64_t most_tries = 300'000;

} // namespace

void TreeSearch::start() {
    state = fresh_state();
    state.done = !begin();
    if (state.done)
        state.path.clear();
}

TreeSearch::~TreeSearch() = default;

void TreeSearch::load(State wanted) {
    const auto begin_anew = [&] {
        options_.clear();
        chosen_.clear();
        leaf_ = nowhere;
        start();
    };
    if (state.done || expanded(0) || leaf_ != nowhere) // it does not stand at its beginning
        begin_anew();
    whole_ = std::max<std::size_t>(wanted.path.size(), 1);
    if (!state.done && !wanted.done)
        for (std::size_t depth = 0; depth < wanted.path.size(); ++depth) {
            const auto [at, end] = wanted.path[depth];
            bool stood = at <= end && at != none;
            if (stood && depth + 1 < wanted.path.size()) {
                options_.push_back(divide(depth));
                stood = at < options_.back() && enter(depth, at) == Outcome::alive;
            }
            if (!stood) {
                begin_anew();
                throw std::invalid_argument("a state of another search");
            }
        }
    const bool nothing = state.done;
    state = std::move(wanted);
    state.done = state.done || nothing;
}

void TreeSearch::run(std::uint64_t nodes, const std::atomic<bool> &stop,
                     std::vector<std::uint32_t> *out, std::size_t room) {
    const std::uint64_t last = state.nodes + nodes;
    struct Pause { // nothing is skipped while it stands
        std::uint64_t &last;
        ~Pause() { last = 0; }
    } pause{last_};
    last_ = last;
    while (!state.done) {
        KUMITATE_EXPECT(!state.path.empty(), "a search that is not done stands somewhere");
        const std::size_t depth = state.path.size() - 1;
        if (!expanded(depth))
            options_.push_back(divide(depth));
        Level &level = state.path[depth];
        if (level.at >= end_of(depth)) {
            if (depth <= deepest_dead_ && depth >= whole_ &&
                before_[depth].assemblies == assemblies_)
                remember_dead(depth, state.nodes - before_[depth].nodes);
            state.path.pop_back();
            options_.pop_back();
            if (state.path.empty()) {
                state.done = true;
                return;
            }
            leave(depth - 1);
            ++state.path.back().at;
            continue;
        }
        switch (enter(depth, level.at)) {
        case Outcome::alive:
            whole_ = std::min(whole_, depth + 1);
            if (depth < deepest_dead_) {
                before_.resize(std::max(before_.size(), depth + 2));
                before_[depth + 1] = {state.nodes, assemblies_};
            }
            ++state.nodes;
            state.path.push_back({0, none});
            break;
        case Outcome::last:
            ++state.nodes;
            [[fallthrough]];
        case Outcome::complete:
            ++assemblies_;
            report(out);
            ++level.at;
            break;
        case Outcome::dead:
            ++level.at;
        }
        if (state.nodes >= last || stop.load(std::memory_order_relaxed) ||
            (out && out->size() >= room))
            return;
    }
}

std::uint32_t TreeSearch::end_of(std::size_t depth) const {
    return std::min(state.path[depth].end, options_[depth]);
}

bool TreeSearch::split(State &other) {
    for (std::size_t depth = 0; depth < state.path.size() && expanded(depth); ++depth) {
        Level &level = state.path[depth];
        const std::uint32_t end = end_of(depth);
        if (end < level.at + 2)
            continue;
        const std::uint32_t middle = level.at + 1 + (end - level.at - 1) / 2;
        other = {};
        for (std::size_t d = 0; d < depth; ++d)
            other.path.push_back({state.path[d].at, state.path[d].at + 1});
        other.path.push_back({middle, end});
        level.end = middle;
        whole_ = std::max(whole_, depth + 1);
        return true;
    }
    return false;
}

// Of what lies below the node at this depth, the part below one of its options.
double TreeSearch::share_of(std::size_t depth, std::uint32_t option) const {
    if (!shares || shares->root.empty() || depth > 1)
        return 1.0 / options_[depth];
    const std::uint32_t first = depth == 0 ? option : state.path[0].at;
    require(first < shares->root.size() && (depth == 0 || option < shares->below[first].size()),
            "shares are those of the same search");
    return depth == 0 ? shares->root[first] : shares->below[first][option];
}

double TreeSearch::left() const {
    double left = 0, share = 1; // of the node at this depth
    for (std::size_t depth = 0; depth < state.path.size(); ++depth) {
        if (!expanded(depth))
            return left + share;
        const std::uint32_t at = state.path[depth].at, end = end_of(depth);
        const bool deeper = depth + 1 < state.path.size();
        for (std::uint32_t option = at + deeper; option < end; ++option)
            left += share * share_of(depth, option);
        if (deeper)
            share *= share_of(depth, at);
    }
    return left;
}

Shares TreeSearch::estimate(const std::atomic<bool> &stop) {
    // The mean of square roots, squared, since a mean of sizes hangs on a few lucky samples: by
    // this Bedlam's progress is off by 13 % at most, by the plain mean by 39 %, without shares by
    // 32 %.
    constexpr int samples = 32; // of each option's option
    Dice dice(1);
    Shares found;
    const auto normalize = [](std::vector<double> &sizes) {
        double sum = 0;
        for (double size : sizes)
            sum += size;
        for (double &size : sizes)
            size /= sum;
        return sum;
    };
    if (state.done)
        return found;
    require(options_.empty() && leaf_ == nowhere, "only a search that has not begun is estimated");
    std::uint64_t tries = 0;
    const std::uint32_t options = divide(0);
    for (std::uint32_t option = 0; option < options; ++option) {
        std::vector<double> sizes;
        if (enter(0, option) == Outcome::alive) {
            const std::uint32_t below = divide(1);
            for (std::uint32_t next = 0; next < below; ++next) {
                double roots = 0;
                for (int i = 0; i < samples && tries < most_tries && !stop; ++i)
                    roots += std::sqrt(sample(1, next, dice, tries));
                sizes.push_back(roots * roots);
            }
            leave(0);
        }
        if (tries >= most_tries || stop)
            return {};
        found.root.push_back(1 + normalize(sizes));
        found.below.push_back(std::move(sizes));
    }
    normalize(found.root);
    return found;
}

double TreeSearch::estimate_size(unsigned samples) {
    require(options_.empty() && leaf_ == nowhere, "only a search that has not begun is estimated");
    const std::uint32_t options = state.done ? 0 : divide(0);
    if (options == 0)
        return 0;
    Dice dice(1);
    double roots = 0;
    for (unsigned i = 0; i < samples; ++i) {
        std::uint64_t tries = 0;
        roots += std::sqrt(options * sample(0, roll(dice, options), dice, tries));
    }
    return roots / samples * roots / samples;
}

// An estimate of how many options lie below this one, itself included: 1 + a + ab + abc + ..., if
// the nodes on a random way down have a, b, c, ... options.
double TreeSearch::sample(std::size_t depth, std::uint32_t option, Dice &dice,
                          std::uint64_t &tries) {
    double size = 1, width = 1;
    std::size_t at = depth;
    for (; ++tries < most_tries && enter(at, option) == Outcome::alive; ++at) {
        const std::uint32_t options = divide(at + 1);
        if (options == 0) {
            leave(at);
            break;
        }
        width = std::min(width * options, 1e200);
        size += width;
        option = roll(dice, options);
    }
    while (at > depth)
        leave(--at);
    return size;
}

std::uint32_t TreeSearch::divide(std::size_t depth) {
    if (!naming(depth))
        return expand(depth);
    return static_cast<std::uint32_t>(chosen_[several_[depth - leaf_ - 1]]->size());
}

TreeSearch::Outcome TreeSearch::enter(std::size_t depth, std::uint32_t option) {
    if (naming(depth)) {
        const std::size_t level = depth - leaf_ - 1, which = several_[level];
        assembly_[which] = (*chosen_[which])[option];
        return level + 1 < several_.size() ? Outcome::alive : Outcome::last;
    }
    chosen_.resize(std::min(chosen_.size(), depth));
    const Outcome outcome = descend(depth, option);
    if (outcome == Outcome::dead || outcome == Outcome::alive)
        return outcome;
    collect(outcome == Outcome::last ? depth + 1 : depth);
    if (several_.empty())
        return outcome;
    leaf_ = depth;
    return Outcome::alive;
}

void TreeSearch::leave(std::size_t depth) {
    if (depth == leaf_)
        leaf_ = nowhere;
    else if (!naming(depth))
        ascend(depth);
}

// The choices above this depth are an assembly, by their first names.
void TreeSearch::collect(std::size_t depths) {
    for (std::size_t depth = chosen_.size(); depth < depths; ++depth)
        chosen_.push_back(&names(depth));
    chosen_.resize(depths);
    assembly_.clear();
    several_.clear();
    for (std::size_t depth = 0; depth < depths; ++depth) {
        assembly_.push_back(chosen_[depth]->front());
        if (chosen_[depth]->size() > 1)
            several_.push_back(depth);
    }
}

void TreeSearch::report(std::vector<std::uint32_t> *out) {
    sorted_ = assembly_;
    std::sort(sorted_.begin(), sorted_.end());
    while (!sorted_.empty() && sorted_.back() == none) // a hole
        sorted_.pop_back();
    const std::uint64_t size = symmetry_ ? class_size(*symmetry_, sorted_) : 1;
    if (size == 0)
        return;
    ++state.found;
    state.all += size;
    if (out) {
        if (symmetry_)
            turn_to_front(*symmetry_, sorted_);
        out->push_back(static_cast<std::uint32_t>(sorted_.size()));
        out->insert(out->end(), sorted_.begin(), sorted_.end());
    }
}

} // namespace kumitate
