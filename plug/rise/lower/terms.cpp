// SPDX-License-Identifier: MIT
#include "lower/terms.h"

#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "rise/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::rise {

CodeRef Terms::term(const Def* def, const ScopeRef& scope) {
    std::vector<const void*> key;
    for (auto var : free_vars(w, def)) {
        auto value = scopes_.find(var, scope);
        key.push_back(value ? value->get() : nullptr);
    }
    auto& code = known_[{def, key}];
    if (code) return code;
    auto result = made(def, scope);
    alive_.push_back(result);
    for (auto s = scope; s; s = s->outer) alive_.push_back(s->value);
    return known_[{def, std::move(key)}] = result;
}

CodeRef Terms::apply(const Def* f, const std::vector<CodeRef>& args, const ScopeRef& scope) {
    auto inner = scope;
    for (auto& arg : args) {
        auto lam = isa_known(f);
        if (!lam) throw NoCode("a function is not known", f);
        inner = scopes_.bound(lam->var(), arg, inner);
        f     = lam->body();
    }
    return term(f, inner);
}

CodeRef Terms::call(const Def* f, const std::vector<CodeRef>& args) { return apply(f, args, {}); }

CodeRef Terms::stored(const Def* type, const CodeRef& c) { return c_.load(type, c_.store(type, c)); }

CodeRef Terms::folded(const Def* type, const Def* n, const CodeRef& start,
                      const std::function<CodeRef(CodeRef, const Def*)>& step) {
    auto state = c_.memory_type(type);
    auto size  = c_.size(n);
    auto turn  = w.idx(size);
    auto lam   = w.mut_lam(w.pi(w.sigma({state, turn}), state));
    auto acc   = c_.parts(type, w.extract(lam->var(), 0));
    auto index = w.call<core::bitcast>(c_.i64(), w.extract(lam->var(), 1));
    w.set(lam, w.tt(), c_.all_of(type, step(acc, index)));
    auto each = w.mut_lam(w.pi(turn, turn));
    w.set(each, w.tt(), each->var());
    auto turns = w.apply<tensor::generate>({w.lit_nat(1)}, {size}, {turn}, {w.seal(each)});
    auto all   = w.apply<tensor::fold>({state, turn}, {w.seal(lam)}, {size}, {c_.all_of(type, start), turns});
    return c_.parts(type, all);
}

// ---- scalars

CodeRef Terms::lifted(const Def* type, const DefVec& parts, const ScopeRef& s, OfLanes f) {
    std::vector<CodeRef> codes;
    for (auto part : parts) codes.push_back(term(part, s));
    auto vector = isa_vector(w, type);
    if (!vector) return c_.scalar(f(type, map_defs(codes, [](auto& c) { return c->scalar; })));
    return c_.array([=, this](const Def* i) {
        return c_.scalar(f(vector.elem, map_defs(codes, [&](auto& c) { return c->element(i)->scalar; })));
    });
}

CodeRef Terms::number(const Def* app, const ScopeRef& s) {
    auto op = sub_of(app);
    return lifted(arg_of(app)->type(), {group(app, 1), group(app, 2)}, s, [=, this](const Def* type, const DefVec& x) {
        return arithmetic_.number(op, scalar_of(type), type, x[0], x[1]);
    });
}
CodeRef Terms::unary(const Def* app, const ScopeRef& s) {
    auto op = sub_of(app);
    return lifted(arg_of(app)->type(), {group(app, 1)}, s,
                  [=, this](const Def* type, const DefVec& x) { return arithmetic_.unary(op, scalar_of(type), type, x[0]); });
}
CodeRef Terms::fma(const Def* app, const ScopeRef& s) {
    DefVec parts{group(app, 1), group(app, 2), group(app, 3)};
    return lifted(arg_of(app)->type(), parts, s,
                  [this](const Def* type, const DefVec& x) { return arithmetic_.fma(type, x[0], x[1], x[2]); });
}
CodeRef Terms::compare(const Def* app, const ScopeRef& s) {
    auto op = sub_of(app);
    return lifted(arg_of(app)->type(), {group(app, 1), group(app, 2)}, s, [=, this](const Def* type, const DefVec& x) {
        return arithmetic_.compare(op, scalar_of(type), type, x[0], x[1]);
    });
}

// ---- lanes

CodeRef Terms::vec_logic(const Def* app, const ScopeRef& s) {
    bool is_and = rise::vec_logic(sub_of(app)) == rise::vec_logic::conj;
    return lifted(app->type(), {group(app, 1), group(app, 2)}, s, [=, this](const Def*, const DefVec& x) {
        return is_and ? w.select(x[0], x[1], w.ff()) : w.select(x[0], w.tt(), x[1]);
    });
}
CodeRef Terms::vec_not(const Def* app, const ScopeRef& s) {
    return lifted(app->type(), {group(app, 1)}, s,
                  [this](const Def*, const DefVec& x) { return w.select(x[0], w.ff(), w.tt()); });
}
CodeRef Terms::vec_select(const Def* app, const ScopeRef& s) {
    DefVec parts{group(app, 1), group(app, 2), group(app, 3)};
    return lifted(app->type(), parts, s, [this](const Def*, const DefVec& x) { return w.select(x[0], x[1], x[2]); });
}
CodeRef Terms::vector_from_scalar(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    return c_.array([=](const Def*) { return x; });
}

CodeRef Terms::logic(const Def* app, const ScopeRef& s) {
    auto a = scalar(group(app, 0), s), b = scalar(group(app, 1), s);
    bool is_and = rise::logic(sub_of(app)) == rise::logic::conj;
    return c_.scalar(is_and ? w.select(a, b, w.ff()) : w.select(a, w.tt(), b));
}
CodeRef Terms::negation(const Def* app, const ScopeRef& s) { return c_.scalar(w.select(scalar(arg_of(app), s), w.ff(), w.tt())); }
CodeRef Terms::select(const Def* app, const ScopeRef& s) {
    auto condition = scalar(group(app, 1), s);
    auto a         = term(group(app, 2), s);
    return c_.choose(app->type(), condition, a, term(group(app, 3), s));
}
CodeRef Terms::cast(const Def* app, const ScopeRef& s) {
    auto vector = isa_vector(w, app->type());
    auto to     = vector ? vector.elem : app->type();
    return lifted(arg_of(app)->type(), {group(app, 1)}, s,
                  [=, this](const Def* from, const DefVec& x) { return arithmetic_.cast(from, to, x[0]); });
}
CodeRef Terms::literal(const Def* app, const ScopeRef&) {
    auto type = c_.scalar_type(app->type());
    auto n    = *value(operand(w, app, 1));
    return c_.scalar(type == c_.i64() ? c_.word(n) : w.lit_idx(isa_idx(type), n));
}
CodeRef Terms::nat_as_index(const Def* app, const ScopeRef& s) {
    return c_.scalar(c_.rem(scalar(arg_of(app), s), c_.size_word(group(app, 0))));
}
CodeRef Terms::lidx(const Def* app, const ScopeRef&) { return c_.scalar(c_.size_word(operand(w, app, 0))); }

// ---- names and pairs

CodeRef Terms::same(const Def* app, const ScopeRef& s) { return term(arg_of(app), s); }
CodeRef Terms::to_mem(const Def* app, const ScopeRef& s) { return stored(app->type(), term(arg_of(app), s)); }
CodeRef Terms::let(const Def* app, const ScopeRef& s) {
    auto x = group(app, 1);
    return apply(arg_of(app), {stored(x->type(), term(x, s))}, s);
}
CodeRef Terms::pair(const Def* app, const ScopeRef& s) {
    auto first = term(group(app, 1), s);
    return c_.pair(first, term(group(app, 2), s));
}
CodeRef Terms::fst(const Def* app, const ScopeRef& s) { return term(arg_of(app), s)->first; }
CodeRef Terms::snd(const Def* app, const ScopeRef& s) { return term(arg_of(app), s)->second; }
CodeRef Terms::map_fst(const Def* app, const ScopeRef& s) {
    auto p = term(arg_of(app), s);
    return c_.pair(apply(group(app, 1), {p->first}, s), p->second);
}
CodeRef Terms::map_snd(const Def* app, const ScopeRef& s) {
    auto p = term(arg_of(app), s);
    return c_.pair(p->first, apply(group(app, 1), {p->second}, s));
}
CodeRef Terms::make_array(const Def* app, const ScopeRef& s) {
    auto [size, elem] = elems<2>(w, group(app, 0));
    auto n            = *value(size);
    auto elem_type    = elem;
    if (n == 0) return c_.array([=, this](const Def*) { return any_value(elem_type); });
    std::vector<DefVec> columns;
    for (uint64_t i = 0; i != n; ++i) {
        auto leaves = c_.store(elem, term(n == 1 ? arg_of(app) : operand(w, app, i), s));
        columns.resize(leaves.size());
        for (size_t j = 0; j != leaves.size(); ++j) columns[j].push_back(leaves[j]);
    }
    return c_.load(app->type(), map_defs(columns, [&](auto& column) { return w.tuple(column); }));
}

// ---- loops

CodeRef Terms::map(const Def* app, const ScopeRef& s) {
    auto x = term(arg_of(app), s);
    auto f = arg_of(callee_of(app));
    return c_.array([=, this](const Def* i) { return apply(f, {x->element(i)}, s); });
}

/// `reduce` and `reduce_seq`: the last groups are the same.
CodeRef Terms::reduce(const Def* app, const ScopeRef& s) {
    auto x     = term(arg_of(app), s);
    auto n     = isa_array(w, arg_of(app)->type()).size;
    auto start = term(arg_of(callee_of(app)), s);
    auto f     = arg_of(callee_of(callee_of(app)));
    return folded(app->type(), n, start, [&](const CodeRef& acc, const Def* i) { return apply(f, {acc, x->element(i)}, s); });
}

/// The array grows in place.
CodeRef Terms::scan_seq(const Def* app, const ScopeRef& s) {
    auto x     = term(arg_of(app), s);
    auto start = term(group(app, 2), s);
    auto array = isa_array(w, app->type());
    auto state = c_.memory_type(array.elem);
    auto size  = c_.size(array.size);
    auto turn  = w.idx(size);
    auto lam   = w.mut_lam(w.pi(w.sigma({state, turn}), state));
    auto acc   = c_.parts(array.elem, w.extract(lam->var(), 0));
    auto index = w.call<core::bitcast>(c_.i64(), w.extract(lam->var(), 1));
    w.set(lam, w.tt(), c_.all_of(array.elem, apply(group(app, 1), {x->element(index), acc}, s)));
    auto each = w.mut_lam(w.pi(turn, turn));
    w.set(each, w.tt(), each->var());
    auto turns = w.apply<tensor::generate>({w.lit_nat(1)}, {size}, {turn}, {w.seal(each)});
    auto all   = w.apply<tensor::scan>({state, turn}, {w.seal(lam)}, {size}, {c_.all_of(array.elem, start), turns});
    return c_.array([=, this](const Def* i) {
        auto at = w.call<core::bitcast>(turn, i);
        return c_.parts(array.elem, w.apply<tensor::get>({w.lit_nat(1), size, state}, {all, at}));
    });
}

/// A loop of as many steps. Its array keeps the length that it begins with, and each step changes the part in front.
CodeRef Terms::iterate_loop(const Def* app, const ScopeRef& s) {
    auto k            = group(app, 0);
    auto [m, n, elem] = elems<3>(w, group(app, 1));
    auto elem_type    = elem;
    auto result       = m;
    auto factor       = n;
    auto step         = [=, this, &s](const CodeRef& all, const Def* turn) {
        auto done   = w.call(core::nat::add, {w.call<core::bitcast>(w.nat(), turn), w.lit_nat(1)});
        auto left   = w.call(core::nat::sub, {k, done});
        auto length = w.call(core::nat::mul, {result, w.apply(nat::pow, {factor, left})});
        auto front  = apply(w.app(group(app, 2), length), {all}, s);
        auto end    = c_.size_word(length);
        return c_.array(
            [=, this](const Def* i) { return c_.choose(elem_type, c_.less(i, end), front->element(i), all->element(i)); });
    };
    auto x = arg_of(app);
    return folded(x->type(), k, term(x, s), step);
}

CodeRef Terms::iterate(const Def* app, const ScopeRef& s) {
    auto k = value(group(app, 0));
    if (!k) return iterate_loop(app, s);
    auto [m, n, elem] = elems<3>(w, group(app, 1));
    auto x            = term(arg_of(app), s);
    for (uint64_t i = 0; i != *k; ++i) {
        auto l = m;
        for (uint64_t j = i + 1; j != *k; ++j) l = w.call(core::nat::mul, {l, n});
        auto f    = w.app(group(app, 2), l);
        auto type = w.apply<Arr>({l, elem});
        x         = stored(type, apply(f, {x}, s));
    }
    return x;
}

CodeRef Terms::generate(const Def* app, const ScopeRef& s) {
    auto f = arg_of(app);
    return c_.array([=, this](const Def* i) { return apply(f, {c_.scalar(i)}, s); });
}

const Terms::Row Terms::rows[] = {
#define RISE_ROW(Axiom, Method) {AnnexTraits<rise::Axiom>::plugin, AnnexTraits<rise::Axiom>::tag, &Terms::Method}
    RISE_ROW(number, number),
    RISE_ROW(unary, unary),
    RISE_ROW(fma, fma),
    RISE_ROW(vec_compare, compare),
    RISE_ROW(vec_logic, vec_logic),
    RISE_ROW(vec_not, vec_not),
    RISE_ROW(vec_select, vec_select),
    RISE_ROW(vector_from_scalar, vector_from_scalar),
    RISE_ROW(as_vector, split),
    RISE_ROW(as_scalar, join),
    RISE_ROW(pad_empty, pad_empty),
    RISE_ROW(reorder, reorder),
    RISE_ROW(compare, compare),
    RISE_ROW(logic, logic),
    RISE_ROW(not_, negation),
    RISE_ROW(select, select),
    RISE_ROW(cast, cast),
    RISE_ROW(unsigned_, literal),
    RISE_ROW(index_as_nat, same),
    RISE_ROW(nat_as_index, nat_as_index),
    RISE_ROW(lidx, lidx),
    RISE_ROW(id, same),
    RISE_ROW(let, let),
    RISE_ROW(to_mem, to_mem),
    RISE_ROW(ocl_run, same),
    RISE_ROW(pair, pair),
    RISE_ROW(fst, fst),
    RISE_ROW(snd, snd),
    RISE_ROW(map_fst, map_fst),
    RISE_ROW(map_snd, map_snd),
    RISE_ROW(make_array, make_array),
    RISE_ROW(map, map),
    RISE_ROW(map_level, map),
    RISE_ROW(reduce, reduce),
    RISE_ROW(reduce_seq, reduce),
    RISE_ROW(scan_seq, scan_seq),
    RISE_ROW(iterate, iterate),
    RISE_ROW(generate, generate),
    RISE_ROW(idx, idx),
    RISE_ROW(zip, zip),
    RISE_ROW(unzip, unzip),
    RISE_ROW(transpose, transpose),
    RISE_ROW(split, split),
    RISE_ROW(join, join),
    RISE_ROW(take, take),
    RISE_ROW(drop, drop),
    RISE_ROW(concat, concat),
    RISE_ROW(slide, slide),
    RISE_ROW(gather, gather),
    RISE_ROW(scatter, scatter),
    RISE_ROW(pad_cst, pad_cst),
    RISE_ROW(pad_clamp, pad_clamp),
#undef RISE_ROW
};

CodeRef Terms::made(const Def* def, const ScopeRef& scope) {
    if (auto known = scopes_.find(def, scope)) return *known;
    if (auto axm = saturated_axiom(def)) {
        auto& id = axm->axiom().id;
        for (auto& row : rows)
            if (row.plugin == id.plugin && row.tag == id.tag) return (this->*row.run)(def, scope);
    }
    if (def->type()->isa<mim::Nat>()) return c_.scalar(c_.size_word(def));
    if (def->isa<Lit>()) return c_.scalar(def);
    throw NoCode("this is no term of RISE", def);
}

} // namespace mim::plug::rise
