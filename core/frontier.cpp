#include "frontier.hpp"
#include "hash.hpp"
#include "table.hpp"

#include <algorithm>
#include <array>

namespace kumitate {

namespace {

// The words of the filled cells, then the uses of the kinds, 16 bits each.
template <std::size_t W> using Key = std::array<std::uint64_t, W + 1>;

// A state and its count.
template <std::size_t W> struct Entry {
    Key<W> key;
    Total count = 0;

    bool free() const { return count == 0; }
    std::uint64_t hash() const { return hash_of(key); }
};

template <std::size_t W> using Layer = Table<Entry<W>>;

// False if the sum is too large.
template <std::size_t W> bool add(Layer<W> &layer, const Key<W> &key, Total count) {
    const auto [entry, fresh] = layer.add(
        {key, count}, [&](const Entry<W> &other) { return !other.free() && other.key == key; });
    return fresh || !add_overflows(entry->count, count);
}

template <std::size_t W> class LayeredTally final : public FrontierCount {
  public:
    LayeredTally(const Filling &filling, std::size_t most_waiting)
        : filling_(filling), most_waiting_(most_waiting), layers_(filling.cells + 1),
          blocks_(filling.cells) {
        for (const Block &block : filling.blocks) {
            Key<W> key{};
            require(!block.cells.empty() && block.uses.size() <= most_kinds,
                    "a block fills cells and is of few kinds");
            for (std::uint32_t cell : block.cells)
                key[cell / 64] |= std::uint64_t{1} << cell % 64;
            for (std::size_t kind = 0; kind < block.uses.size(); ++kind)
                key[W] |= std::uint64_t{block.uses[kind]} << 16 * kind;
            blocks_[*std::min_element(block.cells.begin(), block.cells.end())].push_back(key);
        }
        add(layers_[0], Key<W>{}, 1);
        waiting_ = 1;
    }

    Outcome run(std::uint64_t some) override {
        const std::uint64_t last = states + some;
        for (; layer_ < filling_.cells; ++layer_, slot_ = 0) {
            const Layer<W> &layer = layers_[layer_];
            for (; slot_ < layer.slots().size(); ++slot_) {
                if (layer.slots()[slot_].free())
                    continue;
                if (states == last)
                    return Outcome::going;
                ++states;
                if (!expand(layer.slots()[slot_]) || waiting_ > most_waiting_)
                    return Outcome::given_up;
            }
            waiting_ -= layer.size();
            layers_[layer_] = {};
        }
        total = 0;
        for (const Entry<W> &entry : layers_.back().slots())
            if (!entry.free() && enough(entry.key[W]) && add_overflows(total, entry.count))
                return Outcome::given_up;
        return Outcome::done;
    }

  private:
    Filling filling_;
    std::size_t most_waiting_, waiting_;
    std::vector<Layer<W>> layers_;            // by the first cell that is open
    std::vector<std::vector<Key<W>>> blocks_; // by their first cell
    std::uint32_t layer_ = 0;
    std::size_t slot_ = 0;

    static std::uint64_t uses(std::uint64_t packed, std::size_t kind) {
        return packed >> 16 * kind & 0xffff;
    }

    bool enough(std::uint64_t packed) const {
        for (std::size_t kind = 0; kind < filling_.least.size(); ++kind)
            if (uses(packed, kind) < filling_.least[kind])
                return false;
        return true;
    }

    bool expand(const Entry<W> &entry) {
        for (const Key<W> &block : blocks_[layer_]) {
            Key<W> next;
            std::uint64_t meets = 0;
            for (std::size_t w = 0; w < W; ++w) {
                meets |= entry.key[w] & block[w];
                next[w] = entry.key[w] | block[w];
            }
            bool legal = meets == 0;
            for (std::size_t kind = 0; legal && kind < filling_.most.size(); ++kind)
                legal = uses(entry.key[W], kind) + uses(block[W], kind) <= filling_.most[kind];
            if (!legal)
                continue;
            next[W] = entry.key[W] + block[W];
            Layer<W> &later = layers_[first_open(next)];
            waiting_ -= later.size();
            if (!add(later, next, entry.count))
                return false;
            waiting_ += later.size();
        }
        return true;
    }

    std::size_t first_open(const Key<W> &key) const {
        std::size_t word = layer_ / 64;
        while (word < W && ~key[word] == 0)
            ++word;
        const std::size_t cell =
            word < W ? 64 * word + static_cast<unsigned>(std::countr_one(key[word])) : 64 * W;
        return std::min<std::size_t>(cell, filling_.cells);
    }
};

} // namespace

std::unique_ptr<FrontierCount> make_frontier_count(const Filling &filling,
                                                   std::size_t most_waiting) {
    const auto large = [](std::uint32_t most) { return most > 0xffff; };
    if (filling.most.size() > most_kinds || filling.cells == 0 ||
        std::any_of(filling.most.begin(), filling.most.end(), large))
        return nullptr;
    if (filling.cells <= 64)
        return std::make_unique<LayeredTally<1>>(filling, most_waiting);
    if (filling.cells <= 128)
        return std::make_unique<LayeredTally<2>>(filling, most_waiting);
    if (filling.cells <= 256)
        return std::make_unique<LayeredTally<4>>(filling, most_waiting);
    if (filling.cells <= 512)
        return std::make_unique<LayeredTally<8>>(filling, most_waiting);
    return nullptr;
}

} // namespace kumitate
