// SPDX-License-Identifier: MIT
// The imperative program in the notation of the paper, for people.
#include <bit>
#include <cstring>
#include <initializer_list>
#include <map>
#include <set>

#include "dpia.h"
#include "math/annexes.h"

namespace mim::plug::dpia {

namespace {

class Show : public Phrases {
public:
    using Phrases::Phrases;

    std::string run(const Lam* program, const std::string& name) {
        auto inner = program->body()->as<Lam>();
        auto sizes = binders(program), inputs = binders(inner);
        auto text = name + " =\n";
        if (!sizes.empty()) text += "  depFun((" + sizes + ": Nat) =>\n";
        text += "  fun(" + inputs + " =>" + command(inner->body(), 2) + (sizes.empty() ? ")\n" : "))\n");
        return text;
    }

private:
    static std::string line(size_t depth) { return "\n" + std::string(2 * depth, ' '); }
    std::string fresh(std::string base) {
        if (base.empty()) base = "x";
        auto name = base;
        for (size_t i = 1; !used_.insert(name).second; ++i) name = base + std::to_string(i);
        return name;
    }
    std::string binders(const Lam*);
    std::string command(const Def*, size_t depth);
    std::string applied(const Def*, size_t depth);
    std::string term(const Def*);
    std::string operation(const Def*);
    std::string literal(const Lit*);
    std::string arguments(const Def*, size_t first);

    std::map<const Def*, std::string> names_;
    std::set<std::string> used_;
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

/// Each part gives names to what it binds, so the first one has to be made first; operands of `+` are made in any order.
std::string in_order(std::initializer_list<std::string> parts) {
    std::string all;
    for (auto& part : parts) all += part;
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
        constexpr const char* spaces[] = {"Global", "Local", "Private", "Constant"};
        auto space                     = elem(w, group(c, 0), 0)->isa<Axm>();
        return "new(" + std::string(space ? spaces[space->axiom().id.sub] : "?") + ", " + rest();
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
    auto [space, k] = elems<2>(w, group(c, 0));
    auto outer      = group(c, 2)->as<Lam>();
    auto l          = binders(outer);
    auto inner      = outer->body()->as<Lam>();
    auto names      = binders(inner);
    return in_order({"dblBuf(", term(k), ", depFun((", l, ": Nat) => fun((", names, ") =>", command(inner->body(), depth + 1),
                     ")), ", term(group(c, 3)), ", ", term(arg_of(c)), ")"});
}

std::string Show::literal(const Lit* lit) {
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
