// SPDX-License-Identifier: MIT
// Expressions as a user would write them, for messages: names of the source, sugar, implicit arguments left out, cut off with `…`.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "sema/labels.h"
#include "sema/leaf.h"
#include "sema/reflect.h"
#include "syntax/print.h"

namespace mim {

namespace {
class Show : Leaf {
public:
    Show(World& world, ast::Arena& arena, const NameOf& name_of, bool in_full)
        : Leaf(world, arena)
        , name_of_(name_of)
        , in_full_(in_full) {}

    const ast::Expr* expr(const Def* def) {
        size_t max_depth = in_full_ ? 16 : 8, max_nodes = in_full_ ? 240 : 120;
        if (!def || depth_ > max_depth || ++nodes_ > max_nodes) return name("…");
        if (auto alias = def->isa<Axm>() ? world_.annexes.short_form(def).name : Symbol()) return name(alias);
        if (auto res = leaf(def)) return res;
        if (auto res = named(def)) return res;
        bool may_be_recursive = def->isa<Pi>() || def->isa<App>() || def->isa<Sigma>();
        if (may_be_recursive && is_recursive(world_, def)) return recursive(def);
        ++depth_;
        auto res = node(def);
        --depth_;
        return res;
    }

private:
    /// A type of functions or pointers that contains itself is shown once.
    const ast::Expr* recursive(const Def* type) {
        if (auto text = name_of_ ? name_of_(type) : std::string(); !text.empty()) return name(text);
        if (!around_.insert(type).second) return name("…");
        auto res = node(type);
        around_.erase(type);
        return res;
    }
    const ast::Expr* named(const Def* def) {
        if (def->isa<Union>() || def->isa<Inj>() || is_only_label(def)) return labelled(def);
        if (auto text = name_of_ && (def->isa<Var>() || def->isa<Extract>()) ? name_of_(def) : ""; !text.empty())
            return name(text);
        if (is_of_name_in_scope(def)) return nullptr;
        auto sym = def->isa<Lam>() || def->isa<Var>() || def->isa<Extract>() ? world_.notes.name(def) : Symbol();
        if (sym && def->isa<Lam>() && is_told_apart(def, sym)) return name(name_of_(def));
        if (sym) return name(sym);
        if (auto var = def->isa<Var>()) return variable(var);
        auto ex = def->isa<Extract>();
        if (!ex) return nullptr;
        auto lit = isa_lit(ex->index());
        if (auto parameter = lit ? parameter_name(ex->tuple(), lit->value()) : Symbol()) return name(parameter);
        auto var = ex->tuple()->isa<Var>();
        if (!var || !lit) return nullptr;
        if (auto field = at(world_.notes.fields(var->binder()), lit->value())) return name(field);
        if (var->binder()->node() == Node::Sigma) return name(element(lit->value()));
        return nullptr;
    }
    /// The message has another function of this name, and tells them apart by what stands behind it.
    bool is_told_apart(const Def* lam, Symbol sym) {
        auto text = name_of_ ? name_of_(lam) : std::string();
        return text.size() > sym.view().size() && text.starts_with(sym.view());
    }
    /// An element without a name where the message is, of something that has one: `v#0` in place of the `m` in `v: [m:
    /// Nat, Idx m]`.
    bool is_of_name_in_scope(const Def* def) {
        auto ex = name_of_ ? def->isa<Extract>() : nullptr;
        for (; ex; ex = ex->tuple()->isa<Extract>()) {
            auto tuple     = ex->tuple();
            bool is_nested = tuple->isa<Var>() || tuple->isa<Extract>();
            auto text      = is_nested ? name_of_(tuple) : std::string();
            if (!text.empty()) return text.front() != '(' && text.front() != '[';
        }
        return false;
    }
    static Symbol at(const std::vector<Symbol>* names, uint64_t i) { return names && i < names->size() ? (*names)[i] : Symbol(); }
    /// Of a parameter beside `return`: the first element of a function's variable, which has the names, or an element
    /// of that.
    Symbol parameter_name(const Def* tuple, uint64_t i) {
        if (auto var = tuple->isa<Var>()) {
            auto names = world_.notes.fields(var);
            return i == 0 && names && names->size() == 1 ? names->front() : Symbol();
        }
        auto group = tuple->isa<Extract>();
        auto var   = group ? group->tuple()->isa<Var>() : nullptr;
        auto first = var ? isa_lit(group->index()) : nullptr;
        auto names = first && first->value() == 0 ? world_.notes.fields(var) : nullptr;
        return names && names->size() != 1 ? at(names, i) : Symbol();
    }
    /// The type of a union with one label, which is no union.
    static bool is_only_label(const Def* type) {
        auto label = type->isa<Sigma>() || type->isa<Sing>() ? label_of(type) : nullptr;
        auto size  = label ? isa_lit(isa_idx(label->type())) : nullptr;
        return size && size->value() == 1;
    }
    /// A union that was declared with labels, and an injection into one, `cons (x, rest)`; null for others.
    const ast::Expr* labelled(const Def* def) {
        auto text = name_of_ ? name_of_(def) : std::string();
        if (text.empty()) return nullptr;
        auto inj = def->isa<Inj>();
        auto n   = inj ? num_payload(inj->member()) : 0;
        if (n == 0) return name(text);
        std::vector<const ast::Expr*> elems;
        ++depth_;
        for (size_t i = 1; i <= n; ++i) elems.push_back(expr(world_.extract(inj->value(), i)));
        --depth_;
        return app(name(text), n == 1 ? elems[0] : tuple(elems), false);
    }
    /// A variable whose elements have the names is shown as the tuple of these.
    const ast::Expr* variable(const Var* var) {
        auto fields = world_.notes.fields(var->binder());
        bool known  = fields && fields->size() > 1 && std::ranges::all_of(*fields, [](Symbol s) { return !!s; });
        if (!known || var->binder()->node() == Node::Sigma) return name(binder_name(var->binder()));
        std::vector<const ast::Expr*> elems;
        for (auto sym : *fields) elems.push_back(name(sym));
        return tuple(elems);
    }
    Symbol binder_name(const Def* binder) {
        if (auto sym = binder->var() ? world_.notes.name(binder->var()) : Symbol()) return sym;
        if (auto own = nested_.find(binder); own != nested_.end()) return own->second;
        return world_.sym(binder->node() == Node::Arr || binder->node() == Node::Pack ? "i" : "x");
    }
    /// The variables of functions that take functions' results, `[x: Nat] [y: Nat] → …`, have different names.
    void nest(const Pi* pi) {
        static constexpr std::array letters{"x", "y", "z", "u", "v", "w"};
        if (!pi->var() || world_.notes.name(pi->var())) return;
        auto letter = letters[num_nested_++ % letters.size()];
        nested_.insert_or_assign(pi, world_.sym(letter));
    }
    Symbol element(uint64_t i) { return world_.sym("x" + std::to_string(i)); }

    const ast::Expr* node(const Def* def) {
        switch (def->node()) {
            case Node::Hole: return hole(def->as<Hole>());
            case Node::Pi: return pi(def->as<Pi>());
            case Node::Lam: return lam(def->as<Lam>());
            case Node::App: return app(def->as<App>());
            case Node::Sigma: return ast::make<ast::Sigma>(arena_, {}, sigma(def));
            case Node::Tuple:
            case Node::Pack: return aggregate(def);
            case Node::Arr: return ast::make<ast::Array>(arena_, {}, dims(def), expr(def->op(1)));
            case Node::Extract: return extract(def->as<Extract>());
            case Node::Insert: return ast::make<ast::Insert>(arena_, {}, expr(def->op(0)), index(def->op(1)), expr(def->op(2)));
            case Node::Union: return ast::make<ast::Union>(arena_, {}, arena_.list(list(def->ops())));
            case Node::Inj: return inj(def->as<Inj>());
            case Node::Match: return in_full_ ? match(def->as<Match>()) : app(name("match"), expr(def->op(0)), false);
            case Node::Sing: return ast::make<ast::Singleton>(arena_, {}, expr(def->op(0)));
            case Node::Lit: return plugin_literal(def->as<Lit>(), expr(def->type()));
            default: return name("_");
        }
    }
    const ast::Expr* inj(const Inj* i) {
        auto value  = expr(i->value());
        auto member = is_by_hand(world_, i) ? expr(i->member()) : nullptr;
        return ast::make<ast::Inj>(arena_, {}, value, member, expr(i->type()));
    }
    const ast::Expr* aggregate(const Def* def) {
        static constexpr size_t MaxBytes = 40;
        auto bytes                       = text_of(def);
        if (!bytes && def->isa<Pack>()) return ast::make<ast::Pack>(arena_, {}, dims(def), expr(def->op(1)));
        if (!bytes) return tuple(list(def->ops()));
        if (bytes->size() > MaxBytes) bytes->replace(MaxBytes, std::string::npos, "…");
        return ast::make<ast::StrLit>(arena_, {}, arena_.text(*bytes));
    }
    const ast::Expr* hole(const Hole* h) {
        if (h->solution()) return expr(h->solution());
        // a recursive type is one while its definition is read
        if (auto text = name_of_ ? name_of_(h) : std::string(); !text.empty()) return name(text);
        return ast::make<ast::Hole>(arena_, {});
    }
    /// An element of a tuple, or of a part of one; the element of a placeholder is not known either.
    const ast::Expr* extract(const Extract* ex) {
        const Def* whole = ex;
        while (auto part = whole->isa<Extract>()) whole = part->tuple();
        auto open = whole->isa<Hole>();
        if (open && !open->solution()) return hole(open);
        return ast::make<ast::Extract>(arena_, {}, expr(ex->tuple()), index(ex->index()));
    }
    const ast::Expr* index(const Def* i) {
        if (auto lit = isa_lit(i)) return nat(lit->value());
        return expr(i);
    }
    const ast::Expr* app(const ast::Expr* callee, const ast::Expr* arg, bool at) { return Leaf::app(callee, arg, at); }
    const ast::Expr* app(const App* a) {
        if (auto form = world_.annexes.short_form(a); form.name)
            return form.arg ? app(name(form.name), expr(form.arg), false) : name(form.name);
        auto pi = a->callee()->type()->isa<Pi>();
        if (pi && pi->is_implicit()) return in_full_ ? app(expr(a->callee()), expr(a->arg()), true) : expr(a->callee());
        return app(expr(a->callee()), expr(a->arg()), false);
    }
    const ast::Expr* lam(const Lam* l) {
        auto group = ast::Group{round({name_pattern(binder_name(l), expr(l->dom()))}), l->pi()->is_implicit()};
        auto form  = l->is_cn() ? ast::LamForm::Con : ast::LamForm::Lam;
        ast::Function f{form, arena_.list(&group, 1), nullptr, nullptr, name("…")};
        if (in_full_ && l->is_set()) f.filter = expr(l->filter()), f.body = body(l);
        return ast::make<ast::Lam>(arena_, {}, f);
    }
    /// A function that calls itself is shown once.
    const ast::Expr* body(const Lam* l) {
        if (!around_.insert(l).second) return name("…");
        auto res = expr(l->body());
        around_.erase(l);
        return res;
    }
    const ast::Expr* match(const Match* m) {
        auto value = expr(m->scrutinee());
        std::vector<ast::Arm> arms;
        for (auto arm : m->arms()) {
            auto lam    = arm->isa<Lam>();
            auto sym    = lam ? binder_name(lam) : world_.sym("x");
            auto member = name_pattern(sym, expr(arm->type()->as<Pi>()->dom()));
            arms.push_back({member, lam && lam->is_set() ? body(lam) : app(expr(arm), name(sym), false)});
        }
        return ast::make<ast::Match>(arena_, {}, value, arena_.list(arms));
    }
    std::vector<const ast::Expr*> list(Defs defs) {
        std::vector<const ast::Expr*> res;
        static constexpr size_t MaxElems = 12;
        for (auto d : defs) {
            if (res.size() == MaxElems) return res.push_back(name("…")), res;
            res.push_back(expr(d));
        }
        return res;
    }
    ast::List<ast::Dim> dims(const Def* def) {
        ast::Dim dim{{def->var() ? binder_name(def) : Symbol(), {}}, expr(def->op(0))};
        return arena_.list(&dim, 1);
    }
    /// The names by which the later elements of a dependent type mention the ones before them; empty if none has one.
    std::vector<Symbol> element_names(const Def* sigma) {
        std::vector<Symbol> names;
        bool is_any = false;
        for (size_t i = 0; sigma->var() && i < sigma->num_ops(); ++i) {
            auto name     = world_.notes.name(world_.extract(sigma->var(), i));
            bool is_taken = std::ranges::find(names, name) != names.end(); // what has a singleton type is called as its value
            names.push_back(is_taken ? Symbol() : name);
            is_any |= static_cast<bool>(names.back());
        }
        return is_any ? names : std::vector<Symbol>();
    }
    const ast::TuplePattern* sigma(const Def* def) {
        std::vector<const ast::Pattern*> elems;
        auto fields = world_.notes.fields(def);
        auto names  = element_names(def);
        for (size_t i = 0; i < def->num_ops(); ++i) {
            Symbol sym;
            if (fields && i < fields->size()) sym = (*fields)[i];
            else if (!names.empty()) sym = names[i];
            if (!sym && names.empty() && def->var())
                sym = world_.notes.name(def->var()) ? world_.notes.name(def->var()) : element(i);
            auto type = expr(def->op(i));
            elems.push_back(sym ? name_pattern(sym, type) : type_pattern(type));
        }
        return square(elems);
    }

    const ast::Expr* pi(const Pi* first) {
        auto num_around = num_nested_;
        auto type       = function_type(first);
        num_nested_     = num_around;
        return type;
    }
    /// Cn and Fn where they apply.
    const ast::Expr* function_type(const Pi* first) {
        std::vector<ast::Group> groups;
        const Pi* p      = first;
        const Def* codom = nullptr;
        while (true) {
            bool last = !p->codom()->isa<Pi>() || p->is_cn() || is_recursive(world_, p->codom());
            auto pair = p->is_cn() && !p->var() ? p->dom()->isa<Sigma>() : nullptr;
            auto ret  = pair && pair->num_ops() == 2 && !pair->var() ? pair->op(1)->isa<Pi>() : nullptr;
            if (ret && ret->is_cn() && !ret->is_implicit()) {
                groups.push_back({domain(pair->op(0), Symbol()), p->is_implicit()});
                return make_pi(ast::PiForm::Fn, groups, expr(ret->dom()));
            }
            nest(p);
            auto elems = parameters(p);
            auto group = elems ? elems : domain(p->dom(), p->var() ? binder_name(p) : Symbol(), p->is_implicit());
            groups.push_back({group, p->is_implicit()});
            codom = p->codom();
            if (last) break;
            p = codom->as<Pi>();
        }
        if (codom->isa<Bot>()) return make_pi(ast::PiForm::Cn, groups, nullptr);
        return make_pi(ast::PiForm::Pi, groups, expr(codom));
    }
    /// `[a: A, B]` where the result mentions a by this name, which the text gave it; null if it does not.
    const ast::Pattern* parameters(const Pi* pi) {
        static constexpr int64_t MaxElems = 12;
        auto arr                          = pi->dom()->isa<Arr>();
        bool is_group                     = pi->dom()->isa<Sigma>() || (arr && !arr->var());
        auto n                            = pi->var() && is_group ? lit_arity(world_, pi->dom()) : -1;
        bool is_short                     = n > 1 && n <= MaxElems;
        if (!is_short || world_.notes.name(pi->var())) return nullptr;
        std::vector<const ast::Pattern*> elems;
        bool has_name = false;
        for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
            auto sym  = world_.notes.name(world_.extract(pi->var(), i));
            auto type = expr(arr ? arr->body() : pi->dom()->op(i));
            has_name |= static_cast<bool>(sym);
            elems.push_back(sym ? name_pattern(sym, type) : type_pattern(type));
        }
        return has_name ? square(elems) : nullptr;
    }
    const ast::Pattern* domain(const Def* dom, Symbol name, bool square_brackets = false) {
        if (name) return square({name_pattern(name, expr(dom))});
        if (auto s = dom->isa<Sigma>()) return sigma(s);
        if (square_brackets) return square({type_pattern(expr(dom))});
        return type_pattern(expr(dom));
    }
    const ast::Expr* make_pi(ast::PiForm form, const std::vector<ast::Group>& groups, const ast::Expr* codom) {
        return ast::make<ast::Pi>(arena_, {}, form, arena_.list(groups), codom);
    }

    const NameOf& name_of_;
    bool in_full_;
    std::unordered_set<const Def*> around_;         ///< the recursive types and functions that are being shown
    std::unordered_map<const Def*, Symbol> nested_; ///< names of variables that have none, of functions within functions
    size_t depth_ = 0, nodes_ = 0, num_nested_ = 0;
};
} // namespace

std::string show(World& world, const Def* def, const NameOf& name_of) {
    ast::Arena arena;
    return print(Show(world, arena, name_of, false).expr(def), PrintOptions{.width = 100000});
}

std::string show_in_full(World& world, const Def* def, const NameOf& name_of) {
    ast::Arena arena;
    return print(Show(world, arena, name_of, true).expr(def), PrintOptions{.width = 100000});
}

} // namespace mim
