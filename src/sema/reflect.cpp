// SPDX-License-Identifier: MIT
// The printed IR. Every function, shared node and recursive type is declared in the region it belongs to (see region.h); what is
// used once is written in place. A shared node that needs a function which in turn needs the node is written as a function of
// no arguments, which elaboration unfolds again.
#include "sema/reflect.h"

#include <algorithm>
#include <optional>
#include <set>

#include "sema/leaf.h"
#include "sema/printed_names.h"
#include "sema/region.h"
#include "syntax/print.h"

namespace mim {

namespace {
class Reflector : Leaf {
public:
    Reflector(World& world, ast::Arena& arena, NamesOf names = NamesOf::Graph)
        : Leaf(world, arena)
        , supply_(world, names) {}

    void module(ast::Module& m) {
        std::vector<External> externals = world_.externals.all();
        std::sort(externals.begin(), externals.end(), [](auto& a, auto& b) { return a.name.view() < b.name.view(); });
        std::vector<const Def*> roots;
        for (auto& e : externals) {
            extern_[e.lam] = e.name;
            supply_.reserve(e.name.view());
            roots.push_back(e.lam);
        }
        // Rules come before the functions that they may apply to, and after those that they mention: nothing in the graph can still be
        // rewritten by a `norm`, so reading the text builds the same graph.
        std::vector<const Def*> first;
        for (auto& rule : world_.rules.all())
            if (rule->plugin) note_plugins_of(*rule);
            else rule_parts(*rule, first);
        std::vector<const ast::Decl*> decls;
        auto order = regions_.emplace(world_, bound_, nullptr, roots, first).order();
        std::span components(order.components);
        for (auto& c : components.first(order.num_first)) declare(c, order, decls);
        for (auto& rule : world_.rules.all())
            if (!rule->plugin) decls.push_back(this->rule(*rule));
        for (auto& c : components.subspan(order.num_first)) declare(c, order, decls);
        std::vector<const ast::Decl*> all;
        for (auto& p : plugins_) all.push_back(ast::make_decl<ast::Plugin>(arena_, {}, ast::Binder{world_.sym(p), {}}));
        all.insert(all.end(), decls.begin(), decls.end());
        m.decls = arena_.list(all);
    }

    const ast::Expr* open(const Def* def) {
        for (auto v : free_vars(world_, def)) {
            bound_.insert(v);
            names_[v] = name_of_free(v->as<Var>());
        }
        return slot(nullptr, def);
    }

private:
    Symbol name_of_free(const Var* v) {
        auto sym = world_.notes.name(v);
        return sym ? sym : fresh('x');
    }
    Symbol fresh(char prefix) { return supply_.fresh(prefix); }

    /*
     * regions
     */

    Regions::Order order_of(const Def* var, const Def* root) {
        if (var && regions_ && regions_->has(var, root)) return regions_->order(var);
        if (var) return Regions(world_, bound_, var, {&root, 1}).order();
        return regions_.emplace(world_, bound_, var, Defs(&root, 1)).order();
    }

    /// Declares the items of a region, runs `inside`, and forgets their names.
    template<class F>
    void region(const Def* var, const Def* root, std::vector<const ast::Decl*>& decls, F inside) {
        auto order = order_of(var, root);
        for (auto& component : order.components) declare(component, order, decls);
        inside();
        for (auto& component : order.components)
            for (auto& item : component) forget(item.def), thunks_.erase(item.def);
    }

    /// `def` as the text of a place where `var` is bound, with the declarations it needs.
    const ast::Expr* slot(const Def* var, const Def* def) {
        if (var && !var->isa<Var>()) return expr(def); // the one value of a singleton
        std::vector<const ast::Decl*> decls;
        const ast::Expr* res = nullptr;
        region(var, def, decls, [&] { res = expr(def); });
        if (decls.empty()) return res;
        return ast::make<ast::Block>(arena_, {}, arena_.list(decls), res);
    }

    void declare(const Regions::Component& component, const Regions::Order& order, std::vector<const ast::Decl*>& decls) {
        bool cyclic = order.recursive.contains(component[0].def);
        bool types  = std::any_of(component.begin(), component.end(), [](auto& i) { return i.kind == Regions::Item::Rec; });
        for (auto& item : component) {
            auto ext = extern_.find(item.def);
            if (item.kind == Regions::Item::Axm || (types && item.kind == Regions::Item::Let)) continue;
            auto prefix      = item.kind == Regions::Item::Fun ? 'f' : item.kind == Regions::Item::Let ? 'v' : 't';
            names_[item.def] = ext != extern_.end() ? ext->second : supply_.take(supply_.of(item.def), prefix);
            if (cyclic && item.kind == Regions::Item::Let) thunks_.insert(item.def);
        }
        bool chained = false;
        auto add     = [&](ast::Decl* d) {
            d->is_and = chained;
            decls.push_back(d);
        };
        for (auto& item : component) {
            if (item.kind != Regions::Item::Rec) continue;
            add(ast::make_decl<ast::Rec>(arena_, {}, ast::Binder{names_[item.def], {}}, ast::List<ast::Group>(), nullptr,
                                         node(item.def)));
            chained = true;
        }
        for (auto& item : component) {
            if (item.kind == Regions::Item::Fun) add(function(item.def->as<Lam>()));
            if (item.kind == Regions::Item::Axm) axiom(item.def->as<Axm>(), order, decls);
            if (item.kind != Regions::Item::Let) continue;
            if (thunks_.contains(item.def)) {
                add(thunk(item.def));
                continue;
            }
            auto type  = is_declared(item.def) ? expr(item.def->type()) : nullptr;
            auto value = type ? tuple(list(item.def->ops())) : node(item.def);
            if (types) names_[item.def] = fresh('v'); // until here it stood in the types themselves
            decls.push_back(ast::make_decl<ast::Let>(arena_, {}, name_pattern(names_[item.def], type), value));
        }
    }

    /*
     * declarations
     */
    ast::Decl* function(const Lam* lam) {
        std::vector<ast::Group> groups{param(lam)};
        std::vector<const Def*> vars{lam->var()};
        auto last = lam;
        while (auto inner = curried(last)) {
            last = inner;
            groups.push_back(param(last));
            vars.push_back(last->var());
        }
        ast::Function f{};
        f.form   = last->is_cn() ? ast::LamForm::Con : ast::LamForm::Lam;
        f.groups = arena_.list(groups);
        if (!last->is_cn()) f.codomain = slot(last->var(), Regions::codom(world_, last));
        auto standard = last->is_cn() ? world_.ff() : world_.tt();
        if (last->op(0) == world_.when_known()) f.filter = ast::make<ast::Hole>(arena_, {});
        else if (last->op(0) && last->op(0) != standard) f.filter = slot(last->var(), last->op(0));
        f.body = last->op(1) ? slot(last->var(), last->op(1)) : ast::make<ast::Hole>(arena_, {});
        for (auto var : vars) unbind(var);
        bool ext = extern_.contains(lam);
        return ast::make_decl<ast::Fun>(arena_, {}, ext, ast::Binder{names_[lam], {}}, f);
    }
    /// The λ that is the body of this one, if it is all that its variable is there for: another parameter group.
    const Lam* curried(const Lam* lam) {
        auto inner    = lam->op(1) ? lam->op(1)->isa<Lam>() : nullptr;
        bool is_group = lam->filter() == world_.tt()
                        || (lam->filter() == world_.when_known() && inner && inner->op(0) == lam->filter());
        if (!inner || !is_group || names_.contains(inner) || !lam->var()->isa<Var>()) return nullptr;
        if (Regions::codom(world_, lam) != inner->type()) return nullptr;
        auto order = order_of(lam->var(), inner);
        return order.components.size() == 1 && order.components[0].size() == 1 && order.components[0][0].def == inner
                       && order.recursive.empty()
                   ? inner
                   : nullptr;
    }
    ast::Group param(const Lam* lam) {
        auto var = lam->var();
        supply_.enter(lam);
        bool is_split = var->isa<Var>() && has_named_part(var);
        if (is_split) bound_.insert(var);
        auto pattern = is_split ? ast::as<ast::TuplePattern>(parts(var, var)) : round({whole(var, lam->dom())});
        return {pattern, lam->pi()->is_implicit()};
    }
    const ast::Pattern* whole(const Def* var, const Def* dom) {
        auto type = expr(dom);
        return name_pattern(bind(var), type);
    }
    /// The parts of a parameter that get names of their own: only where the source gives them.
    std::vector<const Def*> elements(const Def* value) {
        static constexpr int64_t MaxElems = 64;
        auto type                         = value->type();
        bool is_plain                     = (type->isa<Sigma>() || type->isa<Arr>()) && !type->is_mut();
        auto n                            = supply_.are_of_source() && is_plain ? lit_arity(world_, type) : -1;
        std::vector<const Def*> elems;
        for (int64_t i = 0; n >= 2 && n <= MaxElems && i < n; ++i)
            elems.push_back(world_.extract(value, static_cast<uint64_t>(i)));
        return elems;
    }
    bool has_named_part(const Def* value) {
        return std::ranges::any_of(elements(value), [&](auto e) { return supply_.of(e) || has_named_part(e); });
    }
    /// The pattern for a part of the variable, and the names in it.
    const ast::Pattern* parts(const Def* var, const Def* value, bool is_last = false) {
        parts_[var].push_back(value);
        if (!has_named_part(value)) {
            auto type      = expr(value->type());
            auto wanted    = supply_.of(value);
            bool is_return = !wanted && is_last && value->type()->isa<Pi>() && value->type()->as<Pi>()->is_cn();
            return name_pattern(names_[value] = supply_.take(is_return ? world_.sym("return") : wanted, 'x'), type);
        }
        split_.insert(value);
        std::vector<const ast::Pattern*> patterns;
        auto elems = elements(value);
        for (size_t i = 0; i < elems.size(); ++i) {
            auto type      = world_.refresh(value->type());
            auto elem_type = type->isa<Arr>() ? type->as<Arr>()->body() : type->op(i);
            bool is_single = elem_type->isa<Sing>(); // its element is the one value of the type, whose name is its own
            patterns.push_back(is_single ? name_pattern(fresh('x'), expr(elem_type))
                                         : parts(var, elems[i], i + 1 == elems.size()));
        }
        return round(patterns);
    }
    Symbol bind(const Def* var) {
        auto sym = supply_.take(var ? supply_.of(var) : Symbol(), 'x');
        if (var && var->isa<Var>()) {
            bound_.insert(var);
            names_[var] = sym;
        }
        return sym;
    }
    void unbind(const Def* var) {
        if (!var || !var->isa<Var>()) return; // the one value of a singleton keeps its name
        bound_.erase(var);
        forget(var);
        elems_.erase(var); // the same type may be printed again
        auto parts = parts_.extract(var);
        if (!parts) return;
        for (auto part : parts.mapped()) forget(part), split_.erase(part);
    }
    void forget(const Def* def) {
        auto it = names_.find(def);
        if (it == names_.end()) return;
        if (!extern_.contains(def)) supply_.release(it->second);
        names_.erase(it);
    }
    ast::Decl* thunk(const Def* def) {
        ast::Group group{round({}), false};
        ast::Function f{};
        f.form     = ast::LamForm::Lam;
        f.groups   = arena_.list(&group, 1);
        f.codomain = expr(def->type());
        f.body     = node(def);
        return ast::make_decl<ast::Fun>(arena_, {}, false, ast::Binder{names_[def], {}}, f);
    }
    /// A C function, or an axiom that the program declares itself, together with all subtags of its tag.
    void axiom(const Axm* axm, const Regions::Order& order, std::vector<const ast::Decl*>& decls) {
        auto& a = axm->axiom();
        if (a.kind != Axiom::Op) return decls.push_back(c_function(axm));
        auto tag = tag_of(a);
        if (!tags_.insert(std::string(tag)).second) return;
        std::vector<ast::SubTag> subs;
        for (auto& component : order.components) {
            auto other = component[0].def->isa<Axm>();
            if (!other || !Regions::is_own(other->axiom()) || tag_of(other->axiom()) != tag) continue;
            auto text = other->axiom().name.view();
            if (text.size() == tag.size()) continue;
            ast::Binder name{world_.sym(text.substr(tag.size() + 1)), {}};
            subs.push_back({arena_.list(&name, 1)});
        }
        auto type     = expr(axm->type());
        size_t groups = num_params(axm->type()); // what the counter is if none is written
        decls.push_back(ast::make_decl<ast::Axm>(arena_, {}, ast::Binder{world_.sym(tag), {}}, arena_.list(subs), type,
                                                 ast::Binder{}, a.curry != groups, static_cast<uint32_t>(a.curry)));
    }
    /// `%p.a` of `%p.a.b`
    static std::string_view tag_of(const Axiom& a) {
        auto text = a.name.view();
        return text.substr(0, text.find('.', text.find('.') + 1));
    }
    const ast::Decl* c_function(const Axm* axm) {
        auto& a  = axm->axiom();
        bool con = a.kind == Axiom::CCon;
        ast::Binder name{a.name, {}};
        auto pi = axm->type()->isa<Pi>();
        if (con || !pi)
            return ast::make_decl<ast::CDecl>(arena_, {}, con, name, static_cast<const ast::Pattern*>(nullptr),
                                              expr(axm->type()));
        auto sigma = pi->dom();
        auto elem  = [&](size_t i) { return sigma->isa<Arr>() ? sigma->as<Arr>()->body() : sigma->op(i); };
        Symbol sym;
        if (sigma->var()) bound_.insert(sigma->var()), sym = fresh('x'), elems_[sigma->var()] = {sym};
        auto type = expr(elem(0));
        auto dom  = square({sym ? name_pattern(sym, type) : type_pattern(type)});
        auto ret  = elem(1)->as<Pi>()->dom();
        auto res  = sigma->var() ? slot(sigma->var(), ret) : expr(ret);
        unbind(sigma->var());
        return ast::make_decl<ast::CDecl>(arena_, {}, con, name, static_cast<const ast::Pattern*>(dom), res);
    }

    /*
     * rules
     */
    /// What a rule mentions of the file. Its left side as a whole is no expression like others: it is not normalized.
    void rule_parts(const RewriteRule& r, std::vector<const Def*>& parts) {
        parts.push_back(r.binder->dom());
        auto lhs = r.lhs;
        for (; auto app = lhs->isa<App>(); lhs = app->callee()) parts.push_back(app->arg());
        parts.push_back(lhs);
        if (r.when) parts.push_back(r.when);
        parts.push_back(r.rhs);
    }
    ast::List<ast::Group> rule_groups(const RewriteRule& r, std::vector<const ast::Pattern*> elems) {
        std::vector<const ast::Pattern*> params(elems.begin(), elems.begin() + r.num_params);
        elems.erase(elems.begin(), elems.begin() + r.num_params);
        std::vector<ast::Group> groups;
        if (r.on_request) groups.push_back({square(params), false});
        if (!elems.empty()) groups.push_back({round(elems), false});
        return arena_.list(groups);
    }
    const ast::Decl* rule(const RewriteRule& r) {
        auto var = r.binder->var();
        auto dom = r.binder->dom();
        auto n   = lit_arity(world_, dom);
        std::vector<const ast::Pattern*> elems;
        std::vector<Symbol> names;
        if (var->isa<Var>()) bound_.insert(var);
        if (dom->var()) bound_.insert(dom->var());
        for (int64_t i = 0; i < n; ++i) {
            auto elem = n == 1 ? dom
                        : dom->isa<Arr>()
                            ? elem_type(world_, dom, var, world_.lit_idx(static_cast<uint64_t>(n), static_cast<uint64_t>(i)))
                            : dom->op(static_cast<size_t>(i));
            auto type = dom->var() ? slot(dom->var(), elem) : expr(elem);
            names.push_back(fresh('x'));
            if (dom->var()) elems_[dom->var()] = names;
            elems.push_back(name_pattern(names.back(), type));
        }
        if (n == 1) names_[var] = names[0];
        else elems_[var] = names;
        auto groups = rule_groups(r, elems);
        auto shared = names_.extract(r.lhs); // by others, in whose text it is normal
        auto lhs    = slot(var, r.lhs);
        if (shared) names_.insert(std::move(shared));
        auto when = r.when ? slot(var, r.when) : nullptr;
        auto rhs  = slot(var, r.rhs);
        unbind(dom->var());
        unbind(var);
        return ast::make_decl<ast::Rule>(arena_, {}, r.eager, ast::Binder{r.name, {}}, groups, lhs, when, rhs);
    }

    /*
     * expressions
     */
    const ast::Expr* expr(const Def* def) {
        if (auto it = names_.find(def); it != names_.end()) {
            if (thunks_.contains(def)) return app(name(it->second), tuple({}), false);
            return name(it->second);
        }
        return node(def);
    }

    const ast::Expr* node(const Def* def) {
        if (auto it = elems_.find(def); it != elems_.end() && def->isa<Var>()) { // all pattern variables of a rule
            std::vector<const ast::Expr*> elems;
            for (auto sym : it->second) elems.push_back(name(sym));
            return tuple(elems);
        }
        if (split_.contains(def)) return tuple(list(elements(def)));
        note_plugin(def);
        if (auto axm = def->isa<Axm>(); axm && axm->axiom().kind == Axiom::Op && !Regions::is_own(axm->axiom()))
            return alias(axm);
        if (auto res = leaf(def)) return res;
        switch (def->node()) {
            case Node::Pi: return pi(def->as<Pi>());
            case Node::App: {
                auto a      = def->as<App>();
                auto pi     = a->callee()->type()->isa<Pi>();
                auto callee = expr(a->callee());
                return app(callee, expr(a->arg()), pi && pi->is_implicit());
            }
            case Node::Sigma: return ast::make<ast::Sigma>(arena_, {}, sigma(def));
            case Node::Tuple:
                if (is_declared(def)) return declared(def);
                if (auto text = text_of(def)) return ast::make<ast::StrLit>(arena_, {}, arena_.text(*text));
                return tuple(list(def->ops()));
            case Node::Pack:
                if (auto text = text_of(def)) return ast::make<ast::StrLit>(arena_, {}, arena_.text(*text));
                return array(def);
            case Node::Arr: return array(def);
            case Node::Extract: return extract(def->as<Extract>());
            case Node::Insert: {
                auto e = expr(def->op(0)), i = index(def->op(0), def->op(1));
                return ast::make<ast::Insert>(arena_, {}, e, i, expr(def->op(2)));
            }
            case Node::Union: return ast::make<ast::Union>(arena_, {}, arena_.list(list(def->ops())));
            case Node::Inj: return inj(def->as<Inj>());
            case Node::Match: return match(def->as<Match>());
            case Node::Sing: return ast::make<ast::Singleton>(arena_, {}, expr(def->op(0)));
            case Node::Lit: return plugin_literal(def->as<Lit>(), expr(def->type()));
            case Node::Hole:
                return def->as<Hole>()->solution() ? expr(def->as<Hole>()->solution()) : ast::make<ast::Hole>(arena_, {});
            default: return ast::make<ast::Hole>(arena_, {});
        }
    }

    /// People write `%core.ncmp.l` for `%core.ncmp.xYGle`.
    const ast::Expr* alias(const Axm* axm) {
        auto& name = aliases_[axm];
        if (!name) name = world_.annexes.shortest_name(axm);
        return ast::make<ast::Annex>(arena_, {}, name);
    }

    /// Those that the text must name for the rule to be there: a plugin may have it for programs with another one only.
    void note_plugins_of(const RewriteRule& rule) {
        plugins_.emplace(rule.plugin.view());
        note_plugin(head_axiom(rule.lhs));
    }
    void note_plugin(const Def* def) {
        auto axm = def->isa<Axm>();
        if (!axm || Regions::is_own(axm->axiom())) return;
        auto text = axm->axiom().name.view();
        plugins_.emplace(text.substr(1, text.find('.') - 1));
    }

    std::vector<const ast::Expr*> list(Defs defs) {
        std::vector<const ast::Expr*> res;
        res.reserve(defs.size());
        for (auto d : defs) res.push_back(expr(d));
        return res;
    }

    const ast::Expr* pi(const Pi* p) {
        auto dom = expr(p->dom());
        const ast::Pattern* pattern;
        if (auto var = p->var() ? p->var()->isa<Var>() : nullptr) pattern = square({name_pattern(bind(var), dom)});
        else pattern = p->is_implicit() ? square({type_pattern(dom)}) : type_pattern(dom);
        ast::Group group{pattern, p->is_implicit()};
        auto codom = p->is_cn() ? nullptr : p->var() ? slot(p->var(), p->codom()) : expr(p->codom());
        unbind(p->var());
        return ast::make<ast::Pi>(arena_, {}, codom ? ast::PiForm::Pi : ast::PiForm::Cn, arena_.list(&group, 1), codom);
    }

    const ast::TuplePattern* sigma(const Def* def) {
        std::vector<const ast::Pattern*> pattern;
        const Def* var = nullptr; // only if it is used
        for (auto op : def->ops())
            if (def->var() && def->var()->isa<Var>() && is_free_in(world_, def->var(), op)) var = def->var();
        if (var) bound_.insert(var);
        for (size_t i = 0; i < def->num_ops(); ++i) {
            auto type = var ? slot(var, def->op(i)) : expr(def->op(i));
            if (!var) {
                pattern.push_back(type_pattern(type));
                continue;
            }
            elems_[var].push_back(fresh('x'));
            pattern.push_back(name_pattern(elems_[var].back(), type));
        }
        unbind(var);
        return square(pattern);
    }

    const ast::Expr* array(const Def* def) {
        ast::Dim dim{{}, expr(def->op(0))};
        auto var = def->var();
        if (var) dim.name.name = bind(var);
        auto body = var ? slot(var, def->op(1)) : expr(def->op(1));
        unbind(var);
        auto dims = arena_.list(&dim, 1);
        if (def->isa<Arr>()) return ast::make<ast::Array>(arena_, {}, dims, body);
        return ast::make<ast::Pack>(arena_, {}, dims, body);
    }

    const ast::Expr* extract(const Extract* e) {
        auto lit = isa_lit(e->index());
        if (auto it = elems_.find(e->tuple()); it != elems_.end() && lit && lit->value() < it->second.size())
            return name(it->second[lit->value()]);
        auto tuple = expr(e->tuple());
        return ast::make<ast::Extract>(arena_, {}, tuple, index(e->tuple(), e->index()));
    }
    const ast::Expr* index(const Def* tuple, const Def* i) {
        auto lit = isa_lit(i);
        return lit && lit_arity(world_, tuple->type()) >= 0 ? nat(lit->value()) : expr(i);
    }

    /// `{ let x: T = (…); x }`: a tuple that is declared with a type.
    const ast::Expr* declared(const Def* def) {
        auto type                    = expr(def->type());
        auto value                   = tuple(list(def->ops()));
        auto sym                     = fresh('x');
        const ast::Decl* declaration = ast::make_decl<ast::Let>(arena_, {}, name_pattern(sym, type), value);
        return ast::make<ast::Block>(arena_, {}, arena_.list(&declaration, 1), name(sym));
    }

    const ast::Expr* inj(const Inj* i) {
        auto value  = expr(i->value());
        auto member = is_by_hand(world_, i) ? expr(i->member()) : nullptr;
        return ast::make<ast::Inj>(arena_, {}, value, member, expr(i->type()));
    }

    const ast::Expr* match(const Match* m) {
        auto value = expr(m->scrutinee());
        std::vector<ast::Arm> arms;
        for (auto arm : m->arms()) {
            if (Regions::is_inline_arm(world_, arm)) {
                auto lam  = arm->as<Lam>();
                auto type = expr(lam->dom());
                auto sym  = bind(lam->var());
                arms.push_back({name_pattern(sym, type), slot(lam->var(), lam->body())});
                unbind(lam->var());
            } else {
                auto type = expr(arm->type()->as<Pi>()->dom());
                auto sym  = fresh('x');
                auto call = Regions::known_call(world_, arm);
                arms.push_back({name_pattern(sym, type), call ? expr(call) : app(expr(arm), name(sym), false)});
            }
        }
        return ast::make<ast::Match>(arena_, {}, value, arena_.list(arms));
    }

    std::unordered_map<const Def*, Symbol> names_;              ///< what is in scope
    std::unordered_map<const Def*, std::vector<Symbol>> elems_; ///< names of the elements of a Σ's variable
    std::unordered_set<const Def*> bound_, thunks_;
    std::unordered_map<const Def*, std::vector<const Def*>> parts_; ///< by variable: what its pattern names or splits
    std::unordered_set<const Def*> split_;                          ///< of these: those whose elements have names
    std::optional<Regions> regions_;                                ///< of the file, or of the one expression that is printed
    std::unordered_map<const Def*, Symbol> extern_;
    std::unordered_map<const Axm*, Symbol> aliases_;
    std::set<std::string, std::less<>> plugins_, tags_;
    PrintedNames supply_;
};
} // namespace

ast::Module reflect(World& world, NamesOf names) {
    ast::Module m;
    Reflector(world, m.arena, names).module(m);
    return m;
}

std::string print_ir(World& world, const Def* def) {
    ast::Arena arena;
    return print(Reflector(world, arena).open(def));
}

} // namespace mim
