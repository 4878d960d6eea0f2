// SPDX-License-Identifier: MIT
// mim::equal against an oracle that is too simple to be wrong: both sides are unfolded to trees, binder by binder, down to some depth. The
// functions and types are random: groups of them that call each other and are open in each other's variables; and a variant of each
// group, in which some are copied and, in most cases, a few variables or calls are others.
#include <doctest/doctest.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/recursive.h"
#include "ir/world.h"
#include "unit/samples.h"

using namespace mim;

namespace {

/// Deterministic: the same numbers everywhere.
class Random {
public:
    explicit Random(uint64_t seed)
        : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
    size_t below(size_t n) {
        state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
        return static_cast<size_t>((state_ * 0x2545f4914f6cdd1dull >> 33) % n);
    }

private:
    uint64_t state_;
};

/*
 * the oracle
 */

class Unfolding {
public:
    /// Variables stand for the number of the entry of their binder.
    using Env = std::unordered_map<const Def*, size_t>;

    explicit Unfolding(size_t budget)
        : budget_(budget) {}

    /// Whether no difference is found `depth` binders deep.
    bool same(const Def* a, const Env& x, const Def* b, const Env& y, size_t depth) {
        if (a->isa<Var>() && b->isa<Var>()) {
            auto i = x.find(a), j = y.find(b);
            if (i == x.end() || j == y.end()) return i == x.end() && j == y.end() && a == b;
            return i->second == j->second;
        }
        auto repeated = [](const Def* several, const Def* one) {
            bool is_pair = (several->isa<Sigma>() && one->isa<Arr>()) || (several->isa<Tuple>() && one->isa<Pack>());
            return is_pair && isa_lit(one->op(0))->value() == several->num_ops();
        };
        bool left = repeated(b, a), right = repeated(a, b);
        if (!left && !right && (a->node() != b->node() || a->num_ops() != b->num_ops())) return false;
        if (a->isa<Lit>() || a->num_ops() == 0) return a == b;
        if (a->is_mut() || b->is_mut()) {
            if (depth == 0 || budget_ == 0) return true;
            --depth, --budget_;
            auto inner_x = x, inner_y = y;
            ++entries_;
            if (a->is_mut()) inner_x[a->var()] = entries_;
            if (b->is_mut()) inner_y[b->var()] = entries_;
            return elements(a, inner_x, b, inner_y, depth, left, right);
        }
        return elements(a, x, b, y, depth, left, right);
    }

private:
    bool elements(const Def* a, const Env& x, const Def* b, const Env& y, size_t depth, bool left, bool right) {
        for (size_t i = 0, n = left ? b->num_ops() : a->num_ops(); i < n; ++i)
            if (!same(left ? a->op(1) : a->op(i), x, right ? b->op(1) : b->op(i), y, depth)) return false;
        return true;
    }

    size_t budget_, entries_ = 0;
};

/// Compares to increasing depths, so that it finds a difference near the root first, however wide the trees are.
bool unfold_alike(const Def* a, const Def* b) {
    for (size_t depth : {2, 4, 6, 8, 12, 24})
        if (!Unfolding(3000).same(a, {}, b, {}, depth)) return false;
    return true;
}

/*
 * functions
 */

/// A function of the group is nested in another one, or in none.
struct Term {
    enum Kind { Literal, Variable, Call, Add } kind;
    size_t index; ///< the literal, or whose variable, or which function
    std::vector<Term> args = {};
};
struct Function {
    size_t parent;
    Term body = {Term::Literal, 0};
};
using Group           = std::vector<Function>;
constexpr size_t None = ~size_t(0);

/// `inner` is nested in `outer`, or is it.
bool is_inside(const Group& group, size_t inner, size_t outer) {
    for (; inner != None; inner = group[inner].parent)
        if (inner == outer) return true;
    return false;
}

std::vector<size_t> visible_vars(const Group& group, size_t here) {
    std::vector<size_t> res;
    for (; here != None; here = group[here].parent) res.push_back(here);
    return res;
}

std::vector<size_t> visible_functions(const Group& group, size_t here) {
    std::vector<size_t> res;
    for (size_t i = 0; i < group.size(); ++i)
        if (group[i].parent == None || is_inside(group, here, group[i].parent)) res.push_back(i);
    return res;
}

Term random_term(const Group& group, size_t here, Random& random, size_t depth) {
    auto vars = visible_vars(group, here), functions = visible_functions(group, here);
    auto kind = random.below(depth == 0 ? 3 : 8);
    if (kind == 0) return {Term::Literal, random.below(2)};
    if (kind <= 2) return {Term::Variable, vars[random.below(vars.size())]};
    if (kind <= 5) return {Term::Call, functions[random.below(functions.size())], {random_term(group, here, random, depth - 1)}};
    return {Term::Add, 0, {random_term(group, here, random, depth - 1), random_term(group, here, random, depth - 1)}};
}

Group random_group(Random& random) {
    Group group;
    auto n = 2 + random.below(4);
    for (size_t i = 0; i < n; ++i) group.push_back({i == 0 ? None : random.below(i + 1) - 1});
    for (auto& f : group)
        if (f.parent != None && f.parent >= n) f.parent = None;
    for (size_t i = 0; i < n; ++i) group[i].body = random_term(group, i, random, 3);
    return group;
}

template<class F>
void each_term(Term& term, F f) {
    f(term);
    for (auto& arg : term.args) each_term(arg, f);
}

/// Copies a function and what is nested in it; some of its callers call the copy.
void copy_one(Group& group, Random& random) {
    auto original = random.below(group.size());
    std::unordered_map<size_t, size_t> copies;
    for (size_t i = 0, n = group.size(); i < n; ++i) {
        if (!is_inside(group, i, original)) continue;
        copies[i] = group.size();
        group.push_back(group[i]);
    }
    auto renamed = [&](size_t i) { return copies.contains(i) ? copies[i] : i; };
    for (auto [from, to] : copies) {
        if (from != original) group[to].parent = copies[group[from].parent];
        each_term(group[to].body, [&](Term& t) {
            if (t.kind == Term::Variable || (t.kind == Term::Call && t.index != original)) t.index = renamed(t.index);
        });
    }
    for (auto& f : group)
        each_term(f.body, [&](Term& t) {
            if (t.kind == Term::Call && t.index == original && random.below(2) == 0) t.index = copies[original];
        });
}

/// Where a function calls one that is around it, a function in there takes its place. It has the same body, but what is nested in the
/// function around it does not get its argument.
void nest_one(Group& group, Random& random) {
    auto here = random.below(group.size());
    std::vector<Term*> calls;
    each_term(group[here].body, [&](Term& t) {
        if (t.kind == Term::Call && is_inside(group, here, t.index)) calls.push_back(&t);
    });
    if (calls.empty()) return;
    auto& call  = *calls[random.below(calls.size())];
    auto around = std::exchange(call.index, group.size());
    Function copy{around, group[around].body};
    each_term(copy.body, [&](Term& t) {
        if (t.kind == Term::Variable && t.index == around) t.index = group.size();
    });
    group.push_back(copy);
}

/// Another variable or function somewhere.
void change_one(Group& group, Random& random) {
    auto here = random.below(group.size());
    std::vector<Term*> terms;
    each_term(group[here].body, [&](Term& t) { terms.push_back(&t); });
    auto& term = *terms[random.below(terms.size())];
    auto names = term.kind == Term::Call ? visible_functions(group, here) : visible_vars(group, here);
    if (term.kind == Term::Call || term.kind == Term::Variable) term.index = names[random.below(names.size())];
}

class Builder {
public:
    explicit Builder(World& world)
        : w_(world)
        , type_(world.pi(world.nat(), world.nat())->as<Pi>())
        , add_(Axiom{}) {
        add_.name  = world.sym("%test.add");
        add_.curry = 1;
        axm_       = world.axm(&add_, world.pi(world.arr(2, world.nat()), world.nat()));
    }

    const Lam* build(const Group& group) {
        std::vector<Lam*> lams;
        for (size_t i = 0; i < group.size(); ++i) {
            lams.push_back(w_.mut_lam(type_));
            w_.set_filter(lams.back(), w_.ff());
        }
        for (size_t i = group.size(); i-- > 0;) w_.set_body(lams[i], term(lams, group[i].body));
        w_.close(lams);
        return lams[0];
    }

private:
    const Def* term(const std::vector<Lam*>& lams, const Term& t) {
        switch (t.kind) {
            case Term::Literal: return w_.lit_nat(t.index);
            case Term::Variable: return lams[t.index]->var();
            case Term::Call: return w_.app(lams[t.index], term(lams, t.args[0]));
            case Term::Add: return w_.app(axm_, {term(lams, t.args[0]), term(lams, t.args[1])});
        }
        return nullptr;
    }

    World& w_;
    const Pi* type_;
    Axiom add_;
    const Def* axm_;
};

/*
 * types
 */

/// rec T0 = … and …: tuples of numbers of these sizes and of functions that return other types of the group.
using Shape = std::vector<std::vector<size_t>>; ///< for each element of each type, which size or which type
std::vector<const Def*> tied_types(World& w, Defs sizes, const Shape& shape) {
    std::vector<const Def*> holes, bodies;
    for (size_t i = 0; i < shape.size(); ++i) holes.push_back(w.holes.make(w.star()));
    for (auto& elems : shape) {
        std::vector<const Def*> types;
        for (auto e : elems)
            types.push_back(e < sizes.size() ? w.idx(sizes[e]) : w.pi(w.unit_type(), holes[(e - sizes.size()) % holes.size()]));
        bodies.push_back(w.sigma(types));
    }
    tie_recursive(w, holes, bodies);
    return bodies;
}

} // namespace

TEST_CASE("equality of functions against unfolding") {
    size_t num_equal = 0, num_different = 0;
    for (uint64_t seed = 1; seed <= 4000; seed += unit::stride) {
        Random random(seed);
        World w;
        Builder builder(w);
        auto group   = random_group(random);
        auto variant = group;
        for (size_t n = random.below(3); n-- > 0 && variant.size() < 12;) copy_one(variant, random);
        auto num_changes = random.below(4);
        for (size_t i = 0; i < num_changes; ++i) random.below(2) == 0 ? change_one(variant, random) : nest_one(variant, random);
        auto a = builder.build(group), b = builder.build(variant);
        bool res = equal(w, a, b), expected = unfold_alike(a, b);
        INFO("seed ", seed);
        CHECK(res == expected);
        CHECK(equal(w, b, a) == res);
        if (num_changes == 0) CHECK(res);
        ++(res ? num_equal : num_different);
    }
    CHECK(num_equal > unit::samples(1000));
    CHECK(num_different > unit::samples(200));
}

TEST_CASE("equality of recursive types against unfolding") {
    size_t num_equal = 0, num_different = 0;
    for (uint64_t seed = 1; seed <= 4000; seed += unit::stride) {
        Random random(seed);
        World w;
        auto open = w.mut_lam(w.pi(w.nat(), w.nat()));
        std::vector<const Def*> sizes{w.lit_nat(3), open->var()};
        auto shape = [&] {
            Shape res(1 + random.below(4));
            for (auto& elems : res) {
                elems.push_back(random.below(8) == 0 ? 0 : 1);
                for (size_t n = 1 + random.below(2); n-- > 0;) elems.push_back(2 + random.below(4));
            }
            return res;
        };
        auto a = tied_types(w, sizes, shape())[0], b = tied_types(w, sizes, shape())[0];
        bool res = equal(w, a, b);
        INFO("seed ", seed);
        CHECK(res == unfold_alike(a, b));
        CHECK(equal(w, b, a) == res);
        ++(res ? num_equal : num_different);
        // a choice of equal types is that type
        auto index = w.mut_lam(w.pi(w.bool_type(), w.nat()))->var();
        CHECK((w.extract(w.tuple({a, b}), index) == a) == (res || a == b));
    }
    CHECK(num_equal > unit::samples(300));
    CHECK(num_different > unit::samples(1000));
}

TEST_CASE("members of unions are compared without leaving assumptions behind") {
    World w;
    // [n: Nat] → [Idx n, Nat] and [n: I8] → [Idx 3, Nat] differ, whatever else two unions have in common
    auto p_binder = w.mut_pi(w.nat());
    auto p        = w.seal(p_binder, w.sigma({w.idx(p_binder->var()), w.nat()}));
    auto q_binder = w.mut_pi(w.idx(256));
    auto q        = w.seal(q_binder, w.sigma({w.sing(q_binder->var()), w.nat()}));
    auto constant = [&](uint64_t n) {
        auto lam = w.mut_lam(w.pi(w.nat(), w.nat()));
        w.set(lam, w.ff(), w.lit_nat(n));
        w.close(std::span<Lam* const>(&lam, 1));
        return w.sing(lam);
    };
    auto f = constant(1), g = constant(2), g2 = constant(2), f2 = constant(1);
    auto members = [&](const Def* type, const Def* first, const Def* second) {
        const Def* ops[] = {w.sigma({type, first}), w.sigma({type, second})};
        return w.union_type(ops);
    };
    CHECK(equal(w, members(p, f, g), members(p, g2, f2)));
    CHECK(!equal(w, members(p, f, g), members(q, g2, f2)));
    CHECK(!equal(w, members(p, f, g), members(q, f2, g2)));
}
