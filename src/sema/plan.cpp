// SPDX-License-Identifier: MIT
// Name resolution for the sake of order: see plan.h. A use of a function adds an edge to it from the declaration of the same
// block that encloses the use, so one lexical walk serves all blocks at once.
#include "sema/plan.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/components.h"
#include "base/stack.h"
#include "sema/plan_level.h"
#include "sema/scope.h"

namespace mim {

class Planner {
    static constexpr uint32_t None = PlanLevel::None;

public:
    Planner(Plans& plans, Diagnostics& diags, const Plans::Intern& intern)
        : plans_(plans)
        , diags_(diags)
        , intern_(intern)
        , warn_(diags.num_errors() == 0) {}

    void run(const ast::Module& m) {
        block(m.decls);
        std::ranges::sort(plans_.blocks_);
        plans_.code_.shrink_to_fit(), plans_.blocks_.shrink_to_fit(); // they live as long as the file is elaborated
    }

private:
    /*
     * names
     */
    void use(Symbol sym) {
        if (auto b = names_.find(sym)) use(static_cast<uint32_t>(b - &names_[0]));
    }
    void use(uint32_t binding) {
        auto& b = names_[binding];
        if (b.declared_with) use(b.declared_with - 1); // the type of the label
        if (b.kind != Binding::Fun || in_function_ == None) b.used = true;
        else if (!b.used) mentions_.push_back({in_function_, binding});
        if (b.kind != Binding::Fun) return need(binding);
        if (level_of_[b.parent] == None) return;
        auto& level = levels_[level_of_[b.parent]];
        if (level.current != None && b.index >= level.lo && b.index < level.hi) level.edges.emplace_back(level.current, b.index);
        bool may_be_later = level.hoist && b.index >= level.hoist->num_before()
                            && level.starts.size() <= level.hoist->num_before();
        if (may_be_later && b.prev) use(b.prev - 1); // then the name is that of another one
    }
    /// Whatever is walked needs the declaration that binds this name.
    void need(uint32_t binding) {
        if (joined_.empty()) return;
        auto start  = [&](uint32_t depth) { return levels_[depth].starts.front(); };
        auto behind = std::ranges::upper_bound(joined_, binding, {}, start);
        if (behind == joined_.begin()) return;
        auto& level = levels_[*std::prev(behind)];
        auto decl   = std::ranges::upper_bound(level.starts, binding) - level.starts.begin() - 1;
        if (level.current != None) level.hoist->mentions(level.current, static_cast<uint32_t>(decl));
    }
    /// `%p.tag` of `%p.tag.sub`
    static std::string_view tag(std::string_view annex) {
        auto first = annex.find('.');
        return annex.substr(0, first == annex.npos ? first : annex.find('.', first + 1));
    }
    void use_axiom(Symbol annex) {
        if (axioms_.empty()) return;
        auto found = axioms_.find(tag(annex.view()));
        if (found == axioms_.end()) return;
        for (auto [depth, decl] : found->second)
            if (auto& level = levels_[depth]; level.current != None) level.hoist->mentions(level.current, decl);
    }
    void bind(const ast::Binder& b, Binding::Kind kind = Binding::Param) {
        if (b.name) names_.push({.sym = b.name, .span = b.span, .kind = kind});
    }
    /// The labels of declarations come into scope before the names of their types, which may be called like a label of another one.
    void bind_labels(const ast::Decl* d, Binding like) {
        auto labels = ast::labels_of(d);
        if (!labels) return;
        auto bind_label = [&](Symbol name) {
            like.sym  = name;
            like.used = true; // nobody minds that a label is not used
            names_.push(like);
        };
        ast::each_name(d, [&](const ast::Binder& type) {
            if (ast::is_annex(type.name)) return;
            for (auto& label : labels->labels) {
                bind_label(intern_(type.name.str() + "." + label.name.name.str()));
                bind_label(label.name.name);
            }
        });
    }
    /// A declaration that mentions one of the labels bound from `first` to `last` mentions the type.
    void join_labels(size_t first, size_t last, const ast::Binder& type) {
        auto binding = names_.find(type.name);
        if (!binding) return;
        auto i = static_cast<uint32_t>(binding - &names_[0]);
        for (; first < last; ++first) names_[first].declared_with = i + 1;
    }
    void leave(size_t mark) {
        if (warn_)
            for (size_t i = mark; i < names_.size(); ++i) warn_unused(names_[i]);
        names_.pop(mark);
    }
    /// Unused on purpose, with all that it needs.
    static bool is_quiet(const Binding& b) { return b.sym.view().front() == '_'; }
    void warn_unused(const Binding& b) {
        if (b.used || b.kind == Binding::Param || !b.span || b.sym.view().front() == '%') return;
        if (b.kind == Binding::Part) plans_.unused_parts_.insert(Plans::key(b.span));
        else if (b.kind == Binding::Let) plans_.unused_.insert(Plans::key(b.span)); // what it means depends on its type
        else if (!is_quiet(b) && ++num_warnings_ <= Plans::MaxWarnings)
            diags_.report(b.kind == Binding::Fun && b.num ? Diag::unreachable : Diag::unused, b.span, {b.sym.str()});
    }
    /// Of the functions of a scope that is left, those are used that something in it mentions, or a function of it that is used. What
    /// these mention outside is mentioned by the function around.
    void settle_mentions(size_t mark, size_t first) {
        auto& all = mentions_;
        std::vector<uint32_t> todo;
        std::unordered_map<uint32_t, std::vector<uint32_t>> by;
        auto reach = [&](uint32_t i) {
            if (auto& b = names_[i]; !std::exchange(b.used, true)) todo.push_back(i);
        };
        for (auto i = mark; i < names_.size(); ++i)
            if (auto& b = names_[i]; b.kind == Binding::Fun && (b.used || is_quiet(b))) todo.push_back(static_cast<uint32_t>(i));
        size_t kept = first;
        for (auto i = first; i < all.size(); ++i) {
            auto m           = all[i];
            names_[m.to].num = 1; // mentioned at all
            if (m.from >= mark) by[m.from].push_back(m.to);
            else if (m.to >= mark) reach(m.to);
            else all[kept++] = m;
        }
        all.resize(kept);
        while (!todo.empty()) {
            auto from = todo.back();
            todo.pop_back();
            for (auto to : by[from]) {
                if (to >= mark) reach(to);
                else if (in_function_ == None) names_[to].used = true;
                else all.push_back({in_function_, to});
            }
        }
    }

    /*
     * blocks
     */
    /// A C function and what is extern have their names outside of the program as well: a block has one of a name.
    void check_c_names(Decls decls) {
        auto is_c_decl = [](const ast::Decl* d) { return d->kind == ast::DeclKind::CDecl; };
        if (std::none_of(decls.begin(), decls.end(), is_c_decl)) return;
        std::unordered_map<Symbol, const ast::Decl*> seen;
        for (auto d : decls) {
            auto fun = ast::isa<ast::Fun>(d);
            if (!is_c_decl(d) && !(fun && fun->is_extern)) continue;
            auto& name       = name_of_outside(d);
            auto [it, fresh] = seen.emplace(name.name, d);
            bool is_c        = is_c_decl(d) || is_c_decl(it->second);
            if (fresh || !is_c || !name.name) continue;
            auto& first = name_of_outside(it->second);
            diags_.report(Diag::redefined, name.span, {name.name.str()}).note(Diag::declared_here, first.span, {name.name.str()});
        }
    }
    static const ast::Binder& name_of_outside(const ast::Decl* d) {
        auto fun = ast::isa<ast::Fun>(d);
        return fun ? fun->name : ast::as<ast::CDecl>(d)->name;
    }

    void block(Decls decls, uint32_t num_before = 0) {
        check_c_names(decls);
        bool planned = std::any_of(decls.begin(), decls.end(), is_function);
        if (!planned) {
            for (auto d : decls) decl(d);
            return;
        }
        auto depth  = static_cast<uint32_t>(levels_.size());
        auto serial = static_cast<uint32_t>(level_of_.size());
        levels_.push_back({});
        level_of_.push_back(depth);
        levels_[depth].serial = serial;
        levels_[depth].decls  = decls;
        levels_[depth].find_chains();
        if (num_before) joined(depth, num_before);
        else each_segment(decls, [&](uint32_t lo, uint32_t hi) { segment(depth, lo, hi); });
        auto& code = levels_[depth].code;
        plans_.blocks_.push_back({decls.begin(), static_cast<uint32_t>(plans_.code_.size())});
        plans_.code_.insert(plans_.code_.end(), code.begin(), code.end());
        levels_.pop_back();
        level_of_[serial] = None;
    }

    template<class F>
    static void each_segment(Decls decls, F visit) {
        for (uint32_t i = 0; i < decls.size();) {
            auto end = i + 1;
            if (!is_barrier(decls[i]))
                while (end < decls.size() && !is_barrier(decls[end])) ++end;
            visit(i, end);
            i = end;
        }
    }

    void segment(uint32_t depth, uint32_t lo, uint32_t hi) {
        auto decls        = levels_[depth].decls;
        levels_[depth].lo = lo, levels_[depth].hi = hi;
        levels_[depth].edges.clear();
        for (auto i = lo; i < hi; ++i)
            if (is_import(decls[i])) levels_[depth].plan(PlanStep::One, {&i, 1});
        push_names(depth, lo, hi);
        for (auto i = lo; i < hi; ++i) walk_decl(depth, i);
        levels_[depth].current = None;
        plan_components(levels_[depth]);
    }
    void walk_decl(uint32_t depth, uint32_t i) {
        auto d                 = levels_[depth].decls[i];
        bool node              = d->kind != ast::DeclKind::Let && d->kind != ast::DeclKind::Ret;
        levels_[depth].current = node ? i : None;
        auto outer             = in_function_;
        if (auto own = is_function(d) ? names_.find(binder(d).name) : nullptr; own && own->parent == levels_[depth].serial)
            in_function_ = static_cast<uint32_t>(own - &names_[0]);
        decl(d);
        in_function_ = outer;
    }

    /// A block `d… e where d'… end` is walked as it is written, and planned when it is known what its functions mention.
    void joined(uint32_t depth, uint32_t num_before) {
        auto decls      = levels_[depth].decls;
        auto is_movable = movable(levels_[depth], num_before);
        levels_[depth].hoist.emplace(decls, num_before, is_movable);
        levels_[depth].is_declared.assign(decls.size(), false);
        levels_[depth].hi = static_cast<uint32_t>(decls.size());
        auto declare_some = [&](const std::vector<uint32_t>& names) {
            auto is_new = declare_all(depth, names);
            for (size_t k = 0; k < names.size(); ++k) levels_[depth].is_declared[names[k]] = is_new[k];
        };
        std::vector<uint32_t> moving;
        for (auto i = num_before; i < decls.size(); ++i)
            if (is_movable[i]) moving.push_back(i);
        declare_some(moving);
        auto axioms = declare_axioms(depth);
        joined_.push_back(depth);
        each_segment(decls, [&](uint32_t lo, uint32_t hi) {
            auto names = function_names(levels_[depth], lo, hi);
            std::erase_if(names, [&](uint32_t i) { return is_movable[i]; });
            declare_some(names);
            for (auto i = lo; i < hi; ++i) {
                levels_[depth].starts.push_back(names_.mark());
                walk_decl(depth, i);
            }
        });
        levels_[depth].current = None;
        joined_.pop_back();
        for (auto name : axioms)
            if (auto entry = axioms_.find(name); entry->second.pop_back(), entry->second.empty()) axioms_.erase(entry);
        plan_joined(levels_[depth]);
    }
    /// The functions of d' that may be used in d: those whose names d does not bind, and that no `and` joins to another one.
    static std::vector<bool> movable(const PlanLevel& level, uint32_t num_before) {
        std::unordered_set<Symbol> taken;
        for (uint32_t i = 0; i < num_before; ++i)
            ast::each_name(level.decls[i], [&](const ast::Binder& name) { taken.insert(name.name); });
        std::vector<bool> result(level.decls.size(), false);
        for (auto i = num_before; i < level.decls.size(); ++i) {
            auto fun  = ast::isa<ast::Fun>(level.decls[i]);
            result[i] = fun && level.chain[i] == None && !taken.contains(fun->name.name);
        }
        return result;
    }
    /// Notes the axioms of the block; their tags.
    std::vector<std::string_view> declare_axioms(uint32_t depth) {
        std::vector<std::string_view> tags;
        for (uint32_t i = 0; i < levels_[depth].decls.size(); ++i) {
            auto axm = ast::isa<ast::Axm>(levels_[depth].decls[i]);
            if (!axm) continue;
            tags.push_back(tag(axm->name.name.view()));
            axioms_[tags.back()].push_back({depth, i});
        }
        return tags;
    }
    void plan_joined(PlanLevel& level) {
        auto order = level.hoist->order(level.edges);
        std::vector<const ast::Decl*> decls;
        std::vector<uint32_t> place(order.size());
        for (uint32_t i = 0; i < order.size(); ++i) decls.push_back(level.decls[order[i]]), place[order[i]] = i;
        PlanLevel sorted;
        sorted.decls  = {decls.data(), decls.size()};
        sorted.chains = level.chains;
        for (auto& chain : sorted.chains) chain.first = place[chain.first], chain.last = place[chain.last];
        for (auto i : order) sorted.chain.push_back(level.chain[i]);
        std::vector<std::pair<uint32_t, uint32_t>> edges;
        for (auto [from, to] : level.edges) edges.emplace_back(place[from], place[to]);
        std::ranges::sort(edges);
        auto edge = edges.begin();
        each_segment(sorted.decls, [&](uint32_t lo, uint32_t hi) {
            sorted.lo = lo, sorted.hi = hi;
            sorted.edges.clear();
            for (; edge != edges.end() && edge->first < hi; ++edge)
                if (edge->second >= lo && edge->second < hi) sorted.edges.push_back(*edge);
            auto names = function_names(sorted, lo, hi);
            std::erase_if(names, [&](uint32_t i) { return !level.is_declared[order[i]]; });
            if (!names.empty()) sorted.plan(PlanStep::Names, names);
            plan_components(sorted);
        });
        sorted.number(order);
        level.code = std::move(sorted.code);
    }
    /// Notes the functions without a filter on a cycle of such, within a component.
    void note_recursive(const PlanLevel& level, const PlanUses& uses, std::span<const uint32_t> component) {
        auto& decls = level.decls;
        auto is_one = [&](uint32_t i) { return has_no_filter(decls[level.lo + i]); };
        std::vector<uint32_t> nodes;
        std::ranges::copy_if(component, std::back_inserter(nodes), is_one);
        std::ranges::sort(nodes);
        std::vector<std::vector<uint32_t>> targets(nodes.size());
        for (size_t n = 0; n < nodes.size(); ++n)
            for (auto i : uses(nodes[n])) {
                auto found = std::ranges::lower_bound(nodes, i);
                if (found != nodes.end() && *found == i) targets[n].push_back(static_cast<uint32_t>(found - nodes.begin()));
            }
        auto succs = [&](uint32_t n) -> std::span<const uint32_t> { return targets[n]; };
        for (auto& cycle : members(components(nodes.size(), succs))) {
            bool is_cycle = cycle.size() > 1 || uses.uses_itself(nodes[cycle[0]]);
            if (!is_cycle) continue;
            for (auto n : cycle) plans_.recursive_.insert(Plans::key(binder(decls[level.lo + nodes[n]]).span));
        }
    }
    static bool has_no_filter(const ast::Decl* d) {
        auto fun = ast::isa<ast::Fun>(d);
        return fun && fun->fun.form == ast::LamForm::Lam && !fun->fun.filter && !fun->fun.groups.empty();
    }
    void plan_components(PlanLevel& level) {
        PlanUses uses(level);
        auto succs = [&](uint32_t i) { return uses(i); };
        for (auto& component : members(components(uses.size(), succs))) {
            bool recursive = component.size() > 1 || uses.uses_itself(component[0]);
            if (recursive) note_recursive(level, uses, component);
            for (auto& i : component) i += level.lo;
            if (!is_import(level.decls[component[0]])) emit(level, component, recursive);
        }
    }
    static bool is_import(const ast::Decl* d) { return d->kind == ast::DeclKind::Import || d->kind == ast::DeclKind::Plugin; }

    void push_names(uint32_t depth, uint32_t lo, uint32_t hi) {
        auto& level = levels_[depth];
        auto names  = function_names(level, lo, hi);
        if (names.empty()) return;
        auto is_new = declare_all(depth, names);
        std::erase_if(names, [&, k = size_t(0)](uint32_t) mutable { return !is_new[k++]; });
        level.plan(PlanStep::Names, names);
    }
    /// Which of them have names that are not taken.
    std::vector<bool> declare_all(uint32_t depth, const std::vector<uint32_t>& names) {
        std::vector<size_t> marks{names_.mark()};
        for (auto i : names) {
            Binding like{.parent = levels_[depth].serial, .index = i, .kind = Binding::Fun};
            bind_labels(levels_[depth].decls[i], like);
            marks.push_back(names_.mark());
        }
        std::vector<bool> result;
        for (auto i : names) result.push_back(declare(depth, i));
        for (size_t k = 0; k < names.size(); ++k)
            if (result[k]) join_labels(marks[k], marks[k + 1], binder(levels_[depth].decls[names[k]]));
        return result;
    }
    /// The functions whose names come into scope with the segment.
    static std::vector<uint32_t> function_names(const PlanLevel& level, uint32_t lo, uint32_t hi) {
        std::vector<uint32_t> names;
        for (auto i = lo; i < hi; ++i) {
            if (!is_function(level.decls[i])) continue;
            auto chain = level.chain[i];
            if (chain == None) names.push_back(i);
            else if (level.chains[chain].first == i)
                for (auto j = i; j <= level.chains[chain].last; ++j)
                    if (level.chain[j] == chain) names.push_back(j);
        }
        return names;
    }
    /// False if the name is empty or taken.
    bool declare(uint32_t depth, uint32_t i) {
        auto& name = binder(levels_[depth].decls[i]);
        if (!name.name) return false;
        auto old    = names_.find(name.name);
        auto serial = levels_[depth].serial;
        if (old && old->kind == Binding::Fun && old->parent == serial && old->span) {
            auto at = old->span;
            diags_.report(Diag::redefined, name.span, {name.name.str()}).note(Diag::declared_here, at, {name.name.str()});
            return false;
        }
        auto fun      = ast::isa<ast::Fun>(levels_[depth].decls[i]);
        bool exported = at_top() || (fun && fun->is_extern);
        names_.push({.sym = name.name, .span = name.span, .parent = serial, .index = i, .kind = Binding::Fun, .used = exported});
        return true;
    }

    static void emit(PlanLevel& level, std::span<const uint32_t> scc, bool recursive) {
        auto chain = None;
        for (auto i : scc)
            if (level.chain[i] != None) chain = level.chain[i];
        if (chain == None) {
            level.plan(recursive ? PlanStep::Bodies : PlanStep::One, scc);
            return;
        }
        auto& c   = level.chains[chain];
        bool last = std::find(scc.begin(), scc.end(), c.last) != scc.end();
        c.members.insert(c.members.end(), scc.begin(), scc.end());
        if (last) level.plan(PlanStep::Bodies, c.members);
        else level.plan(PlanStep::Stubs, scc);
    }

    void decl(const ast::Decl* d) {
        switch (d->kind) {
            case ast::DeclKind::Let: {
                auto let  = ast::as<ast::Let>(d);
                auto kind = at_top() ? Binding::Param : Binding::Let;
                walk(let->value);
                auto first = names_.mark();
                bind_labels(d, {.kind = kind});
                auto last = names_.mark();
                pattern(let->pattern, kind);
                ast::each_name(d, [&](const ast::Binder& type) { join_labels(first, last, type); });
                break;
            }
            case ast::DeclKind::Ret: {
                auto ret = ast::as<ast::Ret>(d);
                walk(ret->callee), walk(ret->arg), pattern(ret->pattern);
                break;
            }
            case ast::DeclKind::Rec: rec(ast::as<ast::Rec>(d)); break;
            case ast::DeclKind::Fun: function(ast::as<ast::Fun>(d)->fun); break;
            case ast::DeclKind::Axm: walk(ast::as<ast::Axm>(d)->type); break;
            case ast::DeclKind::CDecl: c_decl(ast::as<ast::CDecl>(d)); break;
            case ast::DeclKind::Rule: rule(ast::as<ast::Rule>(d)); break;
            case ast::DeclKind::Op: op(ast::as<ast::Op>(d)); break;
            case ast::DeclKind::Import:
            case ast::DeclKind::Plugin: break;
        }
    }
    /// An operator is in scope behind its declaration. Nobody warns of one that is not used.
    void op(const ast::Op* d) {
        walk(d->fun);
        names_.push({.sym = d->op.name, .span = d->op.span, .kind = Binding::Param, .used = true});
    }
    /// Which declaration is meant depends on types, so it may be any of those in scope.
    void use_operator(Symbol op) {
        if (joined_.empty()) return;
        names_.each(op, [&](uint32_t binding) { need(binding); });
    }
    bool at_top() const { return nesting_ == 0; }
    void c_decl(const ast::CDecl* c) {
        auto mark = names_.mark();
        if (c->domain) pattern(c->domain);
        walk(c->type);
        leave(mark);
        bind(c->name);
    }
    void rule(const ast::Rule* r) {
        auto mark = names_.mark();
        for (auto& g : r->groups) names(g.pattern, Binding::Param); // together one list of variables
        check_distinct(mark);
        walk(r->lhs), walk(r->cond), walk(r->rhs);
        leave(mark);
    }
    void rec(const ast::Rec* r) {
        if (r->groups.empty()) return walk(r->type), walk(r->value);
        function({ast::LamForm::Lam, r->groups, nullptr, r->type, r->value});
    }
    void function(const ast::Function& f) {
        ++nesting_;
        auto mark   = names_.mark();
        size_t last = mark;
        for (auto& g : f.groups) {
            last = names_.mark();
            pattern(g.pattern);
        }
        if (f.form == ast::LamForm::Fun) check_return(last);
        walk(f.codomain), walk(f.filter), walk(f.body);
        leave(mark);
        --nesting_;
    }
    void nested(Decls decls, const ast::Expr* body, uint32_t num_before = 0) {
        ++nesting_;
        auto mark  = names_.mark();
        auto first = mentions_.size();
        block(decls, num_before);
        walk(body);
        settle_mentions(mark, first);
        leave(mark);
        --nesting_;
    }

    /*
     * patterns and expressions
     */
    void pattern(const ast::Pattern* p, Binding::Kind kind = Binding::Param) {
        auto mark = names_.mark();
        names(p, kind);
        check_distinct(mark);
    }
    /// One pattern binds a name once.
    void check_distinct(size_t mark) {
        for (auto i = mark; i < names_.size(); ++i) {
            auto& b = names_[i];
            if (b.prev <= mark || ast::is_annex(b.sym)) continue; // of two annexes the elaboration says more
            auto first = names_[b.prev - 1].span;
            plans_.ambiguous_.insert(Plans::key(b.span));
            diags_.report(Diag::bound_twice, b.span, {b.sym.str()}).note(Diag::declared_here, first, {b.sym.str()});
        }
    }
    /// The last group of a `fun` gets a parameter of this name beside what is written.
    void check_return(size_t mark) {
        for (auto i = mark; i < names_.size(); ++i)
            if (auto& b = names_[i]; b.sym && b.sym.view() == "return") {
                plans_.ambiguous_.insert(Plans::key(b.span));
                diags_.report(Diag::bound_twice, b.span, {"return"});
            }
    }
    static Binding::Kind part(Binding::Kind kind) { return kind == Binding::Let ? Binding::Part : kind; }
    void names(const ast::Pattern* p, Binding::Kind kind) {
        switch (p->kind) {
            case ast::PatternKind::NamePattern:
                walk(ast::as<ast::NamePattern>(p)->type);
                bind(ast::as<ast::NamePattern>(p)->name, kind);
                break;
            case ast::PatternKind::GroupPattern:
                walk(ast::as<ast::GroupPattern>(p)->type);
                for (auto& n : ast::as<ast::GroupPattern>(p)->names) bind(n, part(kind));
                break;
            case ast::PatternKind::TuplePattern:
                for (auto e : ast::as<ast::TuplePattern>(p)->elems) names(e, part(kind));
                walk(ast::as<ast::TuplePattern>(p)->type);
                break;
            case ast::PatternKind::AsPattern:
                names(ast::as<ast::AsPattern>(p)->pattern, Binding::Param); // the value has two names: either may do
                bind(ast::as<ast::AsPattern>(p)->name);
                break;
            case ast::PatternKind::TypePattern: walk(ast::as<ast::TypePattern>(p)->type); break;
            case ast::PatternKind::LabelPattern: {
                auto label = ast::as<ast::LabelPattern>(p);
                use(label->label.name);
                if (label->payload) names(label->payload, kind);
                break;
            }
        }
    }
    template<class Dims>
    void dims(const Dims& dims, const ast::Expr* body) {
        auto mark = names_.mark();
        for (auto& d : dims) walk(d.arity), bind(d.name);
        walk(body);
        leave(mark);
    }
    void walk(const ast::Expr* e) {
        if (!e || stack_is_low()) return; // elaboration reports it
        while (is_chain(e)) {
            if (auto app = ast::isa<ast::App>(e)) walk(app->arg), e = app->callee;
            else if (auto op = ast::isa<ast::Operation>(e)) e = first_operand(op);
            else walk(ast::as<ast::Extract>(e)->index), e = ast::as<ast::Extract>(e)->tuple;
        }
        switch (e->kind) {
            case ast::ExprKind::Name: return use(ast::as<ast::Name>(e)->sym);
            case ast::ExprKind::Annex: return use(ast::as<ast::Annex>(e)->sym), use_axiom(ast::as<ast::Annex>(e)->sym);
            case ast::ExprKind::AscribedLit: return walk(ast::as<ast::AscribedLit>(e)->type);
            case ast::ExprKind::FloatLit: return walk(ast::as<ast::FloatLit>(e)->type);
            case ast::ExprKind::Sort: return walk(ast::as<ast::Sort>(e)->level);
            case ast::ExprKind::Tuple:
                for (auto x : ast::as<ast::Tuple>(e)->elems) walk(x);
                return;
            case ast::ExprKind::Union:
                for (auto x : ast::as<ast::Union>(e)->members) walk(x);
                return;
            case ast::ExprKind::Labels:
                for (auto& label : ast::as<ast::Labels>(e)->labels) walk(label.payload);
                return;
            case ast::ExprKind::Insert:
                return walk(ast::as<ast::Insert>(e)->tuple), walk(ast::as<ast::Insert>(e)->index),
                       walk(ast::as<ast::Insert>(e)->value);
            case ast::ExprKind::Inj: return inj(ast::as<ast::Inj>(e));
            case ast::ExprKind::Singleton: return walk(ast::as<ast::Singleton>(e)->value);
            case ast::ExprKind::Array: return dims(ast::as<ast::Array>(e)->dims, ast::as<ast::Array>(e)->body);
            case ast::ExprKind::Pack: return dims(ast::as<ast::Pack>(e)->dims, ast::as<ast::Pack>(e)->body);
            case ast::ExprKind::Lam: return function(ast::as<ast::Lam>(e)->fun);
            case ast::ExprKind::Block: return nested(ast::as<ast::Block>(e)->decls, ast::as<ast::Block>(e)->body);
            case ast::ExprKind::Where: {
                auto w = ast::as<ast::Where>(e);
                return nested(w->decls, w->body, w->num_before);
            }
            case ast::ExprKind::Match: return match(ast::as<ast::Match>(e));
            case ast::ExprKind::Sigma:
            case ast::ExprKind::Pi: return binder_type(e);
            default: return;
        }
    }
    /// Whether it goes on with its first part, of which there may be many.
    static bool is_chain(const ast::Expr* e) {
        return e->kind == ast::ExprKind::App || e->kind == ast::ExprKind::Extract || e->kind == ast::ExprKind::Operation;
    }
    const ast::Expr* first_operand(const ast::Operation* e) {
        use_operator(e->op.name);
        if (!e->left) return e->right;
        walk(e->right);
        return e->left;
    }
    void inj(const ast::Inj* e) {
        walk(e->value);
        if (e->member) walk(e->member);
        walk(e->type);
    }

    /// A name in front of an arm that is a label in scope binds nothing. Whether it is one of what is matched is not known here.
    void arm(const ast::Pattern* p) {
        auto name    = ast::isa<ast::NamePattern>(p);
        auto binding = name && !name->type ? names_.find(name->name.name) : nullptr;
        if (binding && binding->declared_with) use(name->name.name);
        else pattern(p);
    }
    void match(const ast::Match* m) {
        walk(m->value);
        for (auto& arm : m->arms) {
            auto mark = names_.mark();
            this->arm(arm.pattern);
            walk(arm.body);
            leave(mark);
        }
    }
    void binder_type(const ast::Expr* e) {
        auto mark = names_.mark();
        if (auto sigma = ast::isa<ast::Sigma>(e)) pattern(sigma->elems);
        else {
            for (auto& g : ast::as<ast::Pi>(e)->domains) pattern(g.pattern);
            walk(ast::as<ast::Pi>(e)->codomain);
        }
        leave(mark);
    }

    Plans& plans_;
    Diagnostics& diags_;
    const Plans::Intern& intern_;
    Scopes names_;
    std::vector<PlanLevel> levels_;
    std::vector<uint32_t> joined_; ///< depths of the blocks `d… e where d'… end` that are walked
    std::unordered_map<std::string_view, std::vector<std::pair<uint32_t, uint32_t>>>
        axioms_;                     ///< those of these blocks, by their tags: depths and declarations
    std::vector<uint32_t> level_of_; ///< where in levels_ the block with this serial number is; None if it was left
    struct Mention {
        uint32_t from, to; ///< bindings: a function and one that it mentions
    };
    std::vector<Mention> mentions_;
    uint32_t in_function_ = None; ///< the innermost function with a name around what is walked
    size_t nesting_ = 0, num_warnings_ = 0;
    bool warn_;
};

Plans::Plans(const ast::Module& module, Diagnostics& diags, const Intern& intern) { Planner(*this, diags, intern).run(module); }

Plan Plans::find(Decls decls) const {
    auto block = std::ranges::lower_bound(blocks_, decls.begin(), {}, &Block::decls);
    if (block == blocks_.end() || block->decls != decls.begin()) return {};
    auto code = code_.data() + block->code;
    Plan plan(*code++);
    for (auto& step : plan) {
        step = {static_cast<PlanStep::Kind>(code[0]), {code + 2, code[1]}};
        code += 2 + code[1];
    }
    return plan;
}

} // namespace mim
