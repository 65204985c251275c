// Exact cover as others ask for it: items, and options that cover some of them.
//
//     an item that is covered          becomes
//     once                             a cell
//     at most once                     an optional cell that weighs nothing
//     at most once, or in one colour   pairs of cells, one for each bit of the colour's number
//     any other number of times        a piece
//
// An option without a cell that must be covered has a cell of its own, which may stay empty: it is
// what makes sure that the option is chosen only once.
#pragma once

#include "cover.hpp"
#include "frontier.hpp"

namespace kumitate {

// Option i covers items[starts[i]] .. items[starts[i + 1] - 1], each in a colour; 0 is none, which
// agrees with nothing. No option covers an item twice, and none is empty.
struct ItemProblem {
    std::vector<std::uint32_t> least, most; // for each item
    std::vector<std::uint32_t> starts{0}, items, colours;

    std::size_t options() const { return starts.size() - 1; }
    std::span<const std::uint32_t> items_of(std::size_t option) const {
        return {items.data() + starts[option], starts[option + 1] - starts[option]};
    }
};

// Whether all lists are of one length, and all numbers in them of something that there is.
bool is_sound(const ItemProblem &problem);

// Placements have the numbers of the options as names.
Cover make_cover(const ItemProblem &problem);

// The cover with what leads nowhere left out, if that is worth it and can be done; and the answers,
// each behind its length, where they are found on the way.
struct Start {
    Cover cover;
    bool possible = true;
    std::optional<std::vector<std::uint32_t>> answers = {};
};
Start start_on(const ItemProblem &problem);

// Says what keeps some options from being an answer; nothing if they are one.
class Judge {
  public:
    explicit Judge(const ItemProblem &problem);
    std::string fault(std::span<const std::uint32_t> options);

  private:
    const ItemProblem &problem_;
    std::vector<std::uint32_t> needed_, uses_, colour_; // items; for each item; for each item
    std::vector<std::uint32_t> chosen_;                 // for each option
};

// What to tally to count the answers; empty if there are colours, options without a cell, too many
// items to be covered several times, or too wide a frontier.
std::vector<Filling> fillings(const ItemProblem &problem);

} // namespace kumitate
