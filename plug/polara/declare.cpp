// SPDX-License-Identifier: MIT
// Definitions, and types and sizes as they are written.
#include <algorithm>
#include <set>
#include <string>

#include "front/scanner.h"
#include "infer.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

void Inference::sizes_of(Def& def) {
    for (auto& size : def.sizes) size.var = types_.size_name(size.name);
}

void Inference::definition(Def& def) {
    auto same = [&](auto& other) { return &other != &def && other.type && other.name == def.name; };
    auto twin = std::ranges::find_if(program_.defs, same);
    if (twin != program_.defs.end())
        report(diag::defined(std::string(def.name)), def.name_span).note(diag::defined_here, twin->name_span);
    auto errors = c_.diags.num_errors();
    current_    = &def;
    scope_.clear(), binders_.clear(), numbers_.clear(), infixes_.clear(), operands_.clear(), uses_.clear(), sums_.clear();
    late_.clear(), types_.forget_waiting();
    sizes_of(def);
    for (auto parameter : def.parameters) {
        parameter->type = type_of(parameter->declared);
        bind(parameter);
    }
    auto body = def.result ? type_of(def.result) : nullptr;
    if (body) check(def.body, body, {def.name_span, def.name, body});
    else body = infer(def.body);
    decide();
    check_later(errors);
    for (size_t i = def.parameters.size(); i-- != 0;) body = types_.fun(def.parameters[i]->type, body);
    def.type = body;
    check_outside(def);
}

/// The sizes that follow from the lengths of arguments, one unknown at a time.
std::set<Polynomial::Var> Inference::determined(const Def& def) {
    std::vector<Polynomial> lengths;
    auto add = [&](auto& self, Type* t) -> void {
        t = types_.resolve(t);
        if (t->kind == Type::Array) lengths.push_back(types_.resolve(t->size));
        if (t->first) self(self, t->first);
        if (t->second) self(self, t->second);
    };
    for (auto parameter : def.parameters) add(add, parameter->type);
    std::set<Polynomial::Var> known;
    for (size_t before = lengths.size() + 1; before != lengths.size();) {
        before = lengths.size();
        std::erase_if(lengths, [&](auto& length) {
            auto occurs = [&](auto& size) { return !known.contains(size.var) && length.occurs(size.var); };
            bool is_one = std::ranges::count_if(def.sizes, occurs) == 1;
            auto x      = is_one ? std::ranges::find_if(def.sizes, occurs)->var : 0;
            bool solves = is_one && length.coefficient(x);
            if (solves) known.insert(x);
            return solves;
        });
    }
    return known;
}

/// The sizes of `main` come from its arguments.
void Inference::check_outside(const Def& def) {
    bool is_main = def.name == "main";
    if (!is_main && !def.is_extern) return;
    auto has_function = [&](auto& self, Type* t) -> bool {
        t = types_.resolve(t);
        return t->kind == Type::Fun || (t->first && self(self, t->first)) || (t->second && self(self, t->second));
    };
    auto fail = [&](Span span, std::string why) { report(diag::bad_main(std::string(def.name), std::move(why)), span); };
    for (auto parameter : def.parameters) {
        if (has_function(has_function, parameter->type))
            fail(parameter->span, "`" + std::string(parameter->name) + "` has a function");
    }
    if (!is_main) return;
    auto known = determined(def);
    for (auto& size : def.sizes)
        if (!known.contains(size.var)) fail(size.span, "no argument determines `" + std::string(size.name) + "`");
}

Polynomial Inference::number_size(const SizeExpr* s) {
    auto n = front::integer_value(s->text);
    if (n) return Polynomial::number(static_cast<Polynomial::Number>(*n));
    report(diag::bad_size(std::string(s->text), "it is 2^64 or more"), s->span);
    return Polynomial::number(0);
}

Polynomial Inference::read_size(const SizeExpr* s) {
    switch (s->kind) {
        case SizeExpr::Number: return number_size(s);
        case SizeExpr::Name: {
            for (auto& size : current_->sizes)
                if (size.name == s->text) return Polynomial::variable(size.var);
            report(diag::not_bound(std::string(s->text), "sizes are numbers and the names in the braces of the definition"),
                   s->span);
            return types_.size_meta();
        }
        case SizeExpr::Add: return read_size(s->left) + read_size(s->right);
        case SizeExpr::Sub: return read_size(s->left) - read_size(s->right);
        case SizeExpr::Mul: return read_size(s->left) * read_size(s->right);
        case SizeExpr::Broken: break;
    }
    return types_.size_meta();
}

Polynomial Inference::size_of(const SizeExpr* s) {
    auto size = read_size(s);
    auto why  = Types::fault(size);
    if (!why) return size;
    report(diag::bad_size(std::string(c_.text.substr(s->span.begin, s->span.end - s->span.begin)), why), s->span);
    return types_.size_meta();
}

Type* Inference::type_of(const TypeExpr* t) {
    switch (t->kind) {
        case TypeExpr::Nat: return types_.nat();
        case TypeExpr::Flt: return types_.flt();
        case TypeExpr::Bool: return types_.boolean();
        case TypeExpr::Fin: return types_.fin(size_of(t->size));
        case TypeExpr::Fun: {
            auto first = type_of(t->first);
            return types_.fun(first, type_of(t->second));
        }
        case TypeExpr::Pair: {
            auto first = type_of(t->first);
            return types_.pair(first, type_of(t->second));
        }
        case TypeExpr::Array: {
            auto size = size_of(t->size);
            return types_.array(size, type_of(t->first));
        }
        case TypeExpr::Broken: break;
    }
    return types_.broken();
}

bool infer(FrontEndContext& c, Program& program, Types& types) {
    Inference inference(c, program, types);
    return inference.run();
}

} // namespace mim::plug::polara
