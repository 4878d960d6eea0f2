// SPDX-License-Identifier: MIT
// Scalar replacement: a slot for a tuple or a short array becomes a slot for each element if its pointer is only loaded from and stored
// to as a whole, and pointers to its elements, chosen by literals, only get into memory operations. Then `promote` makes values of the
// elements one by one.
//
//     store (mem, p, v)      becomes      store (… store (mem, p0, v#0) …, pn, v#n)
//     load (mem, p)          becomes      the last token and (v0, …, vn) of load (mem, p0), …
//     lea (p, i)             becomes      pi
#include "phase/split.h"

#include <algorithm>

#include "analysis/cps.h"
#include "kit/selective.h"
#include "mem.h"

namespace mim::plug::mem {

namespace {

constexpr int64_t MaxElems = 16;

class Split : public SelectiveRewriter {
public:
    explicit Split(PhaseContext& c)
        : SelectiveRewriter(c) {
        for (auto def : program().nodes())
            if (match<local>(def)) plan(def->as<App>());
    }

protected:
    bool wants(const Def* def) override { return plans_.contains(def); }

    const Def* rewrite_imm(const Def* def) override {
        if (auto extract = def->isa<Extract>(); extract && plans_.contains(extract->tuple()))
            return elements(extract->tuple()).token;
        auto pointer = pointers_.find(def);
        if (pointer == pointers_.end()) return SelectiveRewriter::rewrite_imm(def);
        auto& elems = elements(pointer->second);
        if (match<lea>(def)) return elems.pointers[*value(operand(def, 1))];
        auto token = rewrite(operand(def, 0));
        return match<load>(def) ? load_all(elems, token) : store_all(elems, token, rewrite(operand(def, 2)));
    }

private:
    struct Elements {
        const Def* token = nullptr; ///< after the slots of all elements
        DefVec pointers;
    };

    const Def* operand(const Def* app, uint64_t i) { return mim::operand(world(), app, i); }

    void plan(const App* op) {
        auto type = group(op, 0);
        auto n    = type->is_mut() || !(type->isa<Sigma>() || type->isa<Arr>()) ? -1 : lit_arity(world(), type);
        if (n < 2 || n > MaxElems || !is_closed(world(), type)) return;
        DefVec uses;
        for (auto user : program().users(op)) {
            auto extract = user->isa<Extract>();
            auto index   = extract ? isa_lit(extract->index()) : nullptr;
            if (!index || (index->value() == 1 && !find_uses(extract, &uses))) return;
        }
        plans_.emplace(op, Elements{});
        for (auto use : uses) pointers_.emplace(use, op);
    }

    /// The operations that take the pointer, if they are all that happens to it and to pointers to its parts. Those of the whole choose
    /// parts by literals; null: those of a part.
    bool find_uses(const Def* pointer, DefVec* uses) {
        return std::ranges::all_of(program().users(pointer), [&](auto operands) {
            auto tuple = operands->template isa<Tuple>();
            if (!tuple || std::ranges::count(tuple->ops(), pointer) != 1) return false;
            return std::ranges::all_of(program().users(tuple), [&](auto user) {
                if (uses) uses->push_back(user);
                if (match<load>(user) || match<store>(user)) return tuple->op(1) == pointer;
                return match<lea>(user) && (!uses || isa_lit(tuple->op(1))) && find_uses(user, nullptr);
            });
        });
    }

    Elements& elements(const Def* op) {
        auto& elems = plans_.at(op);
        if (elems.token) return elems;
        auto& w    = world();
        auto type  = group(op, 0);
        auto as    = rewrite(group(op, 1));
        auto token = rewrite(arg_of(op));
        DefVec pointers;
        for (int64_t i = 0, n = lit_arity(w, type); i < n; ++i) {
            auto made = w.apply<local>(elem_decl(w, type, size_t(i)), as, token);
            token     = w.extract(made, 0);
            pointers.push_back(w.extract(made, 1));
        }
        return elems = {token, std::move(pointers)};
    }

    const Def* load_all(const Elements& elems, const Def* token) {
        DefVec values;
        for (auto pointer : elems.pointers) {
            auto loaded = world().call<load>({token, pointer});
            token       = world().extract(loaded, 0);
            values.push_back(world().extract(loaded, 1));
        }
        return world().tuple({token, world().tuple(values)});
    }

    const Def* store_all(const Elements& elems, const Def* token, const Def* value) {
        for (size_t i = 0; i < elems.pointers.size(); ++i)
            token = world().call<store>({token, elems.pointers[i], world().extract(value, i)});
        return token;
    }

    std::unordered_map<const Def*, Elements> plans_;      ///< by slot
    std::unordered_map<const Def*, const Def*> pointers_; ///< operation on the pointer of a slot ↦ that slot
};

} // namespace

/// With --checked, memory is watched as the program lays it out.
void split(PhaseContext& c) {
    if (!c.world.keeps_traps && occurs<local>(c.program())) Split(c).run();
}

} // namespace mim::plug::mem
