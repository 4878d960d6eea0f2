// SPDX-License-Identifier: MIT
// Values of unions: a tag and a payload (layout: Emitter::lower_union). The tag is the number of the member in its union, whose members are
// in the order of what they look like. So an instance of a union may have them in another order, in other layouts, or fewer of them,
// and a value that passes from one to the other is converted member by member.
#include <algorithm>

#include "backend/llvm/emitter.h"
#include "ir/error.h"

namespace mim::backend::llvm {

Value Emitter::payload_ptr(const Def* union_type, Value ptr) {
    auto t = type(union_type);
    return LLVMGetTypeKind(unwrap(t)) == LLVMStructTypeKind ? field_ptr(t, ptr, 1) : ptr;
}

Value Emitter::emit_inj(const Inj* inj) {
    auto def = inj->type();
    auto t   = type(def);
    if (inj->member()->isa<Union>()) return widen_union(inj);
    auto tag         = world_.member(inj);
    auto has_payload = LLVMGetTypeKind(unwrap(t)) == LLVMStructTypeKind;
    auto tag_type    = has_payload ? Type(LLVMStructGetTypeAtIndex(unwrap(t), 0)) : t;
    if (!has_payload) return int_const(tag_type, tag);
    auto mem = alloca_(t);
    store(int_const(tag_type, tag), mem, {});
    store(as(inj->value(), def->op(tag)), payload_ptr(def, mem), {});
    return unspill(t, mem);
}

/// Whether a value of this type contains one of a union, other than behind a pointer.
static bool holds_union(const Def* type) {
    if (type->isa<Union>()) return true;
    if (!type->isa<Sigma>() && !type->isa<Arr>()) return false;
    auto parts = type->isa<Arr>() ? type->ops().subspan(1) : type->ops();
    return std::ranges::any_of(parts, [&](auto part) { return holds_union(part); });
}

/// Whether a value passes to a type that is an instance of its own, or the other way round, and they contain unions.
bool Emitter::is_other_union(const Def* from, const Def* to) {
    bool may_be_open = from->has(Def::HasDep) || to->has(Def::HasDep);
    return from != to && may_be_open && (holds_union(from) || holds_union(to)) && !world_.equal(from, to);
}

static Defs members(const Def* const& type) { return type->isa<Union>() ? type->ops() : Defs(&type, 1); }

/// For each member of `from` the one of `to` that it is. Of members that are apart this is the only one that it is not apart from. Nobody can
/// tell others apart, until instances of them are.
std::vector<size_t> Emitter::partners(const Def* from, const Def* to) {
    auto is_matched = [&](Defs all) {
        for (size_t i = 1; i < all.size(); ++i)
            if (!world_.apart(all[i - 1], all[i])) return false;
        return all.size() > 1;
    };
    std::vector<size_t> result;
    auto old = members(from), fresh = members(to);
    for (auto member : old) {
        std::vector<size_t> found;
        for (size_t j = 0; j != fresh.size(); ++j)
            if (!world_.apart(member, fresh[j])) found.push_back(j);
        bool is_known = found.size() == 1 || (!found.empty() && !is_matched(old) && !is_matched(fresh));
        if (!is_known) fail(state_.place, Diag::run_time_layout, {show(to)});
        bool in_place = fresh.size() == old.size() && std::ranges::find(found, result.size()) != found.end();
        result.push_back(in_place ? result.size() : found[0]);
    }
    return result;
}

/// A union of some members becomes one of more. It is told here which ones they are, so they need not be apart.
Value Emitter::widen_union(const Inj* inj) {
    auto from = inj->member(), to = inj->type();
    std::vector<size_t> numbers;
    for (auto member : from->ops()) {
        auto same = std::ranges::find_if(to->ops(), [&](auto other) { return world_.equal(member, other); });
        numbers.push_back(static_cast<size_t>(same - to->ops().begin()));
    }
    return convert_union(as(inj->value(), from), from, to, numbers);
}

Value Emitter::convert_union(Value v, const Def* from, const Def* to) { return convert_union(v, from, to, partners(from, to)); }

/// One of the types, or both, are unions. `numbers`: for each member of `from` its number in `to`.
Value Emitter::convert_union(Value v, const Def* from, const Def* to, std::span<const size_t> numbers) {
    auto to_type   = type(to);
    auto from_type = type(from);
    auto old = members(from), fresh = members(to);
    bool is_same = from_type == to_type && from->isa<Union>() && to->isa<Union>();
    for (size_t i = 0; i != old.size(); ++i)
        is_same &= numbers[i] == i && type(old[i]) == type(fresh[i]) && !is_other_union(old[i], fresh[i]);
    if (is_same) return v;
    auto is_struct  = [](Type t) { return LLVMGetTypeKind(unwrap(t)) == LLVMStructTypeKind; };
    auto source     = from_type ? spill(v) : Value();
    auto target     = alloca_(to_type);
    auto new_member = [&](size_t i) {
        auto tag_type = to->isa<Union>() && is_struct(to_type) ? Type(LLVMStructGetTypeAtIndex(unwrap(to_type), 0)) : to_type;
        auto part     = to->isa<Union>() ? payload_ptr(to, target) : target;
        if (to->isa<Union>()) store(int_const(tag_type, numbers[i]), target, {});
        auto goal = fresh[numbers[i]];
        if (!type(goal)) return;
        auto place = from->isa<Union>() ? payload_ptr(from, source) : source;
        auto have  = type(old[i]);
        store(convert(have ? load(have, place, {}) : Value(), old[i], goal), part, {});
    };
    if (!from->isa<Union>()) {
        new_member(0);
        return unspill(to_type, target);
    }
    auto tag  = is_struct(from_type) ? extract_value(v, 0) : v;
    auto exit = new_block("converted");
    for (size_t i = 0; i != old.size(); ++i) {
        bool is_last = i + 1 == old.size();
        auto next    = is_last ? exit : new_block("member");
        if (!is_last) {
            auto here = new_block("convert");
            branch(cmp(Cmp::Eq, tag, int_const(type_of(tag), i)), here, next);
            enter(here);
        }
        new_member(i);
        jump(exit);
        enter(next);
    }
    return unspill(to_type, target);
}

} // namespace mim::backend::llvm
