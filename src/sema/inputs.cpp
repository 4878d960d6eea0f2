// SPDX-License-Identifier: MIT
#include "sema/inputs.h"

#include <algorithm>

namespace mim {

namespace {
/// The part of an argument where `«i: n; body»` is expected, whose length `n` is an implicit argument.
struct List {
    uint64_t number; ///< of that implicit argument
    const Arr* pattern;
    const Def* type;
};

class Inputs {
public:
    Inputs(World& world, const Pi* pi)
        : world_(world)
        , var_(pi->var()) {}

    /// Collects the lists in the argument.
    void look_at(const Def* pattern, const Def* type) {
        if (!pattern->has(Def::HasDep) || type->is_unstable()) return;
        if (auto sigma = pattern->isa<Sigma>()) return look_at_each(sigma, type);
        if (auto pi = pattern->isa<Pi>()) {
            auto other = type->isa<Pi>();
            if (!other) return;
            look_at(pi->dom(), other->dom());
            if (!other->is_mut()) look_at(pi->codom(), other->codom());
            return;
        }
        auto array = pattern->isa<Arr>();
        if (!array) return;
        if (!array->is_mut()) return look_at_each(array, type);
        auto number = implicit_argument(array->arity());
        if (number && !type->is_mut()) lists_.push_back({number->value(), array, type});
    }

    std::vector<uint64_t> that_are_one() const {
        std::vector<uint64_t> result;
        for (auto& list : lists_) {
            bool is_new = std::ranges::find(result, list.number) == result.end();
            if (is_new && !fits_many(list.number) && fits_one(list.number)) result.push_back(list.number);
        }
        return result;
    }

private:
    void look_at_each(const Def* pattern, const Def* type) {
        auto n     = lit_arity(world_, pattern);
        bool is_in = n == lit_arity(world_, type) && n > 1 && !type->is_mut();
        if (!is_in || (pattern->isa<Arr>() && n > MaxElems)) return;
        for (size_t i = 0; i != static_cast<size_t>(n); ++i) look_at(elem(pattern, i), elem(type, i));
    }
    static const Def* elem(const Def* type, size_t i) {
        auto array = type->isa<Arr>();
        return array ? array->body() : type->isa<Sigma>() ? type->op(i) : type;
    }

    const Lit* implicit_argument(const Def* def) const {
        auto extract = def->isa<Extract>();
        return extract && extract->tuple() == var_ ? isa_lit(extract->index()) : nullptr;
    }

    /// `Ts` of `Ts#i`, the type of an element of the list; null if the body is another type.
    static const Def* types_of(const Def* body, const Arr* list) {
        auto extract = body->isa<Extract>();
        return extract && extract->index() == list->var() ? extract->tuple() : nullptr;
    }

    /*
     * as many as the argument has elements
     */

    bool fits_many(uint64_t number) const {
        auto first = std::ranges::find(lists_, number, &List::number);
        auto n     = arity(world_, first->type);
        auto lit   = isa_lit(n);
        if (lit && lit->value() > MaxElems) return true; // to look at each takes time
        auto has_other_arity = [&](auto& list) { return list.number == number && !equal(world_, arity(world_, list.type), n); };
        if (std::ranges::any_of(lists_, has_other_arity)) return false;
        auto num_elems = lit ? lit->value() : 1; // of which each stands for all
        for (size_t i = 0; i != num_elems; ++i)
            if (!do_all_fit(number, [&](auto type) { return elem(type, i); })) return false;
        return true;
    }
    bool fits_one(uint64_t number) const {
        return do_all_fit(number, [](auto type) { return type; });
    }

    /// Whether what is chosen of the argument's types may be what the bodies of the lists are.
    bool do_all_fit(uint64_t number, const auto& choose) const {
        return std::ranges::all_of(lists_, [&](auto& list) {
            if (list.number != number) return true;
            auto known = [&](const Def* types) -> const Def* {
                for (auto& other : lists_)
                    if (other.number == number && types_of(other.pattern->body(), other.pattern) == types)
                        return choose(other.type);
                return nullptr;
            };
            return may_be(list.pattern->body(), list.pattern, choose(list.type), known);
        });
    }

    /// `known`: the type that `Ts#i` is in another list, or null.
    bool may_be(const Def* body, const Arr* list, const Def* type, const auto& known) const {
        if (type->is_mut() || type->is_unstable()) return true;
        auto layer = type->isa<Arr>();
        if (auto types = types_of(body, list)) {
            auto other = known(types);
            return !other || other->is_unstable() || equal(world_, other, type);
        }
        if (auto array = body->isa<Arr>(); array && !array->is_mut()) {
            bool is_one_layer = array->arity()->type() == world_.nat();
            if (is_one_layer) return may_be(array->body(), list, layer ? layer->body() : type, known);
            for (; layer; type = layer->body(), layer = type->isa<Arr>())
                if (may_be(array->body(), list, type, known)) return true;
            return may_be(array->body(), list, type, known);
        }
        bool is_single = body->isa<App>() && !body->has(Def::HasHole);
        return !is_single || (!layer && !type->isa<Sigma>());
    }

    static constexpr int64_t MaxElems = 64;

    World& world_;
    const Def* var_;
    std::vector<List> lists_;
};
} // namespace

/// `{n: Nat, Ts: «n; *»}`
static bool has_number_of_types(const Pi* pi) {
    auto is_list = [](const Def* type) { return type->isa<Arr>() && type->has(Def::HasDep); };
    return pi->var() && pi->dom()->isa<Sigma>() && pi->dom()->is_mut() && std::ranges::any_of(pi->dom()->ops(), is_list);
}

std::vector<uint64_t> numbers_that_are_one(World& world, const Pi* pi, std::span<const Arg> args) {
    if (!has_number_of_types(pi)) return {};
    Inputs inputs(world, pi);
    const Def* type = pi->codom();
    for (auto& arg : args) {
        auto p = type->isa<Pi>();
        while (p && p->is_implicit() && !arg.ast->explicit_implicit) p = (type = p->codom())->isa<Pi>();
        if (!p) break;
        if (arg.res) inputs.look_at(p->dom(), arg.res.def->type());
        type = p->codom();
    }
    return inputs.that_are_one();
}

} // namespace mim
