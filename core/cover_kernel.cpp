// The list core for up to 512 columns, for the instruction set this file is compiled for. CMake
// compiles it once for each, with KUMITATE_ISA as the name of the namespace.

#include "cover_kernel.hpp"

namespace kumitate::KUMITATE_ISA {

std::unique_ptr<Search> make_list_search(const Cover &cover, const Symmetry *symmetry) {
    const std::size_t columns = count_columns(cover);
    if (columns <= 64)
        return make_list_search<1, false>(cover, symmetry);
    if (Words::has_halves && columns <= 96)
        return make_list_search<1, Words::has_halves>(cover, symmetry);
    if (columns <= 128)
        return make_list_search<2, false>(cover, symmetry);
#ifdef KUMITATE_LEAN // a small core: what is larger is left to the sparse one
    broken("the list core has 128 columns at most");
#else
    if (columns <= 192)
        return make_list_search<3, false>(cover, symmetry);
    if (columns <= 256)
        return make_list_search<4, false>(cover, symmetry);
    if (columns <= 384)
        return make_list_search<6, false>(cover, symmetry);
    require(columns <= 512, "the list core has 512 columns at most");
    return make_list_search<8, false>(cover, symmetry);
#endif
}

} // namespace kumitate::KUMITATE_ISA
