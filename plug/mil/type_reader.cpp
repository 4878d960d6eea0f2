// SPDX-License-Identifier: MIT
#include "type_reader.h"

#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

bool TypeReader::has_kind(const TypeExpr* e, Kind is, Kind want) {
    if (is == want || is == Kind::Unknown || want == Kind::Unknown) return true;
    auto text = [](Kind k) { return k == Kind::Number ? "a number" : "a type"; };
    diags_.report(diag::wrong_kind(text(is), text(want)), e->at);
    return false;
}

Type* TypeReader::variable(const TypeExpr* e, Kind want) {
    auto found = variables.find(e->name);
    if (found != variables.end()) {
        auto& known = kinds_.emplace(found->second, want).first->second;
        if (known == Kind::Unknown) known = want;
        return has_kind(e, known, want) ? found->second : source_.types.broken();
    }
    if (!is_open) {
        diags_.report(diag::unknown("type variable", e->name), e->at);
        return source_.types.broken();
    }
    auto result               = source_.types.fresh();
    result->name              = e->name;
    kinds_[result]            = want;
    return variables[e->name] = result;
}

Type* TypeReader::constructor(const File& file, const TypeExpr* e, size_t arguments, Kind want) {
    if (auto meaning = find_synonym(file, e->name)) {
        if (!expanding_.insert(meaning).second) {
            diags_.report(diag::cyclic_type(e->name), e->at);
            return source_.types.broken();
        }
        e->stands_for = meaning;
        auto result   = read(file, meaning, Kind::Unknown);
        expanding_.erase(meaning);
        auto kind = source_.types.number_of(result) ? Kind::Number : Kind::Type;
        return has_kind(e, kind, want) ? result : source_.types.broken();
    }
    auto data = find_type(file, e->name);
    if (!data) {
        diags_.report(diag::unknown("type", e->name), e->at);
        return source_.types.broken();
    }
    auto& type = source_.program.datas[*data];
    auto count = type.parameters.size();
    if (count == arguments) return has_kind(e, Kind::Type, want) ? type.type : source_.types.broken();
    auto has = count == 1 ? "one parameter" : count == 0 ? "no parameters" : std::to_string(count) + " parameters";
    diags_.report(diag::arity(e->name, has, arguments), e->at);
    return source_.types.broken();
}

Type* TypeReader::read(const File& file, const TypeExpr* e, Kind want) {
    auto& types = source_.types;
    switch (e->kind) {
        case TypeExpr::Var: return variable(e, want);
        case TypeExpr::Con: return constructor(file, e, 0, want);
        case TypeExpr::Number: return has_kind(e, Kind::Number, want) ? types.con(e->name) : types.broken();
        case TypeExpr::Tuple: return types.tuple(read(file, e->parts));
        case TypeExpr::Apply: break;
    }
    auto head   = e->parts[0];
    bool is_con = head->kind == TypeExpr::Con;
    auto result = is_con ? constructor(file, head, e->parts.size() - 1, want) : read(file, head, want);
    for (size_t i = 1; i != e->parts.size(); ++i)
        result = types.apply(result, read(file, e->parts[i], kind_of_part(source_, file, e, i)));
    return result;
}

std::vector<Type*> TypeReader::read(const File& file, const std::vector<TypeExpr*>& all) {
    std::vector<Type*> result;
    for (auto e : all) result.push_back(read(file, e));
    return result;
}

Scheme TypeReader::scheme(const File& file, const TypeExpr* e, Kind want) {
    auto& types = source_.types;
    variables.clear();
    ++types.level;
    auto type = read(file, e, want);
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
    for (size_t i = 0; i != data.parameters.size(); ++i) {
        parameters.push_back(types.fresh());
        reader.declare(data.parameters[i], parameters.back(), data.kinds[i]);
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
    infer_kinds(source);
    for (auto& data : datas)
        if (!data.is_builtin) data.type = source.types.new_con(data.name);
    for (auto& file : source.files)
        for (auto& [name, index] : file->types)
            if (!datas[index].is_builtin) declare_data(c.diags, source, *file, datas[index]);
    lay_out(c.diags, source);
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
        for (auto& [name, meaning] : file->synonyms) reader.scheme(*file, meaning, Kind::Unknown);
    }
}

} // namespace mim::plug::mil
