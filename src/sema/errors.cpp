// SPDX-License-Identifier: MIT
// Errors at the user's line: those of the graph, turned into diagnostics, and names that are not there.
#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "base/nearest.h"
#include "base/stack.h"
#include "ir/token_types.h"
#include "sema/elab.h"
#include "sema/reflect.h"

namespace mim {

/// 2^64 or an aggregate that holds it. Aggregates share their elements, so each is looked into once.
static bool holds_2_64(World& world, const Def* def) {
    std::vector<const Def*> todo{def};
    std::unordered_set<const Def*> seen{def};
    while (!todo.empty()) {
        def = todo.back();
        todo.pop_back();
        if (def == world.lit_2_64()) return true;
        if (!def->isa<Tuple>()) continue;
        for (auto op : def->ops())
            if (seen.insert(op).second) todo.push_back(op);
    }
    return false;
}

/// Whether a group behind the first one has a filter by which calls may stay.
static bool has_later_filter(const Lam* lam) {
    while (lam->is_set() && lam->filter()->isa<Lit>()) {
        auto next = lam->body()->isa<Lam>();
        if (!next) return false;
        lam = next;
    }
    return true;
}

Diagnostic& report(Diagnostics& diags, World& world, const Error& e, Span span, const NameOf& name_of) {
    DiagArgs args;
    auto id    = e.id;
    auto found = e.args;
    auto part  = [&](size_t i) { return i < found.size() ? std::get_if<const Def*>(&found[i]) : nullptr; };
    if (auto type = part(0), value = part(1); id == Diag::not_assignable && type && value) {
        if (holds_2_64(world, *value)) id = Diag::size_only;
        else if (auto hidden = world.token_types().hidden(*type, *value)) {
            id    = Diag::token_hidden;
            found = {hidden.sigma, hidden.token, hidden.token->type()};
        }
    }
    for (auto& a : found) {
        if (auto text = std::get_if<std::string>(&a)) args.push_back(*text);
        else args.push_back(show(world, std::get<const Def*>(a), name_of));
    }
    auto& d = diags.report(id, span, std::move(args));
    if (e.declared) d.note(Diag::declared_here, e.declared, {d.args.front()});
    for (auto& call : e.trace) d.note(Diag::evaluating, call.site, {show(world, call.callee)});
    bool ran_out = e.id == Diag::too_deep || e.id == Diag::out_of_budget || e.id == Diag::out_of_memory;
    auto lam     = ran_out && !e.trace.empty() ? e.trace.front().callee->isa<Lam>() : nullptr;
    if (lam && lam->filter() == world.tt()) {
        auto id = has_later_filter(lam) ? Diag::groups_evaluated : Diag::always_evaluated;
        d.note(id, {}, {show(world, lam)});
    }
    return d;
}

/// Where the characters of a literal are in the source; `bytes` counts characters, of which an escape is one.
static uint32_t source_of(std::string_view literal, uint64_t bytes) {
    uint32_t pos = 1;
    for (; bytes != 0 && pos + 1 < literal.size(); --bytes) {
        if (literal[pos] != '\\') ++pos;
        else pos += literal[pos + 1] == 'x' ? 4 : 2;
    }
    return pos;
}

/// At the call, or within its argument if that is where the mistake is.
void Elab::report_call(const Error& e, const ast::App* call) {
    auto text = ast::isa<ast::StrLit>(call->arg);
    if (!e.part || !text || !e.trace.empty()) {
        auto& d = report(e, call->span);
        if (e.part) d.note(Diag::place_in_text, {}, {e.part->words});
        return;
    }
    auto span   = text->span;
    auto source = diags_.sources().text(span);
    report(e, {span.file, span.begin + source_of(source, e.part->begin), span.begin + source_of(source, e.part->end)});
}

Diagnostic& Elab::error(Diag id, Span span, DiagArgs args) { return diags_.report(id, span, std::move(args)); }
Diagnostic& Elab::report(const Error& e, Span span) {
    auto& d  = mim::report(diags_, world_, e, span, [this](const Def* def) { return name_in_scope(def); });
    auto def = [&](size_t i) {
        return i < e.args.size() && std::holds_alternative<const Def*>(e.args[i]) ? std::get<const Def*>(e.args[i]) : nullptr;
    };
    if (d.id == Diag::not_assignable && def(0) && def(1)) hint_value(d, def(0), def(1), span), hint_alike(d, def(0), def(1));
    if (d.id == Diag::not_a_member && def(0) && def(1)) hint_widening(d, def(0), def(1), span);
    return d;
}
Diag Elab::misfit(const Def* value) const { return holds_2_64(world_, value) ? Diag::size_only : Diag::not_assignable; }
std::string Elab::show(const Def* def) {
    return mim::show(world_, def, [this](const Def* d) { return name_in_scope(d); });
}

/// Whether this binding stands for `def`, without making what it binds.
bool Elab::is_bound_by(uint32_t binding, const Def* def) {
    auto& b = scopes_[binding];
    switch (b.state) {
        case Binding::Pending: return false;
        case Binding::Ready: return b.def == def;
        case Binding::Lazy: return lazies_[b.parent]->mut && lazies_[b.parent]->mut->var() == def;
        case Binding::Element: break;
    }
    if (b.num == 1) return is_bound_by(b.parent, def);
    auto extract = def->isa<Extract>();
    auto index   = extract ? isa_lit(extract->index()) : nullptr;
    return index && index->value() == b.index && is_bound_by(b.parent, extract->tuple());
}

/// `(x, y)`: the names of the pattern's elements, but for a return that the text does not name; nothing if one has none.
std::string Elab::pattern_in_scope(uint32_t binding) {
    std::vector<std::string> names;
    uint32_t next = 0, num = 0;
    for (auto i = binding + 1; i < scopes_.size(); ++i) {
        auto& b      = scopes_[i];
        bool is_elem = b.num && b.parent == binding && (b.state == Binding::Element || b.state == Binding::Ready);
        if (!is_elem || b.index != next) continue; // `as` names an element once more
        ++next, num = b.num;
        if (b.sym == return_sym() && !b.span) continue;
        names.push_back(b.sym ? b.sym.str() : pattern_in_scope(i));
        if (names.back().empty()) return {};
    }
    if (names.empty() || next != num) return {};
    std::string text = names.front();
    for (size_t i = 1; i < names.size(); ++i) text += ", " + names[i];
    return names.size() == 1 ? text : "(" + text + ")";
}

/// What the text calls a variable or an element here.
std::string Elab::name_in_scope(const Def* def) {
    static constexpr size_t MaxSearch = 20'000;
    for (size_t i = scopes_.size(), n = 0; i-- > 0 && n < MaxSearch; ++n) {
        auto binding = static_cast<uint32_t>(i);
        if (scopes_.is_hidden(i) || !is_bound_by(binding, def)) continue;
        auto& b = scopes_[i];
        if (b.sym && scopes_.find(b.sym) == &b) return b.sym.str();
        if (auto text = b.sym ? "" : pattern_in_scope(binding); !text.empty()) return text;
    }
    return {};
}

/// The first name of a parameter, or of an element of one, that is in scope here; null if it has none.
const Binding* Elab::first_binding(const Def* def) {
    for (size_t i = 0; i < scopes_.size(); ++i) {
        auto& b = scopes_[i];
        if (!scopes_.is_hidden(i) && b.sym && b.span && is_bound_by(static_cast<uint32_t>(i), def)) return &b;
    }
    return nullptr;
}

bool Elab::check_depth(Span span) {
    if (!depth_reported_) error(Diag::too_deep, span);
    depth_reported_ = true;
    return false;
}

void Elab::note_declaration(Diagnostic& d, const ast::Expr* callee) {
    while (auto app = ast::isa<ast::App>(callee)) callee = app->callee;
    if (auto name = ast::isa<ast::Name>(callee)) {
        if (auto b = scopes_.find(name->sym); b && b->span) d.note(Diag::declared_here, b->span, {name->sym.str()});
    } else if (auto annex = ast::isa<ast::Annex>(callee)) {
        if (auto it = s_.annexes.find(annex->sym); it != s_.annexes.end() && it->second.span)
            d.note(Diag::declared_here, it->second.span, {annex->sym.str()});
    }
}

void Elab::unknown_name(Symbol sym, Span span) {
    static constexpr size_t MaxSearch = 20'000;
    bool is_said = std::ranges::any_of(diags_.all() | std::views::reverse | std::views::take(64), [&](auto& d) {
        return d.id == Diag::unknown_name && d.span.file == span.file && d.args == DiagArgs{sym.str()};
    });
    if (is_said) return; // once is enough
    Nearest nearest(sym.view());
    for (size_t i = scopes_.size(), n = 0; i-- > 0 && n < MaxSearch; ++n)
        if (scopes_[i].sym && !scopes_.is_hidden(i)) nearest.offer(scopes_[i].sym.view());
    std::string best(nearest.best);
    if (says_if_ && (sym.view() == "then" || sym.view() == "else")) return; // belongs to an `if` that was reported
    says_if_ |= sym.view() == "if";
    auto& d = error(Diag::unknown_name, span, {sym.str()});
    Diag note;
    if (auto later = declared_later(sym, note)) {
        d.note(note, later, {sym.str()});
        return;
    }
    if (hint_name(d, sym) || hint_annex(d, sym) || best.empty()) return;
    auto b = scopes_.find(world_.sym(best));
    d.note(Diag::did_you_mean, b ? b->span : Span{}, {best});
}

void Elab::unknown_annex(Symbol sym, Span span) {
    auto text   = sym.view();
    auto plugin = text.substr(1, text.find('.') - 1);
    auto tag    = text.substr(0, text.find('.', plugin.size() + 2)); // without a subtag
    auto subs   = subtags_of(tag);
    // of an axiom that is there only the subtag is wrong
    size_t common = subs.empty() || tag == text ? 0 : tag.size() + 1;
    Nearest nearest(text.substr(common));
    bool loaded = false;
    for (auto& [name, annex] : s_.annexes) {
        if (!common) nearest.offer(name.view());
        else if (name.view().starts_with(text.substr(0, common))) nearest.offer(name.view().substr(common));
        loaded |= name.view().substr(1, name.view().find('.') - 1) == plugin;
    }
    if (s_.host.is_missing(plugin)) return;
    std::string best(nearest.best.empty() ? "" : std::string(text.substr(0, common)) + std::string(nearest.best));
    auto& d = error(Diag::unknown_annex, span, {"`" + sym.str() + "`"});
    if (!subs.empty() && best.empty()) d.note(Diag::has_subtags, {}, {std::string(tag), subs});
    else if (!subs.empty() && tag == text) d.note(Diag::has_subtags, {}, {std::string(tag), subs});
    else if (!best.empty()) d.note(Diag::did_you_mean, s_.annexes.at(world_.sym(best)).span, {best});
    else if (!loaded && s_.host.can_load(plugin)) d.note(Diag::needs_plugin, {}, {std::string(plugin)});
    else if (auto has = subtags_of(text.substr(0, plugin.size() + 1)); loaded && !has.empty())
        d.note(Diag::no_such_word, {}, {sym.str(), "the plugin `" + std::string(plugin) + "` has " + has});
}

void Elab::unknown_field(Res tuple, const ast::Name* field, Span) {
    std::string hint;
    auto it    = s_.field_hints.find(field->sym);
    auto arity = world_.lit_arity(tuple.def->type());
    if (tuple.view && !tuple.view->names.empty() && !tuple.view->is_hint) {
        for (auto n : tuple.view->names)
            if (n) hint += (hint.empty() ? ": it has `" : "`, `") + n.str();
        if (!hint.empty()) hint += "`";
    } else if (it != s_.field_hints.end() && static_cast<int64_t>(it->second.second) == arity) {
        hint = ": its field names are not known here, write `#" + std::to_string(it->second.first) + "`";
    } else {
        hint = ": its field names are not known here, write an index, as in `#0`";
    }
    error(Diag::unknown_field, field->span, {show(tuple.def->type()), field->sym.str(), hint});
}

} // namespace mim
