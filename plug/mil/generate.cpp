// SPDX-License-Identifier: MIT
// Code of externals. Where their types are known, each one is a copy of the block of its generator (lib/generators.mil),
// with numbers in place of the generator's arguments, between conversions of rows of bits to words and back.
#include <algorithm>
#include <functional>

#include "areas.h"
#include "layouts.h"
#include "lower.h"
#include "mil/diagnostics.h"
#include "primitives.h"
#include "reader.h"
#include "row_code.h"
#include "stages.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

using Numbers = std::vector<uint64_t>;

/// Copies blocks and closures of one program, and what they need, to another one that has the same constructors and
/// primitives.
class Copying {
public:
    Copying(const Program& from, Program& to)
        : from_(from)
        , p_(to) {}

    size_t num_params(uint32_t block) const { return from_.blocks[block].params.size(); }
    /// With these numbers as its first arguments.
    uint32_t block(uint32_t index, const Numbers& numbers = {}) {
        auto known = blocks_.find({index, numbers});
        if (known != blocks_.end()) return known->second;
        auto& old = from_.blocks[index];
        auto made = add(p_.blocks, BlockDef{old.name, old.at, {}, {}, old.results, true});
        p_.order.push_back({Program::BlockKind, made});
        blocks_[{index, numbers}] = made;
        auto outer                = std::exchange(meanings_, {});
        for (size_t i = 0; i != numbers.size(); ++i) meanings_[old.params[i]] = {Atom::Word, numbers[i]};
        std::vector<uint32_t> params;
        for (size_t i = numbers.size(); i != old.params.size(); ++i) params.push_back(variable(old.params[i]));
        auto body              = code(old.code);
        p_.blocks[made].params = std::move(params);
        p_.blocks[made].code   = std::move(body);
        meanings_              = std::move(outer);
        return made;
    }

private:
    uint32_t closure(uint32_t index) {
        auto known = closures_.find(index);
        if (known != closures_.end()) return known->second;
        auto& old = from_.closures[index];
        auto made = add(p_.closures, ClosureDef{old.name, old.at, {}, {}, {}, true});
        p_.order.push_back({Program::ClosureKind, made});
        closures_[index] = made;
        auto outer       = std::exchange(meanings_, {});
        ClosureDef def{old.name, old.at, variables(old.stored), variables(old.params), {}, true};
        def.tail          = tail(old.tail);
        p_.closures[made] = std::move(def);
        meanings_         = std::move(outer);
        return made;
    }
    uint32_t variable(uint32_t v) {
        if (v == kNone) return v;
        auto made    = p_.variable(from_.variables[v]);
        meanings_[v] = variable_atom(made);
        return made;
    }
    std::vector<uint32_t> variables(const std::vector<uint32_t>& all) {
        std::vector<uint32_t> result;
        for (auto v : all) result.push_back(variable(v));
        return result;
    }
    Atoms atoms(Atoms all) const {
        for (auto& a : all)
            if (a.kind == Atom::Var) a = meanings_.at(static_cast<uint32_t>(a.number));
        return all;
    }
    Tail tail(const Tail& t) {
        auto result = t;
        result.args = atoms(t.args);
        if (t.op == Tail::Block) result.target = block(t.target);
        if (t.op == Tail::Closure) result.target = closure(t.target);
        return result;
    }
    Code code(const Code& c) {
        auto result = c;
        for (auto& s : result.statements) {
            s.tail  = tail(s.tail);
            s.binds = variables(s.binds);
        }
        if (c.end == Code::Tailed) result.tail = tail(c.tail);
        else result.subject = atoms({c.subject})[0];
        each_jump(result, [&](Jump& j) { j = {block(j.block), atoms(j.args), j.at}; });
        return result;
    }

    const Program& from_;
    Program& p_;
    std::map<std::pair<uint32_t, Numbers>, uint32_t> blocks_;
    std::map<uint32_t, uint32_t> closures_;
    std::unordered_map<uint32_t, Atom> meanings_;
};

class Generation {
public:
    Generation(FrontEndContext& c, Source& source, const Program& library)
        : diags_(c.diags)
        , source_(source)
        , p_(source.program)
        , types_(source.types)
        , copies_(library, p_) {}

    void run();

private:
    /// The ways in which a value becomes a word, and a word a value.
    enum Form : uint8_t { Same, Row, Truth, Nothing };
    Form form(Type* general, Type* own);
    Atom to_word(Atom, Form);
    Tail from_word(Atom, Form, Span);
    Tail as(Atom a, Span at) { return tail(Tail::Primitive, source_.generators->primitives.at("primAs"), {a}, at); }
    Tail call(const char* block, Atoms args, Span at) {
        return tail(Tail::Block, copies_.block(source_.generators->blocks.at(block)), std::move(args), at);
    }
    std::vector<Type*> arguments(const Foreign&, Type* own);
    std::optional<Numbers> numbers(const Foreign&, const std::vector<Type*>&);
    std::optional<uint64_t> number_of(const Foreign&, const std::string& name, const std::vector<Type*>& all, size_t i);
    std::optional<uint64_t> bytes(const Foreign&, Type* area);
    std::optional<uint64_t> bits(const Foreign&, Type*);
    bool is_closed(const Foreign&, Type*);
    std::optional<uint64_t> offset(const Foreign&, Type* area, Type* label, Type* field);
    bool fits(const Foreign&, Type*);
    /// The code of an external.
    struct Body {
        Numbers numbers;
        uint32_t block = kNone; ///< the copy of the generator's; none: rows that are wider than a word are in the type
    };
    /// Nothing after a report.
    std::optional<Body> body(const Foreign&, Type* own);
    bool is_about_wide_rows(const Foreign&, Type*);
    uint32_t row_bits(Type*);
    Tail wide(const Foreign&, const Body&, const std::vector<uint32_t>& params, const std::vector<Type*>& domain, Type* range);
    void make(uint32_t top, const Body&);
    void declare_primitives();
    bool peel(Type*& general, Type*& own, const char* head, Type*& general_part, Type*& own_part);

    Diagnostics& diags_;
    Source& source_;
    Program& p_;
    Types& types_;
    Copying copies_;
    std::optional<CodeBuilder> b_; ///< there when all copies are: they capture nothing
    std::optional<RowCode> rows_;
};

/// Of the generator's type: a row of bits, a truth value, or its `t`, whose values are rows.
Generation::Form Generation::form(Type* general, Type* own) {
    general     = types_.resolve(general);
    bool is_var = general->kind == Type::Var || general->kind == Type::Rigid;
    if (is_var && general->name != "t") return Same;
    std::vector<Type*> parts;
    if (types_.is_apply(own, "Bool", parts)) return Truth;
    if (types_.is_apply(own, "Unit", parts)) return is_var ? Nothing : Same;
    if (is_address(types_, own)) return is_var ? Row : Same;
    if (types_.text(own) == "Word") return Same;
    return bit_size(source_, own) ? Row : Same;
}

Atom Generation::to_word(Atom a, Form f) {
    switch (f) {
        case Row: return b_->emit(as(a, {}), "w");
        case Truth: return b_->emit(call("boolToWord", {a}, {}), "w");
        case Nothing: return {Atom::Word, 0};
        default: return a;
    }
}

Tail Generation::from_word(Atom a, Form f, Span at) {
    switch (f) {
        case Row: return as(a, at);
        case Truth: return call("wordToBool", {a}, at);
        case Nothing: return tail(Tail::Build, p_.unit, {}, at);
        default: return tail(Tail::Return, kNone, {a}, at);
    }
}

/// The types that the generator is used with, where the external has this one.
std::vector<Type*> Generation::arguments(const Foreign& e, Type* own) {
    std::unordered_map<Type*, Type*> meanings;
    std::function<void(Type*, Type*)> match = [&](Type* general, Type* special) {
        general = types_.resolve(general);
        special = types_.resolve(special);
        if (general->kind == Type::Var) meanings.emplace(general, special);
        if (general->kind != Type::Apply || special->kind != Type::Apply) return;
        match(general->first, special->first);
        match(general->second, special->second);
    };
    auto whole = types_.resolve(e.scheme.type);
    match(whole->second, own);
    std::vector<Type*> all;
    types_.is_apply(types_.replaced(whole, meanings), "[" + std::to_string(e.arguments.size() + 1) + "]", all);
    all.pop_back();
    return all;
}

/// Where the field of a `struct` is. Nothing after a report.
std::optional<uint64_t> Generation::offset(const Foreign& e, Type* area, Type* label, Type* field) {
    auto index = find_struct(p_, types_, area);
    if (!index) {
        diags_.report(diag::no_record(types_.text(area)), e.at);
        return {};
    }
    auto& data   = p_.datas[*index];
    auto is_it   = [&](auto& part) { return !part.name.empty() && types_.con(label_type(part.name)) == types_.resolve(label); };
    auto part    = std::ranges::find_if(data.parts, is_it);
    bool is_open = types_.resolve(label)->kind != Type::Con || types_.text(label) == "Unit";
    if (is_open) {
        diags_.report(diag::open_number(e.name), e.at);
        return {};
    }
    if (part == data.parts.end()) {
        diags_.report(diag::no_field(data.name, types_.text(label)), e.at);
        return {};
    }
    if (types_.unify(part->area, field) != Agreement::Same) {
        diags_.report(diag::mismatch(types_.text(field), types_.text(part->area)), e.at);
        return {};
    }
    return part->offset;
}

/// The bytes of an area.
std::optional<uint64_t> Generation::bytes(const Foreign& e, Type* area) {
    auto layout = area_layout(source_, area);
    if (!layout) {
        report_no_size(diags_, source_, area, e.at);
        return {};
    }
    bool repeats = e.generator == "primAt" || e.generator == "primInitArray";
    if (repeats && !is_even(*layout)) {
        diags_.report(diag::uneven(types_.text(area), layout->bytes, layout->align), e.at);
        return {};
    }
    return layout->bytes;
}

/// A generator that computes with rows of a type makes values of it, so each row must be one. False after a report.
bool Generation::is_closed(const Foreign& e, Type* type) {
    bool computes = false;
    for (auto name : {"primBitdataAnd", "primBitdataOr", "primBitdataXor", "primBitdataNot"}) computes |= e.generator == name;
    if (!computes) return true;
    Layouts layouts(diags_, p_, types_);
    Region row;
    bool has_junk = layouts.classify(row, type) && layouts.free_row(row);
    if (has_junk) diags_.report(diag::misfit(e.generator, "a type of which each row is a value"), e.at);
    return !has_junk;
}

/// The bits of a value.
std::optional<uint64_t> Generation::bits(const Foreign& e, Type* type) {
    std::vector<Type*> parts;
    bool is_kept = types_.is_apply(type, "Ref", parts) || types_.is_apply(type, "Ptr", parts);
    if (is_kept) return 64;
    auto size = bit_size(source_, type);
    if (!size) report_no_size(diags_, source_, type, e.at);
    return size && is_closed(e, type) ? size : std::nullopt;
}

/// Numbers, the bits of values, the bytes of areas, and the places of fields; 0 for other types, which the code does not
/// need.
std::optional<Numbers> Generation::numbers(const Foreign& e, const std::vector<Type*>& all) {
    Numbers result;
    auto& generator = p_.externals[source_.generators->generators.at(e.generator)];
    for (size_t i = 0; i != all.size(); ++i) {
        auto number = number_of(e, generator.arguments[i]->name, all, i);
        if (!number) return {};
        result.push_back(*number);
    }
    return result;
}

/// The number for the argument of this name.
std::optional<uint64_t> Generation::number_of(const Foreign& e, const std::string& name, const std::vector<Type*>& all,
                                              size_t i) {
    bool is_area = (name == "a" && !e.generator.starts_with("primGen")) || name == "b";
    bool is_type = name == "a" && !is_area;
    if (name == "l") return offset(e, all[i - 1], all[i], all[i + 1]);
    if (is_area) return bytes(e, all[i]);
    if (name == "t") return bits(e, all[i]);
    auto n = types_.number_of(all[i]);
    if (n || is_type) return n.value_or(0);
    diags_.report(diag::open_number(e.name), e.at);
    return {};
}

struct Condition {
    std::string_view generator, needs;
    bool (*holds)(const Numbers&);
};

bool is_below_width(uint64_t n, uint64_t width) { return width >= 64 || n >> width == 0; }

constexpr auto kLiteral = [](const Numbers& n) { return is_below_width(n[0], n[1]); };
constexpr auto kPower   = [](const Numbers& n) { return n[1] < 64 && n[0] == uint64_t(1) << n[1]; };
constexpr auto kUpTo    = [](const Numbers& n) { return n[0] <= n[1]; };
constexpr auto kDivides = [](const Numbers& n) { return n[1] != 0 && n[0] % n[1] == 0; };
constexpr auto kDrop    = [](const Numbers& n) { return n[1] <= n[2]; };

const Condition kConditions[] = {
    {"primBitFromLiteral", "a number that fits in the bits", kLiteral},
    {"primNZBitFromLiteral", "a number that fits in the bits and is not 0",
     [](const Numbers& n) { return n[0] != 0 && kLiteral(n); }},
    {"primBitsConcat", "as many bits as both parts have", [](const Numbers& n) { return n[0] + n[1] == n[2]; }},
    {"primBitSelect", "bits that there are", [](const Numbers& n) { return n[1] <= n[0] && n[2] <= n[0] - n[1]; }},
    {"primBitsHi", "at most as many bits as there are", [](const Numbers& n) { return n[1] <= n[0]; }},
    {"primBitsLo", "at most as many bits as there are", [](const Numbers& n) { return n[1] <= n[0]; }},
    {"primIxFromLiteral", "a number below the limit", [](const Numbers& n) { return n[0] < n[1]; }},
    {"primIxToBit", "bits for all indices", [](const Numbers& n) { return n[0] == 0 || is_below_width(n[0] - 1, n[1]); }},
    {"primIxShiftL", "2 to the power of the second number as the first one", kPower},
    {"primIxShiftR", "2 to the power of the second number as the first one", kPower},
    {"primIntoIx", "a second number that is not less than the first one", kUpTo},
    {"primLiftIx", "a second number that is not less than the first one", kUpTo},
    {"primPairIx", "the product of both numbers as the third one", [](const Numbers& n) { return n[0] * n[1] == n[2]; }},
    {"primFstIx", "a second number that divides the first one", kDivides},
    {"primSndIx", "a second number that divides the first one", kDivides},
    {"primGenFromIx", "a last number that is not less than the one before", kDrop},
    {"primGenDropIx", "a last number that is not less than the one before", kDrop},
    {"primBitdataToBit", "as many bits as the type has", [](const Numbers& n) { return n[0] == n[1]; }},
    {"primBitToBitdata", "as many bits as the type has", [](const Numbers& n) { return n[0] == n[1]; }},
};

/// Rows are not too wide, and there is an index.
bool Generation::fits(const Foreign& e, Type* t) {
    t = types_.resolve(t);
    std::vector<Type*> parts;
    bool is_row = (types_.is_apply(t, "Bit", parts) || types_.is_apply(t, "NZBit", parts)) && parts.size() == 1;
    auto n      = is_row ? types_.number_of(parts[0]) : std::nullopt;
    if (n && *n > kMostBits) {
        diags_.report(diag::misfit("Bit", too_many_bits()), e.at);
        return false;
    }
    bool is_index = types_.is_apply(t, "Ix", parts) && parts.size() == 1;
    n             = is_index ? types_.number_of(parts[0]) : std::nullopt;
    bool is_fine  = !n || (*n != 0 && *n <= p_.mask());
    if (!is_fine) {
        diags_.report(diag::misfit("Ix", "a limit from 1 to the largest word"), e.at);
        return false;
    }
    return t->kind != Type::Apply || (fits(e, t->first) && fits(e, t->second));
}

/// Both types are `head … part`: goes on with the parts.
bool Generation::peel(Type*& general, Type*& own, const char* head, Type*& general_part, Type*& own_part) {
    std::vector<Type*> a, b;
    bool is_it = types_.is_apply(general, head, a) && types_.is_apply(own, head, b);
    if (!is_it) return false;
    general_part = a[0];
    own_part     = b[0];
    general      = a.back();
    own          = b.back();
    return true;
}

/// The bits of a row; for all other types, those of a word.
uint32_t Generation::row_bits(Type* t) { return static_cast<uint32_t>(bit_size(source_, t).value_or(p_.word_bits)); }

/// Memory has words of 64 bits for rows of any width that it can have.
bool Generation::is_about_wide_rows(const Foreign& e, Type* own) {
    bool computes = false;
    for (auto prefix : {"primBit", "primNZBit", "primWordToBit", "primIxToBit", "primModIx"})
        computes |= e.generator.starts_with(prefix);
    if (!computes) return false;
    std::vector<Type*> parts;
    while (types_.is_apply(own, "->", parts)) {
        if (row_bits(parts[0]) > p_.word_bits) return true;
        own = parts[1];
    }
    return row_bits(own) > p_.word_bits;
}

std::optional<Generation::Body> Generation::body(const Foreign& e, Type* own) {
    auto sizes = numbers(e, arguments(e, own));
    if (!sizes || !fits(e, own)) return {};
    auto condition = std::ranges::find(kConditions, e.generator, &Condition::generator);
    bool is_misfit = condition != std::end(kConditions) && !condition->holds(*sizes);
    if (is_misfit) {
        diags_.report(diag::misfit(e.generator, std::string(condition->needs)), e.at);
        return {};
    }
    if (is_about_wide_rows(e, own)) return Body{*sizes};
    auto block = copies_.block(source_.generators->blocks.at(e.generator), *sizes);
    return Body{*sizes, block};
}

Tail Generation::wide(const Foreign& e, const Body& body, const std::vector<uint32_t>& params, const std::vector<Type*>& domain,
                      Type* range) {
    RowCode::Use use{e.generator, body.numbers, {}, range, row_bits(range), e.at};
    for (size_t i = 0; i != params.size(); ++i) use.operands.push_back({variable(params[i]), domain[i], row_bits(domain[i])});
    auto result   = (*rows_)(use);
    bool is_truth = types_.text(range) == "Bool";
    return is_truth ? from_word(b_->emit(std::move(result), "r"), Truth, e.at) : result;
}

void Generation::make(uint32_t index, const Body& body) {
    auto e       = p_.externals[p_.tops[index].external];
    auto own     = types_.resolve(p_.tops[index].typing.scheme.type);
    auto general = types_.resolve(p_.externals[source_.generators->generators.at(e.generator)].scheme.type)->second;

    std::vector<uint32_t> params;
    std::vector<Type*> domain;
    std::vector<Form> forms;
    Type *general_part = nullptr, *own_part = nullptr;
    auto count = copies_.num_params(source_.generators->blocks.at(e.generator)) - body.numbers.size();
    for (size_t i = 0; i != count; ++i) {
        peel(general, own, "->", general_part, own_part);
        params.push_back(p_.variable("x" + std::to_string(i)));
        domain.push_back(own_part);
        forms.push_back(form(general_part, own_part));
    }
    bool runs    = peel(general, own, "Proc", general_part, own_part);
    auto result  = form(general, own);
    auto wrapper = b_->block(e.name, params, e.at);
    b_->at       = wrapper;
    if (body.block == kNone) {
        auto made = wide(e, body, params, domain, own);
        b_->finish(std::move(made));
    } else {
        Atoms args;
        for (size_t i = 0; i != params.size(); ++i) args.push_back(to_word(variable(params[i]), forms[i]));
        auto called = tail(Tail::Block, body.block, std::move(args), e.at);
        if (result == Same) b_->finish(std::move(called));
        else b_->finish(from_word(b_->emit(std::move(called), "r"), result, e.at));
    }

    auto type = types_.apply(types_.con(">>="), {types_.tuple(domain), types_.tuple({own})});

    p_.blocks[wrapper].typing = {{{}, type}, nullptr, true, false};
    if (runs) {
        auto outer = b_->block(e.name, params, e.at);
        b_->at     = outer;
        Atoms captured;
        for (auto v : params) captured.push_back(variable(v));
        auto k = b_->closure(e.name, {}, tail(Tail::Block, wrapper, captured, e.at), e.at);
        auto c = b_->emit(tail(Tail::Closure, k, {}, e.at), "k");
        b_->finish(tail(Tail::Build, p_.proc, {c}, e.at));
        wrapper = outer;
    }
    auto value = wrapper;
    if (!params.empty()) {
        value  = b_->block(e.name, {}, e.at);
        b_->at = value;
        b_->finish(b_->function(e.name, wrapper, params, e.at));
    }
    auto& top    = p_.tops[index];
    top.external = kNone;
    top.tail     = tail(Tail::Block, value, {}, e.at);
    top.block    = params.empty() ? kNone : wrapper;
}

/// The text of a program declares those that it needs; the conversions may be the first that need one.
void Generation::declare_primitives() {
    std::vector<bool> known(p_.primitives.size());
    for (auto& e : p_.order)
        if (e.kind == Program::PrimitiveKind) known[e.index] = true;
    for (uint32_t i = 0; i != known.size(); ++i)
        if (!known[i]) p_.order.push_back({Program::PrimitiveKind, i});
}

void Generation::run() {
    std::vector<Program::Entry> externals;
    for (auto& e : p_.order)
        if (e.kind == Program::TopKind && p_.tops[e.index].external != kNone) externals.push_back(e);
    std::vector<std::optional<Body>> bodies;
    for (auto& e : externals) {
        auto& top = p_.tops[e.index];
        bodies.push_back(body(p_.externals[top.external], types_.resolve(top.typing.scheme.type)));
    }
    for (auto name : {"boolToWord", "wordToBool"}) copies_.block(source_.generators->blocks.at(name));
    b_.emplace(p_);
    rows_.emplace(source_, *b_);
    for (size_t i = 0; i != bodies.size(); ++i)
        if (bodies[i]) make(externals[i].index, *bodies[i]);
    b_->capture();
    declare_primitives();
    // Other definitions may need them.
    auto is_external = [&](const Program::Entry& e) {
        auto is_it = [&](const Program::Entry& x) { return x.kind == e.kind && x.index == e.index; };
        return std::ranges::any_of(externals, is_it);
    };
    std::stable_partition(p_.order.begin(), p_.order.end(), [&](auto& e) {
        return e.kind == Program::DataKind || e.kind == Program::PrimitiveKind || is_external(e);
    });
}

} // namespace

bool generate(FrontEndContext& c, Source& source) {
    auto& p     = source.program;
    bool is_any = false, is_open = false;
    for (auto& e : p.order) {
        bool is_external = e.kind == Program::TopKind && p.tops[e.index].external != kNone;
        is_any |= is_external;
        is_open |= is_external && !p.tops[e.index].typing.scheme.variables.empty();
    }
    if (!is_any) return true;
    auto library = p;
    if (is_open) {
        auto types = check_claims(c, source, p);
        auto next  = specialize(p, source.types, types);
        if (!next) {
            c.error(0, 0, "a function that needs an external calls itself at larger and larger types");
            return false;
        }
        p = std::move(*next);
    }
    Generation(c, source, library).run();
    if (c.diags.num_errors()) return false;
    shake(p);
    check_again(c, source, p);
    return true;
}

} // namespace mim::plug::mil
