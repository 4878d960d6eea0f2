// SPDX-License-Identifier: MIT
// The functional program in the notation of the paper, for people: primitives are fully applied, and the types of what
// is bound say how it is accessed.
#include "dpia.h"
#include "show.h"

namespace mim::plug::dpia {

namespace {

class ShowTerms : public Shown {
public:
    using Shown::Shown;

    std::string run(const Lam* program, const std::string& name) {
        auto sizes  = sizes_of(program);
        auto binder = sizes.empty() ? "" : "  depFun((" + sizes + ": Nat) =>\n";
        return name + " =\n" + binder + "  " + function(program->body(), true, 1) + (sizes.empty() ? "\n" : ")\n");
    }

private:
    std::string sizes_of(const Lam*);
    std::string size(const Def*);
    std::string type(const Def*, bool is_inner = false);
    std::string access(const Def* t, bool is_written) { return "Exp[" + type(t) + (is_written ? ", Wr]" : ", Rd]"); }
    std::string function(const Def*, bool is_written, size_t depth);
    std::string lambda(const Lam*, bool takes_written, bool is_written, size_t depth);
    std::string term(const Def*, bool is_written, size_t depth);
    std::string operation(const Def*, size_t depth);
    std::string applied(const Def*, bool is_written, size_t depth);
    void add_types(const Pi*, const Def* group, std::vector<std::string>& all);
    std::string argument(const Def* t, size_t i, const Def* arg, bool is_written, size_t depth);
    bool is_written_part(const Def* t, size_t i, bool is_written);
};

std::string ShowTerms::sizes_of(const Lam* lam) {
    auto arr = lam->dom()->isa<mim::Arr>();
    auto n   = lam->dom() == w.nat() ? 1 : arr ? *value(arr->arity()) : 0;
    std::string all;
    for (uint64_t i = 0; i != n; ++i) {
        auto var    = n == 1 ? lam->var() : w.extract(lam->var(), i);
        auto name   = n == 1 ? std::string(w.notes.name(var).view()) : field_name(lam, i);
        names_[var] = fresh(name);
        all += (all.empty() ? "" : ", ") + names_[var];
    }
    return all;
}

std::string ShowTerms::size(const Def* n) {
    if (auto known = names_.find(n); known != names_.end()) return known->second;
    if (auto lit = n->isa<Lit>()) return std::to_string(lit->value());
    constexpr const char* sums[]      = {" + ", " - ", "*"};
    constexpr const char* quotients[] = {"/", "%", "^"};
    bool is_sum                       = match<core::nat>(n);
    bool is_other                     = match<rise::nat>(n);
    if (!is_sum && !is_other) return "?";
    auto [a, b] = elems<2>(w, arg_of(n));
    if (is_sum) return "(" + size(a) + sums[sub_of(n)] + size(b) + ")";
    if (sub_of(n) < 3) return "(" + size(a) + quotients[sub_of(n)] + size(b) + ")";
    return (match<rise::nat>(rise::nat::min, n) ? "min(" : "max(") + size(a) + ", " + size(b) + ")";
}

std::string ShowTerms::type(const Def* t, bool is_inner) {
    if (auto a = array(t)) {
        auto elem       = type(a.elem, true);
        bool has_number = elem[0] >= '0' && elem[0] <= '9';
        return size(a.size) + "." + (has_number ? "(" + elem + ")" : elem);
    }
    if (auto p = pair(t)) return "(" + type(p.first) + ", " + type(p.second) + ")";
    if (auto v = rise::isa_vector(w, t)) return "Vec[" + size(v.size) + ", " + type(v.elem) + "]";
    if (auto pi = t->isa<Pi>()) {
        auto text = type(pi->dom(), true) + " -> " + type(pi->codom());
        return is_inner ? "(" + text + ")" : text;
    }
    auto s = rise::scalar_of(t);
    using enum rise::ScalarType::Kind;
    switch (s.kind) {
        case Bool: return "bool";
        case Nat: return "nat";
        case Index: return "Idx[" + size(s.size) + "]";
        case Signed: return "i" + std::to_string(s.bits);
        case Unsigned: return "u" + std::to_string(s.bits);
        case Float: return "f" + std::to_string(s.bits);
        default: return "?";
    }
}

/// The program, or a function whose result is written.
std::string ShowTerms::function(const Def* f, bool is_written, size_t depth) {
    if (auto lam = isa_known(f)) return lambda(lam, false, is_written, depth);
    return term(f, is_written, depth);
}

std::string ShowTerms::lambda(const Lam* lam, bool takes_written, bool is_written, size_t depth) {
    auto base          = std::string(w.notes.name(lam->var()).view());
    bool is_size       = lam->dom() == w.nat() && lam->type()->as<Pi>()->codom()->isa<Pi>();
    names_[lam->var()] = fresh(base);
    auto& name         = names_[lam->var()];
    bool is_array      = has_array(lam->dom());
    auto binder = is_size ? "depFun((" + name + ": Nat)" : "fun(" + name + ": " + access(lam->dom(), takes_written && is_array);
    auto inner  = isa_known(lam->body());
    if (inner) return in_order({binder, " =>", line(depth), lambda(inner, takes_written, is_written, depth), ")"});
    auto body = term(lam->body(), is_written, depth + 1);
    return in_order({binder, " =>", line(depth + 1), body, ")"});
}

/// Whether the argument of this group, or what it makes if it is a function, is written.
bool ShowTerms::is_written_part(const Def* t, size_t i, bool is_written) {
    auto last    = num_groups(t) - 1;
    bool is_loop = (match<rise::map>(t) && !match<rise::map>(rise::map::high, t)) || match<rise::map_level>(t);
    bool is_fold = match<rise::reduce_seq>(t) || match<rise::scan_seq>(t) || match<rise::iterate>(t);
    if (is_loop || is_fold) return i != last;
    if (match<rise::to_mem>(t) || match<rise::ocl_run>(t)) return true;
    if (match<rise::let>(t)) return i == last && is_written;
    if (match<rise::select>(t)) return i > 1 && is_written;
    if (match<rise::scatter>(t)) return i == last && is_written;
    return is_polymorphic(t) && is_written;
}

void ShowTerms::add_types(const Pi* pi, const Def* group, std::vector<std::string>& all) {
    auto add   = [&](const Def* part) { all.push_back(part->type() == w.nat() ? size(part) : type(part)); };
    auto sigma = pi->dom()->isa<Sigma>();
    auto arr   = pi->dom()->isa<mim::Arr>();
    auto n     = sigma ? sigma->num_ops() : arr ? *value(arr->arity()) : 1;
    if (n == 1) return add(group);
    for (uint64_t i = 0; i != n; ++i) add(elem(w, group, i));
}

std::string ShowTerms::argument(const Def* t, size_t i, const Def* arg, bool is_written, size_t depth) {
    bool is_part = is_written_part(t, i, is_written);
    if (arg->isa<Axm>() && match<rise::as>(arg)) return space(arg);
    if (auto lam = isa_known(arg)) {
        bool takes_written = is_part && is_polymorphic(t) && !match<rise::let>(t);
        bool is_order      = match<rise::reorder>(t);
        if (!is_order) return lambda(lam, takes_written, is_part, depth);
        names_[lam->var()] = fresh(std::string(w.notes.name(lam->var()).view()));
        return names_[lam->var()] + " => " + size(lam->body());
    }
    auto tuple = arg->isa<Tuple>();
    if (!tuple) return term(arg, is_part, depth);
    std::string all;
    for (auto part : tuple->ops()) all += (all.empty() ? "" : ", ") + term(part, is_part, depth);
    return match<rise::make_array>(t) ? "[" + all + "]" : all;
}

std::string ShowTerms::applied(const Def* t, bool is_written, size_t depth) {
    std::vector<std::string> all;
    const Def* callee = saturated_axiom(t);
    bool has_access   = is_polymorphic(t);
    for (size_t i = 0, n = num_groups(t); i != n; ++i) {
        auto pi  = callee->type()->as<Pi>();
        auto arg = group(t, i);
        callee   = w.app(callee, arg);
        if (pi->is_implicit()) {
            add_types(pi, arg, all);
            if (has_access) all.push_back(is_written ? "Wr" : "Rd");
        } else {
            all.push_back(argument(t, i, arg, is_written, depth + 1));
        }
    }
    constexpr size_t kLongest = 60;
    std::string in_line;
    for (auto& part : all) in_line += (in_line.empty() ? "" : ", ") + part;
    bool fits = in_line.size() <= kLongest && in_line.find('\n') == in_line.npos;
    if (fits) return name(t) + "(" + in_line + ")";
    std::string in_lines;
    size_t column = 0;
    for (auto& part : all) {
        bool is_long  = part.size() > kLongest / 2 || part.find('\n') != part.npos;
        bool is_first = in_lines.empty();
        column += part.size() + 2;
        bool breaks = !is_first && (is_long || column > kLongest);
        if (breaks) column = is_long ? kLongest : part.size();
        in_lines += (is_first ? "" : breaks ? "," + line(depth + 1) : ", ") + part;
    }
    return name(t) + "(" + in_lines + ")";
}

std::string ShowTerms::operation(const Def* t, size_t depth) {
    constexpr const char* numbers[] = {" + ", " - ", " * ", " / ", " % "};
    constexpr const char* tests[]   = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    bool is_number                  = match<rise::number>(t);
    bool is_infix                   = (is_number && sub_of(t) < 5) || match<rise::compare>(t);
    if (!is_infix) return {};
    auto op = is_number ? numbers[sub_of(t)] : tests[sub_of(t)];
    return in_order({"(", term(group(t, 1), false, depth), op, term(group(t, 2), false, depth), ")"});
}

std::string ShowTerms::term(const Def* t, bool is_written, size_t depth) {
    if (auto known = names_.find(t); known != names_.end()) return known->second;
    if (auto lit = t->isa<Lit>()) return literal(lit);
    bool is_size = match<core::nat>(t) || match<rise::nat>(t);
    if (is_size) return size(t);
    is_written = is_written && has_array(t->type());
    if (auto lam = isa_known(t)) return lambda(lam, false, is_written, depth);
    if (saturated_axiom(t) && t->isa<App>()) {
        auto infix = operation(t, depth);
        return infix.empty() ? applied(t, is_written, depth) : infix;
    }
    auto app = t->isa<App>();
    return app ? in_order({term(app->callee(), false, depth), "(", term(app->arg(), false, depth), ")"}) : "?";
}

} // namespace

std::string show_terms(World& w, const Lam* program, const std::string& name) { return ShowTerms(w).run(program, name); }

} // namespace mim::plug::dpia
