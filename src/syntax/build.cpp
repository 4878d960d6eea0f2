// SPDX-License-Identifier: MIT
#include "syntax/build.h"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace mim::ast {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("the tree has " + what); }

/// Each part of a tree must be there.
template<class T>
T* given(T* part) {
    if (!part)
        refuse("a null pointer where there should be "
               + std::string(std::is_same_v<T, Decl> ? "a declaration" : "an expression"));
    return part;
}

template<class T>
const std::vector<T*>& given(const std::vector<T*>& parts) {
    for (auto part : parts) given(part);
    return parts;
}

} // namespace

Span Builder::in_file(Span at) const {
    if (at && at.file != module_.file) refuse("a place in a file that it is not of");
    return at;
}

const Expr* Builder::floating(Span at, std::string_view digits, const Expr* type) {
    return make<FloatLit>(at, intern(digits), given(type));
}

const Expr* Builder::app(Span at, const Expr* callee, const Expr* arg) { return make<App>(at, false, given(callee), given(arg)); }

const Expr* Builder::extract(Span at, const Expr* tuple, const Expr* index) {
    return make<Extract>(at, given(tuple), given(index));
}

void Builder::join(Decl* function) { given(function)->is_and = true; }

void Builder::document(Decl* decl, std::string_view doc) { given(decl)->doc = module_.arena.text(doc); }

void Builder::add(Decl* decl) { decls_.push_back(given(decl)); }

const Expr* Builder::integer(Span at, uint64_t value, unsigned bits) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) refuse("an integer of " + std::to_string(bits) + " bits");
    if (bits != 64 && value >> bits != 0)
        refuse("the integer " + std::to_string(value) + " in " + std::to_string(bits) + " bits");
    auto size = bits == 64 ? 0 : uint64_t(1) << bits;
    return make<IdxLit>(at, IdxForm::Width, value, size);
}

const Expr* Builder::tuple(Span at, const Exprs& elems) {
    if (elems.size() == 1) return given(elems[0]);
    return make<Tuple>(at, module_.arena.list(given(elems)));
}

const Expr* Builder::choose(Span at, const Expr* condition, const Expr* then, const Expr* otherwise) {
    return extract(at, tuple(at, {otherwise, then}), condition);
}

const Expr* Builder::integer_type(Span at, unsigned bits) {
    switch (bits) {
        case 1: return prim(at, PrimKind::I1);
        case 8: return prim(at, PrimKind::I8);
        case 16: return prim(at, PrimKind::I16);
        case 32: return prim(at, PrimKind::I32);
        case 64: return prim(at, PrimKind::I64);
        default: refuse("an integer type of " + std::to_string(bits) + " bits");
    }
}

const Expr* Builder::tuple_type(Span at, const Exprs& elems) {
    Params params;
    for (auto elem : given(elems)) params.push_back({elem->span, {}, elem});
    return make<Sigma>(at, patterns(at, params, true));
}

const Expr* Builder::array_type(Span at, const Expr* arity, const Expr* element) {
    Dim dim{{}, given(arity)};
    return make<Array>(at, module_.arena.list(&dim, 1), given(element));
}

const Expr* Builder::arrow(Span at, const Exprs& domain, const Expr* codomain) {
    Params params;
    for (auto type : given(domain)) params.push_back({type->span, {}, type});
    Group group{patterns(at, params, true), false};
    return make<Pi>(at, PiForm::Pi, module_.arena.list(&group, 1), given(codomain));
}

const Pattern* Builder::pattern(const Param& param) {
    auto at = in_file(param.at);
    if (param.name.empty()) return ast::make<TypePattern>(module_.arena, at, given(param.type));
    Binder binder{binder_name(param.name), at};
    return ast::make<NamePattern>(module_.arena, at, binder, param.type);
}

const TuplePattern* Builder::patterns(Span at, const Params& params, bool is_square) {
    std::vector<const Pattern*> elems;
    for (auto& param : params) elems.push_back(pattern(param));
    return ast::make<TuplePattern>(module_.arena, in_file(at), is_square, module_.arena.list(elems),
                                   static_cast<const Expr*>(nullptr));
}

Function Builder::make_function(Span at, const Head& head, const Expr* body) {
    std::vector<Group> groups;
    for (auto& params : head.groups) {
        bool is_implicit = !params.empty() && params[0].is_implicit;
        bool is_single   = params.size() == 1 && !is_implicit && !params[0].name.empty();
        groups.push_back({is_single ? pattern(params[0]) : patterns(at, params, false), is_implicit});
    }
    return {head.form, module_.arena.list(groups), head.filter, head.codomain, given(body)};
}

const Expr* Builder::lambda(Span at, const Head& head, const Expr* body) { return make<Lam>(at, make_function(at, head, body)); }

const Expr* Builder::block(Span at, const std::vector<Decl*>& decls, const Expr* body) {
    if (decls.empty()) return given(body);
    std::vector<const Decl*> list(given(decls).begin(), decls.end());
    return make<Block>(at, module_.arena.list(list), given(body));
}

Decl* Builder::let(Span at, Span name_at, std::string_view name, const Expr* value) {
    Binder binder{binder_name(name), in_file(name_at)};
    const Pattern* pattern = ast::make<NamePattern>(module_.arena, name_at, binder, static_cast<const Expr*>(nullptr));
    return make_decl<Let>(at, pattern, given(value));
}

Decl* Builder::let(Span at, const Params& names, const Expr* value) {
    const Pattern* pattern = patterns(at, names, false);
    return make_decl<Let>(at, pattern, given(value));
}

Decl* Builder::function(Span at, Span name_at, std::string_view name, const Head& head, const Expr* body, bool is_extern) {
    return make_decl<Fun>(at, is_extern, Binder{intern(name), in_file(name_at)}, make_function(at, head, body));
}

Decl* Builder::c_function(Span at, Span name_at, std::string_view name, const Params& params, const Expr* result) {
    const Pattern* domain = patterns(at, params, true);
    return make_decl<CDecl>(at, false, Binder{intern(name), in_file(name_at)}, domain, given(result));
}

Module Builder::finish() {
    std::vector<const Decl*> decls(decls_.begin(), decls_.end());
    module_.decls = module_.arena.list(decls);
    for (auto decl : decls)
        each_name(decl, [&](auto& binder) {
            if (is_annex(binder.name)) module_.annexes.push_back(decl);
        });
    return std::move(module_);
}

} // namespace mim::ast
