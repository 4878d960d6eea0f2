// SPDX-License-Identifier: MIT
// Definitions.
#include <algorithm>
#include <set>
#include <string>

#include "front/scanner.h"
#include "infer.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

void Inference::definition(Def& def) {
    auto twin = defs_.find(def.name);
    if (twin != defs_.end())
        report(diag::defined(std::string(def.name)), def.name_span).note(diag::defined_here, twin->second->name_span);
    auto errors = c_.diags.num_errors() - (def.type ? 1 : 0); // its sizes have one already
    current_    = &def;
    scope_.shrink(0), binders_.clear(), numbers_.clear(), indices_.clear(), infixes_.clear(), operands_.clear(), uses_.clear();
    next_number_ = next_infix_ = 0;
    sums_.clear(), late_.clear(), types_.forget_waiting();
    for (auto parameter : def.parameters) {
        auto other = parameter->name == "_" ? nullptr : scope_.get(parameter->name);
        if (other) report(diag::defined(std::string(parameter->name)), parameter->span).note(diag::defined_here, other->span);
        bind(parameter);
    }
    auto body = def.result;
    if (body) check(def.body, body, {def.name_span, def.name, body});
    else body = infer(def.body);
    decide();
    check_later(errors);
    for (size_t i = def.parameters.size(); i-- != 0;) body = types_.fun(def.parameters[i]->type, body);
    def.type = body;
    defs_.try_emplace(def.name, &def);
    check_outside(def);
}

/// The sizes that follow from the lengths of arguments, one unknown at a time.
std::set<Polynomial::Var> Inference::determined(const Def& def) {
    std::vector<Polynomial> lengths;
    auto add = [&](Type* t) {
        if (t->kind == Type::Array) lengths.push_back(types_.resolve(t->size));
        return false;
    };
    for (auto rest = types_.resolve(def.type); rest->kind == Type::Fun; rest = types_.resolve(rest->second))
        types_.any(rest->first, add);
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
    auto fail = [&](Span span, std::string why) { report(diag::bad_main(std::string(def.name), std::move(why)), span); };
    for (auto parameter : def.parameters) {
        if (types_.has_function(parameter->type)) fail(parameter->span, "`" + std::string(parameter->name) + "` has a function");
    }
    if (!is_main) return;
    auto known = determined(def);
    for (auto& size : def.sizes)
        if (!known.contains(size.var)) fail(size.span, "no argument determines `" + std::string(size.name) + "`");
}

bool infer(FrontEndContext& c, Program& program, Types& types) { return Inference(c, program, types).run(); }

} // namespace mim::plug::polara
