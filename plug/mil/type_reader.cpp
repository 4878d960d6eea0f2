// SPDX-License-Identifier: MIT
#include "type_reader.h"

#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

Type* TypeReader::variable(const TypeExpr* e) {
    auto found = variables.find(e->name);
    if (found != variables.end()) return found->second;
    if (!is_open) {
        diags_.report(diag::unknown("type variable", e->name), e->at);
        return source_.types.broken();
    }
    auto result               = source_.types.fresh();
    result->name              = e->name;
    return variables[e->name] = result;
}

Type* TypeReader::constructor(const File& file, const TypeExpr* e, size_t arguments) {
    if (auto meaning = find_synonym(file, e->name)) {
        if (!expanding_.insert(meaning).second) {
            diags_.report(diag::cyclic_type(e->name), e->at);
            return source_.types.broken();
        }
        auto result = read(file, meaning);
        expanding_.erase(meaning);
        return result;
    }
    auto data = find_type(file, e->name);
    if (!data) {
        diags_.report(diag::unknown("type", e->name), e->at);
        return source_.types.broken();
    }
    auto& type = source_.program.datas[*data];
    auto count = type.parameters.size();
    if (count == arguments) return type.type;
    auto has = count == 1 ? "one parameter" : count == 0 ? "no parameters" : std::to_string(count) + " parameters";
    diags_.report(diag::arity(e->name, has, arguments), e->at);
    return source_.types.broken();
}

Type* TypeReader::read(const File& file, const TypeExpr* e) {
    auto& types = source_.types;
    switch (e->kind) {
        case TypeExpr::Var: return variable(e);
        case TypeExpr::Con: return constructor(file, e, 0);
        case TypeExpr::Tuple: return types.tuple(read(file, e->parts));
        case TypeExpr::Apply: break;
    }
    auto head   = e->parts[0];
    bool is_con = head->kind == TypeExpr::Con;
    auto result = is_con ? constructor(file, head, e->parts.size() - 1) : read(file, head);
    for (size_t i = 1; i != e->parts.size(); ++i) result = types.apply(result, read(file, e->parts[i]));
    return result;
}

std::vector<Type*> TypeReader::read(const File& file, const std::vector<TypeExpr*>& all) {
    std::vector<Type*> result;
    for (auto e : all) result.push_back(read(file, e));
    return result;
}

Scheme TypeReader::scheme(const File& file, const TypeExpr* e) {
    auto& types = source_.types;
    variables.clear();
    ++types.level;
    auto type = read(file, e);
    --types.level;
    return types.generalize(type);
}

namespace {

void declare_data(Diagnostics& diags, Source& source, const File& file, DataType& data) {
    auto& types = source.types;
    TypeReader reader(diags, source);
    reader.is_open = false;
    ++types.level;
    std::vector<Type*> parameters;
    for (auto& name : data.parameters) {
        parameters.push_back(types.fresh());
        reader.variables[name] = parameters.back();
    }
    auto whole = types.apply(data.type, parameters);
    for (auto index : data.cons) {
        auto& con = source.program.cons[index];
        con.types = reader.read(file, con.fields);
        auto type = whole;
        for (auto field = con.types.rbegin(); field != con.types.rend(); ++field) type = types.function(*field, type);
        con.scheme = {parameters, type};
    }
    --types.level;
}

/// In LC, a primitive takes one argument after the other, and returns one value, or `Unit`.
Scheme primitive_scheme(TypeReader& reader, Source& source, const File& file, const Primitive& p) {
    auto& types = source.types;
    reader.variables.clear();
    ++types.level;
    auto result = types.con("Unit");
    if (p.any_range) result = types.fresh();
    else if (!p.range.empty()) result = reader.read(file, p.range[0]);
    if (p.form == Primitive::Procedure) result = types.apply(types.con("Proc"), result);
    auto domain = reader.read(file, p.domain);
    for (auto t = domain.rbegin(); t != domain.rend(); ++t) result = types.function(*t, result);
    --types.level;
    return types.generalize(result);
}

} // namespace

void declare_types(FrontEndContext& c, Source& source) {
    auto& datas = source.program.datas;
    for (auto& data : datas)
        if (!data.is_builtin) data.type = source.types.new_con(data.name);
    for (auto& file : source.files)
        for (auto& [name, index] : file->types)
            if (!datas[index].is_builtin) declare_data(c.diags, source, *file, datas[index]);
    TypeReader reader(c.diags, source);
    for (auto& file : source.files) {
        for (auto& [name, bind] : file->values) {
            if (bind->primitive != kNone) {
                bind->scheme     = primitive_scheme(reader, source, *file, source.program.primitives[bind->primitive]);
                bind->has_scheme = true;
            }
            if (!bind->signature) continue;
            bind->scheme     = reader.scheme(*file, bind->signature);
            bind->has_scheme = true;
        }
        for (auto& [name, meaning] : file->synonyms) reader.scheme(*file, meaning);
    }
}

} // namespace mim::plug::mil
