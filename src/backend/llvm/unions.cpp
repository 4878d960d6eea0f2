// SPDX-License-Identifier: MIT
// See unions.h.
#include "backend/llvm/unions.h"

#include <algorithm>

#include "backend/llvm/conversions.h"

namespace mim::backend::llvm {

Value Unions::payload_ptr(const Def* union_type, Value ptr) {
    auto t = types_.type(union_type);
    return is_struct(t) ? build_.field_ptr(t, ptr, 1) : ptr;
}

Value Unions::inject(const Inj* inj) {
    auto def = inj->type();
    auto t   = types_.type(def);
    if (inj->member()->isa<Union>()) return widen(inj);
    auto tag         = index_of_member(inj);
    auto has_payload = is_struct(t);
    auto tag_type    = has_payload ? Type(LLVMStructGetTypeAtIndex(unwrap(t), 0)) : t;
    if (!has_payload) return build_.int_const(tag_type, tag);
    auto mem = build_.alloca_(t);
    build_.store(build_.int_const(tag_type, tag), mem, {});
    build_.store(conversions_.as(inj->value(), def->op(tag)), payload_ptr(def, mem), {});
    return spills_.unspill(t, mem);
}

/// Whether a value of this type contains one of a union, other than behind a pointer.
static bool holds_union(const Def* type) {
    if (type->isa<Union>()) return true;
    if (!type->isa<Sigma>() && !type->isa<Arr>()) return false;
    auto parts = type->isa<Arr>() ? type->ops().subspan(1) : type->ops();
    return std::ranges::any_of(parts, [&](auto part) { return holds_union(part); });
}

bool is_other_union(World& world, const Def* from, const Def* to) {
    bool may_be_open = from->has(Def::HasDep) || to->has(Def::HasDep);
    return from != to && may_be_open && (holds_union(from) || holds_union(to)) && !equal(world, from, to);
}

static Defs members(const Def* const& type) { return type->isa<Union>() ? type->ops() : Defs(&type, 1); }

/// For each member of `from` the one of `to` that it is. Of members that are apart this is the only one that it is
/// not apart from. Nobody can tell others apart, until instances of them are.
std::vector<size_t> Unions::partners(const Def* from, const Def* to) {
    auto is_matched = [&](Defs all) {
        for (size_t i = 1; i < all.size(); ++i)
            if (!apart(ctx_.world, all[i - 1], all[i])) return false;
        return all.size() > 1;
    };
    std::vector<size_t> result;
    auto old = members(from), fresh = members(to);
    for (auto member : old) {
        std::vector<size_t> found;
        for (size_t j = 0; j != fresh.size(); ++j)
            if (!apart(ctx_.world, member, fresh[j])) found.push_back(j);
        bool is_known = found.size() == 1 || (!found.empty() && !is_matched(old) && !is_matched(fresh));
        if (!is_known) ctx_.reports.fail_here(Diag::run_time_layout, {ctx_.reports.show(to)});
        bool in_place = fresh.size() == old.size() && std::ranges::find(found, result.size()) != found.end();
        result.push_back(in_place ? result.size() : found[0]);
    }
    return result;
}

/// A union of some members becomes one of more. It is told here which ones they are, so they need not be apart.
Value Unions::widen(const Inj* inj) {
    auto from = inj->member(), to = inj->type();
    std::vector<size_t> numbers;
    for (auto member : from->ops()) {
        auto same = std::ranges::find_if(to->ops(), [&](auto other) { return equal(ctx_.world, member, other); });
        numbers.push_back(static_cast<size_t>(same - to->ops().begin()));
    }
    return convert(conversions_.as(inj->value(), from), from, to, numbers);
}

Value Unions::convert(Value v, const Def* from, const Def* to) { return convert(v, from, to, partners(from, to)); }

/// Whether members have the same numbers and layouts.
bool Unions::is_same(const Def* from, const Def* to, std::span<const size_t> numbers) {
    if (types_.type(from) != types_.type(to) || !from->isa<Union>() || !to->isa<Union>()) return false;
    auto old = members(from), fresh = members(to);
    for (size_t i = 0; i != old.size(); ++i) {
        bool is_other_layout = !types_.have_one_layout(old[i], fresh[i]) || is_other_union(ctx_.world, old[i], fresh[i]);
        if (numbers[i] != i || is_other_layout) return false;
    }
    return true;
}

Value Unions::convert(Value v, const Def* from, const Def* to, std::span<const size_t> numbers) {
    if (is_same(from, to, numbers)) return v;
    auto to_type   = types_.type(to);
    auto from_type = types_.type(from);
    auto old = members(from), fresh = members(to);
    auto source     = from_type ? spills_.spill(v) : Value();
    auto target     = build_.alloca_(to_type);
    auto new_member = [&](size_t i) {
        auto tag_type = to->isa<Union>() && is_struct(to_type) ? Type(LLVMStructGetTypeAtIndex(unwrap(to_type), 0)) : to_type;
        auto part     = to->isa<Union>() ? payload_ptr(to, target) : target;
        if (to->isa<Union>()) build_.store(build_.int_const(tag_type, numbers[i]), target, {});
        auto goal = fresh[numbers[i]];
        if (!types_.type(goal)) return;
        auto place = from->isa<Union>() ? payload_ptr(from, source) : source;
        auto have  = types_.type(old[i]);
        build_.store(conversions_.convert(have ? build_.load(have, place, {}) : Value(), old[i], goal), part, {});
    };
    if (!from->isa<Union>()) {
        new_member(0);
        return spills_.unspill(to_type, target);
    }
    auto tag  = is_struct(from_type) ? build_.extract_value(v, 0) : v;
    auto exit = build_.new_block("converted");
    for (size_t i = 0; i != old.size(); ++i) {
        bool is_last = i + 1 == old.size();
        auto next    = is_last ? exit : build_.new_block("member");
        if (!is_last) {
            auto here = build_.new_block("convert");
            build_.branch(build_.cmp(Cmp::Eq, tag, build_.int_const(build_.type_of(tag), i)), here, next);
            build_.enter(here);
        }
        new_member(i);
        build_.jump(exit);
        build_.enter(next);
    }
    return spills_.unspill(to_type, target);
}

} // namespace mim::backend::llvm
