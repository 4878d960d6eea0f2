// SPDX-License-Identifier: MIT
// Terms that are written in parts, or through the inverse of a view.
#include "translate.h"

namespace mim::plug::dpia {

const Def* Translator::write_pair(const Def* first, const Def* second, const Def* out) {
    auto types = arg_of(acc_data(out));
    auto a     = write(first, w.apply<dpia::pair_acc1>(types, {out}));
    return seq(a, write(second, w.apply<dpia::pair_acc2>(types, {out})));
}

const Def* Translator::write_view(const Def* term, const Def* out) {
    if (auto acc = through(term, out)) return write(arg_of(term), acc);
    auto types = [&] { return group(term, 0); };
    if (match<rise::zip>(term)) {
        auto first = write(group(term, 1), w.apply<dpia::zip_acc1>(types(), {out}));
        return seq(first, write(group(term, 2), w.apply<dpia::zip_acc2>(types(), {out})));
    }
    if (match<rise::concat>(term)) {
        auto first = write(group(term, 1), w.apply<dpia::take_acc>(types(), {out}));
        return seq(first, write(group(term, 2), w.apply<dpia::drop_acc>(types(), {out})));
    }
    if (match<rise::scatter>(term)) {
        auto to = [&](const Def* i) { return write(arg_of(term), w.apply<dpia::scatter_acc>(types(), {exp(i)}, {out})); };
        return read_for(term, group(term, 1), to);
    }
    if (match<rise::map_fst>(term))
        return read(arg_of(term), [&](auto p) { return write_pair(body_of(group(term, 1), fst(p)), snd(p), out); });
    if (match<rise::map_snd>(term))
        return read(arg_of(term), [&](auto p) { return write_pair(fst(p), body_of(group(term, 1), snd(p)), out); });
    return nullptr;
}

/// An acceptor of `from` for each acceptor of `to`.
const Def* Translator::through_function(const Def* f, const Def* from, const Def* to) {
    auto known = isa_known(f);
    return lam(acc_type(to), acc_type(from), [&](auto o) { return inverse(known->body(), known->var(), o); });
}

const Def* Translator::through(const Def* view, const Def* out) {
    auto head = saturated_axiom(view);
    if (!head) return nullptr;
    if (match<rise::join>(view)) return w.apply<dpia::join_acc>(group(view, 0), {out});
    if (match<rise::as_scalar>(view)) return w.apply<dpia::as_scalar_acc>(group(view, 0), {out});
    if (match<rise::as_vector>(view)) {
        auto [m, t] = elems<2>(w, group(view, 1));
        return w.apply<dpia::as_vector_acc>({group(view, 0), m, t}, {out});
    }
    if (match<rise::reorder>(view)) {
        auto parts = array(view->type());
        return w.apply<dpia::reorder_acc>({parts.size, parts.elem}, {group(view, 2)}, {out});
    }
    if (match<rise::pad_empty>(view)) {
        auto [n, t] = elems<2>(w, group(view, 1));
        return w.apply<dpia::take_acc>({n, group(view, 0), t}, {out});
    }
    if (match<rise::transpose>(view)) return w.apply<dpia::transpose_acc>(group(view, 0), {out});
    if (match<rise::unzip>(view)) return w.apply<dpia::unzip_acc>(group(view, 0), {out});
    if (match<rise::split>(view)) {
        auto [m, t] = elems<2>(w, group(view, 1));
        return w.apply<dpia::split_acc>({group(view, 0), m, t}, {out});
    }
    bool is_map = match<rise::map>(rise::map::high, view) || match<rise::map_fst>(view) || match<rise::map_snd>(view);
    auto f      = is_map ? arg_of(callee_of(view)) : nullptr;
    if (!is_map || !is_view_function(f)) return nullptr;
    auto pi   = f->type()->as<Pi>();
    auto back = through_function(f, pi->dom(), pi->codom());
    if (match<rise::map>(view)) {
        auto n = array(acc_data(out)).size;
        return w.apply<dpia::map_acc>({n, pi->dom(), pi->codom()}, {back}, {out});
    }
    auto [s, t, u] = elems<3>(w, group(view, 0));
    if (match<rise::map_fst>(view)) return w.apply<dpia::map_fst_acc>({s, t, u}, {back}, {out});
    return w.apply<dpia::map_snd_acc>({s, t, u}, {back}, {out});
}

bool Translator::is_view_function(const Def* f) {
    auto known = isa_known(f);
    return known && is_view_of(known->body(), known->var());
}

bool Translator::is_view_of(const Def* body, const Def* x) {
    if (body == x) return true;
    bool is_map  = match<rise::map>(rise::map::high, body) || match<rise::map_fst>(body) || match<rise::map_snd>(body);
    bool is_view = match<rise::id>(body) || match<rise::join>(body) || match<rise::split>(body) || match<rise::transpose>(body)
                   || match<rise::unzip>(body) || match<rise::as_scalar>(body) || match<rise::as_vector>(body)
                   || match<rise::pad_empty>(body) || match<rise::reorder>(body);
    bool inverts = is_view || (is_map && is_view_function(arg_of(callee_of(body))));
    return inverts && is_view_of(arg_of(body), x);
}

const Def* Translator::inverse(const Def* body, const Def* x, const Def* out) {
    if (body == x) return out;
    return inverse(arg_of(body), x, match<rise::id>(body) ? out : through(body, out));
}

/// Element i to acceptor i.
const Def* Translator::write_make_array(const Def* term, const Def* out) {
    auto n             = *value(elem(w, group(term, 0), 0));
    const Def* command = w.annex(dpia::skip(0));
    for (uint64_t i = 0; i != n; ++i) {
        auto part  = n == 1 ? arg_of(term) : operand(w, term, i);
        auto index = this->index(w.lit_nat(n), w.lit_nat(i));
        auto one   = write(part, at(index, out));
        command    = i == 0 ? one : seq(command, one);
    }
    return command;
}

/// A value so far, which is written before it is copied.
const Def* Translator::write_scan(const Def* term, const Def* out) {
    auto array = this->array(term->type());
    auto f     = group(term, 1);
    return read_for(term, arg_of(term), [&](const Def* x) {
        check_stored(x, term);
        return with_new(private_space(), array.elem, "sum", [&](const Def* value, const Def* acc) {
            auto start = write(group(term, 2), acc);
            auto turns = loop(dpia::for_::loop, array.size, "i", [&](const Def* i) {
                auto next = write_body(f, body_of(body_of(f, idx(i, x)), value), acc);
                return seq(next, write(value, at(i, out)));
            });
            return seq(start, turns);
        });
    });
}

/// No step is the identity; one writes to the acceptor; more have buffers.
const Def* Translator::write_iterate(const Def* term, const Def* out) {
    auto k         = group(term, 0);
    auto f         = group(term, 2);
    auto [m, n, t] = elems<3>(w, group(term, 1));
    if (is_value(k, 0)) return write(arg_of(term), out);
    auto element = t;
    auto size    = n;
    auto count   = m;
    return read_for(term, arg_of(term), [&](const Def* x) {
        check_stored(x, term);
        if (is_value(k, 1)) return write(body_of(body_of(f, count), x), out);
        // a step for each size
        auto pi        = w.mut_pi(w.nat());
        auto arr       = [&](const Def* length) { return w.apply<rise::Arr>({length, element}); };
        auto step_type = [&](const Def* l) { return w.pi(w.sigma({exp_type(arr(mul(l, size))), acc_type(arr(l))}), comm()); };
        auto step      = w.mut_lam(w.seal(pi, step_type(pi->var())));
        w.notes.set_name(step->var(), w.sym("l"));
        w.set_filter(step, w.ff());
        auto inner = w.mut_lam(step_type(step->var()));
        w.notes.set_fields(inner, std::vector<Symbol>{w.sym("src"), w.sym("dst")});
        w.set_filter(inner, w.ff());
        auto from = get(w.extract(inner->var(), 0));
        Filled::Scope scope(filled_);
        w.set_body(inner, write(body_of(body_of(f, step->var()), from), w.extract(inner->var(), 1)));
        w.set_body(step, inner);
        Lam* both[] = {inner, step};
        w.close(both);
        auto space = w.annex(rise::as::global);
        auto to    = w.apply<dpia::dbl_buf>({space, k}, {count, size, element}, {step}, {exp(x)});
        return placed(w.app(to, out), w.notes.span(term));
    });
}

} // namespace mim::plug::dpia
