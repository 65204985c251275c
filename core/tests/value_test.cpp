// A search is a value: run, save, load, split, resume, refuse, cancel, in any order, gives exactly
// what the plain run gives. Orders are drawn at random; a plain run of the same kind is the twin.

#include "../disassemble.hpp"
#include "../parallel.hpp"
#include "check.hpp"
#include "puzzles.hpp"

#include <list>
#include <stdexcept>

using namespace kumitate;

static const std::atomic<bool> never{false}, at_once{true};
static constexpr std::uint64_t all_nodes = ~std::uint64_t{0} / 2;

using Make = std::unique_ptr<Search> (*)(const Cover &, const Symmetry *);

// A part of the tree: the search, or where it stood when it was saved, and what it has found.
struct PartOfTree {
    std::unique_ptr<Search> search;
    State saved;
    std::vector<std::uint32_t> found;
};

// Parts in the order of the tree: what they find, joined, is what a plain run finds.
class Juggler {
  public:
    Juggler(const Cover &cover, Make make, std::mt19937 &random)
        : cover_(cover), make_(make), random_(random) {
        parts_.push_back({make(cover, nullptr), {}, {}});
    }

    void play(int actions) {
        for (; actions > 0; --actions) {
            auto part = std::next(parts_.begin(), static_cast<long>(below(parts_.size())));
            if (!part->search)
                resume(*part);
            switch (below(7)) {
            case 0:
                part->search->run(1 + below(4), never, &part->found, ~std::size_t{0});
                break;
            case 1: // as far as the next assembly
                part->search->run(all_nodes, never, &part->found, part->found.size() + 1);
                break;
            case 2: // cancelled: it stops within a node
                part->search->run(all_nodes, at_once, &part->found, ~std::size_t{0});
                break;
            case 3: // save, and forget the search
                part->saved = part->search->position();
                part->search.reset();
                break;
            case 4: { // load into a search that is somewhere else
                const auto other =
                    std::next(parts_.begin(), static_cast<long>(below(parts_.size())));
                if (other->search && other != part) {
                    State mine = part->search->position(), its = other->search->position();
                    part->search->load(its);
                    other->search->load(mine);
                    part->search.swap(other->search);
                }
                break;
            }
            case 5: { // give half of it away
                PartOfTree half;
                if (part->search->split(half.saved)) {
                    parts_.insert(std::next(part), std::move(half));
                    ++splits;
                }
                break;
            }
            default: { // refuse a state that cannot be, and go on from one that can
                const State here = part->search->position();
                try {
                    part->search->load({{{none - 1, none}, {0, none}}, 0, 0, 0, false});
                } catch (const std::invalid_argument &) {
                    ++refusals;
                }
                part->search->load(here);
            }
            }
        }
    }

    // What all parts found, after they are run to their ends: here, or on threads.
    std::vector<std::uint32_t> finish(State &sum, bool on_threads) {
        std::vector<std::uint32_t> found;
        for (PartOfTree &part : parts_) {
            if (!part.search)
                resume(part);
            if (on_threads) {
                const State &here = part.search->position();
                ParallelSearch rest(cover_, nullptr, {{here, {}}}, 2, true, true);
                while (!here.done && !rest.read(part.found, std::chrono::milliseconds(20))) {
                }
                const Report report = here.done ? Report{} : rest.report();
                sum.nodes += here.nodes + report.nodes;
                sum.found += here.found + report.found;
            } else {
                part.search->run(all_nodes, never, &part.found, ~std::size_t{0});
                expect(part.search->position().done, "a part comes to its end");
                sum.nodes += part.search->position().nodes;
                sum.found += part.search->position().found;
            }
            found.insert(found.end(), part.found.begin(), part.found.end());
        }
        return found;
    }

    int splits = 0, refusals = 0;

  private:
    const Cover &cover_;
    const Make make_;
    std::mt19937 &random_;
    std::list<PartOfTree> parts_;

    std::size_t below(std::size_t n) { return random_() % n; }

    void resume(PartOfTree &part) {
        part.search = make_(cover_, nullptr);
        part.search->load(part.saved);
    }
};

static void any_order_of_calls_gives_what_a_plain_run_gives(bool on_threads, int rounds) {
    std::mt19937 random(21);
    int splits = 0, refusals = 0;
    std::uint64_t found = 0;
    for (int round = 0; round < rounds; ++round) {
        const Cover cover =
            round % 3 ? random_cover(random) : dominoes(4 + static_cast<unsigned>(round) % 7);
        const Make make = round % 2 && !on_threads ? make_sparse_search : make_search;
        const auto plain = make(cover, nullptr);
        std::vector<std::uint32_t> expected;
        plain->run(all_nodes, never, &expected, ~std::size_t{0});
        Juggler juggler(cover, make, random);
        juggler.play(static_cast<int>(random() % 60));
        State sum;
        expect(juggler.finish(sum, on_threads) == expected,
               "the same assemblies in the same order");
        expect(sum.nodes == plain->position().nodes, "with as many nodes");
        expect(sum.found == plain->position().found, "counted once");
        splits += juggler.splits;
        refusals += juggler.refusals;
        found += sum.found;
    }
    expect(splits > rounds / 4 && refusals > rounds / 4 && found > 0, "and much was done");
}

static bool same(const Separation *a, const Separation *b) {
    if (!a || !b)
        return !a && !b;
    const auto equal = [](const Slide &x, const Slide &y) {
        return x.pieces == y.pieces && x.direction == y.direction && x.units == y.units;
    };
    return std::ranges::equal(a->moves, b->moves, equal) && same(a->left.get(), b->left.get()) &&
           same(a->removed.get(), b->removed.get());
}

// A disassembler has no states to save, but it remembers what it learnt about bodies: neither an
// interruption nor a limit, a survey or another assembly may show in the next answer.
static void a_disassembler_answers_alike_whatever_was_asked_before() {
    const auto go_on = [](std::uint64_t) { return true; };
    std::vector<std::vector<std::vector<Cell>>> puzzles{tray(2, 2, 2), tray(2, 3, 4),
                                                        tray(3, 1, 1)};
    puzzles.push_back({{{0, 0, 0, 0}, {1, 0, 0, 0}}, {{0, 1, 0, 0}}, {{1, 1, 0, 0}, {1, 1, 1, 0}}});
    Disassembler apart = cubes();
    std::vector<std::vector<Spot>> assemblies;
    std::vector<Attempt> plain;
    std::uint32_t pieces = 0;
    for (const auto &puzzle : puzzles) {
        plain.push_back(take_apart(puzzle, 1));
        assemblies.push_back(add_pieces(apart, puzzle));
        for (Spot &spot : assemblies.back())
            spot.piece += pieces;
        pieces += static_cast<std::uint32_t>(puzzle.size());
    }
    std::mt19937 random(22);
    for (int round = 0; round < 300; ++round) {
        const std::size_t which = random() % puzzles.size();
        const std::vector<Spot> &assembly = assemblies[which];
        switch (random() % 4) {
        case 0: {
            std::uint64_t calls = random() % 3;
            const Attempt cut = apart.take_apart(assembly, {}, 1 + random() % 2,
                                                 [&](std::uint64_t) { return calls-- > 0; });
            expect(cut.ending == Ending::interrupted || cut.ending == plain[which].ending,
                   "interrupted, unless it was over before");
            break;
        }
        case 1:
            apart.take_apart(assembly, {1 + random() % 20, 1 + static_cast<unsigned>(random() % 3)},
                             1, go_on);
            break;
        case 2:
            expect(apart.survey(assembly, {0, 1}, {{}, {}}).has_value(), "a survey");
            break;
        default: {
            const Attempt again = apart.take_apart(assembly, {}, 1 + random() % 2, go_on);
            expect(again.ending == plain[which].ending && again.states == plain[which].states &&
                       again.part == plain[which].part && again.places == plain[which].places &&
                       same(again.separation.get(), plain[which].separation.get()),
                   "the answer of a fresh one");
        }
        }
    }
}

void test_values() {
    any_order_of_calls_gives_what_a_plain_run_gives(false, 1500);
}

void test_values_on_threads() {
    any_order_of_calls_gives_what_a_plain_run_gives(true, 40);
    a_disassembler_answers_alike_whatever_was_asked_before();
}
