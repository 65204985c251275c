#include "tree.hpp"

#include <algorithm>
#include <cassert>

namespace kumiki {

void TreeSearch::start() {
    state = {};
    state.done = !begin();
    if (!state.done)
        state.path.push_back({0, none});
}

void TreeSearch::restore() {
    const State wanted = state;
    options_.clear();
    chosen_.clear();
    start();
    if (!state.done && !wanted.done)
        for (std::size_t depth = 0; depth + 1 < wanted.path.size(); ++depth) {
            options_.push_back(expand(depth));
            [[maybe_unused]] const Outcome outcome = descend(depth, wanted.path[depth].at);
            assert(outcome == Outcome::alive);
        }
    const bool nothing = state.done;
    state = wanted;
    state.done = state.done || nothing;
}

void TreeSearch::run(std::uint64_t nodes, const std::atomic<bool> &stop,
                     std::vector<std::uint32_t> *out, std::size_t room) {
    const std::uint64_t last = state.nodes + nodes;
    std::uint64_t tried = 0;
    while (!state.done) {
        const std::size_t depth = state.path.size() - 1;
        if (!expanded(depth))
            options_.push_back(expand(depth));
        Level &level = state.path[depth];
        if (level.at >= end_of(depth)) {
            state.path.pop_back();
            options_.pop_back();
            if (state.path.empty()) {
                state.done = true;
                return;
            }
            ascend(depth - 1);
            ++state.path.back().at;
            continue;
        }
        chosen_.resize(std::min(chosen_.size(), depth));
        switch (descend(depth, level.at)) {
        case Outcome::alive:
            ++state.nodes;
            state.path.push_back({0, none});
            break;
        case Outcome::last:
            ++state.nodes;
            found(depth + 1, out);
            ++level.at;
            break;
        case Outcome::complete:
            found(depth, out);
            ++level.at;
            break;
        case Outcome::dead:
            ++level.at;
        }
        if (state.nodes >= last || (++tried % 256 == 0 && stop.load(std::memory_order_relaxed)) ||
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
        return true;
    }
    return false;
}

double TreeSearch::left() const {
    double left = 0, share = 1; // of the node at this depth
    for (std::size_t depth = 0; depth < state.path.size(); ++depth) {
        if (!expanded(depth))
            return left + share;
        const std::uint32_t at = state.path[depth].at, end = end_of(depth);
        const bool deeper = depth + 1 < state.path.size();
        share /= std::max<std::uint32_t>(options_[depth], 1);
        if (end > at)
            left += share * static_cast<double>(end - at - deeper);
    }
    return left;
}

// The choices above this depth are an assembly.
void TreeSearch::found(std::size_t depths, std::vector<std::uint32_t> *out) {
    for (std::size_t depth = chosen_.size(); depth < depths; ++depth)
        chosen_.push_back(&names(depth));
    chosen_.resize(depths);
    assembly_.clear();
    tell(0, out);
}

// Every way to take one of the names of each choice.
void TreeSearch::tell(std::size_t depth, std::vector<std::uint32_t> *out) {
    if (depth < chosen_.size()) {
        for (std::uint32_t name : *chosen_[depth]) {
            assembly_.push_back(name);
            tell(depth + 1, out);
            assembly_.pop_back();
        }
        return;
    }
    sorted_ = assembly_;
    std::sort(sorted_.begin(), sorted_.end());
    const std::uint64_t size = symmetry_ ? class_size(*symmetry_, sorted_) : 1;
    if (size == 0)
        return;
    ++state.found;
    state.all += size;
    if (out) {
        out->push_back(static_cast<std::uint32_t>(sorted_.size()));
        out->insert(out->end(), sorted_.begin(), sorted_.end());
    }
}

} // namespace kumiki
