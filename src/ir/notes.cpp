// SPDX-License-Identifier: MIT
// Names and places: how they follow what is rewritten.
#include "ir/notes.h"

#include <utility>

#include "ir/building.h"
#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

/*
 * tables
 */

uint32_t Places::inline_call(Symbol name, Span callee, Place call) {
    auto depth = this->depth(call.inlined) + 1;
    if (depth > MaxDepth) return 0;
    inlined_.push_back({name, callee, call, depth});
    return static_cast<uint32_t>(inlined_.size());
}

Place Places::inside(Place inner, uint32_t outer) {
    if (!inner.inlined || !outer) return {inner.span, inner.inlined | outer};
    auto& known = nested_[uint64_t(inner.inlined) << 32 | outer];
    if (known) return {inner.span, known};
    auto call = inlined(inner.inlined); // a copy: the recursion makes more
    call.call = inside(call.call, outer);
    auto id   = inline_call(call.name, call.callee, call.call);
    if (!id) return call.call;
    nested_[uint64_t(inner.inlined) << 32 | outer] = id;
    return {inner.span, id};
}

/*
 * places
 */

Place Notes::place(const Def* def) const { return def->has(Def::Placed) ? *places_.of.find(def) : Place(); }

void Notes::set_place(const Def* def, Place place) {
    def->flags_ |= Def::Placed;
    places_.of.put(def, place);
}

const Inlined& Notes::inlined(uint32_t id) const { return places_.inlined(id); }

void Notes::set_end(const Lam* lam, Span span) { places_.ends.put(lam, span); }

Span Notes::end(const Lam* lam) const {
    auto span = places_.ends.find(lam);
    return span ? *span : Span();
}

bool Notes::has_place(const Def* def) {
    switch (def->node()) {
        case Node::App: return def->type()->node() != Node::Sort;
        case Node::Extract: return def->op(1)->node() != Node::Lit;
        case Node::Insert:
        case Node::Match:
        case Node::Pack:
        case Node::Inj: return true;
        default: return false;
    }
}

void Notes::copy_place(const Def* from, const Def* to) {
    if (from == to) return;
    if (from->has(Def::Placed) && !to->has(Def::Placed) && has_place(to)) set_place(to, place(from));
    if (world_.debug) copy_name(from, to);
}

/*
 * names of binders
 */

void Notes::set_name(const Def* def, Symbol name) { names_.put(def, name); }

Symbol Notes::name(const Def* def) const {
    auto name = names_.find(def);
    return name ? *name : Symbol();
}

size_t Notes::FieldsHash::operator()(const std::vector<Symbol>& fields) const {
    uint32_t h = 0;
    for (auto field : fields) h = mix(h, std::hash<Symbol>()(field));
    return h;
}

/// Many functions have parameters of the same names: each list is kept once.
void Notes::set_fields(const Def* def, std::vector<Symbol> names) {
    auto [list, fresh] = field_lists_.insert(std::move(names));
    fields_.put(def, &*list);
}

const std::vector<Symbol>* Notes::fields(const Def* def) const {
    auto fields = fields_.find(def);
    return fields ? *fields : nullptr;
}

/*
 * names of values
 */

void Notes::add_local(const Lam* lam, const Local& local) {
    bool computed = has_place(local.value) && places_.named.try_emplace(local.value, local).second;
    if (computed) return;
    auto& locals = places_.locals[lam];
    if (locals.size() < Places::MaxLocals) locals.push_back(local);
}

const FieldNames* Notes::add_fields(FieldNames names) { return &places_.fields.emplace_back(std::move(names)); }

const Local* Notes::local(const Def* def) const {
    auto it = places_.named.find(def);
    return it == places_.named.end() ? nullptr : &it->second;
}

const std::vector<Local>* Notes::locals(const Lam* lam) const {
    auto it = places_.locals.find(lam);
    return it == places_.locals.end() ? nullptr : &it->second;
}

void Notes::copy_name(const Def* from, const Def* to) {
    auto name = local(from);
    if (!name || to->isa<Lit>() || local(to)) return;
    auto copy  = *name;
    copy.value = to;
    places_.named.emplace(to, copy);
}

namespace {

/// What a value that costs nothing has become: a variable, a projection or a tuple. Others are not looked for: rewriting them could
/// evaluate what nobody needs.
class KnownForm {
public:
    KnownForm(World& world, const std::function<const Def*(const Def*)>& known)
        : world_(world)
        , known_(known) {}

    const Def* find(const Def* def) {
        if (auto to = known_(def)) return to;
        auto [it, fresh] = memo_.try_emplace(def, nullptr);
        if (!fresh || stack_is_low()) return it->second;
        auto res          = rebuild(def);
        return memo_[def] = res;
    }

private:
    const Def* rebuild(const Def* def) {
        if (auto ex = def->isa<Extract>(); ex && ex->index()->isa<Lit>()) {
            auto tuple = find(ex->tuple());
            return tuple ? world_.extract(tuple, ex->index()) : nullptr;
        }
        auto tuple = def->isa<Tuple>();
        if (!tuple) return nullptr;
        std::vector<const Def*> elems;
        for (auto op : tuple->ops())
            if (auto elem = find(op)) elems.push_back(elem);
        return elems.size() == tuple->num_ops() ? world_.tuple(elems) : nullptr;
    }

    World& world_;
    const std::function<const Def*(const Def*)>& known_;
    std::unordered_map<const Def*, const Def*> memo_;
};

} // namespace

void Subst::copy_locals(World& w, const Lam* from, const Lam* to, const std::function<const Def*(const Def*)>& known,
                        const std::function<void(Local&)>& move) {
    auto names = w.notes.locals(from);
    if (!names || from == to) return;
    auto old = *names; // making nodes may move the table
    KnownForm form(w, known);
    for (auto& local : old) {
        local.value = form.find(local.value);
        if (local.value) move(local), w.notes.add_local(to, local);
    }
}

void Notes::copy_locals(const Lam* from, const Lam* to, const std::function<const Def*(const Def*)>& known) {
    Subst::copy_locals(world_, from, to, known, [](Local&) {});
}

const Lam*& Subst::building(World& w) { return w.impl().building; }

const Lam* Building::set(World& w, const Lam* lam) { return std::exchange(Subst::building(w), lam); }

/*
 * everything about a binder
 */

void Notes::copy_info(const Def* from, const Def* to) {
    if (auto n = name(from)) set_name(to, n);
    if (auto p = place(from)) set_place(to, p);
    if (auto f = fields(from)) set_fields(to, *f);
    if (auto lam = from->isa<Lam>(); lam && to->isa<Lam>())
        if (auto span = end(lam)) set_end(to->as<Lam>(), span);
    if (from->is_mut() && to->is_mut() && from->var() && to->var()) {
        if (auto n = name(from->var())) set_name(to->var(), n);
        if (auto p = place(from->var())) set_place(to->var(), p);
        if (auto f = fields(from->var())) set_fields(to->var(), *f);
    }
}

} // namespace mim
