// SPDX-License-Identifier: MIT
// The syntax tree of Mim, as written: no sugar is removed, no name resolved. Grouping parentheses are the only thing that is
// not kept (`(e)` is e). Nodes are immutable plain structs in the arena of their Module; they are told apart by `kind` and cast
// with isa<T>/as<T>. The compiler makes the same nodes, with empty spans, when it prints its graph (see print.h).
//
// Every expression, pattern and declaration has the span of all its text; names that others may point at have their own.
// A null pointer means "not written" and is said at the field; every other pointer is never null.
#pragma once
#include <cassert>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "base/span.h"
#include "base/symbol.h"
#include "front/arena.h"

namespace mim::ast {

using front::Arena;
using front::List;

// clang-format off
#define MIM_AST_EXPRS(X) \
    X(Name) X(Annex) X(Prim) X(NatLit) X(IdxLit) X(AscribedLit) X(FloatLit) X(StrLit) X(Sort) X(Sigma) X(Tuple) X(Array) \
    X(Pack) X(App) X(Operation) X(Extract) X(Insert) X(Pi) X(Lam) X(Block) X(Where) X(Union) X(Labels) X(Inj) X(Match) X(Singleton) X(Hole) X(Error)
#define MIM_AST_PATTERNS(X) X(NamePattern) X(GroupPattern) X(TuplePattern) X(AsPattern) X(TypePattern) X(LabelPattern)
#define MIM_AST_DECLS(X) X(Let) X(Rec) X(Fun) X(Axm) X(CDecl) X(Rule) X(Op) X(Import) X(Plugin) X(Ret)

/// Leaf expressions with a fixed spelling: X(name, unicode spelling, ASCII spelling).
#define MIM_AST_PRIMS(X) \
    X(Star, "*", "*") X(Box, "□", "Sort 1") X(Bot, "⊥", "bot") X(Top, "⊤", "top") X(Nat, "Nat", "Nat") X(Idx, "Idx", "Idx") \
    X(Bool, "Bool", "Bool") X(I1, "I1", "I1") X(I8, "I8", "I8") X(I16, "I16", "I16") X(I32, "I32", "I32") X(I64, "I64", "I64") \
    X(ff, "ff", "ff") X(tt, "tt", "tt") X(i1, "i1", "i1") X(i8, "i8", "i8") X(i16, "i16", "i16") X(i32, "i32", "i32") X(i64, "i64", "i64")
// clang-format on

#define MIM_AST_ENUM(name, ...) name,
enum class ExprKind : uint8_t { MIM_AST_EXPRS(MIM_AST_ENUM) };
enum class PatternKind : uint8_t { MIM_AST_PATTERNS(MIM_AST_ENUM) };
enum class DeclKind : uint8_t { MIM_AST_DECLS(MIM_AST_ENUM) };
/// `i8` … `i64` are the sizes 0x100 … 2^64, of type Nat; `I8` … are the types `Idx i8` ….
enum class PrimKind : uint8_t { MIM_AST_PRIMS(MIM_AST_ENUM) };
#undef MIM_AST_ENUM

struct Expr {
    ExprKind kind;
    Span span;
};
struct Pattern {
    PatternKind kind;
    Span span;
};
struct Decl {
    DeclKind kind;
    bool is_and; ///< `and …`: belongs to the recursive group of the rec/lam/con/fun before it; only for Rec and Fun
    Span span;
    std::string_view doc; ///< the text of the `///` lines before it without the slashes, lines joined by '\n'
};

template<class T, class B>
const T* isa(const B* node) {
    return node && node->kind == T::Kind ? static_cast<const T*>(node) : nullptr;
}
template<class T, class B>
const T* as(const B* node) {
    assert(node->kind == T::Kind);
    return static_cast<const T*>(node);
}

/// A name that text introduces, with the place of the name alone. `_` is the empty symbol.
struct Binder {
    Symbol name;
    Span span;
};

// ---- patterns ---------------------------------------------------------------------------------------------------------------

/// `x`, `x: T`, `_`, `_: T`; also `%plugin.tag` in a let.
struct NamePattern : Pattern {
    static constexpr auto Kind = PatternKind::NamePattern;
    Binder name;
    const Expr* type; ///< or null
};
/// `x y: T`: as many elements as names; only directly in a TuplePattern.
struct GroupPattern : Pattern {
    static constexpr auto Kind = PatternKind::GroupPattern;
    List<Binder> names; ///< at least two
    const Expr* type;
};
/// `(p, …)` or `[p, …]`, each with an optional `: T`. In round brackets a lone name binds, in square ones it is a type.
/// Round brackets around one element are grouping and not kept, unless a type follows or the element is a GroupPattern.
struct TuplePattern : Pattern {
    static constexpr auto Kind = PatternKind::TuplePattern;
    bool square;
    List<const Pattern*> elems;
    const Expr* type; ///< or null
};
/// `p as x`
struct AsPattern : Pattern {
    static constexpr auto Kind = PatternKind::AsPattern;
    const Pattern* pattern;
    Binder name;
};
/// A type without a name, in square brackets or as a domain.
struct TypePattern : Pattern {
    static constexpr auto Kind = PatternKind::TypePattern;
    const Expr* type;
};

/// `cons (x, rest)`, `some x`, `List.nil`, `%p.List.nil`: only at the head of an arm, where a lone name without a type is a NamePattern.
struct LabelPattern : Pattern {
    static constexpr auto Kind = PatternKind::LabelPattern;
    Binder label;           ///< with the name of the type in front, if that is written
    const Pattern* payload; ///< or null
};

/// One curried parameter group of a function or a domain of a function type. An implicit one is written in braces: its pattern
/// is then a TuplePattern, printed with `{` and `}`; its elements read as in `(…)` (functions) or `[…]` (types: square is set).
struct Group {
    const Pattern* pattern;
    bool implicit;
};

// ---- expressions ------------------------------------------------------------------------------------------------------------

/// `x`; `List.nil` is one name as well.
struct Name : Expr {
    static constexpr auto Kind = ExprKind::Name;
    Symbol sym;
};
/// `%plugin.tag` or `%plugin.tag.sub`; the symbol has the `%`.
struct Annex : Expr {
    static constexpr auto Kind = ExprKind::Annex;
    Symbol sym;
};
struct Prim : Expr {
    static constexpr auto Kind = ExprKind::Prim;
    PrimKind prim;
};
/// `23`
struct NatLit : Expr {
    static constexpr auto Kind = ExprKind::NatLit;
    uint64_t value;
};
enum class IdxForm : uint8_t { Index, Width, Char }; ///< `3_23` · `42I32` · `'a'`
/// A literal that states its size. The parser has checked that it fits.
struct IdxLit : Expr {
    static constexpr auto Kind = ExprKind::IdxLit;
    IdxForm form;
    uint64_t value;
    uint64_t size; ///< 0 is 2^64
};
/// `23:T`
struct AscribedLit : Expr {
    static constexpr auto Kind = ExprKind::AscribedLit;
    uint64_t value;
    const Expr* type;
};
/// `1.5:T`; the digits are kept as text, since the type decides the rounding. C99 syntax, also hexadecimal, maybe with a sign.
struct FloatLit : Expr {
    static constexpr auto Kind = ExprKind::FloatLit;
    Symbol text;
    const Expr* type; ///< null: that of the other operand, beside an operator
};
/// `"text"`: the bytes after escapes.
struct StrLit : Expr {
    static constexpr auto Kind = ExprKind::StrLit;
    std::string_view bytes;
};
/// `Sort e`, but for `Sort 1`, which is Prim::Box
struct Sort : Expr {
    static constexpr auto Kind = ExprKind::Sort;
    const Expr* level;
};
/// `[p, …]`
struct Sigma : Expr {
    static constexpr auto Kind = ExprKind::Sigma;
    const TuplePattern* elems; ///< square, without a type
};
/// `(e, …)`; never of one element
struct Tuple : Expr {
    static constexpr auto Kind = ExprKind::Tuple;
    List<const Expr*> elems;
};
/// `x: n` in `«x: n; T»`
struct Dim {
    Binder name; ///< empty without a binder
    const Expr* arity;
};
/// `«m, x: n; T»`
struct Array : Expr {
    static constexpr auto Kind = ExprKind::Array;
    List<Dim> dims;
    const Expr* body;
};
/// `‹m, x: n; e›`
struct Pack : Expr {
    static constexpr auto Kind = ExprKind::Pack;
    List<Dim> dims;
    const Expr* body;
};
/// `f a`, or `f @a`, which gives an implicit argument by hand
struct App : Expr {
    static constexpr auto Kind = ExprKind::App;
    bool explicit_implicit;
    const Expr* callee;
    const Expr* arg;
};
/// `a + b`, `-a`. Which declaration of the operator is meant, the types of the operands tell.
struct Operation : Expr {
    static constexpr auto Kind = ExprKind::Operation;
    Binder op;
    const Expr* left; ///< null: a prefix operator
    const Expr* right;
};
/// `e#i`; an index that is a Name is a field name if the type has such a field, else an expression.
struct Extract : Expr {
    static constexpr auto Kind = ExprKind::Extract;
    const Expr* tuple;
    const Expr* index;
};
/// `ins(e, i, v)`
struct Insert : Expr {
    static constexpr auto Kind = ExprKind::Insert;
    const Expr* tuple;
    const Expr* index;
    const Expr* value;
};
enum class PiForm : uint8_t { Pi, Cn, Fn };
/// `d…d → T`, `Cn d…d`, `Fn d…d → T`. A domain is a square TuplePattern (perhaps implicit) or a TypePattern (`Nat → Nat`).
struct Pi : Expr {
    static constexpr auto Kind = ExprKind::Pi;
    PiForm form;
    List<Group> domains;  ///< at least one
    const Expr* codomain; ///< null for Cn
};
enum class LamForm : uint8_t { Lam, Con, Fun };
/// What `λ`/`cn`/`fn` and `lam`/`con`/`fun` have in common.
struct Function {
    LamForm form;
    List<Group> groups;   ///< at least one
    const Expr* filter;   ///< or null
    const Expr* codomain; ///< or null
    const Expr* body;
};
/// `λ p…p @f: T = e`, `cn …`, `fn …`
struct Lam : Expr {
    static constexpr auto Kind = ExprKind::Lam;
    Function fun;
};
/// `{ d… e }`, or `d… e`
struct Block : Expr {
    static constexpr auto Kind = ExprKind::Block;
    List<const Decl*> decls; ///< at least one
    const Expr* body;
    bool is_bare = false; ///< without braces; nothing but its text depends on it
};
/// `e where d… end`, or `d… e where d… end`
struct Where : Expr {
    static constexpr auto Kind = ExprKind::Where;
    const Expr* body;
    List<const Decl*> decls; ///< at least one behind `where`
    uint32_t num_before = 0; ///< the first ones stand before the body
};
/// `T ∪ U ∪ …`
struct Union : Expr {
    static constexpr auto Kind = ExprKind::Union;
    List<const Expr*> members; ///< at least two
};
/// `nil` or `cons [T, U]`
struct Label {
    Binder name;
    const Expr* payload; ///< or null; a Sigma gives its elements, anything else is one
};
/// `| nil | cons [T, U] …`: only as the value of a `rec`, an `and` or a `let`
struct Labels : Expr {
    static constexpr auto Kind = ExprKind::Labels;
    List<Label> labels; ///< at least one
};
/// `e inj T`, `e inj @M T`
struct Inj : Expr {
    static constexpr auto Kind = ExprKind::Inj;
    const Expr* value;
    const Expr* member; ///< null: the type of the value decides
    const Expr* type;
};
/// `| p => e`
struct Arm {
    const Pattern* pattern;
    const Expr* body;
};
/// `match e with | p => e …`
struct Match : Expr {
    static constexpr auto Kind = ExprKind::Match;
    const Expr* value;
    List<Arm> arms; ///< at least one
};
/// `⦃e⦄`
struct Singleton : Expr {
    static constexpr auto Kind = ExprKind::Singleton;
    const Expr* value;
};
/// `_`: to be inferred
struct Hole : Expr {
    static constexpr auto Kind = ExprKind::Hole;
};
/// Stands where the text had an error that was reported; whoever meets it stays silent.
struct Error : Expr {
    static constexpr auto Kind = ExprKind::Error;
};

// ---- declarations -----------------------------------------------------------------------------------------------------------

/// `let p = e;`
struct Let : Decl {
    static constexpr auto Kind = DeclKind::Let;
    const Pattern* pattern;
    const Expr* value;
};
/// `rec n d…d: T = e;` and, with is_and, `and n d…d: T = e;`
struct Rec : Decl {
    static constexpr auto Kind = DeclKind::Rec;
    Binder name;
    List<Group> groups; ///< of parameters, often none
    const Expr* type;   ///< or null
    const Expr* value;
};
/// `lam|con|fun [extern] n d…d [@f] [: T] = e;`
struct Fun : Decl {
    static constexpr auto Kind = DeclKind::Fun;
    bool is_extern;
    Binder name; ///< plain, or an annex with its `%`
    Function fun;
};
/// A subtag with its aliases: `gle = f`; the first is the canonical one.
struct SubTag {
    List<Binder> names;
};
/// `axm %p.a(sub = alias, …): T, normalizer, curry;`
struct Axm : Decl {
    static constexpr auto Kind = DeclKind::Axm;
    Binder name;
    List<SubTag> subs;
    const Expr* type;
    Binder normalizer; ///< empty without one
    bool has_curry;
    uint32_t curry;
};
/// `cfun n [d]: T;`, `ccon n [d];`, `ccon n: T;`
struct CDecl : Decl {
    static constexpr auto Kind = DeclKind::CDecl;
    bool is_con;
    Binder name;
    const Pattern* domain; ///< or null (only ccon): then `type` is the type of the whole
    const Expr* type;      ///< the result of a cfun; null for a ccon with a domain
};
/// `rule n p…p: lhs when c => rhs;` or `norm …`
struct Rule : Decl {
    static constexpr auto Kind = DeclKind::Rule;
    bool is_norm;
    Binder name;
    List<Group> groups;
    const Expr* lhs;
    const Expr* cond; ///< or null
    const Expr* rhs;
};
/// `op + d…d [@f] [: T] = e;`
struct Op : Decl {
    static constexpr auto Kind = DeclKind::Op;
    Binder op;
    bool is_prefix; ///< it has one operand
    const Lam* fun; ///< of form Lam; the last group has the operands
};
/// `import f;` or `import "dir/f.mim";`
struct Import : Decl {
    static constexpr auto Kind = DeclKind::Import;
    Binder path;
    bool quoted;
};
/// `plugin p;`
struct Plugin : Decl {
    static constexpr auto Kind = DeclKind::Plugin;
    Binder name;
};
/// `ret p = f $ a;`: only in a Block; the rest of the block is the continuation.
struct Ret : Decl {
    static constexpr auto Kind = DeclKind::Ret;
    const Pattern* pattern;
    const Expr* callee;
    const Expr* arg;
};

/// Makes an expression or a pattern: its fields after kind and span, in order.
template<class T, class... Args>
const T* make(Arena& arena, Span span, Args... args) {
    using Base = std::conditional_t<std::is_base_of_v<Expr, T>, Expr, Pattern>;
    return arena.make<T>(Base{T::Kind, span}, args...);
}
/// Makes a declaration: its fields after is_and, span and doc, in order.
template<class T, class... Args>
T* make_decl(Arena& arena, Span span, Args... args) {
    return arena.make<T>(Decl{T::Kind, false, span, {}}, args...);
}

inline bool is_annex(Symbol s) { return !s.empty() && s.view().front() == '%'; }

/// Calls `visit` with each name that the pattern binds, from left to right.
template<class F>
void each_binder(const Pattern* pattern, F visit) {
    if (auto name = isa<NamePattern>(pattern)) {
        visit(name->name);
    } else if (auto group = isa<GroupPattern>(pattern)) {
        for (auto& binder : group->names) visit(binder);
    } else if (auto tuple = isa<TuplePattern>(pattern)) {
        for (auto elem : tuple->elems) each_binder(elem, visit);
    } else if (auto as = isa<AsPattern>(pattern)) {
        each_binder(as->pattern, visit);
        visit(as->name);
    } else if (auto label = isa<LabelPattern>(pattern)) {
        if (label->payload) each_binder(label->payload, visit);
    }
}

/// The labels that a declaration gives to a union; null if it is another one.
inline const Labels* labels_of(const Decl* decl) {
    if (auto rec = isa<Rec>(decl)) return isa<Labels>(rec->value);
    auto let = isa<Let>(decl);
    return let && let->pattern->kind == PatternKind::NamePattern ? isa<Labels>(let->value) : nullptr;
}

/// Calls `visit` with each name that a `let`, a `rec` or a function gives to a value. Others have none.
template<class F>
void each_name(const Decl* decl, F visit) {
    if (auto let = isa<Let>(decl)) each_binder(let->pattern, visit);
    else if (auto rec = isa<Rec>(decl)) visit(rec->name);
    else if (auto fun = isa<Fun>(decl)) visit(fun->name);
}

/// The tree of one file, and the arena it lives in. A compiler-made module uses `arena` in the same way.
struct Module {
    FileId file = 0;
    Arena arena;
    List<const Decl*> decls;
    std::string_view doc; ///< the `///` lines that open the file, if a blank line follows them

    /// All declarations that define annexes, also those inside of functions, in the order in which they are written.
    std::vector<const Decl*> annexes;

    /// The blocks of the arena that the tree of a declaration lies in, first and last; one entry for each of `decls`. Without entries, the tree
    /// lives as long as the module.
    std::vector<std::pair<uint32_t, uint32_t>> blocks;
};

} // namespace mim::ast
