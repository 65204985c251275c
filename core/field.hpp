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

#include <memory>
#include <span>
#include <tuple>

namespace kumitate {

class Field {
    // Where the cells of a body lie from that of its low corner, by tile.
    struct Lie {
        std::vector<std::int32_t> cells;
        std::vector<std::uint32_t> starts;
    };
    // A piece of the assembly at hand, with that corner.
    struct Piece {
        const Lie *lie;
        std::ptrdiff_t origin;

        // The cells of each tile.
        template <class Visit> void each_run(Visit &&visit) const {
            const auto &[cells, starts] = *lie;
            for (std::size_t tile = 0; tile + 1 < starts.size(); ++tile)
                visit(tile,
                      std::span(cells).subspan(starts[tile], starts[tile + 1] - starts[tile]));
        }
    };

  public:
    explicit Field(const Bodies &bodies);

    // Makes room for the pieces of an assembly; false where asking about pairs is cheaper: where
    // most of them are known, or where a search often follows, which asks about them anyway.
    bool suits(std::span<const Placed> placed);
    void note_search() { ++searches_; }
    void note_pairs(std::size_t asked, std::size_t fresh) { asked_ += asked, fresh_ += fresh; }

    // While the pieces stand in the box that suits them.
    template <class Set> class Stand {
      public:
        explicit Stand(Field &field)
            : field_(field), pieces_(field.pieces_), here_(std::get<Cells<Set>>(field.cells_).here),
              beyond_(std::get<Cells<Set>>(field.cells_).beyond) {
            here_.resize(field.length_);
            beyond_.resize(field.length_);
            for (std::size_t i = 0; i < pieces_.size(); ++i)
                for (std::int32_t at : pieces_[i].lie->cells) {
                    Set &cell = here_[static_cast<std::size_t>(pieces_[i].origin + at)];
                    overlap_ = overlap_ || !empty(cell);
                    cell = singleton<Set>(i);
                }
        }
        ~Stand() { std::fill(here_.begin(), here_.end(), Set{}); }
        Stand(const Stand &) = delete;
        Stand &operator=(const Stand &) = delete;

        // Whether two of them stand on one cell, so that nothing can be read off.
        bool overlap() const { return overlap_; }

        // What each of the pieces meets along a step on the first unit, or ever.
        template <class Visit> void meet_now(std::size_t step, Visit &&visit) {
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                Set met{};
                pieces_[i].each_run([&](std::size_t tile, auto cells) {
                    for (std::ptrdiff_t by : field_.sweep(step, tile)) {
                        const Set *from = here_.data() + pieces_[i].origin + by;
                        for (std::int32_t cell : cells)
                            met = unite(met, from[cell]);
                    }
                });
                visit(i, without(met, singleton<Set>(i)));
            }
        }
        template <class Visit> void meet_ever(std::size_t step, Visit &&visit) {
            look_beyond(step);
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                Set met{};
                const Set *from = beyond_.data() + pieces_[i].origin;
                for (std::int32_t cell : pieces_[i].lie->cells)
                    met = unite(met, from[cell]);
                visit(i, without(met, singleton<Set>(i)));
            }
        }

      private:
        Field &field_;
        const std::span<const Piece> pieces_;
        std::vector<Set> &here_, &beyond_;
        bool overlap_ = false;

        // By rows, from where the step leads to.
        void look_beyond(std::size_t step) {
            const Field &f = field_;
            const std::ptrdiff_t on = f.steps_[step], way = on > 0 ? -1 : 1;
            const std::ptrdiff_t length = f.inner_[0], width = f.inner_[1], height = f.inner_[2];
            const std::ptrdiff_t first =
                f.first_ +
                (on > 0 ? (height - 1) * f.layer_ + (width - 1) * f.row_ + length - 1 : 0);
            for (std::ptrdiff_t k = 0; k < height; ++k)
                for (std::ptrdiff_t j = 0; j < width; ++j)
                    for (std::size_t tile = 0; tile < f.bodies_.sweeps.tiles; ++tile) {
                        const std::ptrdiff_t row = first +
                                                   static_cast<std::ptrdiff_t>(tile) * f.plane_ +
                                                   way * (k * f.layer_ + j * f.row_);
                        Set *const beyond = beyond_.data() + row;
                        const Set *const here = here_.data() + row;
                        const auto offsets = f.sweep(step, tile);
                        const auto fill = [&](auto &&met_from) {
                            for (std::ptrdiff_t i = 0; i != way * length; i += way)
                                beyond[i] = unite(beyond[i + on], met_from(i));
                        };
                        if (offsets.size() == 1)
                            fill(
                                [here, by = offsets[0]](std::ptrdiff_t i) { return here[i + by]; });
                        else
                            fill([&](std::ptrdiff_t i) {
                                Set met{};
                                for (std::ptrdiff_t by : offsets)
                                    met = unite(met, here[i + by]);
                                return met;
                            });
                    }
        }
    };

  private:
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
    std::vector<std::unique_ptr<Lie>> lies_;          // by body, once it is needed
    std::vector<Piece> pieces_;
    std::size_t assemblies_ = 0, searches_ = 0;
    std::size_t asked_ = 0, fresh_ = 0; // pairs
    std::tuple<Cells<Octet>, Cells<Hex>, Cells<Few>, Cells<Many>> cells_;

    template <class Visit> void each_met(Visit &&visit) const;
    void grow(const Sides &sides);
    const Lie *lie(std::uint32_t body);
    std::span<const std::ptrdiff_t> sweep(std::size_t step, std::size_t tile) const {
        return sweeps_[step * bodies_.sweeps.tiles + tile];
    }
};

} // namespace kumitate
