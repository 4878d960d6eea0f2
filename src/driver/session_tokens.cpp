// SPDX-License-Identifier: MIT
// The token check of a program that was read (src/linear), and where its violations are shown.
#include <algorithm>
#include <set>
#include <tuple>

#include "driver/session.h"
#include "ir/token_types.h"
#include "linear/tokens.h"
#include "sema/reflect.h"

namespace mim {

/// The name of a parameter that is an element of a function's variable, where only the function knows it; else empty.
static std::string parameter_name(const World& world, const Lam* lam, const Def* token) {
    auto ex     = token->isa<Extract>();
    auto index  = ex ? isa_lit(ex->index()) : nullptr;
    auto fields = index && lam && ex->tuple() == lam->var() ? world.notes.fields(lam) : nullptr;
    bool known  = fields && index->value() < fields->size();
    return known ? (*fields)[index->value()].str() : std::string();
}

/// The arguments of a violation, where a token without a name is called by the expression that made it.
std::vector<Error::Arg> Session::token_named(const Violation& v, Span at) const {
    static constexpr size_t MaxText = 60;
    auto args                       = v.args;
    auto found                      = args.empty() ? nullptr : std::get_if<const Def*>(&args[0]);
    bool is_named_here = v.id == Diag::token_dropped || v.id == Diag::token_used_twice || v.id == Diag::call_without_token;
    if (!found || !is_named_here) return args;
    auto token = *found;
    auto whole = token;
    while (whole->isa<Extract>() && !world.notes.name(whole)) whole = whole->as<Extract>()->tuple();
    if (auto name = world.notes.name(whole); name && name.view() == "_")
        args[0] = std::string("_");      // its parts have no names either
    auto made = world.notes.span(whole); // where a call waits, not that, but what has made the token
    auto text = sources.text(made && v.node != whole ? made : at);
    if (world.notes.name(token) || !at) return args;
    auto name = parameter_name(world, v.lam, token);
    if (!name.empty()) args[0] = name;
    bool is_place_of_function = !v.node || !world.notes.span(v.node);
    bool is_place_of_use      = !made && v.id == Diag::token_used_twice;
    if (!name.empty() || is_place_of_function || is_place_of_use) return args;
    if (text.size() > MaxText || text.find('\n') != text.npos) return args;
    if (text.find(' ') != text.npos) args[0] = std::string(text); // a call, not the name of a binder
    return args;
}

void Session::add_note(Diagnostic& d, const Violation::Note& note) {
    auto span = note.node ? world.notes.span(note.node) : Span();
    if (note.node && !span) return;
    DiagArgs args;
    for (auto& arg : note.args) {
        auto text = std::get_if<std::string>(&arg);
        args.push_back(text ? *text : show(world, std::get<const Def*>(arg)));
    }
    d.note(note.id, span, std::move(args));
}

std::vector<Violation> Session::find_violations() {
    if (is_made_by_phases) return mim::check_tokens(world); // phases keep less than a program promises
    std::vector<const Lam*> roots, inner;
    for (auto& e : world.externals) roots.push_back(e.lam);
    // Functions whose calls were all evaluated, or that nobody calls, are in no other graph. Calls show whether a token
    // from around them is lost or used elsewhere as well; without calls, nothing shows what they do with it.
    auto& tokens = world.token_types();
    for (auto lam : sema_->functions()) {
        auto refers = !is_closed(world, lam)
                      && std::ranges::any_of(free_vars(world, lam), [&](auto var) { return tokens.is_token(var); });
        (refers ? inner : roots).push_back(lam);
    }
    inner.insert(inner.end(), sema_->functions_as_read().begin(), sema_->functions_as_read().end());
    auto violations = mim::check_tokens(world, roots);
    if (violations.empty() && !inner.empty()) {
        violations = mim::check_tokens(world, inner);
        std::erase_if(violations, [](auto& v) { return v.id != Diag::token_used_twice; });
    }
    return violations;
}

/// A copy of a function does not know the places of its parameters' elements. If the function as it was written has the
/// same fault, one error says so, at the parameter.
static void drop_copies(const World& world, std::vector<Violation>& violations) {
    auto is_placed = [&](const Violation& v) { return v.node && world.notes.span(v.node); };
    auto fault     = [&](const Violation& v) {
        auto function = world.notes.span(v.lam);
        return std::tuple(info(v.id).code, function.file, function.begin);
    };
    std::set<std::tuple<std::string_view, FileId, uint32_t>> faults;
    for (auto& v : violations)
        if (v.lam && is_placed(v)) faults.insert(fault(v));
    std::erase_if(violations, [&](const Violation& v) { return v.lam && !is_placed(v) && faults.contains(fault(v)); });
}

/// A reduced call put this code into another function: the call is where to look.
static void add_calls(const Notes& notes, Place place, Diagnostic& d) {
    static constexpr int MaxCalls = 4;
    for (int i = 0; i != MaxCalls && place.inlined != 0; ++i) {
        auto& inlined = notes.inlined(place.inlined);
        if (inlined.name) d.note(Diag::evaluating, inlined.call.span, {inlined.name.str()});
        place = inlined.call;
    }
}

/// A node that a function of a plugin has made, such as `%direct.cps2ds`, stands where that was called: its users can do
/// something about it.
template<class IsOfPlugin>
static Place place_for_users(const Notes& notes, const Def* def, IsOfPlugin is_of_plugin) {
    auto place = def ? notes.place(def) : Place();
    while (place.inlined != 0 && is_of_plugin(place.span.file)) place = notes.inlined(place.inlined).call;
    return place;
}

bool Session::check_tokens() {
    Profile::Scope scope(profile, "check tokens", &world);
    auto violations = find_violations();
    drop_copies(world, violations);
    auto is_of_plugin = [&](FileId file) {
        auto is_it = [&](auto& unit) { return !unit.second->plugin.empty() && unit.second->path == sources.path(file); };
        return std::ranges::any_of(units_, is_it);
    };
    auto place_of = [&](const Violation& v) {
        auto place = place_for_users(world.notes, v.node, is_of_plugin).span;
        return place || !v.lam ? place : world.notes.span(v.lam);
    };
    std::ranges::stable_sort(violations, [&](auto& a, auto& b) {
        auto x = place_of(a), y = place_of(b);
        return std::pair(x.file, x.begin) < std::pair(y.file, y.begin);
    });
    for (auto& v : violations) {
        auto at = place_of(v);
        auto& d = mim::report(diags, world, Error(v.id, token_named(v, at)), at);
        for (auto& note : v.notes) add_note(d, note);
        add_calls(world.notes, place_for_users(world.notes, v.node, is_of_plugin), d);
    }
    return violations.empty();
}

} // namespace mim
