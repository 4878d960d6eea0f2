// SPDX-License-Identifier: MIT
#include "ir/brief.h"

#include <optional>
#include <string_view>

#include "ir/axiom.h"
#include "ir/def.h"

namespace mim {

namespace {

constexpr size_t kLength  = 60;
constexpr unsigned kDepth = 4;
constexpr auto kMore      = "…";

/// `I8`, `I16`, `I32` or `I64`; nothing for other sizes.
std::optional<std::string> integer_type(const Lit* size) {
    if (size->is_2_64()) return "I64";
    for (unsigned bits : {8, 16, 32})
        if (size->value() == uint64_t(1) << bits) return "I" + std::to_string(bits);
    return {};
}

class Brief {
public:
    std::string text(const Def* def) {
        expr(def);
        return std::move(out_);
    }

private:
    /// In parentheses if it has parts.
    void atom(const Def* def) {
        bool is_word = !def || (!def->isa<App>() && !def->isa<Pi>()) || is_type_of_numbers(def);
        if (!is_word) out_ += "(";
        expr(def);
        if (!is_word) out_ += ")";
    }

    void expr(const Def* def) {
        if (!def || depth_ == kDepth || out_.size() > kLength) return add(kMore);
        ++depth_;
        known(def);
        --depth_;
    }

    void known(const Def* def) {
        switch (def->node()) {
            case Node::Sort: return add(def->as<Sort>()->level() == 0 ? "*" : "Sort " + std::to_string(def->as<Sort>()->level()));
            case Node::Bot: return add("⊥");
            case Node::Top: return add("⊤");
            case Node::Nat: return add("Nat");
            case Node::Idx: return add("Idx");
            case Node::Hole: return add("?");
            case Node::Axm: return add(def->as<Axm>()->axiom().name.view());
            case Node::Lit: return literal(def->as<Lit>());
            case Node::App: return app(def->as<App>());
            case Node::Extract: return extract(def->as<Extract>());
            default: break;
        }
        if (!def->is_set()) return add(kMore);
        switch (def->node()) {
            case Node::Pi: return pi(def->as<Pi>());
            case Node::Sigma: return list("[", def->ops(), "]");
            case Node::Tuple: return list("(", def->ops(), ")");
            case Node::Arr: return array("«", def, "»");
            case Node::Pack: return array("‹", def, "›");
            default: return add(kMore);
        }
    }

    void literal(const Lit* lit) {
        auto type = lit->type();
        if (type->isa<Nat>()) return add(lit->is_2_64() ? "18446744073709551616" : std::to_string(lit->value()));
        auto size = size_of(type);
        if (size && size->value() == 2 && !size->is_2_64()) return add(lit->value() == 0 ? "ff" : "tt");
        add(std::to_string(lit->value()));
        auto name = size ? integer_type(size) : std::nullopt;
        if (name) return add(*name);
        add(":");
        atom(type);
    }

    void app(const App* app) {
        auto size = size_of(app);
        if (size && size->value() == 2 && !size->is_2_64()) return add("Bool");
        if (auto name = size ? integer_type(size) : std::nullopt) return add(*name);
        if (auto callee = app->callee(); callee->isa<App>()) expr(callee);
        else atom(callee);
        add(" ");
        atom(app->arg());
    }

    void extract(const Extract* extract) {
        atom(extract->tuple());
        add("#");
        if (auto index = extract->index()->isa<Lit>()) return add(std::to_string(index->value()));
        atom(extract->index());
    }

    void pi(const Pi* pi) {
        if (pi->is_cn()) add("Cn ");
        atom(pi->dom());
        if (pi->is_cn()) return;
        add(" → ");
        expr(pi->codom());
    }

    void list(std::string_view open, Defs elems, std::string_view close) {
        add(open);
        for (size_t i = 0; i != elems.size(); ++i) {
            if (i != 0) add(", ");
            if (out_.size() > kLength) {
                add(kMore);
                break;
            }
            expr(elems[i]);
        }
        add(close);
    }

    void array(std::string_view open, const Def* def, std::string_view close) {
        add(open);
        expr(def->op(0));
        add("; ");
        expr(def->op(1));
        add(close);
    }

    /// n of the type `Idx n`.
    static const Lit* size_of(const Def* type) {
        auto app = type->isa<App>();
        return app && app->callee()->isa<Idx>() ? app->arg()->isa<Lit>() : nullptr;
    }
    static bool is_type_of_numbers(const Def* def) {
        auto size = size_of(def);
        return size && ((size->value() == 2 && !size->is_2_64()) || integer_type(size));
    }

    void add(std::string_view text) { out_ += text; }

    std::string out_;
    unsigned depth_ = 0;
};

} // namespace

std::string brief(const Def* def) { return Brief().text(def); }

} // namespace mim
