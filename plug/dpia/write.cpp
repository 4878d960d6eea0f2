// SPDX-License-Identifier: MIT
// The acceptor translation.
#include "translate.h"

#include "ir/questions.h"
#include "kit/replace_vars.h"

namespace mim::plug::dpia {

const Def* Translator::closed(const Def* term, const Values& all) {
    Values values;
    for (auto var : free_vars(w, term))
        if (auto known = all.find(var); known != all.end()) values.insert(*known);
    return values.empty() ? term : ReplaceVars(w, values).rewrite(term);
}

const Def* Translator::lam(const Def* dom, const Def* codom, const std::function<const Def*(const Def*)>& body) {
    return w.lam(w.pi(dom, codom), body);
}

const Def* Translator::program(const Def* term, const Def* whole) {
    whole_ = whole;
    std::vector<Symbol> names;
    DefVec domain;
    auto type = term->type();
    auto f    = term;
    for (; auto pi = type->isa<Pi>(); type = pi->codom()) {
        domain.push_back(exp_type(pi->dom()));
        auto known = isa_known(f);
        names.push_back(known ? w.notes.name(known->var()) : Symbol());
        if (names.back().view().empty()) names.back() = w.sym("in" + std::to_string(names.size()));
        f = known ? known->body() : f;
    }
    domain.push_back(acc_type(type));
    names.push_back(w.sym("output"));
    auto body = [&](const Def* var) {
        Values values;
        auto result = term;
        for (size_t i = 0; i + 1 < domain.size(); ++i) {
            auto lam = isa_known(result);
            if (!lam) throw Refused{Refused::NoCode, "a function is not known", {}, result};
            values[lam->var()] = get(w.extract(var, i));
            result             = lam->body();
        }
        return write_open(result, values, domain.size() == 1 ? var : w.extract(var, domain.size() - 1));
    };
    auto pi     = w.pi(w.sigma(domain), comm());
    auto result = w.mut_lam(pi);
    if (names.size() > 1) w.notes.set_fields(result, names);
    else w.notes.set_name(result->var(), names[0]);
    w.set_filter(result, w.ff());
    program_ = result;
    w.set_body(result, body(result->var()));
    w.close(std::span<Lam* const>(&result, 1));
    return result;
}

const Def* Translator::body_of(const Def* f, const Def* x) {
    auto body = w.beta(f, x);
    if (!body) throw Refused{Refused::NoCode, "a function is not known", {}, f};
    return body;
}

const Def* Translator::with_new(const Def* space, const Def* type, std::string_view name,
                                const std::function<const Def*(const Def*, const Def*)>& body) {
    auto pi     = w.pi(w.sigma({exp_type(type), acc_type(type)}), comm());
    auto result = w.mut_lam(pi);
    w.notes.set_fields(result, std::vector<Symbol>{w.sym(name), w.sym(std::string(name) + "Acc")});
    w.set_filter(result, w.ff());
    auto place = place_;
    Filled::Scope scope(filled_);
    w.set_body(result, body(get(w.extract(result->var(), 0)), w.extract(result->var(), 1)));
    w.close(std::span<Lam* const>(&result, 1));
    return placed(w.apply<dpia::new_>({space, type}, {result}), place);
}

const Def* Translator::loop(dpia::for_ how, const Def* n, std::string_view name,
                            const std::function<const Def*(const Def*)>& body) {
    auto result = w.mut_lam(w.pi(exp_type(w.apply<rise::Index>({n})), comm()));
    w.notes.set_name(result->var(), w.sym(name));
    w.set_filter(result, w.ff());
    auto place = place_;
    Filled::Scope scope(filled_);
    w.set_body(result, body(get(result->var())));
    w.close(std::span<Lam* const>(&result, 1));
    return placed(w.apply(how, {n}, {result}), place);
}

/// A command is where the term is that it comes from.
const Def* Translator::placed(const Def* command, Span span) {
    if (span && !w.notes.span(command)) w.notes.set_span(command, span);
    return command;
}

const Def* Translator::at(const Def* i, const Def* acc) {
    auto a = array(acc_data(acc));
    return w.apply<dpia::idx_acc>({a.size, a.elem}, {exp(i)}, {acc});
}

const Def* Translator::write(const Def* term, const Def* out) {
    Values values;
    return write_open(term, values, out);
}

const Def* Translator::write_open(const Def* open, Values& values, const Def* out) {
    bool is_let   = match<rise::let>(open);
    auto term     = is_let ? open : closed(open, values);
    auto span     = w.notes.span(term);
    auto writer   = writer_;
    auto function = function_;
    if (span) place_ = span, writer_ = term, function_ = nullptr;
    auto result = is_let ? write_let(term, values, out) : write_term(term, out);
    writer_     = writer;
    function_   = function;
    return result;
}

const Def* Translator::write_body(const Def* f, const Def* body, const Def* out) {
    auto function = std::exchange(function_, f);
    auto result   = write(body, out);
    function_     = function;
    return result;
}

const Def* Translator::write_term(const Def* term, const Def* out) {
    if (match<rise::id>(term)) return write(arg_of(term), out);
    if (match<rise::ocl_run>(term)) return write_run(term, out);
    if (match<rise::select>(term) && has_effect(term)) {
        auto branch = [&](size_t i) {
            Filled::Scope scope(filled_);
            return write(group(term, i), out);
        };
        auto when = [&](const Def* c) {
            auto holds  = branch(2);
            auto others = branch(3);
            return w.apply<dpia::if_>({exp(c)}, {holds, others});
        };
        return read(group(term, 1), when);
    }
    if (has_array(term->type())) return write_array(term, out);
    return read(term, [&](const Def* x) { return w.apply<dpia::assign>({x->type()}, {out}, {exp(x)}); });
}

const Def* Translator::write_array(const Def* term, const Def* out) {
    if (match<rise::reduce>(term)) throw Refused{Refused::NoChoice, "reduce", "take `reduceSeq`", term};
    bool is_high = match<rise::map>(rise::map::high, term);
    bool is_loop = (!is_high && match<rise::map>(term)) || match<rise::map_level>(term);
    if (is_loop) return write_map(term, out);
    if (match<rise::make_array>(term)) return write_make_array(term, out);
    if (match<rise::scan_seq>(term)) return write_scan(term, out);
    if (match<rise::iterate>(term)) return write_iterate(term, out);
    if (match<rise::pair>(term)) return write_pair(group(term, 1), group(term, 2), out);
    if (match<rise::select>(term)) {
        auto when = [&](const Def* c) {
            return w.apply<dpia::if_>({exp(c)}, {write(group(term, 2), out), write(group(term, 3), out)});
        };
        return read(group(term, 1), when);
    }
    if (auto result = write_view(term, out)) return result;
    if (is_high) throw Refused{Refused::NoChoice, "map", "take `mapSeq` or `mapPar`", term};
    refuse_write(term);
}

/// A value in memory has no place of its own: the `toMem` that would store it again is to blame, or the loop whose
/// function has it as its result.
void Translator::refuse_write(const Def* term) {
    auto has_place    = w.notes.span(term);
    bool is_in_memory = !has_place || match<rise::to_mem>(term) || match<rise::reduce_seq>(term);
    bool is_stored    = is_in_memory && stored_ && arg_of(stored_) == term;
    if (is_stored) throw Refused{Refused::NoCopy, name(stored_), "copy what is in memory already", stored_};
    auto at     = has_place ? term : writer_ ? writer_ : whole_;
    auto what   = name(at);
    auto known  = has_place || !function_ ? nullptr : isa_known(function_);
    bool is_one = known && !known->body()->isa<Lam>();
    if (is_one) what = std::string(w.notes.name(known->var()).view());
    auto part         = match<dpia::get>(term) ? arg_of(term)->isa<Extract>() : nullptr;
    auto index        = part ? value(part->index()) : std::nullopt;
    bool is_parameter = index && part->tuple() == program_->var();
    if (is_parameter) what = field_name(program_, *index);
    throw Refused{Refused::NoCopy, what.empty() ? name(at) : what, "write its result", at};
}

const Def* Translator::write_body_of(const Def* f, const Def* x, Values& values, const Def* out) {
    auto lam = isa_known(f);
    if (!lam) return write(body_of(closed(f, values), x), out);
    values[lam->var()] = x;
    return write_open(lam->body(), values, out);
}

const Def* Translator::write_let(const Def* term, Values& values, const Def* out) {
    return read_for(term, closed(group(term, 1), values), [&](const Def* x) {
        check_stored(x, term);
        if (has_array(x->type()) || !x->isa<App>() || match<dpia::get>(x)) return write_body_of(arg_of(term), x, values, out);
        auto lam = isa_known(arg_of(term));
        auto id  = lam ? w.notes.name(lam->var()) : Symbol();
        return with_new(private_space(), x->type(), id.view().empty() ? "x" : id.view(), [&](auto value, auto acc) {
            auto assign = w.apply<dpia::assign>({x->type()}, {acc}, {exp(x)});
            return seq(assign, write_body_of(arg_of(term), value, values, out));
        });
    });
}

static std::string index_name(World& w, const Def* f) {
    auto lam  = isa_known(f);
    auto name = lam ? w.notes.name(lam->var()) : Symbol();
    return name.view().empty() || name.view().size() > 1 ? "i" : "i_" + std::string(name.view());
}

const Def* Translator::write_map(const Def* term, const Def* out) {
    auto f      = arg_of(callee_of(term));
    auto n      = array(term->type()).size;
    auto reader = std::exchange(reader_, term);
    auto result = read(arg_of(term), [&](const Def* x) -> const Def* {
        reader_          = reader;
        place_           = w.notes.span(term);
        auto sub         = match<rise::map>(term);
        bool is_parallel = !sub || sub.sub() == rise::map::par || sub.sub() == rise::map::vec;
        check_stored(x, term);
        if (!is_parallel) {
            auto how = sub.sub() == rise::map::unroll ? dpia::for_::unroll : dpia::for_::loop;
            return loop(how, n, index_name(w, f), [&](auto i) { return write_body(f, body_of(f, idx(i, x)), at(i, out)); });
        }
        auto elem   = array(acc_data(out)).elem;
        auto result = w.mut_lam(w.pi(w.sigma({exp_type(w.apply<rise::Index>({n})), acc_type(elem)}), comm()));
        w.notes.set_fields(result, std::vector<Symbol>{w.sym("i"), w.sym("o")});
        w.set_filter(result, w.ff());
        auto i = get(w.extract(result->var(), 0));
        Filled::Scope scope(filled_);
        w.set_body(result, write_body(f, body_of(f, idx(i, x)), w.extract(result->var(), 1)));
        w.close(std::span<Lam* const>(&result, 1));
        auto how = sub && sub.sub() == rise::map::vec ? dpia::par_for::vec : dpia::par_for::par;
        if (auto level = match<rise::map_level>(term)) {
            constexpr dpia::par_for levels[] = {dpia::par_for::global, dpia::par_for::group, dpia::par_for::local};
            how                              = levels[sub_of(term)];
        }
        auto dim = sub ? w.lit_nat(0) : group(term, 0);
        return placed(w.apply(how, {n, elem}, {dim}, {out}, {result}), w.notes.span(term));
    });
    reader_     = reader;
    return result;
}

} // namespace mim::plug::dpia
