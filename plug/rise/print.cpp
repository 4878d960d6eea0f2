// SPDX-License-Identifier: MIT
// Programs of the graph in RISE. Sizes that facts gave are written as the quotients and differences that they are. What is
// printed is read again, and prints the same.
#include <bit>
#include <charconv>
#include <map>
#include <set>

#include "core/annexes.h"
#include "driver/shown.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "primitives.h"
#include "print.h"
#include "rise.h"
#include "rise/annexes.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

namespace {

class Printer {
public:
    Printer(World& w, const Lam* program, Printed source)
        : w(w)
        , program_(program)
        , source_(std::move(source)) {}

    std::string part(const Def* def) {
        if (is_type(def)) return type(def);
        bool is_size = def->type() == w.nat() && (match<core::nat>(def) || match<nat>(def) || value(def));
        return is_size ? size(def) : term(def, 0);
    }

    std::string run() {
        for (auto& [def, text] : source_.sizes) sizes_.emplace(def, text);
        std::string binders, facts;
        for (auto& name : source_.binders) {
            used_.insert(name);
            binders += (binders.empty() ? "" : ", ") + name + ": Nat";
        }
        for (auto& fact : source_.facts) facts += (facts.empty() ? " where " : ", ") + fact;
        auto head = "export def " + source_.name + " =";
        if (binders.empty()) return head + line(1) + term(program_->body(), 2) + "\n";
        return head + " depFun((" + binders + ")" + facts + " =>" + line(1) + term(program_->body(), 2) + ")\n";
    }

private:
    std::string size(const Def*, bool is_inner = false);
    std::string type(const Def*, bool is_inner = false);
    std::string term(const Def*, size_t depth);
    std::string function(const Lam*, size_t depth);
    std::string applied(const Def*, size_t depth);
    std::string argument(const Def*, size_t i, const Pi*, const Def* arg, size_t depth);
    std::string_view contracted(const Lam*);
    std::string literal(const Lit*);
    std::string name_of(const Def* var, std::string_view fallback);
    static std::string line(size_t depth) { return "\n" + std::string(2 * depth, ' '); }

    World& w;
    const Lam* program_;
    const Printed source_;
    std::map<const Def*, std::string> sizes_, names_;
    std::set<std::string> used_;
};

std::string Printer::size(const Def* def, bool is_inner) {
    auto in_bracket = [&](const std::string& s) { return is_inner ? "(" + s + ")" : s; };
    if (auto found = sizes_.find(def); found != sizes_.end()) {
        bool is_name = found->second.find_first_of("/-+* ") == std::string::npos;
        return is_name ? found->second : in_bracket(found->second);
    }
    if (auto n = value(def)) return std::to_string(*n);
    if (auto app = match<core::nat>(def)) {
        constexpr const char* ops[] = {" + ", " - ", "*"};
        auto [a, b]                 = elems<2>(w, app.arg());
        bool is_product             = app.sub() == core::nat::mul;
        bool right                  = is_product || app.sub() == core::nat::sub;
        return in_bracket(size(a, is_product) + ops[sub_of(def)] + size(b, right));
    }
    if (auto app = match<nat>(def)) {
        constexpr const char* ops[] = {"/", "%", "^"};
        auto [a, b]                 = elems<2>(w, app.arg());
        bool is_word                = app.sub() == nat::min || app.sub() == nat::max;
        if (is_word) return std::string(app.sub() == nat::min ? "min(" : "max(") + size(a) + ", " + size(b) + ")";
        return in_bracket(size(a, true) + ops[sub_of(def)] + size(b, true));
    }
    auto name = names_.find(def);
    return name == names_.end() ? shown(w, def) : name->second;
}

std::string Printer::type(const Def* t, bool is_inner) {
    if (auto array = isa_array(w, t)) {
        auto elem       = type(array.elem, true);
        bool has_number = elem[0] >= '0' && elem[0] <= '9'; // `4.2` is a number, and `n.2` a part of a pair
        return size(array.size, true) + "." + (has_number ? "(" + elem + ")" : elem);
    }
    if (auto vector = isa_vector(w, t)) return "Vec[" + size(vector.size) + ", " + type(vector.elem) + "]";
    if (auto pair = isa_pair(w, t)) return "(" + type(pair.first) + ", " + type(pair.second) + ")";
    if (auto pi = t->isa<Pi>()) {
        auto text = type(pi->dom(), true) + " -> " + type(pi->codom());
        return is_inner ? "(" + text + ")" : text;
    }
    auto s = scalar_of(t);
    switch (s.kind) {
        case ScalarType::Bool: return "bool";
        case ScalarType::Nat: return "nat";
        case ScalarType::Index: return "Idx[" + size(s.size) + "]";
        case ScalarType::Signed: return "i" + std::to_string(s.bits);
        case ScalarType::Unsigned: return "u" + std::to_string(s.bits);
        case ScalarType::Float: return "f" + std::to_string(s.bits);
        default: return shown(w, t);
    }
}

std::string Printer::name_of(const Def* var, std::string_view fallback) {
    auto symbol = w.notes.name(var);
    auto base   = symbol ? std::string(symbol.view()) : std::string(fallback);
    auto name   = base;
    for (size_t i = 1; used_.contains(name) || find_primitive(name); ++i) name = base + std::to_string(i);
    used_.insert(name);
    names_[var] = name;
    return name;
}

std::string Printer::function(const Lam* lam, size_t depth) {
    auto name = name_of(lam->var(), "x");
    std::string result;
    if (lam->dom() == w.nat() && lam->type()->as<Pi>()->codom()->isa<Pi>()) {
        result = "depFun((" + name + ": Nat) =>" + line(depth) + term(lam->body(), depth + 1) + ")";
    } else {
        result = "fun(" + name + ": " + type(lam->dom()) + " =>" + line(depth) + term(lam->body(), depth + 1) + ")";
    }
    used_.erase(name);
    return result;
}

std::string Printer::literal(const Lit* lit) {
    auto t    = scalar_of(lit->type());
    auto bits = lit->value();
    if (t.kind == ScalarType::Bool) return bits != 0 ? "true" : "false";
    if (t.kind == ScalarType::Nat) return "(" + std::to_string(bits) + " : nat)";
    if (t.kind != ScalarType::Float) return std::to_string(bits) + type(lit->type());
    char text[64];
    char* end;
    if (t.bits == 64) {
        end = std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits)).ptr;
    } else {
        auto x = t.bits == 16 ? half_value(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
        end    = std::to_chars(text, text + sizeof text, x).ptr;
    }
    std::string digits(text, end);
    if (digits.find_first_of(".e") == digits.npos) digits += ".0";
    return digits + (t.bits == 64 ? "" : t.bits == 32 ? "f" : "f16");
}

/// `%rise.mapLastFission` without the plugin.
static std::string plain_name(World& w, const Def* axiom) {
    auto name = w.annexes.shortest_name(axiom->as<Axm>()).str();
    return name.substr(name.find('.') + 1);
}

std::string Printer::applied(const Def* def, size_t depth) {
    if (auto app = match<let>(def)) {
        auto bound = term(mim::group(def, 1), depth);
        auto f     = app.arg()->as<Lam>();
        auto name  = name_of(f->var(), "x");
        auto body  = term(f->body(), depth);
        used_.erase(name);
        return "(let " + name + " = " + bound + ";" + line(depth) + body + ")";
    }
    if (match<pair>(def)) return "(" + term(mim::group(def, 1), depth) + ", " + term(mim::group(def, 2), depth) + ")";
    if (match<unsigned_>(def)) return std::to_string(*value(operand(w, def, 1))) + type(def->type());
    if (auto app = match<make_array>(def)) {
        std::string all;
        auto n = *value(elem(w, mim::group(def, 0), 0));
        for (uint64_t i = 0; i != n; ++i) all += (i == 0 ? "" : ", ") + term(n == 1 ? app.arg() : operand(w, def, i), depth);
        return "[" + all + "]";
    }
    if (auto app = match<vector_from_scalar>(def)) // nothing else may say how long it is
        return "(vectorFromScalar(" + term(app.arg(), depth) + ") : " + type(def->type()) + ")";
    auto head         = saturated_axiom(def);
    const Def* callee = head;
    auto primitive    = primitive_of(w, head);
    if (match<as>(def)) return std::string(text(static_cast<Space>(head->axiom().id.sub)));
    std::string result(primitive ? primitive->name : plain_name(w, head));
    for (size_t i = 0, n = num_groups(def); i != n; ++i) {
        auto pi  = callee->type()->as<Pi>();
        auto arg = mim::group(def, i);
        callee   = w.app(callee, arg);
        if (!pi->is_implicit()) result += argument(def, i, pi, arg, depth);
    }
    return result;
}

static bool takes_size(const Def* def) {
    return match<split>(def) || match<take>(def) || match<drop>(def) || match<iterate>(def) || match<nat_as_index>(def)
           || match<as_vector>(def) || match<pad_empty>(def) || match<reorder>(def);
}

/// `add` is `fun(x => fun(y => add(x)(y)))`: a primitive that is applied to what the functions take, and to nothing else.
std::string_view Printer::contracted(const Lam* lam) {
    DefVec taken;
    const Def* body = lam;
    for (; auto inner = body->isa<Lam>(); body = inner->body()) {
        if (inner->dom() == w.nat()) return {};
        taken.push_back(inner->var());
    }
    auto head      = saturated_axiom(body);
    auto primitive = head ? primitive_of(w, head) : nullptr;
    bool is_shown  = match<pair>(body) || match<make_array>(body) || match<vector_from_scalar>(body) || match<cast>(body);
    if (!primitive || is_shown) return {};
    DefVec given;
    const Def* callee = head;
    for (size_t i = 0, n = num_groups(body); i != n; ++i) {
        if (!callee->type()->as<Pi>()->is_implicit()) given.push_back(mim::group(body, i));
        callee = w.app(callee, mim::group(body, i));
    }
    return given == taken ? primitive->name : std::string_view();
}

std::string Printer::argument(const Def* def, size_t i, const Pi* pi, const Def* arg, size_t depth) {
    if (auto space = arg->isa<Axm>()) return "(" + std::string(text(static_cast<Space>(space->axiom().id.sub))) + ")";
    if (i == 0 && match<map_level>(def)) return is_value(arg, 0) ? "" : "(" + size(arg) + ")";
    if (i == 0 && takes_size(def)) return "(" + size(arg) + ")";
    auto order = match<reorder>(def) ? arg->isa<Lam>() : nullptr;
    if (order) {
        auto name = name_of(order->var(), "i");
        auto text = "(" + name + " => " + size(order->body()) + ")";
        used_.erase(name);
        return text;
    }
    if (auto sizes = pi->dom()->isa<mim::Arr>()) {
        std::string all;
        for (uint64_t j = 0, n = *value(sizes->arity()); j != n; ++j) all += "(" + size(elem(w, arg, j)) + ")";
        return all;
    }
    auto function = match<generate>(def) ? nullptr : arg->isa<Lam>(); // nothing but the function says how much `generate` makes
    auto name     = function ? contracted(function) : std::string_view();
    return name.empty() ? "(" + term(arg, depth) + ")" : "(" + std::string(name) + ")";
}

std::string Printer::term(const Def* def, size_t depth) {
    if (auto found = names_.find(def); found != names_.end()) return found->second;
    if (auto lam = def->isa<Lam>()) return function(lam, depth);
    if (auto lit = def->isa<Lit>()) return literal(lit);
    auto axm     = saturated_axiom(def);
    bool is_ours = axm && is_of_plugin<rise::map>(axm->axiom()) && !match<nat>(def);
    if (is_ours) return applied(def, depth);
    if (def->type() == w.nat()) return size(def, true);
    if (auto app = def->isa<App>()) return term(app->callee(), depth) + "(" + term(app->arg(), depth) + ")";
    return shown(w, def);
}

} // namespace

std::string print_short(World& w, const Def* def) {
    constexpr size_t kLongest = 100;
    auto text                 = Printer(w, nullptr, {}).part(def);
    std::string line;
    for (char c : text) {
        bool is_blank = c == ' ' || c == '\n';
        if (!is_blank) line += c;
        else if (!line.empty() && line.back() != ' ') line += ' ';
    }
    if (line.size() <= kLongest) return line;
    auto end = kLongest;
    while (end != 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    return line.substr(0, end) + "…";
}

std::string print(World& w, const Lam* program, const Printed& source) { return Printer(w, program, source).run(); }

} // namespace mim::plug::rise
