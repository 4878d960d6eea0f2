// SPDX-License-Identifier: MIT
#include "terms.h"

namespace mim::plug::dpia {

static bool is_effect(const Def* term) {
    if (auto map = match<rise::map>(term)) return map.sub() != rise::map::high;
    return match<rise::map_level>(term) || match<rise::reduce>(term) || match<rise::reduce_seq>(term)
           || match<rise::scan_seq>(term) || match<rise::iterate>(term) || match<rise::to_mem>(term) || match<rise::let>(term)
           || match<rise::scatter>(term) || match<rise::ocl_run>(term);
}

static bool is_kernel(const Def* term) { return match<rise::ocl_run>(term) || match<dpia::run>(term); }

bool Phrases::is_anywhere(const Def* term, bool (*is_it)(const Def*), std::unordered_map<const Def*, bool>& known) {
    if (auto found = known.find(term); found != known.end()) return found->second;
    bool result = is_it(term);
    auto visit  = [&](const Def* part) { result = result || is_anywhere(part, is_it, known); };
    if (auto lam = isa_known(term)) {
        visit(lam->body());
    } else if (auto app = term->isa<App>()) {
        visit(app->callee());
        visit(app->arg());
    } else if (auto tuple = term->isa<Tuple>()) {
        for (auto part : tuple->ops()) visit(part);
    } else if (auto pack = term->isa<Pack>()) {
        visit(pack->body());
    }
    return known[term] = result;
}

bool Phrases::has_effect(const Def* term) { return is_anywhere(term, is_effect, effects_); }
bool Phrases::has_kernel(const Def* term) { return is_anywhere(term, is_kernel, kernels_); }

bool Phrases::is_literal(const Def* term) {
    if (term->isa<Lit>() || match<rise::unsigned_>(term)) return true;
    if (match<rise::pair>(term)) return is_literal(group(term, 1)) && is_literal(group(term, 2));
    if (match<rise::unary>(rise::unary::neg, term)) return is_literal(arg_of(term));
    if (!match<rise::make_array>(term)) return false;
    auto n = *value(elem(w, group(term, 0), 0));
    for (uint64_t i = 0; i != n; ++i)
        if (!is_literal(n == 1 ? arg_of(term) : operand(w, term, i))) return false;
    return true;
}

std::string Phrases::name(const Def* term) {
    auto head = saturated_axiom(term);
    if (!head) return "this";
    auto full                                                       = std::string(head->axiom().name.view());
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"%rise.map.high", "map"},
        {"%rise.map.seq", "mapSeq"},
        {"%rise.map.unroll", "mapSeqUnroll"},
        {"%rise.map.par", "mapPar"},
        {"%rise.map.vec", "mapVec"},
        {"%rise.map_level.global", "mapGlobal"},
        {"%rise.map_level.group", "mapWorkGroup"},
        {"%rise.map_level.local", "mapLocal"},
        {"%rise.reduce_seq.loop", "reduceSeq"},
        {"%rise.reduce_seq.unroll", "reduceSeqUnroll"},
        {"%rise.scan_seq", "scanSeq"},
        {"%rise.to_mem", "toMem"},
        {"%rise.ocl_run", "oclRun"},
        {"%rise.make_array", "makeArray"},
        {"%rise.pad_cst", "padCst"},
        {"%rise.pad_clamp", "padClamp"},
        {"%rise.map_fst", "mapFst"},
        {"%rise.map_snd", "mapSnd"},
        {"%rise.index_as_nat", "indexAsNat"},
        {"%rise.nat_as_index", "natAsIndex"},
    };
    for (auto& [axiom, name] : names)
        if (axiom == full) return std::string(name);
    auto dot = full.find('.');
    if (full == "%dpia.get") return "a value in memory";
    return full.substr(dot == full.npos ? 0 : dot + 1);
}

std::string Phrases::field_name(const Lam* lam, size_t i) {
    auto name = w.notes.name(w.extract(lam->var(), i));
    if (name.view().empty()) {
        auto fields = w.notes.fields(lam);
        if (fields && i < fields->size()) name = (*fields)[i];
    }
    return std::string(name.view());
}

const Def* Phrases::generate(const Def* n, const Def* elem, const std::function<const Def*(const Def*)>& element) {
    auto lam = w.lam(w.pi(w.apply<rise::Index>({n}), elem), [&](auto i) { return element(i); });
    return w.apply<rise::generate>({n, elem}, {lam});
}

} // namespace mim::plug::dpia
