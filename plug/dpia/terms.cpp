// SPDX-License-Identifier: MIT
#include "terms.h"

namespace mim::plug::dpia {

static bool is_effect(const Def* term) {
    if (auto map = match<rise::map>(term)) return map.sub() != rise::map::high;
    return match<rise::map_level>(term) || match<rise::reduce>(term) || match<rise::reduce_seq>(term)
           || match<rise::scan_seq>(term) || match<rise::iterate>(term) || match<rise::to_mem>(term) || match<rise::let>(term)
           || match<rise::scatter>(term) || match<rise::ocl_run>(term);
}

bool Phrases::is_written(const Def* t) {
    auto map = match<rise::map>(t);
    return (map && map.sub() != rise::map::high) || match<rise::map_level>(t) || match<rise::scan_seq>(t)
           || match<rise::scatter>(t) || match<rise::iterate>(t) || match<rise::ocl_run>(t);
}

bool Phrases::is_polymorphic(const Def* t) {
    return match<rise::map>(rise::map::high, t) || match<rise::map_fst>(t) || match<rise::map_snd>(t) || match<rise::join>(t)
           || match<rise::split>(t) || match<rise::transpose>(t) || match<rise::as_scalar>(t) || match<rise::as_vector>(t)
           || match<rise::zip>(t) || match<rise::unzip>(t) || match<rise::pair>(t) || match<rise::reorder>(t)
           || match<rise::concat>(t) || match<rise::make_array>(t) || match<rise::pad_empty>(t) || match<rise::id>(t)
           || match<rise::select>(t) || match<rise::let>(t) || match<rise::scatter>(t);
}

const Def* Phrases::unstored(const Def* value) {
    if (is_written(value)) return value;
    bool is_computed = match<rise::to_mem>(value) || match<rise::reduce_seq>(value) || match<rise::let>(value);
    bool has_parts   = !is_computed && has_effect(value) && saturated_axiom(value) && value->isa<App>();
    if (!has_parts) return nullptr;
    auto in_part = [&](const Def* part) { return has_array(part->type()) && !part->isa<Lam>() ? unstored(part) : nullptr; };
    for (size_t i = 0, n = num_groups(value); i != n; ++i) {
        auto part = group(value, i);
        if (auto tuple = part->isa<Tuple>()) {
            for (auto element : tuple->ops())
                if (auto found = in_part(element)) return found;
        } else if (auto pack = part->isa<Pack>()) {
            if (auto found = in_part(pack->body())) return found;
        } else if (auto found = in_part(part)) {
            return found;
        }
    }
    return nullptr;
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
        {"%rise.pad_empty", "padEmpty"},
        {"%rise.as_scalar", "asScalar"},
        {"%rise.as_vector.unaligned", "asVector"},
        {"%rise.as_vector.aligned", "asVectorAligned"},
        {"%rise.vector_from_scalar", "vectorFromScalar"},
        {"%rise.index_as_nat", "indexAsNat"},
        {"%rise.nat_as_index", "natAsIndex"},
    };
    for (auto& [axiom, name] : names)
        if (axiom == full) return std::string(name);
    auto dot = full.rfind('.');
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
