// What blocks what, read off the cells of all pieces at once.
//
// Each cell of a box has the set of the pieces that stand there, one or none. What a piece meets
// along a step is the union of what its cells meet: on the first unit what stands on the cells that
// they sweep through; ever that, and what is met from one step on. The latter is summed up from the
// far end of the box, once for all pieces:
//
//     here     | a | a | . | b | c |        beyond, along x    | abc | bc | bc | c | - |
//
// So nothing is asked about pairs of pieces, of which there are many where many assemblies fall
// apart at once. The box holds all assemblies that were looked at, so where the cells of a body lie
// in it is mostly known.
#pragma once

#include "sets.hpp"
#include "slide.hpp"

#include <span>
#include <tuple>

namespace kumitate {

class Field {
  public:
    explicit Field(const Bodies &bodies);

    // Makes room for the pieces of an assembly; false where asking about pairs is cheaper: where
    // most of them are known, or where a search often follows, which asks about them anyway.
    bool suits(std::span<const Placed> placed);
    void note_search() { ++searches_; }
    void note_pairs(std::size_t asked, std::size_t fresh) { asked_ += asked, fresh_ += fresh; }

    // While pieces stand in the box, which must suit them.
    template <class Set> class Stand {
      public:
        Stand(Field &field, std::span<const Placed> placed)
            : field_(field), placed_(placed), here_(std::get<Cells<Set>>(field.cells_).here),
              beyond_(std::get<Cells<Set>>(field.cells_).beyond) {
            here_.resize(field.length_);
            beyond_.resize(field.length_);
            for (std::size_t i = 0; i < placed.size(); ++i)
                each_cell(i, [&](Set &cell) {
                    overlap_ = overlap_ || !empty(cell);
                    cell = singleton<Set>(i);
                });
        }
        ~Stand() { std::fill(here_.begin(), here_.end(), Set{}); }
        Stand(const Stand &) = delete;
        Stand &operator=(const Stand &) = delete;

        // Whether two of them stand on one cell, so that nothing can be read off.
        bool overlap() const { return overlap_; }

        // What each of the pieces meets along a step on the first unit, or ever.
        template <class Visit> void meet_now(std::size_t step, Visit &&visit) {
            for (std::size_t i = 0; i < placed_.size(); ++i) {
                Set met{};
                field_.each_run(placed_[i].body, [&](std::size_t tile, auto cells) {
                    for (std::ptrdiff_t by : field_.sweep(step, tile)) {
                        const Set *from = here_.data() + field_.origin(placed_[i]) + by;
                        for (std::int32_t cell : cells)
                            met = unite(met, from[cell]);
                    }
                });
                visit(i, without(met, singleton<Set>(i)));
            }
        }
        template <class Visit> void meet_ever(std::size_t step, Visit &&visit) {
            look_beyond(step);
            for (std::size_t i = 0; i < placed_.size(); ++i) {
                Set met{};
                const Set *from = beyond_.data() + field_.origin(placed_[i]);
                field_.each_run(placed_[i].body, [&](std::size_t, auto cells) {
                    for (std::int32_t cell : cells)
                        met = unite(met, from[cell]);
                });
                visit(i, without(met, singleton<Set>(i)));
            }
        }

      private:
        Field &field_;
        const std::span<const Placed> placed_;
        std::vector<Set> &here_, &beyond_;
        bool overlap_ = false;

        template <class Visit> void each_cell(std::size_t i, Visit &&visit) {
            Set *from = here_.data() + field_.origin(placed_[i]);
            for (std::int32_t cell : field_.lie(placed_[i].body).cells)
                visit(from[cell]);
        }

        // By rows, from where the step leads to.
        void look_beyond(std::size_t step) {
            const Field &f = field_;
            const std::size_t tiles = f.bodies_.sweeps.tiles;
            const std::ptrdiff_t on = f.steps_[step], way = on > 0 ? -1 : 1;
            const std::ptrdiff_t length = f.inner_[0], width = f.inner_[1], height = f.inner_[2];
            const auto at = [&](std::ptrdiff_t k, std::ptrdiff_t side) {
                return on > 0 ? side - 1 - k : k;
            };
            for (std::ptrdiff_t k = 0; k < height; ++k)
                for (std::ptrdiff_t j = 0; j < width; ++j)
                    for (std::size_t tile = 0; tile < tiles; ++tile) {
                        const std::ptrdiff_t row =
                            f.first_ + static_cast<std::ptrdiff_t>(tile) * f.plane_ +
                            at(k, height) * f.layer_ + at(j, width) * f.row_ + at(0, length);
                        Set *const beyond = beyond_.data() + row;
                        const Set *const here = here_.data() + row;
                        const auto offsets = f.sweep(step, tile);
                        for (std::ptrdiff_t i = 0; i < length; ++i) {
                            Set met = beyond[way * i + on];
                            for (std::ptrdiff_t by : offsets)
                                met = unite(met, here[way * i + by]);
                            beyond[way * i] = met;
                        }
                    }
        }
    };

  private:
    // Where the cells of a body lie from that of its low corner, by tile.
    struct Lie {
        std::vector<std::int32_t> cells;
        std::vector<std::uint32_t> starts;
    };
    template <class Set> struct Cells {
        std::vector<Set> here, beyond;
    };
    using Sides = std::array<std::size_t, 3>;
    using Room = std::array<std::int32_t, 3>;
    const Bodies &bodies_;
    std::size_t met_ = 0; // cells, on a unit of all steps of all tiles
    // Along each axis, so many cells before and after the box from which something inside is met;
    // and in memory as many more, with nothing on them.
    Room before_{}, after_{}, room_before_{}, room_after_{};
    Sides sides_{};
    // In memory: from row to row, from layer to layer, from tile to tile; and where the box begins,
    // with those cells from which something inside is met.
    std::ptrdiff_t row_ = 0, layer_ = 0, plane_ = 0, first_ = 0;
    std::array<std::ptrdiff_t, 3> inner_{};
    std::size_t length_ = 0;
    std::vector<std::ptrdiff_t> steps_;
    std::vector<std::vector<std::ptrdiff_t>> sweeps_; // by step and tile
    std::vector<Lie> lies_;                           // by body, once it is needed
    Shift low_;                                       // of the assembly at hand
    std::size_t assemblies_ = 0, searches_ = 0;
    std::size_t asked_ = 0, fresh_ = 0; // pairs
    std::tuple<Cells<Octet>, Cells<Hex>, Cells<Few>, Cells<Many>> cells_;

    template <class Visit> void each_met(Visit &&visit) const;
    void grow(const Sides &sides);
    const Lie &lie(std::uint32_t body);

    std::ptrdiff_t origin(const Placed &piece) const {
        const Shift at = piece.at - low_;
        return first_ + (at.z + before_[2]) * layer_ + (at.y + before_[1]) * row_ + at.x +
               before_[0];
    }
    std::span<const std::ptrdiff_t> sweep(std::size_t step, std::size_t tile) const {
        return sweeps_[step * bodies_.sweeps.tiles + tile];
    }
    // The cells of each tile of a body.
    template <class Visit> void each_run(std::uint32_t body, Visit &&visit) {
        const Lie &its = lie(body);
        for (std::size_t tile = 0; tile + 1 < its.starts.size(); ++tile)
            visit(tile, std::span(its.cells).subspan(its.starts[tile],
                                                     its.starts[tile + 1] - its.starts[tile]));
    }
};

} // namespace kumitate
