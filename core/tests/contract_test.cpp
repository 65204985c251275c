// What must be refused is: numbers that do not fit, instruction sets that the machine lacks; and
// after a refusal all is as before.

#include "../contract.hpp"
#include "../modular.hpp"
#include "../slide.hpp"
#include "../states.hpp"
#include "check.hpp"
#include "puzzles.hpp"

#include <string>

using namespace kumitate;

template <class Ask> static std::string refusal_of(Ask &&ask) {
    try {
        ask();
    } catch (const Refusal &refusal) {
        return refusal.what();
    }
    return "";
}

static void a_number_fits_or_is_refused() {
    expect(to_32_bits(0xfffffffe, "cells") == 0xfffffffe, "the largest that fits");
    for (const std::uint64_t large :
         {std::uint64_t{0xffffffff}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
        expect(refusal_of([&] { to_32_bits(large, "cells"); }) ==
                   "too large: there is room for 4,294,967,294 cells",
               "one that does not");
}

static void a_broken_contract_names_its_rule() {
    std::string said;
    try {
        require(false, "two and two are four");
    } catch (const std::logic_error &error) {
        said = error.what();
    }
    expect(said.find("a_broken_contract") != said.npos && said.find("are four") != said.npos,
           "where, and which");
}

static Children children_of(std::uint64_t first, std::uint64_t count) {
    Children children;
    for (std::uint64_t state = first; state < first + count; ++state)
        children.add(1, 0, [&](std::size_t) { return state; });
    return children;
}

static void no_more_states_than_there_are_numbers() {
    for (const bool shared : {false, true}) {
        States states(1, shared, 100);
        Children most = children_of(0, 90), some = children_of(85, 10), more = children_of(90, 11);
        states.insert(most);
        states.insert(some); // five of them are new
        expect(states.size() == 95, "each once");
        const std::string said = refusal_of([&] { states.insert(more); });
        expect(said.find("too many states") != said.npos, "refused on one thread");
        std::vector<Children> all;
        all.push_back(children_of(95, 3));
        all.push_back(children_of(98, 3));
        for (Children &children : all)
            states.sort(children, all.size());
        const std::string also = refusal_of([&] { states.insert(all); });
        expect(also.find("too many states") != also.npos, "and on several");
        expect(states.size() == 95, "and none was added");
    }
}

static void bodies_that_are_too_large_are_none() {
    Disassembler apart = cubes();
    const std::vector<Spot> assembly =
        add_pieces(apart, {{{0, 0, 0, 0}, {1000000, 1000000, 1000000, 0}}, {{1, 0, 0, 0}}});
    for (int round = 0; round < 2; ++round)
        expect(apart.take_apart(assembly, {}, 1, [](std::uint64_t) { return true; }).ending ==
                   Ending::vast,
               "each time it is asked");
}

static void coordinates_that_would_overflow_are_vast() {
    constexpr std::int32_t low = -2147483647 - 1, high = 2147483647;
    expect(take_apart({{{low, 0, 0, 0}, {high, 0, 0, 0}}, {{1, 0, 0, 0}}}, 1).ending ==
               Ending::vast,
           "of cells");
    Disassembler apart = cubes();
    std::vector<Spot> assembly = add_pieces(apart, {{{0, 0, 0, 0}}, {{1, 0, 0, 0}}});
    expect(!apart.survey(assembly, {0, 1}, {{high, 0, 0}, {low, 0, 0}}), "of places");
    assembly[0].shift = assembly[1].shift = {high, high, high};
    expect(apart.take_apart(assembly, {}, 1, [](std::uint64_t) { return true; }).ending ==
               Ending::vast,
           "of shifts");
}

static void a_survey_is_of_pieces_that_there_are() {
    Disassembler apart = cubes();
    const std::vector<Spot> assembly = add_pieces(apart, {{{0, 0, 0, 0}}, {{1, 0, 0, 0}}});
    const auto slides = *apart.survey(assembly, {0, 1}, {{0, 0, 0}, {0, 0, 0}});
    expect(std::count_if(slides.begin(), slides.end(), [](auto &s) { return s.units == 0; }) == 10,
           "either piece leaves in all directions but one");
    using Part = std::vector<std::uint32_t>;
    for (const Part &part : {Part{}, Part{0}, Part{0, 2}, Part{0, 1, 1}}) {
        bool refused = false;
        try {
            apart.survey(assembly, part, {{0, 0, 0}, {0, 0, 0}});
        } catch (const std::invalid_argument &) {
            refused = true;
        }
        expect(refused, "not of others");
    }
}

static void an_instruction_set_is_known_and_here() {
    const InstructionSet known[] = {{"v9", false}, {"plain", true}};
    expect(std::string(find(known, "plain").name) == "plain", "one that is");
    expect(refusal_of([&] { find(known, "v9"); }) ==
               "this machine does not have instruction set v9",
           "one that the machine lacks");
    expect(refusal_of([&] { find(known, "v3"); }) ==
               "instruction set v3 is unknown; there are v9, plain",
           "one that there is not");
    const std::string best = instruction_set();
    for (const InstructionSet &set : instruction_sets())
        if (set.here) {
            use_instruction_set(set.name);
            expect(std::string(instruction_set()) == set.name, "the one asked for");
        }
    expect(refusal_of([] { use_instruction_set("mmx"); }).find("unknown") != std::string::npos,
           "refused");
    use_instruction_set(best);
}

static void a_modulus_is_one_of_those_there_are() {
    const Columns columns{{1}, {0, 1}, {0}};
    for (const unsigned modulus : {0u, 1u, 6u, 10u, 27u})
        expect(refusal_of([&] { weights_against(columns, modulus); }) ==
                   "modulus " + std::to_string(modulus) + "; there are 2, 3, 4, 5, 7, 8 and 9",
               "refused");
}

void test_contract() {
    a_number_fits_or_is_refused();
    a_broken_contract_names_its_rule();
    bodies_that_are_too_large_are_none();
    coordinates_that_would_overflow_are_vast();
    a_survey_is_of_pieces_that_there_are();
    an_instruction_set_is_known_and_here();
    a_modulus_is_one_of_those_there_are();
}

void test_contract_on_threads() {
    no_more_states_than_there_are_numbers();
}
