// SPDX-License-Identifier: MIT
#include "fixed_types.h"

#include "base/components.h"

namespace mim::plug::mil {

FixedTypes::FixedTypes(const Program& p, Types& types, const ProgramTypes& found)
    : p_(p)
    , types_(types)
    , found_(found)
    , is_fixed_(p.datas.size()) {
    for (uint32_t i = 0; i != p.datas.size(); ++i) datas_[p.datas[i].type] = i;
    look_everywhere();
    for (uint32_t d = 0; d != p.datas.size(); ++d) {
        auto& data       = p.datas[d];
        bool is_possible = data.form == DataType::Objects && !data.is_builtin && !data.cons.empty()
                           && (data.parameters.empty() || !has_applied_variables_);
        if (!is_possible) fix(d);
    }
    fix_recursive();
}

uint32_t FixedTypes::find_data(Type* head) const {
    auto found = datas_.find(head);
    return found == datas_.end() ? kNone : found->second;
}

Type* FixedTypes::head_of(Type* t, std::vector<Type*>& arguments) const {
    for (t = types_.resolve(t); t->kind == Type::Apply; t = types_.resolve(t->first)) arguments.push_back(t->second);
    std::ranges::reverse(arguments);
    return t;
}

/// Whether it has a part that is another one at each use. A part that is still unknown is `Unit`.
bool FixedTypes::has_variable(Type* t, bool is_declared) {
    t = types_.resolve(t);
    if (t->kind == Type::Apply) return has_variable(t->first, is_declared) || has_variable(t->second, is_declared);
    return t->kind == Type::Rigid || (t->kind == Type::Var && (is_declared || general_.contains(t)));
}

void FixedTypes::look(Type* t, bool is_declared) {
    t = types_.resolve(t);
    if (!seen_.insert(t).second) return;
    std::vector<Type*> arguments;
    auto head = head_of(t, arguments);
    for (auto a : arguments) look(a, is_declared);
    has_applied_variables_ |= !arguments.empty() && head->kind != Type::Con;
    auto data = find_data(head);
    if (data == kNone) return;
    bool is_partial = arguments.size() < p_.datas[data].parameters.size();
    bool is_general = std::ranges::any_of(arguments, [&](auto a) { return has_variable(a, is_declared); });
    if (is_partial || is_general) fix(data);
}

void FixedTypes::look_everywhere() {
    auto note = [&](const Typing& t) {
        for (auto v : t.scheme.variables) general_.insert(types_.resolve(v));
    };
    for (auto& b : p_.blocks) note(b.typing);
    for (auto& k : p_.closures) note(k.typing);
    for (auto& t : p_.tops) note(t.typing);
    auto all = [&](auto& list, bool is_declared) {
        for (auto t : list)
            if (t) look(t, is_declared);
    };
    for (auto& e : p_.order)
        if (e.kind == Program::DataKind)
            for (auto c : p_.datas[e.index].cons) all(p_.cons[c].types, true);
    all(found_.variables, false);
    all(found_.blocks, false);
    all(found_.closures, false);
    all(found_.tops, false);
    for (auto& [user, t] : found_.uses) look(t, false);
}

/// A type that contains itself has values without an end.
void FixedTypes::fix_recursive() {
    std::vector<std::vector<uint32_t>> edges(p_.datas.size());
    for (auto& con : p_.cons) {
        std::vector<Type*> todo = con.types;
        while (!todo.empty()) {
            auto t = types_.resolve(todo.back());
            todo.pop_back();
            if (t->kind == Type::Apply) todo.insert(todo.end(), {t->first, t->second});
            if (auto to = find_data(t); to != kNone) edges[con.data].push_back(to);
        }
    }
    auto place = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    std::vector<size_t> sizes(edges.size());
    for (auto c : place) ++sizes[c];
    for (uint32_t d = 0; d != edges.size(); ++d) {
        bool is_own = std::ranges::find(edges[d], d) != edges[d].end();
        if (is_own || sizes[place[d]] > 1) fix(d);
    }
}

} // namespace mim::plug::mil
