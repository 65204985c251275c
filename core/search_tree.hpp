// What every search of a tree of choices shares: walking it, pausing, splitting, reporting.
//
// A kind of search (a list core, a sparse one) says how a node divides into options and what
// becomes of trying one; the path, its bounds and the assemblies found are the same for all.
//
// A placement may have several names, when colours alone tell its variants apart. The choice of
// names then continues the path below the choice of placements, a level for each placement that
// has several, so a search can pause and split there as anywhere else:
//
//     depth 0 .. leaf      which placements       divided by the kind of search
//     depth leaf + 1 ..    which of their names   an assembly at the end of each path
//
// A kind may remember nodes below which it found nothing, and how many nodes that took, and skip
// others like them. Those count as if they had been searched, and none is skipped in which the
// search might have to pause, so nobody can tell, but by the clock, that something is remembered.
#pragma once

#include "cover.hpp"
#include "random.hpp"

namespace kumitate {

class TreeSearch : public Search {
  public:
    ~TreeSearch() override; // not inline: kernels must not define what other files share
    void run(std::uint64_t nodes, const std::atomic<bool> &stop, std::vector<std::uint32_t> *out,
             std::size_t room) final;
    bool split(State &other) final;
    double left() const final;
    Shares estimate(const std::atomic<bool> &stop) final;
    double estimate_size(unsigned samples) final;
    void load(State wanted) final;

  protected:
    enum class Outcome {
        dead,     // nothing below
        alive,    // a node at depth + 1
        last,     // the choices up to this one are an assembly, and nothing more fits
        complete, // the choices above this depth are an assembly as they are
    };
    using Names = std::vector<std::uint32_t>;

    explicit TreeSearch(const Symmetry *symmetry) : symmetry_(symmetry) {}

    // Stand at the root with nothing chosen; false if there is nothing to search.
    virtual bool begin() = 0;
    // Divide the node at this depth, and say into how many options.
    virtual std::uint32_t expand(std::size_t depth) = 0;
    // Try an option. Nothing has changed unless the outcome is `alive`.
    virtual Outcome descend(std::size_t depth, std::uint32_t option) = 0;
    // Take back what was tried at this depth.
    virtual void ascend(std::size_t depth) = 0;
    // The names of the placement chosen at this depth: several if colours alone tell them apart.
    virtual const Names &names(std::size_t depth) const = 0;
    // The node at this depth, and all below it, are searched, and no assembly is there.
    virtual void remember_dead(std::size_t, std::uint64_t /* nodes */) {}

    std::size_t deepest_dead_ = 0; // depth at which nodes are remembered; 0: they are not

    // Skip a node that is known to be dead, if the search may; false if it is to be searched.
    bool skip(std::uint64_t nodes) {
        if (nodes == 0 || state.nodes + nodes >= last_)
            return false;
        state.nodes += nodes;
        return true;
    }

    // To be called by the constructor of the kind.
    void start();

  private:
    const Symmetry *symmetry_;
    std::vector<std::uint32_t> options_; // of the depths that are expanded
    std::vector<const Names *> chosen_;  // of the depths above, as far as they are known
    std::size_t leaf_ = nowhere;         // the depth below which names are chosen
    std::vector<std::size_t> several_;   // at a leaf: which of the chosen have several names
    std::vector<std::uint32_t> assembly_, sorted_;

    // Nodes may be skipped up to this number of them: none but while it runs.
    std::uint64_t last_ = 0;
    // What had been done when each node of the path was entered; from depth `whole_` on, all that
    // was done below a node was done here, since it was entered.
    struct Before {
        std::uint64_t nodes, assemblies;
    };
    std::vector<Before> before_;
    std::uint64_t assemblies_ = 0; // met, whether they stand for their class or not
    std::size_t whole_ = 1;

    static constexpr std::size_t nowhere = ~std::size_t{0};

    bool expanded(std::size_t depth) const { return depth < options_.size(); }
    bool naming(std::size_t depth) const { return leaf_ != nowhere && depth > leaf_; }
    std::uint32_t end_of(std::size_t depth) const;
    double share_of(std::size_t depth, std::uint32_t option) const;
    double sample(std::size_t depth, std::uint32_t option, Dice &dice, std::uint64_t &tries);

    // As expand, descend and ascend, for the levels of names too.
    std::uint32_t divide(std::size_t depth);
    Outcome enter(std::size_t depth, std::uint32_t option);
    void leave(std::size_t depth);

    void collect(std::size_t depths);
    void report(std::vector<std::uint32_t> *out);
};

} // namespace kumitate
