// SPDX-License-Identifier: MIT
// Passes on MIL, in the order that the user asks for. After each one types are found again.
#include <sstream>
#include <stdexcept>

#include "count.h"
#include "mil/diagnostics.h"
#include "optimize.h"
#include "single.h"

namespace mim::plug::mil {

namespace {

std::optional<Program> special(FrontEndContext& c, Source& source, Program& p) {
    auto types = check_again(c, source, p);
    return specialize(p, source.types, types);
}

CountedProgram count(FrontEndContext& c, Source& source, Program p) {
    auto types = check_again(c, source, p);
    Singles singles(source, p, types);
    singles.find_for_code();
    for (auto all : {&types.variables, &types.tops})
        for (auto& t : *all)
            if (t) t = singles.type(t);
    singles.erase();
    return count_references(std::move(p), source.types, types);
}

} // namespace

namespace {

/// Types with more values stay, since copies would cost more than an object: 16 types that each have the one before
/// twice would be 65,536 values.
constexpr size_t kMostInVector = 8;

size_t most_in_vector(const Program& p, uint32_t data) {
    auto& d     = p.datas[data];
    bool is_one = d.form == DataType::Objects && !d.is_builtin && d.cons.size() == 1;
    if (!is_one || p.cons[d.cons[0]].types.size() < 2) return 0;
    return d.is_row ? kMostBits : kMostInVector;
}

/// Values have so many bits.
constexpr uint32_t kValueBits = 64;

bool is_general(const Program& p) {
    return std::ranges::any_of(p.order, [&](auto& e) {
        if (e.kind == Program::BlockKind) return !p.blocks[e.index].typing.scheme.variables.empty();
        if (e.kind == Program::ClosureKind) return !p.closures[e.index].typing.scheme.variables.empty();
        return e.kind == Program::TopKind && !p.tops[e.index].typing.scheme.variables.empty();
    });
}

/// Rows that are wider than a value become objects of words. False if functions on all rows stay: types have no end.
bool open_rows(FrontEndContext& c, Source& source) {
    auto& p = source.program;
    check_again(c, source, p);
    if (is_general(p)) {
        auto next = special(c, source, p);
        if (!next) return false;
        p = std::move(*next);
    }
    widen(source, p, check_again(c, source, p), kValueBits);
    declare_primitives(p);
    shake(p);
    return true;
}

} // namespace

void erase_singles(FrontEndContext& c, Source& source) {
    auto types = check_again(c, source, source.program);
    Singles singles(source, source.program, types);
    singles.find_for_text();
    singles.erase();
    shake(source.program);
    if (make_vectors(c, source, most_in_vector)) shake(source.program);
    check_again(c, source, source.program);
}

void make_bits(FrontEndContext& c, Source& source) {
    bool has_rows = has_wide_rows(source.program, kValueBits);
    if (has_rows && !open_rows(c, source)) return;
    if (make_vectors(c, source, most_in_vector)) shake(source.program);
    check_again(c, source, source.program);
}

void pack(FrontEndContext& c, Source& source) {
    auto types     = check_again(c, source, source.program);
    source.program = pack_data(c, source, types);
    shake(source.program);
    check_again(c, source, source.program);
}

/// A derived block may be used at types that only polymorphic recursion has: without such blocks the program has types.
void optimize(FrontEndContext& c, Source& source) {
    auto before = num_lines(source.program);
    for (bool may_derive : {true, false}) {
        auto p           = source.program;
        auto report      = source.report;
        report.before    = before;
        report.is_traced = c.settings.number("mil.trace") != 0;
        Optimizer(p, source.types, c.world, report, may_derive).run();
        if (!try_types(c, source, p)) continue;
        source.program      = std::move(p);
        source.report       = std::move(report);
        source.report.after = num_lines(source.program);
        return;
    }
    throw std::logic_error("the pass `opt` on MIL made a program that has no types");
}

namespace {

/// Types without objects need one definition for each type; behind them there is more to simplify.
constexpr auto kDefaultPasses = "opt single opt special data bits opt";

} // namespace

bool has_default_passes(const FrontEndContext& c) { return c.settings.text("mil.passes") == "default"; }

/// Where types have no end, `special` leaves the program as it is: functions on all types stay.
bool run_passes(FrontEndContext& c, Source& source) {
    std::istringstream names(has_default_passes(c) ? kDefaultPasses : c.settings.text("mil.passes"));
    std::string name;
    auto fail = [&](const std::string& why) {
        c.error(0, 0, why);
        return false;
    };
    while (names >> name) {
        if (source.shows_counts) return fail("nothing comes behind the pass `count` on MIL");
        if (name == "none") continue;
        if (name == "count") {
            source.shows_counts = true;
            continue;
        }
        Profile::Scope scope(c.profile, name);
        if (name == "opt") {
            optimize(c, source);
            continue;
        }
        if (name == "single") {
            erase_singles(c, source);
            continue;
        }
        if (name == "data") {
            pack(c, source);
            continue;
        }
        if (name == "bits") {
            make_bits(c, source);
            continue;
        }
        if (name != "special") {
            return fail("there is no pass `" + name
                        + "` on MIL; there are `opt`, `single`, `special`, `data`, `bits` and `count`, or `none`, or `default`");
        }
        if (auto next = special(c, source, source.program)) source.program = std::move(*next);
        check_again(c, source, source.program);
    }
    return true;
}

namespace {

/// The header of an object has so many bits for its size and for its constructor.
void check_sizes(FrontEndContext& c, const Program& p) {
    constexpr size_t kMostValues = 240, kMostTags = 4096;
    auto check = [&](size_t values, Span at) {
        if (values > kMostValues) c.diags.report(diag::not_yet("objects of more than 240 values"), at);
    };
    for (auto& con : p.cons) {
        check(con.types.size(), con.at);
        if (con.tag == kMostTags) c.diags.report(diag::not_yet("types of more than 4096 constructors"), con.at);
    }
    for (auto& e : p.order)
        if (e.kind == Program::ClosureKind) check(p.closures[e.index].stored.size(), p.closures[e.index].at);
}

} // namespace

/// Without an end of types objects stay.
CountedProgram prepare(FrontEndContext& c, Source& source) {
    auto p = source.program;
    p.annotated.clear();
    check_sizes(c, p);
    if (c.diags.num_errors()) return {};
    auto next   = special(c, source, p);
    auto& whole = next ? *next : p;
    widen(source, whole, check_again(c, source, whole), kValueBits);
    name_results(whole);
    if (next) return count(c, source, std::move(*next));
    check_again(c, source, p);
    erase_functions(p);
    return without_counts(std::move(p));
}

} // namespace mim::plug::mil
