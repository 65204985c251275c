#include "contract.hpp"

namespace kumitate {

void broken(const char *rule, std::source_location where) {
    throw Broken(std::string(where.function_name()) + ": " + rule);
}

std::uint32_t to_32_bits(std::uint64_t number, const char *what) {
    if (number >= none)
        throw Refusal("too large: there is room for 4,294,967,294 " + std::string(what));
    return static_cast<std::uint32_t>(number);
}

} // namespace kumitate
