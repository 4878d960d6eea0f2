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
        if (is_size) return size(def);
        term(def, 0);
        return std::move(out_);
    }

    std::string run() {
        for (auto& [def, text] : source_.sizes) sizes_.emplace(def, text);
        std::string binders, facts;
        for (auto& name : source_.binders) {
            used_.insert(name);
            binders += (binders.empty() ? "" : ", ") + name + ": Nat";
        }
        for (auto& fact : source_.facts) facts += (facts.empty() ? " where " : ", ") + fact;
        out_ = "export def " + source_.name + " =";
        if (!binders.empty()) out_ += " depFun((" + binders + ")" + facts + " =>";
        out_ += line(1);
        term(program_->body(), 2);
        out_ += binders.empty() ? "\n" : ")\n";
        return std::move(out_);
    }

private:
    std::string size(const Def*, bool is_inner = false);
    std::string type(const Def*, bool is_inner = false);
    /// These append to `out_`: each character is written once, however deep it is.
    void term(const Def*, size_t depth);
    void function(const Lam*, size_t depth);
    void applied(const Def*, size_t depth);
    void primitive(const Def*, size_t depth);
    void argument(const Def*, size_t i, const Pi*, const Def* arg, size_t depth);
    std::string_view contracted(const Lam*);
    std::string literal(const Lit*);
    std::string name_of(const Def* var, std::string_view fallback);
    static std::string line(size_t depth) { return "\n" + std::string(2 * depth, ' '); }

    World& w;
    const Lam* program_;
    const Printed source_;
    std::map<const Def*, std::string> sizes_, names_;
    std::set<std::string> used_;
    std::string out_;
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

void Printer::function(const Lam* lam, size_t depth) {
    auto name        = name_of(lam->var(), "x");
    bool is_of_sizes = lam->dom() == w.nat() && lam->type()->as<Pi>()->codom()->isa<Pi>();
    out_ += is_of_sizes ? "depFun((" + name + ": Nat) =>" : "fun(" + name + ": " + type(lam->dom()) + " =>";
    out_ += line(depth);
    term(lam->body(), depth + 1);
    out_ += ")";
    used_.erase(name);
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

void Printer::applied(const Def* def, size_t depth) {
    if (auto app = match<let>(def)) {
        auto f    = app.arg()->as<Lam>();
        auto name = name_of(f->var(), "x");
        used_.erase(name); // its own value may use the name for something else
        out_ += "(let " + name + " = ";
        term(mim::group(def, 1), depth);
        used_.insert(name);
        out_ += ";" + line(depth);
        term(f->body(), depth);
        used_.erase(name);
        out_ += ")";
    } else if (match<pair>(def)) {
        out_ += "(";
        term(mim::group(def, 1), depth);
        out_ += ", ";
        term(mim::group(def, 2), depth);
        out_ += ")";
    } else if (match<unsigned_>(def)) {
        out_ += std::to_string(*value(operand(w, def, 1))) + type(def->type());
    } else if (auto array = match<make_array>(def)) {
        out_ += "[";
        auto n = *value(elem(w, mim::group(def, 0), 0));
        for (uint64_t i = 0; i != n; ++i) {
            out_ += i == 0 ? "" : ", ";
            term(n == 1 ? array.arg() : operand(w, def, i), depth);
        }
        out_ += "]";
    } else if (auto app = match<vector_from_scalar>(def)) { // nothing else may say how long it is
        out_ += "(vectorFromScalar(";
        term(app.arg(), depth);
        out_ += ") : " + type(def->type()) + ")";
    } else {
        primitive(def, depth);
    }
}

void Printer::primitive(const Def* def, size_t depth) {
    auto head = saturated_axiom(def);
    if (match<as>(def)) {
        out_ += text(static_cast<Space>(head->axiom().id.sub));
        return;
    }
    const Def* callee = head;
    auto known        = primitive_of(w, head);
    out_ += known ? std::string(known->name) : plain_name(w, head);
    for (size_t i = 0, n = num_groups(def); i != n; ++i) {
        auto pi  = callee->type()->as<Pi>();
        auto arg = mim::group(def, i);
        callee   = w.app(callee, arg);
        if (!pi->is_implicit()) argument(def, i, pi, arg, depth);
    }
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

void Printer::argument(const Def* def, size_t i, const Pi* pi, const Def* arg, size_t depth) {
    if (auto space = arg->isa<Axm>()) {
        out_ += "(" + std::string(text(static_cast<Space>(space->axiom().id.sub))) + ")";
        return;
    }
    bool is_level = i == 0 && match<map_level>(def);
    if (is_level && is_value(arg, 0)) return;
    if (is_level || (i == 0 && takes_size(def))) {
        out_ += "(" + size(arg) + ")";
        return;
    }
    if (auto order = match<reorder>(def) ? arg->isa<Lam>() : nullptr) {
        auto name = name_of(order->var(), "i");
        out_ += "(" + name + " => " + size(order->body()) + ")";
        used_.erase(name);
        return;
    }
    if (auto sizes = pi->dom()->isa<mim::Arr>()) {
        for (uint64_t j = 0, n = *value(sizes->arity()); j != n; ++j) out_ += "(" + size(elem(w, arg, j)) + ")";
        return;
    }
    auto function = match<generate>(def) ? nullptr : arg->isa<Lam>(); // nothing but the function says how much `generate` makes
    auto name     = function ? contracted(function) : std::string_view();
    out_ += "(";
    if (name.empty()) term(arg, depth);
    else out_ += name;
    out_ += ")";
}

void Printer::term(const Def* def, size_t depth) {
    auto known   = names_.find(def);
    auto axm     = saturated_axiom(def);
    bool is_ours = axm && is_of_plugin<rise::map>(axm->axiom()) && !match<nat>(def);
    if (known != names_.end()) {
        out_ += known->second;
    } else if (auto lam = def->isa<Lam>()) {
        function(lam, depth);
    } else if (auto lit = def->isa<Lit>()) {
        out_ += literal(lit);
    } else if (is_ours) {
        applied(def, depth);
    } else if (def->type() == w.nat()) {
        out_ += size(def, true);
    } else if (auto app = def->isa<App>()) {
        term(app->callee(), depth);
        out_ += "(";
        term(app->arg(), depth);
        out_ += ")";
    } else {
        out_ += shown(w, def);
    }
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
