// SPDX-License-Identifier: MIT
// Definitions of MIL.
#include "mil_parser.h"

#include <algorithm>
#include <iterator>

#include "primitives.h"
#include "stages.h"

namespace mim::plug::mil {

MilParser::Word MilParser::name() {
    bool is_operator = accept(LParen);
    Word w{std::string(cursor_.word()), here()};
    next();
    if (is_operator) next();
    return w;
}

MilParser::Word MilParser::con_word() {
    auto w = name();
    if (!at(Dot) || tok(1) != front::Name) return w;
    next();
    auto inside = name();
    return {w.text + "." + inside.text, w.at.join(inside.at)};
}

void MilParser::file() {
    auto errors     = diags_.num_errors();
    auto first_data = p_.datas.size();
    std::optional<size_t> first_own; // behind the definitions of required files
    items([&] {
        if (declaration()) return;
        if (!first_own) first_own = p_.order.size();
        definition();
    });
    for (auto i = first_data; i != p_.datas.size(); ++i) p_.datas[i].is_kept = is_root_;
    for (auto& [name, index] : file_.generators)
        p_.externals[index].block = reference(&File::blocks, p_.blocks, {name, p_.externals[index].at});
    find_in_lc();
    check_defined();
    bool is_whole = !has_errors() && diags_.num_errors() == errors;
    if (is_whole) order_tops(diags_, p_, first_own.value_or(p_.order.size()));
    export_tops();
    reading_.is_cut |= has_errors() || diags_.num_errors() != errors;
}

/// A name that the file does not define may be a value of LC that a required file exports.
void MilParser::find_in_lc() {
    std::vector<std::string> found;
    for (auto& [name, index] : file_.tops) {
        auto& def   = p_.tops[index];
        auto bind   = def.is_defined ? nullptr : find_value(file_, name);
        bool is_one = bind && (bind->value || bind->primitive != kNone);
        if (!is_one) continue;
        def.is_defined = true;
        found.push_back(name);
        bool has_type = bind->signature || bind->primitive != kNone;
        if (has_type) source_.uses.push_back({bind, index});
        else diags_.report(diag::no_type(name, "MIL"), def.at);
    }
    for (auto& name : found) file_.tops.erase(name);
}

void MilParser::check_defined() {
    auto check = [&](const Table& table, auto& defs) {
        for (auto& [name, index] : table)
            if (!defs[index].is_defined) diags_.report(diag::undefined(name), defs[index].at);
    };
    check(file_.blocks, p_.blocks);
    check(file_.closures, p_.closures);
    check(file_.tops, p_.tops);
}

/// Signatures of primitives are their declarations.
void MilParser::take_signatures() {
    auto give = [&](const Table& table, auto& defs, const Signature& s) {
        auto found = table.find(s.name.text);
        if (found == table.end()) return false;
        auto& def = defs[found->second];
        if (def.typing.text) report_twice(diags_, s.name.text, s.name.at, def.at);
        def.typing.text = s.type;
        return true;
    };
    for (auto& s : signatures_) {
        bool is_found = s.kind == Program::BlockKind     ? give(file_.blocks, p_.blocks, s)
                        : s.kind == Program::ClosureKind ? give(file_.closures, p_.closures, s)
                                                         : give(file_.tops, p_.tops, s) || file_.values.contains(s.name.text);
        if (!is_found) diags_.report(diag::undefined(s.name.text), s.name.at);
    }
}

/// Definitions of the file that LC may use.
void MilParser::export_tops() {
    take_signatures();
    for (auto& [name, index] : file_.tops) {
        auto& top       = p_.tops[index];
        bool is_block   = file_.entries.contains(name) && file_.blocks.contains(name);
        top.is_exported = is_root_ && file_.exports.contains(name) && !is_block;
        auto bind       = source_.bind(name, top.at);
        bind->is_top    = true;
        bind->top       = index;
        bind->signature = top.typing.text;
        bind->block     = top.block;
        bind->arity     = top.block == kNone ? 0 : p_.blocks[top.block].params.size();
        file_.values.emplace(name, bind);
    }
}

// ---- definitions
// ------------------------------------------------------------------------------------------------------------

void MilParser::definition() {
    bool has_name = at_name();
    if (at_word("primitive") && tok(1) == front::Name) return primitive();
    if (!has_name) {
        if (at(LBracket)) return several_definition();
        expected("a definition");
        return skip_item();
    }
    auto w = name();
    if (at(LBracket)) return block_definition(w);
    if (at(LBrace)) return closure_definition(w);
    if (at(LeftArrow)) return top_definition(w);
    if (at(Colons) || at(Comma)) return signature(w);
    expected("`[`, `{`, `<-` or `::`");
    skip_item();
}

void MilParser::signature(const Word& first) {
    std::vector<Word> names{first};
    while (accept(Comma)) names.push_back(name());
    if (!expect(Colons)) return skip_item();
    auto kind = Program::TopKind;
    auto t    = quantified([&] {
        bool is_closure = at(LBrace);
        auto first      = is_closure ? stored_types() : type();
        bool is_block   = !is_closure && accept(BlockArrow);
        kind            = is_closure ? Program::ClosureKind : is_block ? Program::BlockKind : Program::TopKind;
        return kind == Program::TopKind ? first : arrow(first, is_block ? argument_type() : type());
    });
    if (!t) return;
    for (auto& w : names) signatures_.push_back({w, t, kind});
}

/// `a` or `(b :: k)`; null after a report.
TypeExpr* MilParser::quantified_variable() {
    bool has_kind = accept(LParen);
    if (!at(front::Name) || at_con()) {
        expected("a type variable");
        return nullptr;
    }
    auto v = source_.type_expr({TypeExpr::Var, here(), std::string(cursor_.word())});
    next();
    if (!has_kind) return v;
    auto k = expect(Colons) ? kind() : std::nullopt;
    v->has = k.value_or(Kind::Unknown);
    return k && expect(RParen) ? v : nullptr;
}

/// `forall a (b :: k). t`, or only t; null after a report.
TypeExpr* MilParser::quantified(const std::function<TypeExpr*()>& type) {
    bool is_quantified = at_word("forall") && (tok(1) == front::Name || tok(1) == LParen);
    if (!is_quantified) return type();
    auto place = here();
    next();
    std::vector<TypeExpr*> parts;
    while (at(front::Name) || at(LParen)) {
        auto v = quantified_variable();
        if (!v) break;
        for (auto other : parts)
            if (other->name == v->name) report_twice(diags_, v->name, v->at, other->at);
        parts.push_back(v);
    }
    if (!accept(Dot)) {
        expected("a type variable or `.`");
        skip_item();
        return nullptr;
    }
    parts.push_back(type());
    return source_.type_expr({TypeExpr::Forall, place, {}, std::move(parts)});
}

/// `{t, …}` in front of the type of a closure.
TypeExpr* MilParser::stored_types() {
    auto place = here();
    next();
    std::vector<TypeExpr*> parts;
    bracketed(Comma, RBrace, [&] { parts.push_back(type()); });
    return source_.type_expr({TypeExpr::Tuple, place, {}, std::move(parts)});
}

TypeExpr* MilParser::arrow(TypeExpr* domain, TypeExpr* range) {
    auto head = source_.type_expr({TypeExpr::Con, domain->at, ">>="});
    return source_.type_expr({TypeExpr::Apply, domain->at, {}, {head, domain, range}});
}

/// Reads the rest of a declaration, behind the name of a primitive. False after a report.
bool MilParser::primitive_head(mil::Primitive& p, size_t arguments, size_t results) {
    if (at(front::Name)) p.purity = name().text;
    if (accept(LBrace)) {
        expect(RBrace);
        p.form = mil::Primitive::Function;
        if (accept(LBracket)) {
            expect(RBracket);
            p.form = mil::Primitive::Procedure;
        }
    }
    if (!expect(Colons)) {
        skip_item();
        return false;
    }
    auto domain = argument_type();
    if (!expect(BlockArrow)) {
        skip_item();
        return false;
    }
    auto range = argument_type();
    p.domain   = domain->parts;
    if (range->kind == TypeExpr::Tuple) p.range = range->parts;
    else p.any_range = range;
    bool fits = p.domain.size() == arguments && (p.any_range || p.range.size() == results);
    if (!fits) {
        auto has = std::to_string(arguments) + " arguments and " + std::to_string(results) + " results";
        diags_.report(diag::arity(p.name, has, p.domain.size()), p.at);
    }
    return true;
}

struct LibraryBlock {
    std::string_view primitive;
    const char* block;
};
/// Primitives that are blocks of the library of generators.
constexpr LibraryBlock kLibraryBlocks[] = {
    {"load1", "load1"},         {"load8", "load8"},     {"load16", "load16"},         {"load32", "load32"},
    {"load64", "load64"},       {"store1", "store1"},   {"store8", "store8"},         {"store16", "store16"},
    {"store32", "store32"},     {"store64", "store64"}, {"primInitSeq", "initSeqOf"}, {"primInitSelf", "initSelfOf"},
    {"primReInit", "reInitOf"},
};

static const char* library_block(std::string_view primitive) {
    auto found = std::ranges::find(kLibraryBlocks, primitive, &LibraryBlock::primitive);
    return found == std::end(kLibraryBlocks) ? nullptr : found->block;
}

/// A block that calls it, of the type that the text says.
void MilParser::library_primitive(const Word& w, const char* block) {
    if (!needs_generators()) return skip_item();
    auto called  = source_.generators->blocks.at(block);
    auto params  = p_.blocks[called].params;
    auto results = block == std::string_view("reInitOf") ? 0u : 1u;
    mil::Primitive p;
    p.name = w.text;
    p.at   = w.at;
    if (!primitive_head(p, params.size(), results)) return;
    Vars own;
    Atoms args;
    for (auto v : params) {
        auto name = p_.variables[v];
        own.push_back(p_.variable(std::move(name)));
        args.push_back({Atom::Var, own.back()});
    }
    Code body;
    body.tail  = {Tail::Block, called, 0, args, w.at, results};
    auto made  = add_block(w.text, w.at, own, std::move(body));
    auto tuple = [&](const std::vector<TypeExpr*>& parts) { return source_.type_expr({TypeExpr::Tuple, w.at, {}, parts}); };
    auto range = p.any_range ? p.any_range : tuple(p.range);

    p_.blocks[made].typing.text = arrow(tuple(p.domain), range);
    if (define(file_.primitive_blocks, w, made, {}) && p.form != mil::Primitive::Block) library_function(w, made, p);
}

/// The function that it is in LC.
void MilParser::library_function(const Word& w, uint32_t block, const mil::Primitive& p) {
    auto params = p_.blocks[block].params;
    auto result = p.range.empty() ? applied("Unit", w.at, {}) : p.range[0];
    if (p.range.empty()) {
        Code body;
        Atoms args;
        for (auto v : params) args.push_back({Atom::Var, v});
        body.statements = {{{}, {Tail::Block, block, 0, args, w.at, 0}}};
        body.tail       = {Tail::Build, p_.unit, 0, {}, w.at};
        block           = add_block(w.text, w.at, params, std::move(body));
    }
    bool runs = p.form == mil::Primitive::Procedure;
    auto type = runs ? applied("Proc", w.at, {result}) : result;
    for (auto t = p.domain.rbegin(); t != p.domain.rend(); ++t) type = applied("->", w.at, {*t, type});
    auto top                 = defined(&File::tops, p_.tops, w, Program::TopKind);
    p_.tops[top].tail        = curry(w, block, params, runs);
    p_.tops[top].block       = runs ? kNone : block;
    p_.tops[top].typing.text = type;
}

void MilParser::primitive() {
    reading = "a primitive";
    next();
    auto w    = name();
    auto info = find_primitive(w.text);
    if (auto block = info ? nullptr : library_block(w.text)) return library_primitive(w, block);
    if (!info) {
        diags_.report(diag::unknown("primitive", w.text), w.at);
        return skip_item();
    }
    mil::Primitive p;
    p.name    = w.text;
    p.at      = w.at;
    p.code    = static_cast<uint32_t>(info->op);
    p.is_kept = is_root_;
    if (!primitive_head(p, info->arguments, info->results)) return;
    auto index = add(p_.primitives, p);
    if (!define(file_.primitives, w, index, {})) return;
    p_.order.push_back({Program::PrimitiveKind, index});
    if (p.form == mil::Primitive::Block) return;
    auto bind       = source_.bind(w.text, w.at);
    bind->is_top    = true;
    bind->primitive = index;
    file_.values.emplace(w.text, bind);
}

void MilParser::block_definition(const Word& w) {
    reading    = "a block";
    auto index = defined(&File::blocks, p_.blocks, w, Program::BlockKind);
    next();
    auto params = bindings(RBracket, false);
    enter(params);
    if (!expect(Equals)) return skip_item();
    auto body               = code();
    p_.blocks[index].params = std::move(params);
    p_.blocks[index].code   = std::move(body);
}

void MilParser::closure_definition(const Word& w) {
    reading    = "a closure";
    auto index = defined(&File::closures, p_.closures, w, Program::ClosureKind);
    next();
    auto stored = bindings(RBrace, false);
    auto params = left_side();
    enter(stored);
    enter(params);
    if (!expect(Equals)) return skip_item();
    auto place = here();
    auto body  = code();
    auto t     = body.tail;
    bool plain = body.end == Code::Tailed && body.statements.empty();
    if (!plain) { // becomes a block
        auto all = stored;
        all.insert(all.end(), params.begin(), params.end());
        Atoms args;
        for (auto v : all) args.push_back({Atom::Var, v});
        t = {Tail::Block, add_block(w.text, place, all, std::move(body)), 0, args, place};
    }
    auto& def  = p_.closures[index];
    def.stored = std::move(stored);
    def.params = std::move(params);
    def.tail   = std::move(t);
}

void MilParser::top_definition(const Word& w) {
    reading    = "a top-level definition";
    auto index = defined(&File::tops, p_.tops, w, Program::TopKind);
    next();
    if (at(LBrace)) return curried(w, index);
    if (at(Area)) return area_definition(w, index);
    if (at(front::String)) return string_definition(index);
    auto place = here();
    auto body  = code();
    bool plain = body.end == Code::Tailed && body.statements.empty();
    auto t     = body.tail;
    if (!plain) t = {Tail::Block, add_block(w.text, place, {}, std::move(body)), 0, {}, place};
    p_.tops[index].tail = std::move(t);
}

/// `x <- {u, v} code`: closures that take one argument after the other, and a block for all of them.
void MilParser::curried(const Word& w, uint32_t top) {
    next();
    auto params = bindings(RBrace, false);
    enter(params);
    auto place = here();
    auto block = add_block(w.text, place, params, code());

    p_.tops[top].tail  = curry({w.text, place}, block, params, false);
    p_.tops[top].block = block;
}

/// The function of a block, or of a `Proc` that runs it.
Tail MilParser::curry(const Word& w, uint32_t block, const Vars& params, bool runs) {
    auto first_vars = [&](size_t n) { return Vars(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(n)); };
    auto first      = [&](size_t n) {
        Atoms args;
        for (size_t i = 0; i != n; ++i) args.push_back({Atom::Var, params[i]});
        return args;
    };
    // A closure of the first n values in a value of this constructor.
    auto wrapped = [&](size_t n, Vars own, Tail inside, uint32_t con) -> Tail {
        auto closure = add(p_.closures,
                           ClosureDef{w.text, w.at, first_vars(n), std::move(own), std::move(inside), true, is_root_});
        p_.order.push_back({Program::ClosureKind, closure});
        Code allocates;
        auto f               = p_.variable("k");
        allocates.statements = {{{f}, {Tail::Closure, closure, 0, first(n), w.at}}};
        allocates.tail       = {Tail::Build, con, 0, {{Atom::Var, f}}, w.at};
        return {Tail::Block, add_block(w.text, w.at, first_vars(n), std::move(allocates)), 0, first(n), w.at};
    };
    Tail inner{Tail::Block, block, 0, first(params.size()), w.at};
    if (runs) inner = wrapped(params.size(), {}, inner, p_.proc);
    for (size_t i = params.size(); i-- != 0;) inner = wrapped(i, {params[i]}, inner, p_.func);
    return inner;
}

void read_mil(Reading& r, File& file, std::string_view text) { MilParser(r, file, text).file(); }

} // namespace mim::plug::mil
