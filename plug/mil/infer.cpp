// SPDX-License-Identifier: MIT
// The types of definitions in LC (Damas and Milner, "Principal type-schemes for functional programs", 1982). What an
// expression should be is known on the way in, so that the smallest expression that is something else has the error.
#include <algorithm>
#include <map>
#include <set>

#include "areas.h"
#include "mil/diagnostics.h"
#include "stages.h"
#include "type_reader.h"

namespace mim::plug::mil {

namespace {

using Binds = std::vector<Bind*>;

/// Whether it has its value at once, without a call.
bool is_value(const Expr* e) {
    switch (e->kind) {
        case Expr::Lambda:
        case Expr::Do:
        case Expr::Name:
        case Expr::Con:
        case Expr::Word:
        case Expr::Bits:
        case Expr::Proxy:
        case Expr::Label:
        case Expr::Text: return true;
        case Expr::Typed: return is_value(e->parts[0]);
        case Expr::Apply: {
            for (; e->kind == Expr::Apply; e = e->parts[0])
                if (!is_value(e->parts[1])) return false;
            return e->kind == Expr::Con;
        }
        default: return false;
    }
}

class Inference {
public:
    Inference(Diagnostics& diags, Source& source, const File& file)
        : diags_(diags)
        , source_(source)
        , types_(source.types)
        , file_(file)
        , reader_(diags, source) {
        for (auto& d : source.program.datas) datas_[d.type] = &d;
    }

    void groups(const std::vector<Binds>&);
    /// Reports areas that nothing determines. It is called if there was no other error.
    void report_open_areas();

private:
    void group(const Binds&);
    void signed_one(Bind*);
    void check(Expr*, Type* want);
    void agree(Expr*, Type* is, Type* want);
    Type* instance(const Expr*, const Scheme&);
    void note_areas(const Expr*, Type* general, Type* own);
    Type* name(Expr*);
    void apply(Expr*, Type* want);
    Type* argument(Type* function, Expr* argument, Expr* head, Type* head_type);
    void lambda(Expr*, Type* want);
    void cases(Expr*, Type* want);
    Type* pattern(Alternative&, Type* subject);
    void warn(const Expr*);
    void steps(Expr*, Type* want);
    void record(Expr*, Type* want);
    void field(Expr*, Type* want);
    void update(Expr*, Type* want);
    void area(Expr*, Type* want);
    void same(Expr*, Type* want);
    bool find_layout(Expr*, Type*);
    Type* field_type(Expr*, Expr::Given&);
    Type* part_type(Expr*, Expr::Given&);
    void complete(Expr*, const std::string& name, const std::string& field, Bind* initial, uint32_t index);
    void check_arrows(const Expr*, bool is_memory);
    void initializer(Expr*, Type* want);
    void values(Expr*, size_t first);
    void bind(Bind* b, Type* type) {
        if (!b) return;
        b->scheme     = {{}, type};
        b->has_scheme = true;
    }

    Diagnostics& diags_;
    Source& source_;
    Types& types_;
    const File& file_;
    TypeReader reader_;
    /// Why an argument has the type that it should have.
    struct Reason {
        const Expr* argument = nullptr;
        const Expr* function = nullptr;
        Type* type           = nullptr; ///< of the function
    };
    Reason reason_;
    /// A definition is used with an area that inference is to find.
    struct AreaUse {
        const Expr* name;
        Type* area;
    };
    std::vector<AreaUse> area_uses_;
    std::set<Type*> general_; ///< variables of definitions, which may be any type
    std::unordered_map<Type*, const DataType*> datas_;
    bool may_miss_ = false; ///< a fatbar takes what no alternative is for
};

void Inference::groups(const std::vector<Binds>& all) {
    for (auto& g : all) group(g);
}

/// A definition with a signature is checked against it, and may be used at other types within its own group.
void Inference::group(const Binds& all) {
    Binds open, known;
    for (auto b : all) {
        if (b->signature && !b->has_scheme) b->scheme = reader_.scheme(file_, b->signature);
        (b->signature ? known : open).push_back(b);
        b->has_scheme = true;
    }
    auto errors = diags_.num_errors();
    ++types_.level;
    for (auto b : open) b->scheme = {{}, types_.fresh()};
    for (auto b : open) check(b->value, b->scheme.type);
    --types_.level;
    bool is_broken = diags_.num_errors() != errors;
    for (auto b : open) {
        bool is_general = b->is_top || is_value(b->value);
        if (is_broken) b->scheme = {{}, types_.broken()};
        else if (is_general) b->scheme = types_.generalize(b->scheme.type);
        else types_.lower(b->scheme.type);
        general_.insert(b->scheme.variables.begin(), b->scheme.variables.end());
    }
    for (auto b : known) signed_one(b);
}

void Inference::signed_one(Bind* b) {
    ++types_.level;
    check(b->value, types_.skolemize(b->scheme));
    --types_.level;
}

void Inference::agree(Expr* e, Type* is, Type* want) {
    auto agreement = types_.unify(is, want);
    if (agreement == Agreement::Same || types_.is_broken(is) || types_.is_broken(want)) return;
    auto [a, b]    = types_.texts(is, want);
    auto& d        = agreement == Agreement::Infinite ? diags_.report(diag::infinite(a, b), e->at)
                                                      : diags_.report(diag::mismatch(a, b), e->at);
    auto function  = reason_.function;
    bool has_place = e == reason_.argument && function->kind == Expr::Name && function->bind->at;
    if (!has_place) return;
    auto note = diag::typed_here;
    d.note(note, function->bind->at, {function->name, types_.text(reason_.type)});
}

/// The type of a name where it is used.
Type* Inference::instance(const Expr* e, const Scheme& scheme) {
    auto own = types_.instantiate(scheme);
    if (!scheme.variables.empty()) note_areas(e, scheme.type, own);
    return own;
}

void Inference::note_areas(const Expr* e, Type* general, Type* own) {
    general = types_.resolve(general);
    std::vector<std::pair<Type*, Type*>> arguments;
    while (general->kind == Type::Apply) {
        own = types_.resolve(own);
        arguments.insert(arguments.begin(), {types_.resolve(general->second), types_.resolve(own->second)});
        general = types_.resolve(general->first);
        own     = own->first;
    }
    auto data = datas_.find(general);
    for (size_t i = 0; i != arguments.size(); ++i) {
        auto [argument, found] = arguments[i];
        bool is_area           = data != datas_.end() && i < data->second->kinds.size() && data->second->kinds[i] == Kind::Area;
        if (is_area && argument->kind == Type::Var) area_uses_.push_back({e, found});
        else note_areas(e, argument, found);
    }
}

void Inference::report_open_areas() {
    std::set<Type*> reported;
    for (auto& use : area_uses_) {
        auto area    = types_.resolve(use.area);
        bool is_open = area->kind == Type::Var && !general_.contains(area) && reported.insert(area).second;
        if (is_open) diags_.report(diag::open_area(use.name->name), use.name->at);
    }
}

Type* Inference::name(Expr* e) {
    auto b = e->bind;
    if (!b->has_scheme) {
        diags_.report(diag::no_type(b->name, "LC"), e->at);
        bind(b, types_.broken());
    }
    return instance(e, b->scheme);
}

/// The type of what the function returns.
Type* Inference::argument(Type* function, Expr* given, Expr* head, Type* head_type) {
    std::vector<Type*> sides;
    function = types_.resolve(function);
    if (function->kind == Type::Broken) {
        check(given, types_.fresh());
        return function;
    }
    if (function->kind == Type::Var) {
        sides = {types_.fresh(), types_.fresh()};
        if (types_.unify(function, types_.function(sides[0], sides[1])) != Agreement::Same) return types_.broken();
    } else if (!types_.is_apply(function, "->", sides) || sides.size() != 2) {
        diags_.report(diag::no_function(types_.text(function)), given->at);
        return types_.broken();
    }
    auto reason = std::exchange(reason_, {given, head, head_type});
    check(given, sides[0]);
    reason_ = reason;
    return sides[1];
}

void Inference::apply(Expr* e, Type* want) {
    std::vector<Expr*> arguments;
    auto head = e;
    for (; head->kind == Expr::Apply; head = head->parts[0]) arguments.push_back(head->parts[1]);
    Type* declared = nullptr;
    Type* type     = types_.fresh();
    if (head->kind == Expr::Name) {
        type     = name(head);
        declared = head->bind->scheme.type;
    } else {
        check(head, type);
        declared = type;
    }
    for (auto a = arguments.rbegin(); a != arguments.rend(); ++a) type = argument(type, *a, head, declared);
    agree(e, type, want);
}

void Inference::lambda(Expr* e, Type* want) {
    auto rest = want;
    for (auto parameter : e->binds) {
        std::vector<Type*> sides;
        if (!types_.is_apply(rest, "->", sides) || sides.size() != 2) {
            sides = {types_.fresh(), types_.fresh()};
            agree(e, types_.function(sides[0], sides[1]), rest);
        }
        bind(parameter, sides[0]);
        rest = sides[1];
    }
    check(e->parts[0], rest);
}

Type* Inference::pattern(Alternative& alt, Type* subject) {
    if (alt.kind == Alternative::Wildcard) return subject;
    if (alt.kind == Alternative::Variable) {
        bind(alt.fields[0], subject);
        return subject;
    }
    if (alt.con == kNone) return types_.broken();
    auto& con = source_.program.cons[alt.con];
    auto type = types_.instantiate(con.scheme);
    auto size = con.types.size();
    if (alt.fields.size() != size) {
        auto has = size == 1 ? "one field" : size == 0 ? "no fields" : std::to_string(size) + " fields";
        diags_.report(diag::arity(con.name, has, alt.fields.size()), alt.at);
        for (auto f : alt.fields) bind(f, types_.broken());
        return types_.broken();
    }
    std::vector<Type*> sides;
    for (auto f : alt.fields) {
        types_.is_apply(type, "->", sides);
        bind(f, sides[0]);
        type = sides[1];
    }
    return type;
}

void Inference::cases(Expr* e, Type* want) {
    auto subject = types_.fresh();
    check(e->parts[0], subject);
    for (auto& alt : e->alts) {
        auto is = pattern(alt, subject);
        if (types_.unify(is, subject) != Agreement::Same) {
            auto [a, b] = types_.texts(is, subject);
            diags_.report(diag::mismatch(a, b), alt.at);
        }
        check(alt.body, want);
    }
    warn(e);
}

/// Warns of alternatives that are never taken, and of constructors without one.
void Inference::warn(const Expr* e) {
    std::set<uint32_t> seen;
    const Con* any = nullptr;
    bool is_all    = false;
    for (auto& alt : e->alts) {
        bool has_con = alt.kind == Alternative::Constructor || alt.kind == Alternative::Tuple;
        if (has_con && alt.con == kNone) return;
        if (has_con) any = &source_.program.cons[alt.con];
        bool is_late = is_all || (has_con && !seen.insert(alt.con).second);
        if (is_late) diags_.report(diag::never_taken, alt.at);
        is_all |= !has_con;
    }
    if (is_all || !any || may_miss_) return;
    for (auto c : source_.program.datas[any->data].cons)
        if (!seen.contains(c))
            diags_.report(diag::missing(source_.program.cons[c].name), {e->at.file, e->at.begin, e->at.begin + 4});
}

void Inference::steps(Expr* e, Type* want) {
    auto proc = [&](Type* t) { return types_.apply(types_.con("Proc"), t); };
    if (e->steps.empty()) return agree(e, proc(types_.con("Unit")), want);
    for (size_t i = 0; i != e->steps.size(); ++i) {
        auto& step   = e->steps[i];
        bool is_last = i + 1 == e->steps.size();
        if (step.step == Expr::Define) {
            groups(step.value->groups);
            continue;
        }
        auto result = types_.fresh();
        if (is_last) {
            std::vector<Type*> parts;
            if (!types_.is_apply(want, "Proc", parts)) agree(e, proc(result), want);
            check(step.value, want);
        } else {
            check(step.value, proc(result));
        }
        bind(step.name, result);
    }
}

// ---- fields
// ----------------------------------------------------------------------------------------------------------------

/// The fields that an expression of this type has: those of a layout, or of the only constructor of a `bitdata`.
bool Inference::find_layout(Expr* e, Type* type) {
    type = types_.resolve(type);
    std::vector<Type*> area;
    bool is_memory = e->kind == Expr::Field && types_.is_apply(type, "Ref", area);
    if (auto found = is_memory ? find_struct(source_.program, types_, area[0]) : std::nullopt) {
        e->kind  = Expr::Reference;
        e->index = *found;
        return true;
    }
    auto& datas  = source_.program.datas;
    auto is_it   = [&](const DataType& d) { return d.type == type; };
    auto data    = std::ranges::find_if(datas, is_it);
    bool is_open = types_.resolve(is_memory ? area[0] : type)->kind == Type::Var;
    if (data != datas.end() && data->form == DataType::Layout) e->layout = data->cons[0];
    bool has_one = data != datas.end() && data->form == DataType::Bitdata && data->cons.size() == 1;
    if (has_one) {
        e->con    = data->cons[0];
        e->layout = source_.program.cons[e->con].layout;
    }
    if (e->layout != kNone) return true;
    if (is_open) diags_.report(diag::unknown_record(e->given.empty() ? "" : e->given[0].name), e->parts[0]->at);
    else if (!types_.is_broken(type)) diags_.report(diag::no_record(types_.text(type)), e->parts[0]->at);
    return false;
}

/// What the name of a field of a `struct` stands for.
Type* Inference::part_type(Expr* e, Expr::Given& given) {
    auto& data  = source_.program.datas[e->index];
    auto is_it  = [&](auto& part) { return part.name == given.name; };
    auto part   = std::ranges::find_if(data.parts, is_it);
    given.index = static_cast<uint32_t>(part - data.parts.begin());
    if (part != data.parts.end()) return types_.apply(types_.con(e->kind == Expr::Initializer ? "Init" : "Ref"), part->area);
    given.is_broken = true;
    diags_.report(diag::no_field(data.name, given.name), given.at);
    return types_.broken();
}

/// Finds which field it is.
Type* Inference::field_type(Expr* e, Expr::Given& given) {
    if (e->kind == Expr::Initializer || e->kind == Expr::Reference) return part_type(e, given);
    auto& layout  = source_.program.cons[e->layout];
    auto& outside = source_.program.cons[source_.program.datas[layout.data].outside];
    uint32_t i    = 0;
    for (auto& r : outside.regions) {
        if (!r.is_field()) continue;
        given.index = i++;
        if (r.name == given.name) return layout.types[given.index];
    }
    given.is_broken = true;
    diags_.report(diag::no_field(outside.name, given.name), given.at);
    return types_.broken();
}

/// Checks the values of fields: parts from `first` on.
void Inference::values(Expr* e, size_t first) {
    std::map<std::string, Span> seen;
    for (size_t i = 0; i != e->given.size(); ++i) {
        auto& given           = e->given[i];
        auto [before, is_new] = seen.emplace(given.name, given.at);
        if (!is_new) diags_.report(diag::twice(given.name), given.at).note(diag::other_here, before->second);
        bool is_known = e->layout != kNone || e->kind == Expr::Initializer;
        check(e->parts[first + i], is_known ? field_type(e, given) : types_.fresh());
    }
}

/// Gives a field that is left out its value.
void Inference::complete(Expr* e, const std::string& name, const std::string& field, Bind* initial, uint32_t index) {
    if (std::ranges::any_of(e->given, [&](auto& g) { return g.name == field; })) return;
    bool has_report = std::ranges::any_of(e->given, &Expr::Given::is_broken); // perhaps it is this field, misspelled
    if (!initial && has_report) return;
    if (!initial) return void(diags_.report(diag::no_value(name, field), e->at));
    auto value  = source_.expr({.kind = Expr::Name, .at = e->at, .name = initial->name});
    value->bind = initial;
    e->parts.push_back(value);
    e->given.push_back({field, e->at, index});
}

/// Values belong to `bitdata`, memory to `struct`.
void Inference::check_arrows(const Expr* e, bool is_memory) {
    for (auto& g : e->given)
        if (g.has_value && g.is_memory != is_memory) diags_.report(diag::wrong_arrow(g.name, is_memory ? "<-" : "="), g.at);
}

void Inference::initializer(Expr* e, Type* want) {
    auto& data = source_.program.datas[e->index];
    check_arrows(e, true);
    values(e, 0);
    for (uint32_t i = 0; i != data.parts.size(); ++i) {
        auto& part = data.parts[i];
        if (!part.name.empty()) complete(e, data.name, part.name, part.initial, i);
    }
    agree(e, types_.apply(types_.con("Init"), data.type), want);
}

void Inference::record(Expr* e, Type* want) {
    auto& program = source_.program;
    auto& con     = program.cons[e->con];
    e->layout     = con.layout;
    bool is_bits  = mil::is_bits(program, e->con) && !program.datas[con.data].is_builtin;
    bool is_wrong = !is_bits || (e->layout == kNone && !e->given.empty());
    if (is_wrong) diags_.report(diag::no_record(con.name), e->at);
    else check_arrows(e, false);
    values(e, 0);
    if (!is_bits) return;
    uint32_t i = 0;
    for (auto& r : con.regions) {
        if (!r.is_field()) continue;
        complete(e, con.name, r.name, r.initial, i++);
    }
    agree(e, program.datas[con.data].type, want);
}

void Inference::field(Expr* e, Type* want) {
    auto type = types_.fresh();
    check(e->parts[0], type);
    if (find_layout(e, type)) agree(e, field_type(e, e->given[0]), want);
}

void Inference::update(Expr* e, Type* want) {
    auto type = types_.fresh();
    check(e->parts[0], type);
    find_layout(e, type);
    check_arrows(e, false);
    values(e, 1);
    agree(e, type, want);
}

/// A number is one of the values of a row of bits.
void Inference::same(Expr* e, Type* want) {
    auto from = e->parts[0];
    auto is   = types_.fresh();
    check(from, is);
    auto word = from->kind == Expr::Word ? std::optional(from->word) : std::nullopt;
    check_same(diags_, source_, is, want, word, from->at);
}

/// Finds how large an area is. Its type is that of a signature.
void Inference::area(Expr* e, Type* want) {
    std::vector<Type*> parts;
    if (!types_.is_apply(want, "Ref", parts)) return agree(e, types_.apply(types_.con("Ref"), types_.fresh()), want);
    if (types_.is_broken(parts[0])) return;
    auto layout = placed_area(diags_, source_, parts[0], e->index, e->at);
    if (!layout) return;
    e->word  = layout->bytes;
    e->index = static_cast<uint32_t>(layout->align);
}

void Inference::check(Expr* e, Type* want) {
    auto& program = source_.program;
    auto boolean  = types_.con("Bool");
    switch (e->kind) {
        case Expr::Name: return agree(e, name(e), want);
        case Expr::Con: return agree(e, instance(e, program.cons[e->con].scheme), want);
        case Expr::Word:
            if (e->word > program.mask()) diags_.report(diag::too_large(e->name, program.word_bits), e->at);
            return agree(e, types_.con("Word"), want);
        case Expr::Bits: return agree(e, types_.bits(e->index), want);
        case Expr::Proxy: return agree(e, types_.apply(types_.con("ProxyNat"), types_.number(e->word)), want);
        case Expr::Area: return area(e, want);
        case Expr::Same: return same(e, want);
        case Expr::Label: return agree(e, types_.apply(types_.con("ProxyLab"), types_.con(label_type(e->name))), want);
        case Expr::Record: return record(e, want);
        case Expr::Initializer: return initializer(e, want);
        case Expr::Field:
        case Expr::Reference: return field(e, want);
        case Expr::Update: return update(e, want);
        case Expr::Text: return agree(e, types_.apply(types_.con("Ref"), types_.con("String")), want);
        case Expr::Apply: return apply(e, want);
        case Expr::Lambda: return lambda(e, want);
        case Expr::Let: groups(e->groups); return check(e->parts[0], want);
        case Expr::If:
            check(e->parts[0], boolean);
            check(e->parts[1], want);
            return check(e->parts[2], want);
        case Expr::And:
        case Expr::Or:
            check(e->parts[0], boolean);
            check(e->parts[1], boolean);
            return agree(e, boolean, want);
        case Expr::Case: return cases(e, want);
        case Expr::Do: return steps(e, want);
        case Expr::Fatbar: {
            auto before = std::exchange(may_miss_, true);
            check(e->parts[0], want);
            may_miss_ = before;
            return check(e->parts[1], want);
        }
        case Expr::Typed: {
            auto scheme     = reader_.scheme(file_, e->annotation);
            e->bind         = source_.bind("_", e->at);
            e->bind->scheme = scheme;
            ++types_.level;
            check(e->parts[0], types_.skolemize(scheme));
            --types_.level;
            return agree(e, types_.instantiate(scheme), want);
        }
        case Expr::Broken: return;
    }
}

} // namespace

void infer(FrontEndContext& c, Source& source) {
    for (auto& file : source.files) {
        Inference inference(c.diags, source, *file);
        inference.groups(file->groups);
        if (c.diags.num_errors() == 0) inference.report_open_areas();
    }
}

} // namespace mim::plug::mil
