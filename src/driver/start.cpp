// SPDX-License-Identifier: MIT
#include "driver/start.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "analysis/cps.h"
#include "analysis/pointee.h"
#include "backend/backend.h"

namespace mim {

namespace {

bool is_main_in_any_case(std::string_view name) {
    auto is_same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::ranges::equal(name, std::string_view("main"), is_same);
}

/// The last function of the program's own file that is `main` but for `extern` or the case of letters; null if there is none.
const Scope::Name* find_meant(const Scope* scope) {
    const Scope::Name* found = nullptr;
    if (!scope) return found;
    for (auto& name : scope->names) {
        bool is_function = name.def && name.def->type()->isa<Pi>();
        if (is_function && is_main_in_any_case(name.name.view())) found = &name;
    }
    return found;
}

bool is_token(const Def* type) {
    auto axm = head_axiom(type);
    return axm && axm->axiom().has(Axiom::LinearType);
}

/// The types of the values that a value of this type is in C: those of its elements, or its own.
std::optional<std::vector<const Def*>> values_of(World& world, const Def* type) {
    if (!type->isa<Sigma>() && !type->isa<Arr>()) return std::vector{type};
    static constexpr int64_t most = 3; // a token, the number of arguments, and these
    auto n                        = lit_arity(world, type);
    bool is_short                 = n >= 0 && n <= most;
    if (!is_short || type->is_mut()) return {};
    std::vector<const Def*> types;
    for (int64_t i = 0; i < n; ++i) types.push_back(elem_decl(world, type, static_cast<uint64_t>(i)));
    return types;
}

/// Parameters and result of a function in any style.
struct Signature {
    const Def* params; ///< null: there are none
    const Def* result; ///< null: the function has another shape
};

Signature signature_of(World& world, const Lam* main) {
    auto dom = main->dom();
    if (!main->is_cn()) return {dom, main->type()->is_mut() ? nullptr : main->type()->as<Pi>()->codom()};
    if (auto ret = dom->isa<Pi>(); ret && ret->is_cn()) return {nullptr, ret->dom()};
    auto elems = dom->isa<Sigma>() && !dom->is_mut() ? dom->ops() : Defs();
    auto ret   = elems.empty() ? nullptr : elems.back()->isa<Pi>();
    if (!ret || !ret->is_cn()) return {nullptr, nullptr};
    auto params = elems.first(elems.size() - 1);
    return {params.size() == 1 ? params[0] : world.sigma(params), ret->dom()};
}

bool are_arguments(World& world, const std::vector<const Def*>& types) {
    if (types.empty()) return true;
    auto strings = types.size() == 2 ? pointee(types[1]) : nullptr;
    auto chars   = strings ? pointee(strings) : nullptr;
    return types[0] == world.idx(0x100000000) && chars == world.idx(0x100);
}

bool can_be_called(World& world, const Lam* main) {
    auto signature = signature_of(world, main);
    auto result    = signature.result ? values_of(world, signature.result) : std::nullopt;
    auto params    = signature.params ? values_of(world, signature.params) : std::vector<const Def*>();
    if (!result || !params || result->empty()) return false;
    bool takes_token   = !params->empty() && is_token(params->front());
    bool returns_token = is_token(result->front());
    if (takes_token) params->erase(params->begin());
    if (returns_token) result->erase(result->begin());
    return result->size() == 1 && result->front() == world.idx(0x100000000) && are_arguments(world, *params);
}

} // namespace

bool check_main_exists(Session& session) {
    if (session.world.externals.find("main")) return true;
    auto foreign = session.foreign_file();
    if (foreign) return session.diags.report(Diag::no_main, {foreign, 0, 0}, {"what a program runs is `main`"}), false;
    auto meant = find_meant(session.program_names());
    auto& d    = session.diags.report(Diag::no_main, meant ? meant->span : Span{}, {backend::kMainOfMim});
    if (!meant) return false;
    auto keyword = meant->def->type()->as<Pi>()->is_cn() ? "fun" : "lam";
    d.note(Diag::did_you_mean, {}, {keyword + std::string(" extern main")});
    return false;
}

bool check_main_type(Session& session) {
    auto main = session.world.externals.find("main");
    auto at   = session.world.notes.span(main);
    if (session.sources.is_foreign(at.file)) return true; // that of another language gets its type from phases
    if (can_be_called(session.world, main)) return true;
    session.diags.report(Diag::bad_main, at);
    return false;
}

} // namespace mim
