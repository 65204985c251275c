// The list core for 1 to 8 words of cells, for the instruction set this file is compiled for. CMake
// compiles it once for each, with KUMITATE_ISA as the name of the namespace.

#include "cover_kernel.hpp"

namespace kumitate::KUMITATE_ISA {

std::unique_ptr<Search> make_list_search(const Cover &cover, const Symmetry *symmetry) {
    const std::size_t words = (cover.cells() + 63) / 64;
    if (words <= 1)
        return make_list_search<1>(cover, symmetry);
    if (words <= 2)
        return make_list_search<2>(cover, symmetry);
    if (words <= 3)
        return make_list_search<3>(cover, symmetry);
    if (words <= 4)
        return make_list_search<4>(cover, symmetry);
    if (words <= 6)
        return make_list_search<6>(cover, symmetry);
    return words <= 8 ? make_list_search<8>(cover, symmetry) : nullptr;
}

} // namespace kumitate::KUMITATE_ISA
