// SPDX-License-Identifier: MIT
#include "sema/open_type.h"

namespace mim {

const Def* with_parameters_of(World& world, const Def* def, const PendingFunction& from, const PendingFunction& to) {
    for (size_t i = 0; i < from.groups.size() && i < to.groups.size(); ++i)
        def = world.subst(def, from.groups[i].lam->var(), to.groups[i].lam->var());
    return def;
}

/// Whether both have groups of the same types, which may depend on the groups before them.
bool OpenTypes::has_parameters_of(const OpenType& type, const OpenType& other) {
    auto &a = type.fun->groups, &b = other.fun->groups;
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        auto dom = with_parameters_of(world_, a[i].dom, *type.fun, *other.fun);
        if (a[i].implicit != b[i].implicit || !equal(world_, dom, b[i].dom)) return false;
    }
    return true;
}

/// Whether the arguments are the parameters of the type that is read. Those of implicit groups may be left out.
bool OpenTypes::is_own(const OpenType& type, std::span<const Arg> args) {
    for (auto& group : type.fun->groups) {
        if (group.implicit && (args.empty() || !args.front().ast->explicit_implicit)) continue;
        if (args.empty()) return false;
        auto arg = args.front().res.def; // null: `_`, and there is only one solution
        args     = args.subspan(1);
        if (arg && !equal(world_, world_.refresh(arg), group.lam->var())) return false;
    }
    return args.empty();
}

/// `F T (m, n)`
static std::string names_of(const ast::Pattern* p) {
    if (auto name = ast::isa<ast::NamePattern>(p)) return name->name.name ? name->name.name.str() : "_";
    if (auto as = ast::isa<ast::AsPattern>(p)) return as->name.name.str();
    std::string text;
    ast::each_binder(p,
                     [&](const ast::Binder& name) { text += (text.empty() ? "" : ", ") + (name.name ? name.name.str() : "_"); });
    return p->kind == ast::PatternKind::TuplePattern && text.find(',') != text.npos ? "(" + text + ")" : text;
}

std::string OpenTypes::own_application(const OpenType& type) {
    auto text = type.name.str();
    for (auto& group : (current_ ? current_ : &type)->fun->groups)
        text += std::string(group.implicit ? " @" : " ") + names_of(group.pattern);
    return text;
}

Res OpenTypes::report(const OpenType& type, Span span) {
    error(Diag::infinite_types, span, {type.name.str(), own_application(type)});
    return {};
}

Res OpenTypes::apply(const OpenType& type, Span span, std::span<const Arg> args) {
    if (!type.fun) {
        auto why = "functions that are joined to it with `and` come before its value";
        error(Diag::not_ready, span, {type.name.str(), why}).note(Diag::declared_here, type.span, {type.name.str()});
        return {};
    }
    if (!current_ || !has_parameters_of(type, *current_)) {
        auto& d = error(Diag::group_differs, span, {type.name.str(), name_.str()});
        d.note(Diag::declared_here, type.span, {type.name.str()});
        return {};
    }
    if (!is_own(*current_, args)) return report(type, span);
    return {type.hole};
}

} // namespace mim
