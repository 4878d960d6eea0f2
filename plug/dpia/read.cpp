// SPDX-License-Identifier: MIT
// The continuation translation. The rest of the program gets a term without effects if it has no array; an array may have
// effects in its elements: they happen where an element is read.
#include "translate.h"

namespace mim::plug::dpia {

const Def* Translator::read(const Def* term, const Rest& rest) {
    if (!has_effect(term)) return rest(term);
    if (term->isa<Lam>()) return rest(term);
    return read_effect(term, rest);
}

const Def* Translator::read_for(const Def* reader, const Def* term, const Rest& rest) {
    auto outer  = std::exchange(reader_, reader && w.notes.span(reader) ? reader : reader_);
    auto result = read(term, [&](const Def* x) {
        reader_ = outer;
        return rest(x);
    });
    reader_     = outer;
    return result;
}

void Translator::check_stored(const Def* value, const Def* reader) {
    if (auto part = unstored(value)) throw Refused{Refused::NotStored, name(part), {}, part, reader};
}

const Def* Translator::read_effect(const Def* term, const Rest& rest) {
    if (auto span = w.notes.span(term)) place_ = span;
    bool is_identity = match<rise::iterate>(term) && is_value(group(term, 0), 0);
    if (is_identity) return read(arg_of(term), rest);
    if (is_written(term)) throw Refused{Refused::NotStored, name(term), {}, term, reader_};
    if (match<rise::reduce>(term)) throw Refused{Refused::NoChoice, "reduce", "take `reduceSeq`", term};
    if (match<rise::reduce_seq>(term)) return read_fold(term, rest);
    if (match<rise::to_mem>(term)) return read_to_mem(term, rest);
    if (match<rise::let>(term)) {
        Values values;
        return read_let(term, values, rest);
    }
    if (match<rise::id>(term)) return read(arg_of(term), rest);
    if (match<rise::idx>(term)) return read_idx(term, rest);
    if (match<rise::select>(term)) return read_select(term, rest);
    if (match<rise::fst>(term) || match<rise::snd>(term)) return read_projection(term, rest);
    if (match<rise::map_fst>(term) || match<rise::map_snd>(term)) return read_changed_pair(term, rest);
    return read_parts(term, 0, rest);
}

/// The parts from left to right, beginning with this one, then the term of what they are.
const Def* Translator::read_parts(const Def* term, size_t first, const Rest& rest) {
    for (size_t i = first, n = num_groups(term); i != n; ++i) {
        auto part = group(term, i);
        if (!has_effect(part) || part->isa<Lam>()) continue;
        bool is_group = part->isa<Tuple>() || part->isa<Pack>();
        if (is_group) refuse_element(term);
        return read_for(is_polymorphic(term) ? nullptr : term, part, [&](const Def* x) {
            const Def* head = saturated_axiom(term);
            for (size_t j = 0; j != n; ++j) head = w.app(head, j == i ? x : group(term, j));
            return read_parts(head, i + 1, rest);
        });
    }
    return rest(term);
}

void Translator::refuse_element(const Def* array) {
    if (auto part = unstored(array)) throw Refused{Refused::NotStored, name(part), {}, part, reader_};
    throw Refused{
        Refused::NoCode, "elements of `" + name(array) + "` are computed where they are read: store it with `toMem`", {}, array};
}

const Def* Translator::read_changed_pair(const Def* term, const Rest& rest) {
    auto f = group(term, 1);
    return read(arg_of(term), [&](const Def* p) {
        bool is_first = match<rise::map_fst>(term);
        auto result   = is_first ? pair(body_of(f, fst(p)), snd(p)) : pair(fst(p), body_of(f, snd(p)));
        return read(result, rest);
    });
}

const Def* Translator::read_idx(const Def* term, const Rest& rest) {
    return read_for(term, group(term, 1), [&](const Def* i) {
        return read_for(term, arg_of(term), [&](const Def* x) {
            if (!has_effect(x)) return rest(idx(i, x));
            return read(element(i, x), rest);
        });
    });
}

const Def* Translator::read_projection_of_read(const Def* term, const Rest& rest) {
    bool is_first = match<rise::fst>(term);
    return read_for(term, arg_of(term), [&](const Def* p) -> const Def* {
        if (!has_effect(p)) return rest(is_first ? fst(p) : snd(p));
        if (match<rise::pair>(p)) return read_for(term, group(p, is_first ? 1 : 2), rest);
        if (match<rise::unzip>(p)) {
            auto x = arg_of(p);
            check_stored(x, term);
            auto a    = array(x->type());
            auto part = [&](const Def* i) { return is_first ? fst(idx(i, x)) : snd(idx(i, x)); };
            auto type = pair(a.elem);
            return read(generate(a.size, is_first ? type.first : type.second, part), rest);
        }
        if (match<rise::select>(p)) {
            auto part = [&](size_t i) { return is_first ? fst(group(p, i)) : snd(group(p, i)); };
            return read(select(group(p, 1), part(2), part(3)), rest);
        }
        throw Refused{Refused::NoCode, "a part of `" + name(p) + "` is read: store it with `toMem`", {}, term};
    });
}

/// Of a pair, also of one in an array, only the part that is asked for is read.
const Def* Translator::read_projection(const Def* term, const Rest& rest) {
    bool is_first = match<rise::fst>(term);
    auto p        = arg_of(term);
    auto part     = [=, this](const Def* of) { return is_first ? fst(of) : snd(of); };
    if (match<rise::pair>(p)) return read_for(term, group(p, is_first ? 1 : 2), rest);
    if (!match<rise::idx>(p)) return read_projection_of_read(term, rest);
    return read(group(p, 1), [&](const Def* i) {
        return read(arg_of(p), [&](const Def* x) { return read(part(has_effect(x) ? element(i, x) : idx(i, x)), rest); });
    });
}

/// A value without arrays is assigned in both branches; an array selects for each element.
const Def* Translator::read_select(const Def* term, const Rest& rest) {
    if (has_array(term->type()))
        return read(group(term, 1), [&](const Def* c) { return rest(select(c, group(term, 2), group(term, 3))); });
    return with_new(private_space(), term->type(), "x", [&](auto value, auto acc) { return seq(write(term, acc), rest(value)); });
}

/// One term is one buffer in its scope.
const Def* Translator::read_to_mem(const Def* term, const Rest& rest) {
    if (auto known = filled_.find(term)) return rest(known);
    bool is_table = group(term, 0) == w.annex(rise::as::constant) && has_array(term->type());
    if (is_table) return rest(table(term));
    return with_new(group(term, 0), term->type(), "mem", [&](auto value, auto acc) {
        auto outer = std::exchange(stored_, term);
        auto fill  = write(arg_of(term), acc);
        stored_    = outer;
        filled_.add(term, value);
        return seq(fill, rest(value));
    });
}

const Def* Translator::table(const Def* to_mem) {
    auto array = arg_of(to_mem);
    if (!is_literal(array))
        throw Refused{
            Refused::NoCode, "`Constant` has arrays of literals, as `[1.0f, 2.0f]`: take `Private` or `Global`", {}, to_mem};
    return w.apply<dpia::table>({array->type()}, {array});
}

const Def* Translator::read_body_of(const Def* f, const Def* x, Values& values, const Rest& rest) {
    auto lam = isa_known(f);
    if (!lam) return read(body_of(closed(f, values), x), rest);
    values[lam->var()] = x;
    auto body          = lam->body();
    if (!match<rise::let>(body)) return read(closed(body, values), rest);
    if (auto span = w.notes.span(body)) place_ = span;
    return read_let(body, values, rest);
}

const Def* Translator::read_let(const Def* term, Values& values, const Rest& rest) {
    return read_for(term, closed(group(term, 1), values), [&](const Def* x) {
        check_stored(x, term);
        bool is_value = has_array(x->type()) || !x->isa<App>() || match<dpia::get>(x);
        if (is_value) return read_body_of(arg_of(term), x, values, rest);
        auto lam = isa_known(arg_of(term));
        auto id  = lam ? w.notes.name(lam->var()) : Symbol();
        return with_new(private_space(), x->type(), id.view().empty() ? "x" : id.view(), [&](auto value, auto acc) {
            auto assign = w.apply<dpia::assign>({x->type()}, {acc}, {exp(x)});
            return seq(assign, read_body_of(arg_of(term), value, values, rest));
        });
    });
}

const Def* Translator::read_fold(const Def* term, const Rest& rest) {
    auto f      = group(term, 2);
    auto start  = group(term, 3);
    auto n      = array(arg_of(term)->type()).size;
    auto reader = std::exchange(reader_, term);
    auto lam    = isa_known(f);
    auto name   = lam ? w.notes.name(lam->var()) : Symbol();
    auto result = read(arg_of(term), [&](const Def* x) {
        reader_ = reader;
        place_  = w.notes.span(term);
        check_stored(x, term);
        return with_new(group(term, 0), term->type(), name.view().empty() ? "accum" : name.view(), [&](auto value, auto acc) {
            auto begin       = write(start, acc);
            bool is_unrolled = match<rise::reduce_seq>(rise::reduce_seq::unroll, term);
            auto how         = is_unrolled ? dpia::for_::unroll : dpia::for_::loop;
            place_           = w.notes.span(term);
            auto turns = loop(how, n, "i", [&](auto i) { return write_body(f, body_of(body_of(f, value), idx(i, x)), acc); });
            return seq(seq(begin, turns), rest(value));
        });
    });
    reader_     = reader;
    return result;
}

/// Pushes the index through the views down to what has the effect.
const Def* Translator::element(const Def* i, const Def* x) {
    if (!has_effect(x)) return idx(i, x);
    if (match<rise::map>(rise::map::high, x)) return body_of(arg_of(callee_of(x)), element(i, arg_of(x)));
    if (match<rise::generate>(x)) {
        auto result = body_of(arg_of(x), i);
        check_stored(result, x);
        return result;
    }
    if (match<rise::zip>(x)) return pair(element(i, group(x, 1)), element(i, group(x, 2)));
    if (match<rise::select>(x)) return select(group(x, 1), element(i, group(x, 2)), element(i, group(x, 3)));
    if (auto result = element_of_view(i, x)) return result;
    refuse_element(x);
}

const Def* Translator::element_of_view(const Def* i, const Def* x) {
    auto y     = arg_of(x);
    auto from  = array(y->type());
    auto inner = array(array(x->type()).elem);
    auto at    = [&](const Def* n) { return index(from.size, n); };
    auto nat   = number(i);
    if (match<rise::transpose>(x)) return generate(inner.size, inner.elem, [&](auto j) { return idx(i, idx(j, y)); });
    if (match<rise::split>(x))
        return generate(inner.size, inner.elem, [&](auto j) { return idx(at(add(mul(nat, group(x, 0)), number(j))), y); });
    if (match<rise::slide>(x)) {
        auto step = elem(w, group(x, 0), 1);
        return generate(inner.size, inner.elem, [&](auto j) { return idx(at(add(mul(nat, step), number(j))), y); });
    }
    if (match<rise::join>(x)) {
        auto row = array(from.elem);
        auto q   = index(from.size, w.apply(rise::nat::div, {nat, row.size}));
        auto r   = index(row.size, w.apply(rise::nat::mod, {nat, row.size}));
        return idx(r, idx(q, y));
    }
    if (match<rise::take>(x)) return element(at(nat), y);
    if (match<rise::drop>(x)) return element(at(add(nat, group(x, 0))), y);
    if (match<rise::reorder>(x)) return idx(at(body_of(group(x, 1), nat)), y);
    if (match<rise::gather>(x)) return idx(idx(i, group(x, 1)), y);
    if (match<rise::concat>(x)) {
        auto first = group(x, 1);
        auto n     = array(first->type()).size;
        auto left  = idx(index(n, nat), first);
        return select(less(nat, n), left, idx(at(sub(nat, n)), y));
    }
    if (match<rise::pad_cst>(x)) {
        auto l      = elem(w, group(x, 0), 0);
        auto inside = idx(at(sub(nat, l)), y);
        auto right  = select(less(sub(nat, l), from.size), inside, group(x, 2));
        return select(less(nat, l), group(x, 2), right);
    }
    if (!match<rise::pad_clamp>(x)) return nullptr;
    auto l    = elem(w, group(x, 0), 0);
    auto last = sub(from.size, w.lit_nat(1));
    auto left = select(less(nat, l), w.lit_nat(0), w.apply(rise::nat::min, {sub(nat, l), last}));
    return idx(at(left), y);
}

} // namespace mim::plug::dpia
