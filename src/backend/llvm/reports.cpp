// SPDX-License-Identifier: MIT
// See reports.h.
#include "backend/llvm/reports.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "backend/llvm/context.h"
#include "ir/token_types.h"
#include "phase/unlowered.h"

namespace mim::backend::llvm {

Span Reports::span_of(const Def* def) {
    if (def)
        if (auto span = world_.notes.span(def)) return span;
    return frame_.place ? world_.notes.span(frame_.place) : Span();
}

const Def* Reports::placed(const Def* def) { return def && world_.notes.span(def) ? def : frame_.place; }

std::string Reports::name_of(const Def* def) {
    if (auto name = world_.notes.name(def)) return std::string(name.view());
    if (auto extract = def->isa<Extract>())
        if (auto lit = isa_lit(extract->index())) return name_of(extract->tuple()) + "#" + std::to_string(lit->value());
    if (auto app = def->isa<App>()) return name_of(app->callee()) + " …";
    if (auto var = def->isa<Var>()) return "the parameter of " + name_of(var->binder());
    if (auto axm = def->isa<Axm>()) return std::string(axm->axiom().name.view());
    if (auto arr = def->isa<Arr>()) return "«" + name_of(arr->arity()) + "; " + name_of(arr->body()) + "»";
    if (auto lit = isa_lit(def)) return std::to_string(lit->value());
    if (def->isa<Lam>()) return "an anonymous function";
    return std::string(node_name(def->node()));
}

void Reports::error(const Def* at, Diag id, std::vector<std::string> args) {
    failed_ = true;
    diags_.report(id, span_of(at), std::move(args));
}

void Reports::error_at_return(const Def* at, Diag id, std::vector<std::string> args) {
    failed_ = true;
    diags_.report(id, span_of(at), std::move(args)).note(Diag::return_to_caller, {});
}

void Reports::fail(const Def* at, Diag id, std::vector<std::string> args) {
    error(at, id, std::move(args));
    throw Failed();
}

void Reports::fail(const Def* at, const Error& e) {
    std::vector<std::string> texts;
    for (auto& arg : e.args) {
        auto text = std::get_if<std::string>(&arg);
        texts.push_back(text ? *text : show(std::get<const Def*>(arg)));
    }
    fail(at, e.id, std::move(texts));
}

void Reports::fail_here(Diag id, std::vector<std::string> args) { fail(frame_.place, id, std::move(args)); }

std::string Reports::show(const Def* def) { return show_ ? show_(world_, def) : name_of(def); }

void Reports::too_large(const Def* type) {
    fail_here(Diag::llvm_failed, {"a value of type `" + show(type) + "` needs more memory than there are addresses"});
}

void Reports::run_time_layout(const Def* def) {
    failed_ = true;
    auto& d = diags_.report(Diag::run_time_layout, span_of(frame_.place), {show(def)});
    if (holds_open_array(def) && !is_open_array(def)) d.note(Diag::pointer_of_its_own, {});
    throw Failed();
}

void Reports::return_as_value(const Def* ret, const Lam* owner) {
    error_at_return(frame_.place, Diag::return_escapes, {name_of(ret), name_of(owner)});
    throw Failed();
}

/// What takes types stays direct if these are not known.
void Reports::direct_style_left(const Def* def, const Def* at) {
    auto app    = def->isa<App>();
    auto callee = app ? app->callee() : def;
    auto pi     = callee->type()->isa<Pi>();
    if (!pi || !binds_types(pi->dom())) return error(at, Diag::direct_style_left, {name_of(callee)});
    error(at, Diag::run_time_layout, {show(app ? app->arg() : callee->type())});
}

void Reports::no_emitter(const Def* at, const Axiom& axiom, std::string_view target) {
    failed_ = true;
    DiagArgs args{axiom.name.str(), std::string(plugin_name(axiom)), std::string(target)};
    auto& d = diags_.report(Diag::no_emitter, span_of(at), std::move(args));
    if (axiom.kind == Axiom::Op && at && takes_function(at)) d.note(Diag::lowered_by_phase, {}, {axiom.name.str()});
    throw Failed();
}

/// The node, or an operand that has a place: a node that a phase has made has none.
static const Def* placed_part(const World& world, const Def* def) {
    auto has_place = [&](const Def* d) { return d && world.notes.span(d); };
    if (!def || has_place(def)) return def;
    auto part = std::ranges::find_if(def->ops(), has_place);
    return part == def->ops().end() ? def : *part;
}

void Reports::copied(const Def* at, const Def* type, const char* why) {
    if (!diags_.verbose) return;
    auto span   = span_of(placed_part(world_, at));
    auto text   = show(type);
    bool is_new = copies_.emplace(span.file, span.begin, text + why).second;
    if (is_new) diags_.report(Diag::array_copied, span, {text, std::string(why)});
}

void Reports::emitter_broke(const Def* at, const Axiom& axiom, std::string_view target, std::string what) {
    if (failed_) throw Failed(); // by an operand that has no value since an error was reported
    auto plugin = std::string(plugin_name(axiom));
    fail(at, Diag::emitter_broke, {std::move(plugin), axiom.name.str(), std::string(target), std::move(what)});
}

std::string Reports::undefined(const Def* at, std::string_view what) {
    Diagnostic diag{Diag::undefined_behaviour, Severity::Error, span_of(at), {undefined_text(what, at)}, {}};
    return render_text(diags_.sources(), diag, false);
}

} // namespace mim::backend::llvm
