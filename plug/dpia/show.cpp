// SPDX-License-Identifier: MIT
// The imperative program in the notation of the paper, for people.
#include <bit>
#include <cstring>

#include "dpia.h"
#include "math/annexes.h"
#include "show.h"

namespace mim::plug::dpia {

std::string Shown::fresh(std::string base) {
    if (base.empty()) base = "x";
    auto name  = base;
    auto& last = last_[base]; // names are never given back
    while (!used_.insert(name).second) name = base + std::to_string(++last);
    return name;
}

std::string Shown::space(const Def* address_space) {
    constexpr const char* spaces[] = {"Global", "Local", "Private", "Constant"};
    auto known                     = address_space->isa<Axm>();
    return known ? spaces[known->axiom().id.sub] : "?";
}

std::string Shown::in_order(std::initializer_list<std::string> parts) {
    std::string all;
    for (auto& part : parts) all += part;
    return all;
}

std::string Shown::literal(const Lit* lit) {
    auto bits = lit->value();
    auto f    = match<math::F>(lit->type());
    if (!f) {
        auto size  = isa_idx(lit->type());
        auto n     = size ? value(size) : std::nullopt;
        auto shift = n && *n > 2 ? 64 - std::countr_zero(*n) : 0;
        return std::to_string(static_cast<int64_t>(bits << shift) >> shift);
    }
    double x;
    std::memcpy(&x, &bits, sizeof x);
    if (value(w, f.arg(), 0) == 23) {
        float single;
        std::memcpy(&single, &bits, sizeof single);
        x = single;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%g", x);
    std::string result = text;
    return result.find_first_of(".en") == result.npos ? result + ".0" : result;
}

namespace {

class Show : public Shown {
public:
    using Shown::Shown;

    std::string run(const Lam* program, const std::string& name) {
        auto inner = program->body()->as<Lam>();
        auto sizes = binders(program), inputs = binders(inner);
        auto text = name + " =\n";
        if (!sizes.empty()) text += "  depFun((" + sizes + ": Nat) =>\n";
        text += "  fun(" + inputs + " =>" + command(inner->body(), 2) + (sizes.empty() ? ")\n" : "))\n");
        return text;
    }

private:
    std::string binders(const Lam*);
    std::string command(const Def*, size_t depth);
    std::string applied(const Def*, size_t depth);
    struct Step {
        std::string length, from, to;
    };
    std::string step(const Def* iterate, const Step&, size_t depth);
    std::string double_buffer(const Def*, size_t depth);
    std::string alternating(const Def*, const std::string& head, const Step& outside, size_t depth);
    std::string term(const Def*);
    std::string operation(const Def*);
    std::string arguments(const Def*, size_t first);
};

std::string Show::binders(const Lam* lam) {
    auto domain = lam->dom();
    auto sigma  = domain->isa<Sigma>();
    auto arr    = domain->isa<mim::Arr>();
    auto n      = sigma ? sigma->num_ops() : arr ? *value(arr->arity()) : 1;
    auto fields = w.notes.fields(lam);
    std::string all;
    for (size_t i = 0; i != n; ++i) {
        auto var    = n == 1 ? lam->var() : w.extract(lam->var(), i);
        auto symbol = n == 1 ? w.notes.name(var) : fields ? (*fields)[i] : Symbol();
        names_[var] = fresh(std::string(symbol.view()));
        all += (all.empty() ? "" : ", ") + names_[var];
    }
    return all;
}

std::string Show::command(const Def* c, size_t depth) {
    if (match<dpia::seq>(c)) {
        auto [first, second] = elems<2>(w, arg_of(c));
        return in_order({command(first, depth), ";", command(second, depth)});
    }
    return line(depth) + applied(c, depth);
}

std::string Show::applied(const Def* c, size_t depth) {
    if (match<dpia::skip>(c)) return "skip";
    if (match<dpia::assign>(c)) return in_order({term(group(c, 1)), " := ", term(arg_of(c))});
    auto body = arg_of(c)->isa<Lam>();
    auto rest = [&] {
        auto names = binders(body);
        return "fun((" + names + ") =>" + command(body->body(), depth + 1) + "))";
    };
    if (match<dpia::new_>(c)) {
        return "new(" + space(elem(w, group(c, 0), 0)) + ", " + rest();
    }
    if (match<dpia::for_>(c))
        return in_order({match<dpia::for_>(dpia::for_::unroll, c) ? "forUnroll(" : "for(", term(group(c, 0)), ", ", rest()});
    if (match<dpia::par_for>(c)) {
        constexpr const char* names[] = {"parFor(", "parForGlobal(", "parForWorkGroup(", "parForLocal(", "parForVec("};
        return in_order({names[sub_of(c)], term(elem(w, group(c, 0), 0)), ", ", term(group(c, 2)), ", ", rest()});
    }
    if (match<dpia::if_>(c)) {
        auto [holds, others] = elems<2>(w, arg_of(c));
        return in_order(
            {"if ", term(group(c, 0)), " then", command(holds, depth + 1), line(depth), "else", command(others, depth + 1)});
    }
    if (match<dpia::run>(c)) {
        std::string sizes;
        for (size_t i = 0; i != 6; ++i) sizes += (i == 0 ? "" : ", ") + term(elem(w, group(c, 0), i));
        return in_order({"run(", sizes, ",", command(arg_of(c), depth + 1), ")"});
    }
    if (!match<dpia::dbl_buf>(c)) return "?";
    return double_buffer(c, depth);
}

std::string Show::step(const Def* c, const Step& s, size_t depth) {
    auto outer                         = group(c, 2)->as<Lam>();
    auto inner                         = outer->body()->as<Lam>();
    names_[outer->var()]               = s.length;
    names_[w.extract(inner->var(), 0)] = s.from;
    names_[w.extract(inner->var(), 1)] = s.to;
    return command(inner->body(), depth);
}

/// The first step and the last one stand apart, since they read and write what is given; the buffers of the others
/// change places.
std::string Show::double_buffer(const Def* c, size_t depth) {
    auto [space, k] = elems<2>(w, group(c, 0));
    auto [m, n, t]  = elems<3>(w, group(c, 1));
    auto known      = value(k);
    auto rest       = [&](uint64_t done) { return w.call(core::nat::sub, {k, w.lit_nat(done)}); };
    auto left       = [&](uint64_t done) { return term(w.call(core::nat::mul, {m, w.apply(rise::nat::pow, {n, rest(done)})})); };
    auto x = term(group(c, 3)), output = term(arg_of(c)), last = term(m);
    auto place = this->space(space);
    auto head  = place + ", " + left(1);
    if (!known)
        return in_order({"if (", term(k), " == 1) then", step(c, {last, x, output}, depth + 1), line(depth), "else",
                         line(depth + 1), alternating(c, head + ", " + left(2), {left(1), x, output}, depth + 1)});
    if (*known > 2) return alternating(c, head + ", " + left(2), {left(1), x, output}, depth);
    auto buffer = fresh("buffer"), acceptor = fresh("bufferAcc");
    return in_order({"new(", place, ", fun((", buffer, ", ", acceptor, ") =>", step(c, {left(1), x, acceptor}, depth + 1), ";",
                     step(c, {last, buffer, output}, depth + 1), "))"});
}

std::string Show::alternating(const Def* c, const std::string& head, const Step& outside, size_t depth) {
    auto k         = elem(w, group(c, 0), 1);
    auto [m, n, t] = elems<3>(w, group(c, 1));
    auto known     = value(k);
    auto source = fresh("src"), target = fresh("dst"), swap = fresh("swap");
    auto next   = ";" + line(depth + 1) + swap + ";";
    auto first  = step(c, {outside.length, outside.from, target}, depth + 1) + next;
    auto number = term(w.call(core::nat::sub, {k, w.lit_nat(2)}));
    std::string between;
    if (known && *known == 3) {
        between = step(c, {in_order({"(", term(m), "*", term(n), ")"}), source, target}, depth + 1) + next;
    } else {
        auto i      = fresh("i");
        auto length = in_order({"(", term(m), "*", term(n), "^(", number, " - ", i, "))"});
        auto turn   = step(c, {length, source, target}, depth + 2) + ";" + line(depth + 2) + swap;
        between     = line(depth + 1) + "for(" + number + ", fun((" + i + ") =>" + turn + "));";
    }
    auto end = step(c, {term(m), source, outside.to}, depth + 1);
    return "dblBuf(" + head + ", fun((" + source + ", " + target + ", " + swap + ") =>" + first + between + end + "))";
}

std::string Show::arguments(const Def* app, size_t first) {
    std::string all;
    const Def* callee = saturated_axiom(app);
    for (size_t i = 0, n = num_groups(app); i != n; ++i) {
        auto pi  = callee->type()->as<Pi>();
        auto arg = group(app, i);
        callee   = w.app(callee, arg);
        if (pi->is_implicit() || i < first) continue;
        all += (all.empty() ? "" : ", ") + term(arg);
    }
    return all;
}

std::string Show::operation(const Def* t) {
    if (match<dpia::get>(t) || match<dpia::exp>(t)) return term(arg_of(t));
    constexpr const char* numbers[] = {" + ", " - ", " * ", " / ", " % "};
    constexpr const char* tests[]   = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    if (auto op = match<rise::number>(t)) {
        auto sub = sub_of(t);
        if (sub < 5) return in_order({"(", term(group(t, 1)), numbers[sub], term(group(t, 2)), ")"});
        return in_order({sub == 5 ? "min(" : "max(", term(group(t, 1)), ", ", term(group(t, 2)), ")"});
    }
    if (match<rise::compare>(t)) return in_order({"(", term(group(t, 1)), tests[sub_of(t)], term(group(t, 2)), ")"});
    if (match<core::nat>(t)) {
        constexpr const char* sums[] = {" + ", " - ", "*"};
        auto [a, b]                  = elems<2>(w, arg_of(t));
        return in_order({"(", term(a), sums[sub_of(t)], term(b), ")"});
    }
    auto head        = std::string(saturated_axiom(t)->axiom().name.view());
    auto name        = Phrases::name(t);
    bool is_acceptor = head.starts_with("%dpia.");
    for (size_t at = name.find('_'); is_acceptor && at != name.npos; at = name.find('_')) {
        name.erase(at, 1);
        name[at] = static_cast<char>(std::toupper(name[at]));
    }
    auto dot = name.rfind('.');
    return (dot == name.npos ? name : name.substr(dot + 1)) + "(" + arguments(t, 0) + ")";
}

std::string Show::term(const Def* t) {
    if (auto known = names_.find(t); known != names_.end()) return known->second;
    if (auto lit = t->isa<Lit>()) return literal(lit);
    if (auto lam = t->isa<Lam>()) {
        auto names = binders(lam);
        return "fun(" + names + " => " + term(lam->body()) + ")";
    }
    if (saturated_axiom(t) && t->isa<App>()) return operation(t);
    if (auto tuple = t->isa<Tuple>()) {
        std::string all;
        for (auto part : tuple->ops()) all += (all.empty() ? "" : ", ") + term(part);
        return all;
    }
    if (auto pack = t->isa<Pack>()) return term(pack->body());
    return "?";
}

} // namespace

std::string show(World& w, const Lam* program, const std::string& name) { return Show(w).run(program, name); }

} // namespace mim::plug::dpia
