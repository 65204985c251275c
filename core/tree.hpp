// What every search of a tree of choices shares: walking it, pausing, splitting, telling.
//
// A kind of search (a list core, a sparse one) says how a node divides into options and what
// becomes of trying one; the path, its bounds and the assemblies found are the same for all.
#pragma once

#include "cover.hpp"

#include <random>

namespace kumitate {

class TreeSearch : public Search {
  public:
    ~TreeSearch() override; // not here: a kernel's must not be everybody's
    void run(std::uint64_t nodes, const std::atomic<bool> &stop, std::vector<std::uint32_t> *out,
             std::size_t room) final;
    bool split(State &other) final;
    double left() const final;
    Shares estimate() final;
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
    // Try an option. Unless it is alive, all is as before.
    virtual Outcome descend(std::size_t depth, std::uint32_t option) = 0;
    // Take back what was tried at this depth.
    virtual void ascend(std::size_t depth) = 0;
    // The names of the placement chosen at this depth: several if colours alone tell them apart.
    virtual const Names &names(std::size_t depth) const = 0;

    // To be called by the constructor of the kind.
    void start();

  private:
    const Symmetry *symmetry_;
    std::vector<std::uint32_t> options_; // of the depths that are expanded
    std::vector<const Names *> chosen_;  // of the depths above, as far as they are known
    std::vector<std::uint32_t> assembly_, sorted_;

    bool expanded(std::size_t depth) const { return depth < options_.size(); }
    std::uint32_t end_of(std::size_t depth) const;
    double share_of(std::size_t depth, std::uint32_t option) const;
    double sample(std::size_t depth, std::uint32_t option, std::mt19937 &random);
    void found(std::size_t depths, std::vector<std::uint32_t> *out);
    void tell(std::size_t depth, std::vector<std::uint32_t> *out);
};

} // namespace kumitate
