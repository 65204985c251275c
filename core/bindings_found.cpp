// What searches find, hundreds of assemblies at a time: as packed tables, and as lines of text.

#include "bindings.hpp"

#include <algorithm>
#include <charconv>

namespace kumitate {

void Rows::read(std::size_t row, std::vector<std::uint32_t> &names) const {
    names.clear();
    const std::uint32_t blank = ~std::uint32_t{0} >> 8 * (4 - width);
    for (const char *p = bytes.data() + row * length * width, *end = p + length * width; p < end;
         p += width) {
        std::uint32_t name = 0;
        for (unsigned byte = 0; byte < width; ++byte)
            name |= std::uint32_t{static_cast<unsigned char>(p[byte])} << 8 * byte;
        if (name != blank)
            names.push_back(name);
    }
}

Rows rows_of(const nb::bytes &bytes, std::size_t length, unsigned width) {
    if (width < 1 || width > 4)
        throw nb::value_error("a name is packed in 1 to 4 bytes");
    if (length < 1 || bytes.size() % (length * width) != 0)
        throw nb::value_error("a table has whole rows");
    return {{bytes.c_str(), bytes.size()}, length, width};
}

nb::object packed(const Searchable &asked, std::vector<std::uint32_t> found, unsigned width) {
    if (width < 1 || width > 4)
        throw nb::value_error("a name is packed in 1 to 4 bytes");
    std::size_t rows = 0, length = 1;
    std::string bytes;
    {
        const WithoutGil release;
        asked.require_answers(found);
        for (std::size_t at = 0; at < found.size(); at += 1 + found[at], ++rows)
            length = std::max<std::size_t>(length, found[at]);
        bytes.assign(rows * length * width, '\xff');
        char *row = bytes.data();
        for (std::size_t at = 0; at < found.size(); at += 1 + found[at], row += length * width)
            for (std::size_t i = 0; i < found[at]; ++i)
                for (unsigned byte = 0; byte < width; ++byte)
                    row[i * width + byte] = static_cast<char>(found[at + 1 + i] >> 8 * byte);
    }
    return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()), rows, length);
}

static std::string text_of(const Spot &spot) {
    std::string text = "[" + std::to_string(spot.piece) + "," + std::to_string(spot.turn);
    for (std::int32_t c : {spot.shift.x, spot.shift.y, spot.shift.z})
        text += "," + std::to_string(c);
    return text + "]";
}

static Shift sum(Shift a, Shift b) {
    const auto add = [](std::int64_t i, std::int64_t j) {
        const auto both = static_cast<std::int32_t>(i + j);
        if (both != i + j)
            throw Refusal("cells lie too far from the origin to be handled");
        return both;
    };
    return {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}

Dealer::Dealer(const Problem &problem, const std::vector<std::vector<std::uint32_t>> &pieces,
               const Turned &turned, std::vector<std::vector<std::uint32_t>> order,
               const std::vector<std::pair<std::uint32_t, std::uint32_t>> &pinned)
    : kinds_(problem.rules.piece), pinned_(kinds_.size(), none), order_(std::move(order)) {
    for (const auto &[name, piece] : pinned)
        pinned_.at(name) = piece;
    require(order_.size() == pieces.size(), "an order for each kind");
    for (std::size_t kind = 0; kind < pieces.size(); ++kind)
        for (std::uint32_t piece : order_[kind])
            require(piece < pieces[kind].size(), "a kind's pieces are numbered");
    for (std::size_t name = 0; name < kinds_.size(); ++name) {
        const std::uint32_t kind = kinds_[name], turn = problem.turn[problem.orientation[name]];
        const Shift shift = problem.ways[name].shift;
        starts_.push_back(to_32_bits(spots.size(), "places of pieces"));
        spots.push_back({pieces.at(kind).at(0), turn, shift});
        for (std::uint32_t n = 1; n < pieces[kind].size(); ++n) {
            const auto &[its, by] = turned.at({kind, n, turn});
            spots.push_back({pieces[kind][n], its, sum(shift, by)});
        }
    }
}

void Dealer::deal(std::span<const std::uint32_t> names, std::vector<std::uint32_t> &places) const {
    std::vector<std::uint32_t> dealt(order_.size(), 0); // of each kind
    places.clear();
    for (std::uint32_t name : names) {
        require(name < kinds_.size(), "placements have names");
        const std::uint32_t kind = kinds_[name], pin = pinned_[name];
        require(pin != none || dealt[kind] < order_[kind].size(), "every placement is of a piece");
        places.push_back(starts_[name] + (pin != none ? pin : order_[kind][dealt[kind]++]));
    }
    const auto key = [&](std::uint32_t place) {
        const auto &[piece, turn, shift] = spots[place];
        return std::tuple(piece, turn, shift.x, shift.y, shift.z);
    };
    std::sort(places.begin(), places.end(), [&](auto a, auto b) { return key(a) < key(b); });
}

void bind_found(nb::module_ &m) {
    nb::class_<Dealer>(m, "Dealer")
        .def(
            "__init__",
            [](Dealer *self, const PreparedProblem &problem,
               const std::vector<std::vector<std::uint32_t>> &pieces,
               const std::vector<std::array<std::int32_t, 7>> &turned,
               std::vector<std::vector<std::uint32_t>> order,
               const std::vector<std::pair<std::uint32_t, std::uint32_t>> &pinned) {
                Dealer::Turned others;
                for (const auto &[kind, piece, turn, its, x, y, z] : turned)
                    others[{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(piece),
                            static_cast<std::uint32_t>(turn)}] = {static_cast<std::uint32_t>(its),
                                                                  {x, y, z}};
                new (self) Dealer(problem.problem, pieces, others, std::move(order), pinned);
            },
            nb::arg("problem"), nb::arg("pieces"), nb::arg("turned"), nb::arg("order"),
            nb::arg("pinned"))
        .def(
            "lines",
            [](Dealer &self, const nb::bytes &bytes, std::size_t length, unsigned width,
               std::uint64_t first, const nb::bytes &before, const nb::bytes &between,
               const nb::bytes &after) {
                const Rows table = rows_of(bytes, length, width);
                const auto view = [](const nb::bytes &some) {
                    return std::string_view(some.c_str(), some.size());
                };
                const std::string_view start = view(before), middle = view(between),
                                       end = view(after);
                for (std::size_t place = self.texts.size(); place < self.spots.size(); ++place)
                    self.texts.push_back(text_of(self.spots[place]));
                std::string text;
                {
                    const WithoutGil release;
                    std::vector<std::uint32_t> names, places;
                    for (std::size_t row = 0; row < table.rows(); ++row) {
                        table.read(row, names);
                        self.deal(names, places);
                        text += start;
                        for (std::uint32_t place : places) {
                            text += self.texts[place];
                            text += ',';
                        }
                        if (!places.empty())
                            text.pop_back();
                        char digits[20];
                        text += middle;
                        text.append(digits, std::to_chars(digits, digits + 20, first + row).ptr);
                        text += end;
                    }
                }
                return nb::bytes(text.data(), text.size());
            },
            nb::arg("names"), nb::arg("length"), nb::arg("width"), nb::arg("first"),
            nb::arg("before"), nb::arg("between"), nb::arg("after"));
}

} // namespace kumitate
