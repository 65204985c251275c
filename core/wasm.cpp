// What a page asks of the core, where the core is WebAssembly (`make wasm`): numbers in, numbers
// out.
//
// A caller writes a question into `question(length)` and calls; what there is to read is at
// `answer()`, `answered()` numbers of it. A call returns `going` while there is more to do, `over`
// when there is not, and `refused` if something was wrong: then `words()` says what. The page has
// one search at a time, which `advance` drives a slice at a time; two instances of this share a
// search by `split` and `load`.
//
// Whatever the core throws ends here, as the compiler builds this with WebAssembly's exceptions.

#include "disassemble.hpp"
#include "items.hpp"

#include <algorithm>

namespace {

using namespace kumitate;

constexpr std::uint32_t most_tiles = 1 << 10;
// Pieces of one group, so often: what comes off together is not taken apart any further.
constexpr std::uint32_t none_of_them_alone = ~std::uint32_t{0};

enum Status : std::int32_t { refused = -1, over = 0, going = 1 };

struct Covering {
    Cover cover;
    std::unique_ptr<Search> search;
};

std::vector<std::int32_t> asked, told;
std::string said;
std::unique_ptr<Covering> covering;
std::unique_ptr<Disassembler> apart;
const std::atomic<bool> never{false};

// The numbers of a question, one after the other.
class Reader {
  public:
    std::int32_t number() {
        if (at_ == asked.size())
            throw Refusal("the question ends too soon");
        return asked[at_++];
    }
    // How many there are of something that takes `each` numbers at least.
    std::uint32_t count(std::size_t each = 1) {
        const std::int32_t some = number();
        if (some < 0 || static_cast<std::size_t>(some) * each > asked.size() - at_)
            throw Refusal("the question ends too soon");
        return static_cast<std::uint32_t>(some);
    }
    Shift shift() {
        const std::int32_t x = number(), y = number(), z = number();
        return {x, y, z};
    }
    std::vector<Cell> cells() {
        std::vector<Cell> found(count(4));
        for (Cell &cell : found) {
            const auto [x, y, z] = shift();
            cell = {x, y, z, number()};
        }
        return found;
    }

  private:
    std::size_t at_ = 0;
};

template <class F> std::int32_t attempt(F work) {
    told.clear();
    said.clear();
    try {
        return work();
    } catch (const std::exception &error) {
        said = error.what();
        return refused;
    }
}

void tell(std::size_t number) {
    told.push_back(static_cast<std::int32_t>(number));
}

Search &search() {
    if (!covering)
        throw Refusal("no search was begun");
    return *covering->search;
}

} // namespace

// What all exceptions are thrown with, which no library of zig's defines.
__asm__(".globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n");

#define KUMITATE_PAGE(name) extern "C" __attribute__((export_name(#name)))

// Whether the page has waited long enough.
extern "C" __attribute__((import_module("page"), import_name("late"))) bool late();

KUMITATE_PAGE(question) std::int32_t *question(std::uint32_t length) {
    return attempt([&] {
               asked.assign(length, 0);
               return over;
           }) == refused
               ? nullptr
               : asked.data();
}
KUMITATE_PAGE(answer) const std::int32_t *answer() {
    return told.data();
}
KUMITATE_PAGE(answered) std::uint32_t answered() {
    return static_cast<std::uint32_t>(told.size());
}
KUMITATE_PAGE(words) const char *words() {
    return said.c_str();
}

// ---- putting together ----

// The question: how many items, for each how often it is covered, at least and at most; how many
// options, for each how many items it covers, and those. `over` if nothing can be an answer.
KUMITATE_PAGE(cover) std::int32_t cover() {
    return attempt([] {
        covering.reset();
        Reader read;
        ItemProblem problem;
        for (std::uint32_t item = read.count(2); item > 0; --item) {
            problem.least.push_back(static_cast<std::uint32_t>(read.number()));
            problem.most.push_back(static_cast<std::uint32_t>(read.number()));
        }
        for (std::uint32_t option = read.count(); option > 0; --option) {
            for (std::uint32_t item = read.count(); item > 0; --item)
                problem.items.push_back(static_cast<std::uint32_t>(read.number()));
            problem.starts.push_back(to_32_bits(problem.items.size(), "items of options"));
        }
        problem.colours.assign(problem.items.size(), 0);
        if (!is_sound(problem))
            throw Refusal("an option covers an item that there is not");
        Start start = start_on(problem);
        if (!start.possible)
            return over;
        covering = std::make_unique<Covering>(Covering{std::move(start.cover), {}});
        covering->search = make_search(covering->cover, nullptr);
        return going;
    });
}

// Search up to `nodes` more, or until the answers fill `room` numbers; each is its length
// and the numbers of its options. With no room they are only counted.
KUMITATE_PAGE(advance) std::int32_t advance(std::uint32_t nodes, std::uint32_t room) {
    return attempt([&] {
        std::vector<std::uint32_t> rows;
        search().run(nodes, never, room ? &rows : nullptr, room);
        told.assign(rows.begin(), rows.end());
        return search().position().done ? over : going;
    });
}

KUMITATE_PAGE(found) double found() {
    return covering ? static_cast<double>(covering->search->position().found) : 0;
}
KUMITATE_PAGE(nodes) double nodes() {
    return covering ? static_cast<double>(covering->search->position().nodes) : 0;
}

// Give away the second half of what is left to do, to be loaded by another instance that was asked
// the same; `over` if there is no half to give.
KUMITATE_PAGE(split) std::int32_t split() {
    return attempt([] {
        State other;
        if (!search().split(other))
            return over;
        for (const auto &[at, end] : other.path) {
            tell(at);
            tell(end);
        }
        return going;
    });
}
KUMITATE_PAGE(load) std::int32_t load() {
    return attempt([] {
        State state;
        for (std::size_t i = 0; i + 1 < asked.size(); i += 2)
            state.path.push_back(
                {static_cast<std::uint32_t>(asked[i]), static_cast<std::uint32_t>(asked[i + 1])});
        search().load(std::move(state));
        return going;
    });
}

// ---- taking apart ----

// The question: how many tiles and steps the grid has, the steps (one of each pair of opposites),
// for each step and tile how many cells it passes through, its own among them, and those; how many
// pieces, for each how many cells, and those.
KUMITATE_PAGE(pieces) std::int32_t pieces() {
    return attempt([] {
        apart.reset();
        Reader read;
        Sweeps sweeps;
        sweeps.tiles = static_cast<std::uint32_t>(read.number());
        for (std::uint32_t step = read.count(3); step > 0; --step)
            sweeps.steps.push_back(read.shift());
        if (sweeps.tiles < 1 || sweeps.tiles > most_tiles || sweeps.steps.size() > 32)
            throw Refusal("a grid has tiles, and 32 pairs of steps at most");
        for (std::size_t n = sweeps.tiles * sweeps.steps.size(); n > 0; --n)
            sweeps.swept.push_back(read.cells());
        Turn none{{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, {}, {}};
        for (std::uint32_t tile = 0; tile < sweeps.tiles; ++tile) {
            none.onto.push_back(static_cast<std::int32_t>(tile));
            none.shifts.push_back({0, 0, 0});
        }
        auto made = std::make_unique<Disassembler>(std::move(sweeps), std::vector<Turn>{none});
        for (std::uint32_t piece = read.count(); piece > 0; --piece)
            made->add_piece(read.cells(), 0, {{0, none_of_them_alone}});
        apart = std::move(made);
        return over;
    });
}

// The question: for each of some pieces, two at least, its number and where it stands, from where
// its cells are. The answer is the nearest separation: for each move the direction (a step times 2,
// plus 1 for its opposite), the units (0: all the way out), how many pieces, and those, by their
// place in the question. There is none if nothing ever comes off (`over`), or if nobody knows
// (`going`).
KUMITATE_PAGE(way) std::int32_t way() {
    return attempt([] {
        if (!apart)
            throw Refusal("there are no pieces");
        std::vector<Spot> spots;
        for (std::size_t i = 0; i + 4 <= asked.size(); i += 4)
            spots.push_back({static_cast<std::uint32_t>(asked[i]),
                             0,
                             {asked[i + 1], asked[i + 2], asked[i + 3]}});
        const Attempt found =
            apart->take_apart(spots, {}, 1, [](std::uint64_t) { return !late(); });
        if (found.ending == Ending::rigid || found.ending == Ending::stuck)
            return over;
        if (!found.separation)
            return going;
        for (const Slide &move : found.separation->moves) {
            tell(move.direction);
            tell(move.units);
            tell(move.pieces.size());
            for (std::uint32_t piece : move.pieces)
                tell(piece);
        }
        return over;
    });
}
