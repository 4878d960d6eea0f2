// SPDX-License-Identifier: MIT
#include "sema/errors.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <unordered_set>

#include "ir/token_types.h"
#include "sema/error_text.h"
#include "sema/hints.h"
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
static bool has_later_filter(const Lam* lam, const Def* tt) {
    while (lam->is_set() && lam->filter() == tt) {
        auto next = lam->body()->isa<Lam>();
        if (!next) return false;
        lam = next;
    }
    return true;
}

namespace {

/// A message that is not put together yet.
struct Message {
    Diag id;
    DiagArgs args;
};

Message message_in(World& world, const Error& e, const NameOf& name_of) {
    Message result{e.id, {}};
    auto found = e.args;
    auto part  = [&](size_t i) { return i < found.size() ? std::get_if<const Def*>(&found[i]) : nullptr; };
    if (auto type = part(0), value = part(1); e.id == Diag::not_assignable && type && value) {
        if (holds_2_64(world, *value)) result.id = Diag::size_only;
        else if (auto hidden = world.token_types().hidden(*type, *value)) {
            result.id = Diag::token_hidden;
            found     = {hidden.sigma, hidden.token, hidden.token->type()};
        }
    }
    for (auto& a : found) {
        if (auto text = std::get_if<std::string>(&a)) result.args.push_back(*text);
        else result.args.push_back(show(world, std::get<const Def*>(a), name_of));
    }
    return result;
}

} // namespace

std::string message_of(World& world, const Error& e) {
    auto [id, args] = message_in(world, e, {});
    return message(id, args);
}

Diagnostic& report(Diagnostics& diags, World& world, const Error& e, Span span, const NameOf& name_of) {
    auto [id, args] = message_in(world, e, name_of);
    auto& d         = diags.report(id, span, std::move(args));
    if (e.declared) d.note(Diag::declared_here, e.declared, {d.args.front()});
    for (auto& call : e.trace) d.note(Diag::evaluating, call.site, {show(world, call.callee)});
    bool ran_out = e.id == Diag::too_deep || e.id == Diag::out_of_budget || e.id == Diag::out_of_memory;
    auto lam     = ran_out && !e.trace.empty() ? e.trace.front().callee->isa<Lam>() : nullptr;
    if (lam && lam->filter() == world.tt()) {
        auto id = has_later_filter(lam, world.tt()) ? Diag::groups_evaluated : Diag::always_evaluated;
        d.note(id, {}, {show(world, lam)});
    }
    return d;
}

bool Errors::is_reported(Diag id, Span span, const DiagArgs& args) const {
    static constexpr size_t MaxSearch = 64;
    auto is_same                      = [&](auto& d) { return d.id == id && d.span.file == span.file && d.args == args; };
    return std::ranges::any_of(diags_.all() | std::views::reverse | std::views::take(MaxSearch), is_same);
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

void Errors::report_call(const Error& e, const ast::App* call) {
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

/// `nil` of `nil @_`: what nobody has told yet is not in the way of the names that its type has.
static const Def* without_open(World& world, const Def* value) {
    while (auto app = value->isa<App>()) {
        if (!world.refresh(app->arg())->isa<Hole>()) break;
        value = app->callee();
    }
    return value;
}

Diagnostic& Errors::report(const Error& e, Span span) {
    auto& d  = mim::report(diags_, world_, e, span, [this](const Def* def) { return name_of(def); });
    auto def = [&](size_t i) {
        auto arg = i < e.args.size() ? std::get_if<const Def*>(&e.args[i]) : nullptr;
        return arg ? *arg : nullptr;
    };
    auto first = def(0), second = def(1);
    if (!first || !second) return d;
    if (d.id == Diag::not_assignable) {
        hint_value(*this, d, first, second, span);
        auto polymorphic = without_open(world_, second);
        if (auto text = function_text(polymorphic, span); !text.empty()) {
            d.args[1] = text;
            if (polymorphic != second) d.args[2] = show(polymorphic->type());
        }
        tell_apart(*this, d, first, second);
        hint_unfolded(*this, d, first, second->type());
    }
    if (d.id == Diag::not_a_member) hint_widening(*this, d, first, second, span);
    if (d.id == Diag::not_a_member || d.id == Diag::bad_index) hint_unfolded(*this, d, second, first);
    return d;
}

Diag Errors::misfit(const Def* value) const { return holds_2_64(world_, value) ? Diag::size_only : Diag::not_assignable; }

void Errors::note_declaration(Diagnostic& d, const ast::Expr* callee) {
    while (auto app = ast::isa<ast::App>(callee)) callee = app->callee;
    if (auto name = ast::isa<ast::Name>(callee)) {
        if (auto b = names_.find(name->sym); b && b->span) d.note(Diag::declared_here, b->span, {name->sym.str()});
    } else if (auto annex = ast::isa<ast::Annex>(callee)) {
        auto declared = annexes_.find(annex->sym);
        if (declared && declared->span) d.note(Diag::declared_here, declared->span, {annex->sym.str()});
    }
}

/*
 * text
 */

/// The name by which a recursive type was declared, as far as it means that here.
static std::string recursive_type(Names& names, const Def* type) {
    static constexpr size_t MaxSearch = 20'000;
    for (size_t i = names.size(), n = 0; i-- > 0 && n < MaxSearch; ++n) {
        auto& binding = names[i];
        if (binding.def == type && binding.sym && names.find(binding.sym) == &binding) return binding.sym.str();
    }
    return {};
}

std::string Errors::name_of(const Def* def) {
    bool is_labelled = def->isa<Union>() || def->isa<Sigma>() || def->isa<Sing>();
    if (auto text = is_labelled ? labelled_type(def) : std::string(); !text.empty()) return text;
    bool may_be_recursive = is_labelled || def->isa<Pi>() || def->isa<App>();
    if (may_be_recursive) return is_recursive(world_, def) ? recursive_type(names_, def) : std::string();
    auto inj = def->isa<Inj>();
    if (!inj) return names_.name_of(def);
    auto label = label_of(inj->member());
    auto maker = label ? find_maker(world_, labelled_, inj->type()) : nullptr;
    return maker ? maker->constructors[label->value()].label.str() : std::string();
}

/// `List Nat`
std::string Errors::labelled_type(const Def* type) {
    std::vector<const Def*> args;
    auto maker = find_maker(world_, labelled_, type, &args);
    if (!maker) return {};
    auto text = maker->name.str();
    for (auto arg : args) {
        auto part    = show(world_.refresh(arg));
        bool is_open = part.find(' ') != part.npos && part.front() != '(' && part.front() != '[';
        text += is_open ? " (" + part + ")" : " " + part;
    }
    return text;
}

std::string Errors::show(const Def* def) {
    return mim::show(world_, def, [this](const Def* d) { return name_of(d); });
}

std::string Errors::show(const Def* def, const ast::Expr* place) {
    if (auto name = ast::isa<ast::Name>(place)) return name->sym.str();
    if (auto annex = ast::isa<ast::Annex>(place)) return annex->sym.str();
    auto text = function_text(def, place->span);
    return text.empty() ? show(def) : text;
}

/// `Option.none`, or a path of names before an argument.
static std::string_view first_name(std::string_view text) {
    auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    auto end     = std::ranges::find_if_not(text, is_part);
    return text.substr(0, static_cast<size_t>(end - text.begin()));
}

static bool is_label(const std::deque<LabelledType>& types, std::string_view name) {
    auto has_name = [&](const Constructor& c) { return c.label.view() == name || c.qualified.view() == name; };
    return std::ranges::any_of(types, [&](auto& type) { return std::ranges::any_of(type.constructors, has_name); });
}

/// A label is shown as it is written: another type of the same shape may have other labels, and that of a type with parameters is a function.
std::string Errors::function_text(const Def* def, Span place) const {
    if (def->isa<Inj>() || def->isa<Lam>()) {
        auto text = source_text(place);
        if (is_label(labelled_, first_name(text))) return text;
    }
    if (!def->isa<Lam>()) return {};
    static constexpr std::string_view kWords[] = {"λ", "lm", "cn", "fn"};
    auto text                                  = source_text(place);
    auto name                                  = world_.notes.name(def);
    auto is_prefix                             = [&](std::string_view word) { return text.starts_with(word); };
    bool is_it                                 = name ? is_prefix(name.view()) : std::ranges::any_of(kWords, is_prefix);
    return is_it ? text : std::string();
}

std::string Errors::show_in_full(const Def* def) {
    return mim::show_in_full(world_, def, [this](const Def* d) { return name_of(d); });
}

std::string Errors::show_with(const Def* def, const Def* variable, const std::string& name) {
    return mim::show(world_, def, [&](const Def* d) { return d == variable ? name : name_of(d); });
}

std::string Errors::source_text(Span span) const {
    static constexpr size_t MaxText = 60;
    auto text                       = diags_.sources().text(span);
    return span && text.size() <= MaxText && text.find('\n') == text.npos ? std::string(text) : std::string("…");
}

} // namespace mim
