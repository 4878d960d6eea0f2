// SPDX-License-Identifier: MIT
#include "c_values.h"

#include <algorithm>

namespace mim::plug::dpia {

CRef Sizes::make(CNode node) {
    auto key    = std::tuple(node.text, node.type, node.args);
    auto& known = interned_[key];
    if (!known) known = &nodes_.emplace_back(std::move(node));
    return known;
}

CRef Sizes::operation(SizeOp op, std::vector<CRef> args) {
    constexpr const char* texts[] = {"",
                                     "$0$ < $1$",
                                     "$0$ == $1$",
                                     "$0$ / $1$",
                                     "$0$ % $1$",
                                     "($0$ < $1$ ? 0 : $0$ - $1$)",
                                     "($0$ < $1$ ? $0$ : $1$)",
                                     "($0$ < $1$ ? $1$ : $0$)",
                                     "power($0$, $1$)"};
    bool is_truth                 = op == SizeOp::Less || op == SizeOp::Equal;
    bool has_bracket              = op == SizeOp::Difference || op == SizeOp::Min || op == SizeOp::Max || op == SizeOp::Power;
    auto kind                     = has_bracket ? CNode::Call : CNode::Infix;
    return make({texts[static_cast<size_t>(op)], is_truth ? "uint8_t" : "uint64_t", std::move(args), kind, op});
}

const Polynomial* Sizes::sum_of(CRef node) const {
    auto known = sums_.find(node);
    return known == sums_.end() ? nullptr : &known->second;
}

Polynomial Sizes::name(std::string text, std::optional<Polynomial> bound) {
    auto result                        = opaque(atom(std::move(text), "uint64_t"));
    vars_[*result.as_variable()].bound = std::move(bound);
    return result;
}

Polynomial Sizes::opaque(CRef node) {
    auto [place, is_new] = var_of_.emplace(node, static_cast<Var>(vars_.size()));
    if (is_new) vars_.push_back({node});
    return Polynomial::variable(place->second);
}

/// Sums, products and powers of early names are early; a quotient may not be defined there.
bool Sizes::is_early(CRef node, size_t first) {
    if (node->text.find_first_of("/%[?") != node->text.npos) return false;
    auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    auto& text   = node->text;
    for (size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && is_part(text[end])) ++end;
        auto word    = text.substr(at, end - at);
        at           = std::max(end, at + 1);
        bool is_name = !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) && word != "power";
        if (!is_name) continue;
        auto var = var_of_.find(atom(word, "uint64_t"));
        if (var == var_of_.end() || var->second >= first) return false;
    }
    return std::ranges::all_of(node->args, [&](auto arg) { return is_early(arg, first); });
}

bool Sizes::depends_on_later(const Polynomial& p, size_t first) {
    for (auto& [monomial, _] : p.terms())
        for (auto x : monomial)
            if (!is_early(vars_[x].node, first)) return true;
    return false;
}

static bool has_no_negative(const Polynomial& p) {
    return std::ranges::all_of(p.terms(), [](auto& term) { return term.second > 0; });
}

/// With what is left of each name beyond what it is at least.
Polynomial Sizes::beyond_least(const Polynomial& p) const {
    auto result = p;
    for (Var x = 0; x != vars_.size(); ++x)
        if (auto n = vars_[x].at_least; n != 0 && result.occurs(x))
            result = result.substitute(x, Polynomial::variable(x) + Polynomial::number(Polynomial::Number(n)));
    return result;
}

/// Names are at most their bounds less 1, so a < b if b - 1 - a has no negative coefficient then.
bool Sizes::is_less(const Polynomial& a, const Polynomial& b) {
    auto largest = beyond_least(a);
    if (!has_no_negative(largest)) return false;
    for (size_t round = 0; round != vars_.size(); ++round) {
        bool is_changed = false;
        for (Var x = 0; x != vars_.size(); ++x) {
            if (!vars_[x].bound || !largest.occurs(x)) continue;
            largest    = largest.substitute(x, beyond_least(*vars_[x].bound) - Polynomial::number(1));
            is_changed = true;
        }
        if (!is_changed) break;
    }
    return has_no_negative(beyond_least(b) - Polynomial::number(1) - largest);
}

static bool divides(const Polynomial::Monomial& d, const Polynomial::Monomial& m) { return std::ranges::includes(m, d); }

std::pair<Polynomial, Polynomial> Sizes::divide(const Polynomial& p, const Polynomial& d) {
    if (d.value() == 1) return {p, {}};
    if (d.terms().empty()) return {p, p};
    auto whole = p.value(), by = d.value();
    bool are_known = whole && by && *whole >= 0;
    if (are_known) return {Polynomial::number(*whole / *by), Polynomial::number(*whole % *by)};
    // the quotient of what is divisible by the largest part of the divisor
    auto lead = std::ranges::max_element(d.terms(), {}, [](auto& term) { return term.first.size(); });
    Polynomial quotient;
    for (auto& [monomial, coefficient] : p.terms()) {
        if (!divides(lead->first, monomial) || coefficient % lead->second != 0) continue;
        Polynomial::Monomial rest;
        std::ranges::set_difference(monomial, lead->first, std::back_inserter(rest));
        auto part = Polynomial::number(coefficient / lead->second);
        for (auto x : rest) part = part * Polynomial::variable(x);
        quotient = quotient + part;
    }
    auto rest = p - quotient * d;
    if (rest.terms().empty() || is_less(rest, d)) return {quotient, rest};
    auto operands  = std::vector{node(p), node(d)};
    auto remainder = size(SizeOp::Rest, operands);
    auto& bound    = vars_[*remainder.as_variable()].bound;
    if (!bound) bound = d;
    return {size(SizeOp::Quotient, operands), remainder};
}

// ---- text

std::string Sizes::factor(Var x, std::vector<CRef>& args) {
    auto node = vars_[x].node;
    if (node->kind == CNode::Atom) return node->text;
    auto found = std::ranges::find(args, node);
    auto place = std::to_string(found - args.begin());
    if (found == args.end()) args.push_back(node);
    return "$" + place + "$";
}

/// Horner's form: the variable that occurs in most products is taken out of them.
std::string Sizes::factored(std::map<Polynomial::Monomial, Polynomial::Number> terms, std::vector<CRef>& args, bool is_factor) {
    std::map<Var, size_t> counts;
    for (auto& [monomial, _] : terms)
        for (Var last = ~Var(0); auto x : monomial) {
            if (x != last) ++counts[x];
            last = x;
        }
    Var best = ~Var(0);
    for (auto& [x, count] : counts)
        if (count > 1 && (best == ~Var(0) || count >= counts[best])) best = x;
    std::string positive, negative;
    size_t num_parts = 0;
    auto add         = [&](const std::string& text, bool is_negative) {
        auto& side = is_negative ? negative : positive;
        side += (is_negative ? " - " : side.empty() ? "" : " + ") + text;
        ++num_parts;
    };
    if (best != ~Var(0)) {
        std::map<Polynomial::Monomial, Polynomial::Number> inside;
        for (auto term = terms.begin(); term != terms.end();) {
            auto place = std::ranges::find(term->first, best);
            if (place == term->first.end()) {
                ++term;
                continue;
            }
            auto rest = term->first;
            rest.erase(rest.begin() + (place - term->first.begin()));
            inside[rest] = term->second;
            term         = terms.erase(term);
        }
        add(factored(std::move(inside), args, true) + " * " + factor(best, args), false);
    }
    for (auto& [monomial, coefficient] : terms) {
        std::string text;
        auto size = coefficient < 0 ? -coefficient : coefficient;
        if (size != 1 || monomial.empty()) text = std::to_string(static_cast<uint64_t>(size));
        for (auto x : monomial) text += (text.empty() ? "" : " * ") + factor(x, args);
        add(text, coefficient < 0);
    }
    if (positive.empty()) positive = "0";
    auto result     = positive + negative;
    bool is_product = num_parts == 1 && negative.empty();
    return is_factor && !is_product ? "(" + result + ")" : result;
}

std::string Sizes::sum(const Polynomial& p, std::vector<CRef>& args, bool is_factor) {
    for (auto& [known, name] : known_)
        if (known == p) return name;
    return factored(p.terms(), args, is_factor);
}

CRef Sizes::node(const Polynomial& p) {
    if (auto x = p.as_variable()) return vars_[*x].node;
    auto result = written(p);
    sums_.emplace(result, p);
    return result;
}

CRef Sizes::written(const Polynomial& p) {
    if (auto n = p.value()) {
        auto wrapped = static_cast<uint64_t>(*n);
        return atom(std::to_string(wrapped) + (*n < 0 ? "u" : ""), "uint64_t");
    }
    std::vector<CRef> args;
    auto text    = sum(p, args, false);
    bool is_atom = text.find(' ') == text.npos;
    return make({text, "uint64_t", args, is_atom ? CNode::Atom : CNode::Infix});
}

/// Without operands that have to be computed before.
std::string Sizes::text(const Polynomial& p) { return node(p)->text; }

} // namespace mim::plug::dpia
