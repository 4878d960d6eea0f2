// SPDX-License-Identifier: MIT
// The phase tensor.lower: which operation becomes what.
#include <algorithm>
#include <numeric>

#include "affine/annexes.h"
#include "core/annexes.h"
#include "ir/brief.h"
#include "kit/build.h"
#include "lower/packs.h"
#include "lower/tables.h"
#include "lower/tensors.h"
#include "normal.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

/*
 * places
 */

Place place_of(World& w, const Def* op) {
    auto place = w.notes.place(op);
    auto own   = w.notes.span(w.annex(tensor::sum(0))).file; // the file that declares functions
    while (place.span.file == own && place.inlined) place = w.notes.inlined(place.inlined).call;
    return place;
}

/// The error, in the user's line.
[[noreturn]] static void fail(World& w, const Def* op, Error error) {
    error.rewritten = place_of(w, op).span;
    throw error;
}

/*
 * parts
 */

uint64_t Tensors::known(const Def* op, const Def* number) {
    if (auto result = value(number)) return *result;
    fail(w, op, diag::unknown_rank(head_axiom(op)->axiom().name.str(), number));
}

DefVec Tensors::list(const Def* op, const Def* length, const Def* array) {
    auto n = known(op, length);
    return def_vec(n, [&](auto i) { return n == 1 ? array : w.extract(array, i); });
}

std::vector<uint64_t> Tensors::numbers(const Def* op, const Def* length, const Def* array) {
    std::vector<uint64_t> result;
    for (auto def : list(op, length, array)) result.push_back(known(op, def));
    return result;
}

/*
 * what is owed
 */

/// The numbers in the text, without the operation that it ends with.
static std::string text_with(std::string text, Defs numbers) {
    text.resize(std::min(text.size(), text.find(" in `%tensor.")));
    for (auto n : numbers) {
        auto place = text.find("{}");
        auto known = value(n);
        if (place != text.npos) text.replace(place, 2, known ? std::to_string(*known) : "`" + brief(n) + "`");
    }
    return text;
}

const Def* Tensors::owed(owe what, const Def* op, const Def* holds, Defs numbers) {
    if (auto known = value(holds)) {
        if (*known == 1) return holds;
        fail(w, op, diag::broken(head_axiom(op)->axiom().name.str(), text_with(text_of(what), numbers)));
    }
    auto check = w.call(what, {holds, w.tuple(numbers)}, w.tt());
    w.notes.set_place(check, place_of(w, op));
    return check;
}

/*
 * operations
 */

static Dims dims_below(size_t n) {
    Dims result(n);
    std::iota(result.begin(), result.end(), 0);
    return result;
}

const Def* Tensors::computed(const Def* op, Wanted wanted) {
    if (match<map_reduce>(op)) return loops_of(map_reduce_of(op, {op, true}), op, wanted);
    if (match<generate>(op) && !wanted) {
        if (auto nest = nest_of(op)) return loops_of(*nest, op, wanted);
    }
    auto result = source(op, {op, true});
    auto rank   = result.shape.size();
    auto order  = chosen(op, wanted, dims_below(rank), {std::vector<bool>(rank)}).order;
    return loops_.array(result.shape, order, result.type, *result.source);
}

const Def* Tensors::lower_get(const Def* op) {
    auto shape = list(op, part(op, 0, 0), part(op, 0, 1));
    auto index = list(op, part(op, 0, 0), rewrite(old(op, 1, 1)));
    return elements(old(op, 1, 0), shape, part(op, 0, 2), {op, true}).at(index);
}

/// `a#i#j` of a view is the element that `%tensor.get` reads. Null: it is something else, such as a row.
const Def* Tensors::lower_extract(const Def* extract) {
    DefVec indices;
    auto view = extract;
    for (; view->isa<Extract>(); view = view->as<Extract>()->tuple()) indices.push_back(view->as<Extract>()->index());
    if (!is_access(view) || scheduled(view)) return nullptr;
    auto elements = source(view, {extract, has_one_user(program(), view)});
    DefVec index;
    for (auto extent : elements.shape) {
        bool is_said = !is_value(extent, 1);
        if (is_said && indices.empty()) return nullptr;
        index.push_back(is_said ? rewrite(indices.back()) : w.lit_idx(1, 0));
        if (is_said) indices.pop_back();
    }
    return indices.empty() ? elements.at(index) : nullptr;
}

const Def* Tensors::rewrite_imm(const Def* def) {
    auto element = def->isa<Extract>() ? lower_extract(def) : nullptr;
    return element ? element : Lowering::rewrite_imm(def);
}

const Def* Tensors::lower_set(const Def* op) {
    auto shape = list(op, part(op, 0, 0), part(op, 0, 1));
    auto index = list(op, part(op, 0, 0), part(op, 1, 1));
    return loops_.insert(part(op, 1, 0), shape, index, part(op, 1, 2));
}

/// What is carried is the last step, and the array of all.
const Def* Tensors::lower_scan(const Def* op, Wanted wanted) {
    chosen(op, wanted, {0}, {{true}});
    auto f = part(op, 1), n = part(op, 2), z = rewrite(old(op, 3, 0));
    auto a     = elements(old(op, 3, 1), {n}, part(op, 0, 1), {op, true});
    auto start = w.tuple({z, loops_.blank(a.shape, part(op, 0, 0))});
    auto step  = [&](Defs at, const Def* acc) {
        auto [last, steps] = elems<2>(w, acc);
        auto next          = w.app(f, {last, a.at(at)});
        return w.tuple({next, loops_.insert(steps, a.shape, at, next)});
    };
    return loops_.reduce_to_second(a.shape, start, step);
}

/// All results in one loop. A dimension that is chosen has the extent 1 in them.
const Def* Tensors::lower_reduce(const Def* op, Wanted wanted) {
    auto [r, s, ni, is] = elems<4>(w, part(op, 0));
    auto shape = list(op, r, s), types = list(op, ni, is);
    auto is_chosen = numbers(op, r, rewrite(old(op, 2, 2)));
    auto f = part(op, 1), init = rewrite(old(op, 2, 1));
    LoopSpace space{{is_chosen.begin(), is_chosen.end()}, false, true};
    auto usual = dims_below(shape.size());
    auto inner = std::ranges::stable_partition(usual, [&](auto d) { return !is_chosen[d]; });
    Dims outer(usual.begin(), inner.begin()), reduced(inner.begin(), inner.end());
    auto order = chosen(op, wanted, usual, space).order;
    order.resize(outer.size());
    for (auto& d : order) d = uint64_t(std::ranges::find(outer, d) - outer.begin());

    std::vector<Elements> inputs;
    for (size_t i = 0; i != types.size(); ++i) {
        auto input = types.size() == 1 ? old(op, 2, 0) : elem(w, old(op, 2, 0), i);
        inputs.push_back(elements(input, shape, types[i], {op, true}));
    }
    auto extents_of = [&](const Dims& dims) { return map_defs(dims, [&](auto d) { return shape[d]; }); };
    auto result     = [&](Defs index) {
        return loops_.reduce(extents_of(reduced), init, [&](Defs rest, const Def* acc) {
            DefVec at(shape.size());
            for (size_t j = 0; j != outer.size(); ++j) at[outer[j]] = index[j];
            for (size_t j = 0; j != reduced.size(); ++j) at[reduced[j]] = rest[j];
            auto x = w.tuple(map_defs(inputs, [&](auto& input) { return input.at(at); }));
            return w.app(f, {acc, x});
        });
    };
    if (types.size() == 1) return loops_.array(extents_of(outer), order, types[0], result);
    return loops_.arrays(extents_of(outer), order, types, result);
}

/*
 * schedules
 */

Plan Tensors::chosen(const Def* op, Wanted wanted, Dims usual, const LoopSpace& space) {
    auto schedule = wanted ? wanted->schedule : Plan::plain(usual);
    auto at       = place_of(w, wanted ? wanted->op : op).span;
    if (auto why = misfit(schedule, space); !why.empty()) {
        c_.diags.report(diag::bad_schedule(why), at);
        return Plan::plain(usual);
    }
    if (c_.diags.verbose) c_.diags.report(diag::scheduled(head_axiom(op)->axiom().name.str(), schedule.text()), at);
    return schedule;
}

const Def* Tensors::scheduled(const Def* op) {
    auto users = program().users(op);
    auto with  = std::ranges::find_if(users, [&](auto user) { return match<tensor::with>(user) && arg_of(user) == op; });
    return with == users.end() ? nullptr : *with;
}

const Def* Tensors::lower_with(const Def* op) {
    auto array = arg_of(op);
    std::optional<Plan> schedule;
    try {
        schedule = Plan::read(w, part(op, 1));
    } catch (Error& error) {
        fail(w, op, error);
    }
    auto maker = maker_of(array);
    if (maker && schedule) {
        Request request{op, *schedule};
        return (this->*maker)(array, &request);
    }
    if (maker) return (this->*maker)(array, nullptr);
    if (schedule) c_.diags.report(diag::bad_schedule("no operation makes what it is given"), place_of(w, op).span);
    return rewrite(array);
}

/// The extents of an array, maybe of arrays.
static DefVec extents_of(const Def* type) {
    DefVec result;
    for (auto arr = type->isa<Arr>(); arr; arr = arr->body()->isa<Arr>()) result.push_back(arr->arity());
    return result;
}

/// The same loops, whoever looks at the array, if `%tensor.with` says how they are made.
const Def* Tensors::made(const Def* op) {
    if (auto extents = extents_of(op->type()); has_too_many(extents)) fail(w, op, too_many(head_axiom(op), extents));
    if (auto with = scheduled(op)) return rewrite(with);
    auto group = siblings_.find(op);
    return group.is_none() ? (this->*maker_of(op))(op, nullptr) : lower_together(group, op);
}

Tensors::Maker Tensors::maker_of(const Def* op) {
    if (match<fold>(op)) return &Tensors::lower_fold;
    if (match<scan>(op)) return &Tensors::lower_scan;
    if (match<scatter>(op)) return &Tensors::lower_scatter;
    if (match<reduce>(op)) return &Tensors::lower_reduce;
    return computes_elements(op) || is_access(op) ? &Tensors::computed : nullptr;
}

void Tensors::lower() {
    auto loops = [&](const Lowered& old) { return made(old.app()); };
    on<tensor::map>(loops).on<zip>(loops).on<generate>(loops).on<map_reduce>(loops);
    on<transpose>(loops).on<broadcast>(loops).on<reshape>(loops).on<split>(loops).on<join>(loops).on<slice>(loops);
    on<reverse>(loops).on<window>(loops).on<gather>(loops).on<pad>(loops).on<concat>(loops);
    on<fold>(loops).on<scan>(loops).on<scatter>(loops).on<reduce>(loops);
    on<get>([&](const Lowered& old) { return lower_get(old.app()); });
    on<set>([&](const Lowered& old) { return lower_set(old.app()); });
    on<tensor::index>([&](const Lowered& old) { // one that may be out of bounds stays as it is, in the user's line
        auto result = old.again();
        if (match<tensor::index>(result)) w.notes.set_place(result, place_of(w, old.app()));
        return result;
    });
    on<tensor::size>([&](const Lowered& old) { return size(list(old.app(), part(old.app(), 0), part(old.app(), 1))); });
    on<tensor::with>([&](const Lowered& old) { return lower_with(old.app()); });
    on<affine::fold>([&](const Lowered& old) { return lower_counted(old); });
    run();
}

void lower(PhaseContext& c) {
    auto& schedule = c.settings.text("tensor.schedule");
    if (schedule != "loops") c.diags.report(diag::no_schedules(schedule), {});
    if (c.settings.flag("tensor.blas")) c.diags.report(diag::no_blas(), {});
    generate_packs(c);
    make_tables(c);
    Tensors(c).lower();
    auto unmarked = [](const Lowered& old) { return old.arg(); };
    Lowering(c).on<total>(unmarked).on<over>(unmarked).run();
}

} // namespace mim::plug::tensor
