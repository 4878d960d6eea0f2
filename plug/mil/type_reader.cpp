// SPDX-License-Identifier: MIT
#include "type_reader.h"

#include <utility>

#include "areas.h"
#include "mil/diagnostics.h"
#include "reader.h"
#include "stages.h"

namespace mim::plug::mil {

bool TypeReader::has_kind(const TypeExpr* e, Kind is, Kind want) {
    if (is == want || is == Kind::Unknown || want == Kind::Unknown) return true;
    auto text = [](Kind k) {
        return k == Kind::Number ? "a number" : k == Kind::Area ? "an area" : k == Kind::Label ? "a label" : "a type";
    };
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

Kind TypeReader::kind_of(Type* t) {
    if (source_.types.number_of(t)) return Kind::Number;
    for (t = source_.types.resolve(t); t->kind == Type::Apply;) t = source_.types.resolve(t->first);
    if (t->kind == Type::Con && t->name[0] == '"') return Kind::Label;
    for (auto& data : source_.program.datas)
        if (data.type == t) return data.result;
    return Kind::Type;
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
        if (arguments != 0) {
            diags_.report(diag::arity(e->name, "no parameters", arguments), e->at);
            return source_.types.broken();
        }
        return has_kind(e, kind_of(result), want) ? result : source_.types.broken();
    }
    auto data = find_type(file, e->name);
    if (!data) {
        diags_.report(diag::unknown("type", e->name), e->at);
        return source_.types.broken();
    }
    auto& type = source_.program.datas[*data];
    auto count = type.parameters.size();
    if (count == arguments) return has_kind(e, type.result, want) ? type.type : source_.types.broken();
    auto has = count == 1 ? "one parameter" : count == 0 ? "no parameters" : std::to_string(count) + " parameters";
    diags_.report(diag::arity(e->name, has, arguments), e->at);
    return source_.types.broken();
}

namespace {

struct Computed {
    std::optional<uint64_t> number;
    const char* needs = "a result below 2^64"; ///< where there is none
};

Computed power(uint64_t a, uint64_t b) {
    Computed result{1};
    if (a < 2 || b == 0) return {b == 0 ? 1 : a};
    for (; b != 0; --b)
        if (__builtin_mul_overflow(*result.number, a, &*result.number)) return {};
    return result;
}

/// `a op b`
Computed compute(const std::string& op, uint64_t a, uint64_t b) {
    uint64_t result  = 0;
    bool is_too_much = false;
    if (op == "^") return power(a, b);
    if (op == ">>") return {b >= 64 ? 0 : a >> b};
    if (op == "/") {
        if (b == 0) return {{}, "a divisor that is not 0"};
        return {a / b};
    }
    if (op == "-") {
        if (a < b) return {{}, "a right side that is not above the left one"};
        return {a - b};
    }
    if (op == "+") is_too_much = __builtin_add_overflow(a, b, &result);
    else if (op == "*") is_too_much = __builtin_mul_overflow(a, b, &result);
    else {
        is_too_much = a != 0 && (b >= 64 || a << b >> b != a);
        result      = is_too_much || a == 0 ? 0 : a << b;
    }
    if (is_too_much) return {};
    return {result};
}

} // namespace

/// Only those variables are in it.
Type* TypeReader::quantified(const File& file, const TypeExpr* e) {
    for (size_t i = 0; i + 1 != e->parts.size(); ++i) variable(e->parts[i], e->parts[i]->has);
    bool was_open = std::exchange(is_open, false);
    auto result   = read(file, e->parts.back());
    is_open       = was_open;
    return result;
}

/// `(a + b)`
Type* TypeReader::computed(const File& file, const TypeExpr* e) {
    auto& types = source_.types;
    auto a      = read(file, e->parts[0], Kind::Number);
    auto b      = read(file, e->parts[1], Kind::Number);
    if (types.is_broken(a) || types.is_broken(b)) return types.broken();
    auto left = types.number_of(a), right = types.number_of(b);
    Computed result{{}, "numbers that are known here, not variables"};
    if (left && right) result = compute(e->name, *left, *right);
    if (!result.number) {
        diags_.report(diag::misfit(e->name, result.needs), e->at);
        return types.broken();
    }
    e->stands_for = source_.type_expr({TypeExpr::Number, e->at, std::to_string(*result.number)});
    return types.number(*result.number);
}

Type* TypeReader::read(const File& file, const TypeExpr* e, Kind want) {
    auto& types = source_.types;
    switch (e->kind) {
        case TypeExpr::Var: return variable(e, want);
        case TypeExpr::Con: return constructor(file, e, 0, want);
        case TypeExpr::Number: return has_kind(e, Kind::Number, want) ? types.con(e->name) : types.broken();
        case TypeExpr::Label: return has_kind(e, Kind::Label, want) ? types.con(label_type(e->name)) : types.broken();
        case TypeExpr::Tuple: return types.tuple(read(file, e->parts));
        case TypeExpr::Compute: return has_kind(e, Kind::Number, want) ? computed(file, e) : types.broken();
        case TypeExpr::Forall: return quantified(file, e);
        case TypeExpr::Kinded:
            e->stands_for = e->parts[0];
            return has_kind(e, e->has, want) ? read(file, e->parts[0], e->has) : types.broken();
        case TypeExpr::Apply: break;
    }
    auto head   = e->parts[0];
    bool is_con = head->kind == TypeExpr::Con;
    auto result = is_con ? constructor(file, head, e->parts.size() - 1, want) : read(file, head, want);
    for (size_t i = 1; i != e->parts.size(); ++i)
        result = types.apply(result, read(file, e->parts[i], kind_of_part(source_, file, e, i)));
    bool is_empty = is_con && head->name == "Ix" && e->parts.size() == 2 && types.number_of(result->second) == 0;
    if (is_empty) diags_.report(diag::misfit("Ix", "a limit from 1 to the largest word"), e->parts[1]->at);
    bool is_row  = is_con && (head->name == "Bit" || head->name == "NZBit") && e->parts.size() == 2;
    bool is_wide = is_row && types.number_of(result->second).value_or(0) > kMostBits;
    if (is_wide) diags_.report(diag::misfit(head->name, too_many_bits()), e->parts[1]->at);
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
    for (auto& part : data.parts) part.area = reader.read(file, part.text, Kind::Area);
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

/// The right side of an external or a generator: its arguments may name the variables of its type.
void declare_external(TypeReader& reader, Source& source, const File& file, Foreign& e) {
    auto& types = source.types;
    reader.variables.clear();
    ++types.level;
    auto type = reader.read(file, e.type);
    std::vector<Type*> parts;
    for (auto a : e.arguments) parts.push_back(reader.read(file, a, Kind::Unknown));
    parts.push_back(type);
    --types.level;
    e.scheme = types.generalize(types.tuple(parts));
}

Scheme types_of(Types& types, const Foreign& e) {
    auto whole = types.resolve(e.scheme.type);
    return {e.scheme.variables, whole->second};
}

/// The type of an external is one of those that its generator has.
void check_external(Diagnostics& diags, Source& source, const File& file, const Foreign& e) {
    auto& types   = source.types;
    auto& program = source.program;
    auto found    = find_mil(file, &File::generators, e.generator);
    if (!found) return void(diags.report(diag::unknown("generator", e.generator), e.generator_at));
    auto& generator = program.externals[*found];
    auto count      = generator.arguments.size();
    if (count != e.arguments.size()) {
        auto has = count == 1 ? "one argument" : std::to_string(count) + " arguments";
        return void(diags.report(diag::arity(e.generator, has, e.arguments.size()), e.generator_at));
    }
    ++types.level;
    auto own     = types.skolemize(e.scheme);
    auto general = types.instantiate(generator.scheme);
    --types.level;
    std::vector<Type*> parts, wants;
    types.is_apply(own, "[" + std::to_string(count + 1) + "]", parts);
    types.is_apply(general, "[" + std::to_string(count + 1) + "]", wants);
    for (size_t i = 0; i != parts.size(); ++i) {
        auto agreement = types.unify(wants[i], parts[i]);
        if (agreement == Agreement::Same || types.is_broken(parts[i])) continue;
        auto [a, b] = types.texts(parts[i], wants[i]);
        diags.report(diag::mismatch(a, b), i == count ? e.type->at : e.arguments[i]->at);
        return;
    }
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
    for (auto& data : datas) {
        using Part = Types::Part;
        std::vector<Part> parts;
        for (auto kind : data.kinds)
            parts.push_back(kind == Kind::Area     ? Part::Area
                            : kind == Kind::Number ? Part::Number
                            : kind == Kind::Label  ? Part::Label
                                                   : Part::Any);
        source.types.set_parts(data.type, std::move(parts));
    }
    lay_out(c.diags, source);
    lay_out_structs(c.diags, source);
    TypeReader reader(c.diags, source);
    for (auto& file : source.files)
        for (auto& area : file->areas) {
            auto type   = reader.scheme(*file, area.type, Kind::Area).type;
            auto layout = source.types.is_broken(type) ? std::nullopt
                                                       : placed_area(c.diags, source, type, area.align, area.type->at);
            if (layout) source.program.tops[area.top].tail.args = {{Atom::Word, layout->bytes}, {Atom::Word, layout->align}};
        }
    for (auto& file : source.files)
        for (auto& [name, index] : file->generators) declare_external(reader, source, *file, source.program.externals[index]);
    for (auto& file : source.files) {
        for (auto& [name, index] : file->tops) {
            auto& top = source.program.tops[index];
            if (top.external == kNone) continue;
            auto& e = source.program.externals[top.external];
            declare_external(reader, source, *file, e);
            check_external(c.diags, source, *file, e);
            top.typing = {types_of(source.types, e), nullptr, true, false};
        }
        for (auto& [name, bind] : file->values) {
            bool is_c = bind->primitive != kNone && source.program.primitives[bind->primitive].c_function != kNone;
            if (is_c) {
                declare_c_function(c.diags, source, reader.scheme(*file, bind->signature), bind->primitive);
            } else if (bind->primitive != kNone) {
                bind->scheme     = primitive_scheme(reader, source, *file, source.program.primitives[bind->primitive]);
                bind->has_scheme = true;
            }
            if (!bind->signature) continue;
            bind->scheme     = reader.scheme(*file, bind->signature);
            bind->has_scheme = true;
        }
        for (auto& [name, meaning] : file->synonyms) reader.scheme(*file, meaning, Kind::Unknown);
    }
    for (auto& use : source.uses)
        if (use.bind->has_scheme) source.program.tops[use.top].typing = {use.bind->scheme, nullptr, true, false};
}

} // namespace mim::plug::mil
