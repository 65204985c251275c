// Hash tables with open addressing.
//
//     slots   | c | . | a | b | . | . | d | . |     by the top bits of the hash, or the next free
//     one
//
// A slot is free when it is made; it says whether it is `free()`, and its `hash()` for when the
// table grows. Nothing is ever taken out, so a search ends at the first free slot.
#pragma once

#include "contract.hpp"
#include "portable.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace kumitate {

template <class Slot, std::size_t most_percent = 50> class Table {
  public:
    std::size_t size() const { return used_; }
    const std::vector<Slot> &slots() const { return slots_; }

    // The slot for which `same` holds, or null. It must not hold for a free slot.
    template <class Same> const Slot *find(std::uint64_t hash, Same &&same) const {
        const auto [at, found] = look(hash, same);
        return found ? &slots_[at] : nullptr;
    }
    template <class Same> Slot *find(std::uint64_t hash, Same &&same) {
        return const_cast<Slot *>(std::as_const(*this).find(hash, same));
    }

    // The same; if there is none, it is made a copy of `fresh`, and true. A pointer is good until
    // the next is added.
    template <class Same> std::pair<Slot *, bool> add(const Slot &fresh, Same &&same) {
        KUMITATE_EXPECT(!fresh.free(), "what is added to a table is not free");
        const auto [at, found] = look(fresh.hash(), same);
        return {found ? &slots_[at] : fill(at, fresh), !found};
    }
    Slot &add(const Slot &fresh) { return *add(fresh, is_none).first; }

    void prefetch(std::uint64_t hash) const { kumitate::prefetch(&slots_[hash >> shift_]); }

    // Slots are kept for as many again; if most of them were free, that would be a waste.
    void clear() {
        if (32 * used_ < slots_.size())
            *this = {};
        else
            std::fill(slots_.begin(), slots_.end(), Slot());
        used_ = 0;
    }

  private:
    static constexpr std::size_t fewest = 16; // slots
    std::vector<Slot> slots_ = std::vector<Slot>(fewest);
    std::size_t used_ = 0;
    int shift_ = 64 - std::countr_zero(fewest);

    static bool is_none(const Slot &) { return false; }

    // Where the slot is for which `same` holds, and true; else the free one where it would be.
    template <class Same> std::pair<std::size_t, bool> look(std::uint64_t hash, Same &&same) const {
        for (std::size_t at = hash >> shift_;; at = (at + 1) & (slots_.size() - 1))
            if (same(slots_[at]))
                return {at, true};
            else if (slots_[at].free())
                return {at, false};
    }

    // Not inline, so that looking up stays small.
    [[gnu::noinline]] Slot *fill(std::size_t at, const Slot &fresh) {
        if (100 * (used_ + 1) <= most_percent * slots_.size()) {
            ++used_;
            slots_[at] = fresh;
            return &slots_[at];
        }
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        --shift_;
        for (const Slot &slot : old)
            if (!slot.free())
                slots_[look(slot.hash(), is_none).first] = slot;
        return fill(look(fresh.hash(), is_none).first, fresh);
    }
};

// The numbers of things that are kept elsewhere. Half of the hash is kept beside each number, so
// that hardly ever two things must be compared that differ.
class Numbers {
    static constexpr std::uint64_t top = std::uint64_t{none} << 32;

    //     | the top half of the hash | number + 1 |, or 0
    class Slot {
      public:
        Slot() = default;
        Slot(std::uint64_t hash, std::uint32_t number) : word_((hash & top) | (number + 1)) {}
        bool free() const { return word_ == 0; }
        std::uint64_t hash() const { return word_ & top; }
        std::uint32_t number() const { return static_cast<std::uint32_t>(word_) - 1; }
        bool shares(std::uint64_t hash) const { return ((word_ ^ hash) & top) == 0; }

      private:
        std::uint64_t word_ = 0;
    };

    template <class Same> static auto alike(std::uint64_t hash, Same &&same) {
        return [hash, &same](const Slot &slot) {
            return slot.shares(hash) && !slot.free() && same(slot.number());
        };
    }

  public:
    // The number of the thing with this hash for which `same` holds, or `none`.
    template <class Same> std::uint32_t find(std::uint64_t hash, Same &&same) const {
        const Slot *slot = table_.find(hash & top, alike(hash, same));
        return slot ? slot->number() : none;
    }

    // Add a thing under its number; false if there is one that is the same.
    template <class Same> bool add(std::uint64_t hash, std::uint32_t number, Same &&same) {
        return table_.add(Slot(hash, number), alike(hash, same)).second;
    }

    // Call a thing by another number.
    void renumber(std::uint64_t hash, std::uint32_t number, std::uint32_t other) {
        Slot *slot = table_.find(hash & top, alike(hash, [=](auto its) { return its == number; }));
        require(slot, "only what is in the table gets another number");
        *slot = Slot(hash, other);
    }

    void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
    void clear() { table_.clear(); }

  private:
    Table<Slot, 70> table_; // fuller than others: there may be billions of states
};

} // namespace kumitate
