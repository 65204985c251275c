#include "restarts.hpp"
#include "symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace kumitate {

namespace {

constexpr std::uint64_t slice = 64; // nodes between two looks at the clock

// The sparse core overtakes the list core here: at 216 cells they are equal, at 512 it is eight
// times as fast.
constexpr std::size_t most_listed = 256; // cells

constexpr std::uint64_t unit_listed = 1000, unit_sparse = 5000; // nodes

// The steady search begins after this many nodes: most questions are answered by then.
constexpr std::uint64_t before_steady = 20'000;
// A node for this many others; large goals are hardly ever searched whole.
constexpr std::uint64_t others_listed = 3, others_sparse = 15;

// Beyond this the symmetries of all placements take too long to write down.
constexpr std::size_t most_symmetric = 512; // cells

const std::atomic<bool> never{false};

Cover renumbered(const Cover &cover, const std::vector<std::uint32_t> &place) {
    Cover made = cover;
    for (std::size_t cell = 0; cell < cover.cells(); ++cell) {
        made.optional[place[cell]] = cover.optional[cell];
        made.weight[place[cell]] = cover.weight[cell];
    }
    for (std::uint32_t &cell : made.covers)
        cell = place[cell];
    return made;
}

// The same cover with its placements in random order.
Cover shuffled(const Cover &cover, Dice &dice) {
    std::vector<std::uint32_t> order(cover.placements());
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, dice);
    Cover made = cover;
    made.starts = {0};
    made.covers.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto cells = cover.cells_of(order[i]);
        made.piece[i] = cover.piece[order[i]];
        made.name[i] = cover.name[order[i]];
        made.covers.insert(made.covers.end(), cells.begin(), cells.end());
        made.starts.push_back(to_32_bits(made.covers.size(), "cells of placements"));
    }
    return made;
}

} // namespace

std::uint64_t luby(std::uint64_t i) {
    require(i > 0, "Luby's sequence begins at 1");
    std::uint64_t whole = 1; // the length of the sequence up to its first `power`
    std::uint64_t power = 1;
    for (; whole < i; whole = 2 * whole + 1)
        power *= 2;
    return whole == i ? power : luby(i - whole / 2);
}

RestartSearch::RestartSearch(Cover cover, std::function<Cover()> smaller, std::uint32_t seed)
    : cover_(std::move(cover)), make_smaller_(std::move(smaller)), dice_(seed),
      sparse_(cover_.cells() > most_listed) {
    restart();
}

void RestartSearch::restart() {
    limit_ = luby(++restarts) * (sparse_ ? unit_sparse : unit_listed);
    if (!sparse_) {
        search_.reset(); // it looks at the cover
        shuffled_ = shuffled(cover_, dice_);
        search_ = make_search(shuffled_, nullptr);
    } else if (!search_) {
        search_ = make_random_search(cover_, static_cast<std::uint32_t>(dice_()));
    } else {
        search_->load(fresh_state());
    }
}

void RestartSearch::begin_steady() {
    smaller_ = make_smaller_();
    steady_ = sparse_ ? make_sparse_search(smaller_, nullptr) : make_search(smaller_, nullptr);
}

RestartSearch::Outcome RestartSearch::advance(Search &search, std::uint64_t some) {
    const std::uint64_t before = search.position().nodes;
    std::vector<std::uint32_t> found;
    search.run(some, never, &found, 1);
    nodes += search.position().nodes - before;
    if (!found.empty()) {
        names.assign(found.begin() + 1, found.begin() + 1 + found[0]);
        return Outcome::found;
    }
    return search.position().done ? Outcome::none : Outcome::going;
}

RestartSearch::Outcome RestartSearch::run(std::chrono::milliseconds most) {
    const auto end = std::chrono::steady_clock::now() + most;
    Outcome outcome = Outcome::going;
    do {
        if (owed_ >= slice * (sparse_ ? others_sparse : others_listed)) {
            if (!steady_)
                begin_steady();
            outcome = advance(*steady_, slice);
            owed_ = 0;
            continue;
        }
        const std::uint64_t before = nodes;
        outcome = advance(*search_, std::min(slice, limit_ - search_->position().nodes));
        if (nodes > before_steady)
            owed_ += nodes - before;
        if (outcome == Outcome::going && search_->position().nodes >= limit_)
            restart();
    } while (outcome == Outcome::going && std::chrono::steady_clock::now() < end);
    return outcome;
}

std::unique_ptr<RestartSearch> make_restart_search(const Problem &problem, std::uint32_t seed) {
    const auto smaller = [&problem] {
        if (problem.optional.size() > most_symmetric)
            return renumbered(make_cover(problem, nullptr), along(problem.goal));
        Symmetry symmetry = make_symmetry(problem, true);
        break_symmetry(breakers(problem, symmetry), symmetry);
        return renumbered(make_cover(problem, &symmetry), along(problem.goal));
    };
    return std::make_unique<RestartSearch>(
        renumbered(make_cover(problem, nullptr), along(problem.goal)), smaller, seed);
}

} // namespace kumitate
