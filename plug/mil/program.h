// SPDX-License-Identifier: MIT
// A program in MIL: data types, primitives, blocks, closures and top-level definitions. Definitions are numbers, so
// that passes may change one while another one refers to it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/span.h"
#include "bit_row.h"
#include "types.h"

namespace mim::plug::mil {

constexpr uint32_t kNone = ~uint32_t(0);
/// The index of a `halt` that stands for a `case` without an alternative: the program says so when it stops.
constexpr uint32_t kNoAlternative = 1;

struct Atom {
    enum Kind : uint8_t {
        Var,   ///< `number` is an index into Program::variables
        Top,   ///< … into Program::tops
        Word,  ///< … is the value
        Flag,  ///< … is 0 or 1
        Text,  ///< … into Program::texts
        Bits,  ///< … is the value, `width` its bits; a single bit is a Flag. Wider than 64 bits: into Program::rows
        Proxy, ///< … is the number of its type, `ProxyNat n`; the value is nothing
        Label, ///< … into Program::labels, of its type, `ProxyLab l`; the value is nothing
    };
    Kind kind                          = Word;
    uint64_t number                    = 0;
    uint32_t width                     = 0;
    bool operator==(const Atom&) const = default;
};

using Atoms = std::vector<Atom>;

/// A row of bits: a word if it is as wide as one.
inline Atom bits_atom(unsigned word_bits, uint64_t value, uint32_t width) {
    if (width == word_bits) return {Atom::Word, value};
    return width == 1 ? Atom{Atom::Flag, value} : Atom{Atom::Bits, value, width};
}

struct Tail {
    enum Op : uint8_t {
        Return,
        Block,
        Primitive,
        Build,   ///< of a constructor
        Select,  ///< the field `index` of args[0], which `target` made
        Closure, ///< allocates
        Enter,   ///< args[0] with the others
        Assert,  ///< that `target` made args[0]

        // Counting references adds (count.h):
        Dup,   ///< one more reference to args[0]
        Drop,  ///< one less
        Reuse, ///< one less to args[0], whose fields the others are; its cell if it was the last one, else 0
        Free,  ///< gives the cell args[0] of `index` slots back, if it is one
    };
    Op op           = Return;
    uint32_t target = kNone;
    uint32_t index  = 0;
    Atoms args;
    Span at;
    uint32_t results = 1;     ///< how many values it returns
    uint32_t token   = kNone; ///< Build, Closure: a variable, the cell that it takes if there is one
};

struct Statement {
    std::vector<uint32_t> binds; ///< variables; kNone is `_`
    Tail tail;
};

/// A call of a block at the end of a branch.
struct Jump {
    uint32_t block = kNone;
    Atoms args;
    Span at;
};

struct Code {
    enum End : uint8_t { Tailed, If, Case };
    struct Arm {
        uint32_t con; ///< of a Case
        Jump jump;
    };
    std::vector<Statement> statements;
    End end = Tailed;
    Tail tail;             ///< Tailed
    Atom subject;          ///< If, Case
    std::vector<Arm> arms; ///< If: then, else
    std::optional<Jump> otherwise;
    Span at;
};

struct TypeExpr;
struct Bind;
struct Expr;

/// Bits of a constructor of `bitdata`, from the most significant ones on: a field, or bits that are always the same.
struct Region {
    /// The values that its bits can be.
    enum Content : uint8_t {
        Any,
        Below, ///< less than `limit`
        NonZero,
        Truth,   ///< a `Bool`
        Nothing, ///< a `Unit`
        Of,      ///< a `bitdata`, or one of its layouts: `number` is its data type
        Fixed,   ///< `row`, whose least bits are `number`
    };
    std::string name; ///< of a field
    Span at;
    TypeExpr* text  = nullptr; ///< the type of a field
    Bind* initial   = nullptr; ///< the value of a field that an expression leaves out
    Content content = Fixed;
    uint64_t number = 0, limit = 0;
    Row row         = {};
    uint32_t width  = kNone; ///< kNone: it follows from the others
    uint32_t offset = 0;     ///< of its least significant bit

    bool is_field() const { return text != nullptr; }
    void fix(const Row& bits) {
        row    = bits;
        number = low_bits(bits);
    }
};

struct Con {
    std::string name;
    Span at;
    uint32_t data, tag;
    std::vector<TypeExpr*> fields;
    std::vector<Type*> types; ///< of the fields
    Scheme scheme;            ///< `field -> … -> T a`

    /// @name of `bitdata`: the constructor `C`, and `T.C`, which makes its layout of fields
    ///@{
    std::vector<Region> regions = {};
    uint32_t layout             = kNone; ///< of C: the constructor `T.C`, if it has fields
    Row mask = {}, bits = {};            ///< values v with `(v & mask) == bits`, or none of them, are those of C
    bool is_other = false;               ///< none of them
    ///@}
};

/// The kinds of types.
enum class Kind : uint8_t { Unknown, Type, Number, Area, Label };

/// A part of a `struct`: a field, or bytes without a name.
struct StructPart {
    std::string name; ///< empty: it has none
    Span at;
    TypeExpr* text  = nullptr;
    Type* area      = nullptr;
    Bind* initial   = nullptr; ///< the initializer of a field that an expression leaves out
    uint64_t offset = 0;       ///< in bytes
};

/// A size that the text asks for.
struct AskedSize {
    Span at; ///< empty: it does not
    uint64_t bytes = 0;
};

struct DataType {
    enum Form : uint8_t {
        Objects,
        Bitdata,
        Layout, ///< `T.C`, the fields of a constructor of `bitdata`
        Struct, ///< an area with fields
    };
    std::string name;
    Span at;
    std::vector<std::string> parameters;
    std::vector<uint32_t> cons;
    std::vector<Kind> kinds = {};         ///< of the parameters
    Kind result             = Kind::Type; ///< of the whole
    bool is_builtin         = false;      ///< the text does not say what it is
    bool is_primitive       = false;      ///< `type T n :: kind`: nothing is known of its values
    bool is_kept            = false;
    Type* type              = nullptr;

    /// @name rows of bits
    ///@{
    Form form        = Objects;
    uint32_t outside = kNone; ///< of a layout: the constructor C
    uint32_t width   = kNone; ///< in bits
    bool is_row      = false; ///< an object of the words of a row that is wider than a value
    bool has_junk    = false; ///< some values are those of no constructor
    Span width_at    = {};    ///< where the text says how wide it is
    ///@}

    /// @name a `struct`
    ///@{
    std::vector<StructPart> parts = {};
    uint64_t bytes = 0, align = 1;
    bool has_size         = false; ///< those are found
    AskedSize asked_bytes = {}, asked_align = {};
    ///@}
};

struct Primitive {
    enum Form : uint8_t { Block, Function, Procedure };
    std::string name, purity;
    Span at;
    Form form    = Block;
    bool is_kept = false;
    std::vector<TypeExpr*> domain, range;
    TypeExpr* any_range = nullptr; ///< of one that never returns
    uint32_t code       = kNone;   ///< which one of primitives.h it is
    Scheme scheme       = {};      ///< `domain >>= range`
    uint32_t c_function = kNone;   ///< of a function of C: its place in Program::c_functions
};

/// The type of a definition: `domain >>= range` of a block, `stored >>= closure` of a closure.
struct Typing {
    Scheme scheme;             ///< as it was found last, or as it is kept
    TypeExpr* text  = nullptr; ///< as the file has it
    bool is_kept    = false;   ///< it is printed, and checked, since inference alone does not find it again
    bool is_claimed = false;   ///< LC has `claim`, of the first parameters: others are captured
    Scheme claim    = {};
};

/// The way in which C passes a value: a word, which is masked, or an address.
struct CValue {
    enum Form : uint8_t {
        Nothing, ///< there is no argument, and the result is void: it is always `value`
        Row,     ///< `width` bits of a word
        Truth,   ///< a `Bool`: a word that is 0 or 1
        Address,
    };
    Form form      = Nothing;
    uint32_t width = 0;
    uint64_t value = 0;
    uint64_t limit = 0; ///< of an index, which is an index for Mim as well
};

/// The way in which a function of C passes its values.
struct CPassing {
    std::vector<CValue> arguments;
    CValue result;
};

/// `external f :: T`: a primitive that C has; `external f = "%p.g" :: T`: one that Mim has.
struct CFunction {
    TypeExpr* text; ///< its type in LC
    Type* type = nullptr;
    CPassing passing;
    bool runs            = false; ///< it is a `Proc`
    std::string mim_name = {};    ///< `%p.g`, empty: C has it
    Span mim_name_at     = {};
};

/// `require "x.mim"`: functions of Mim are in it.
struct MimFile {
    std::string path;
    Span at;
};

struct BlockDef {
    std::string name;
    Span at;
    std::vector<uint32_t> params;
    Code code;
    uint32_t results = 1; ///< how many values it returns
    bool is_defined = false, is_kept = false;
    Typing typing  = {};
    uint32_t entry = kNone; ///< C calls it: which one of Program::entries it is
    uint32_t known = 0;     ///< how deep is what the optimizer knew of the arguments when it derived the block
};

struct ClosureDef {
    std::string name;
    Span at;
    std::vector<uint32_t> stored, params;
    Tail tail;
    bool is_defined = false, is_kept = false;
    Typing typing = {};
};

/// `external x {g t …} :: T`: x is what the generator g makes of these types. A generator says so of itself.
struct Foreign {
    std::string name;
    Span at;
    std::string generator;
    Span generator_at;
    std::vector<TypeExpr*> arguments;
    TypeExpr* type;
    Expr* meaning        = nullptr; ///< `x = y`: it is the same at another type
    std::string mim_name = {};      ///< `x = "%p.f"`: it is this function of Mim
    Span mim_name_at     = {};
    uint32_t block       = kNone; ///< of a generator
    Scheme scheme        = {};    ///< `[t, …, T]`
};

struct TopDef {
    std::string name;
    Span at;
    Tail tail;
    bool is_defined = false, is_exported = false, is_kept = false;
    bool is_late      = false; ///< it runs behind all others: the initializer of an area
    uint32_t external = kNone; ///< it has no code yet: this generator makes it
    uint32_t block    = kNone; ///< what a call with as many arguments as this block has parameters may enter
    Typing typing     = {};
};

/// Its variables are types that are to be found.
struct Annotated {
    Scheme scheme;
    Span at;
};

struct Program {
    enum Kind : uint8_t { DataKind, PrimitiveKind, BlockKind, ClosureKind, TopKind };
    struct Entry {
        Kind kind;
        uint32_t index;
    };

    std::vector<DataType> datas;
    std::vector<Con> cons;
    std::vector<mil::Primitive> primitives;
    std::vector<BlockDef> blocks;
    std::vector<ClosureDef> closures;
    std::vector<TopDef> tops;
    std::vector<Foreign> externals;
    std::vector<CPassing> entries; ///< of blocks that C calls
    std::vector<CFunction> c_functions;
    std::vector<std::string> variables, texts, labels;
    std::vector<Row> rows; ///< values of literals that have more than 64 bits
    std::unordered_map<Row, uint32_t> places_of_rows;
    std::vector<MimFile> mim_files;
    /// The types that the text says local variables have, up to the pass `opt`.
    std::unordered_map<uint32_t, Annotated> annotated;
    uint32_t first_function = 0; ///< of Mim: their numbers in this session begin with it
    std::vector<Entry> order;    ///< definitions as they are printed; tops run in this order
    uint32_t main     = kNone;   ///< a top
    bool main_is_proc = false, main_is_word = false;
    bool main_is_closure = false; ///< … that a `Proc` had: `[] ->> [t]`
    unsigned word_bits   = 32;

    /// @name what every program has
    ///@{
    uint32_t func = 0, proc = 0, init = 0, unit = 0, no = 0, yes = 0; ///< constructors
    ///@}

    uint32_t variable(std::string name) {
        variables.push_back(std::move(name));
        return static_cast<uint32_t>(variables.size()) - 1;
    }
    /// A label is there once.
    uint32_t label(const std::string& name) {
        auto known = std::ranges::find(labels, name);
        if (known == labels.end()) known = labels.insert(known, name);
        return static_cast<uint32_t>(known - labels.begin());
    }
    /// A row is there once.
    uint32_t row(const Row& r) {
        auto known = places_of_rows.emplace(r, static_cast<uint32_t>(rows.size()));
        if (known.second) rows.push_back(r);
        return known.first->second;
    }
    /// The value of Atom::Bits.
    Row row(const Atom& a) const { return a.width > 64 ? rows[a.number] : Row(a.number); }
    uint64_t mask() const { return word_bits == 64 ? ~uint64_t(0) : (uint64_t(1) << word_bits) - 1; }
};

/// Adds to a list; the index.
template<class T>
uint32_t add(std::vector<T>& list, T element) {
    list.push_back(std::move(element));
    return static_cast<uint32_t>(list.size()) - 1;
}

inline const DataType& data_of(const Program& p, uint32_t con) { return p.datas[p.cons[con].data]; }
inline bool is_bits(const DataType& d) { return d.form == DataType::Bitdata || d.form == DataType::Layout; }
/// Its values are rows of more bits than that. A `Ptr` has no size in bits.
inline bool is_wider(const DataType& d, uint32_t bits) { return is_bits(d) && d.width != kNone && d.width > bits; }
inline bool is_bits(const Program& p, uint32_t con) { return is_bits(data_of(p, con)); }
/// Whether the tail allocates an object.
inline bool makes_object(const Program& p, const Tail& t) {
    bool is_built = t.op == Tail::Build && !t.args.empty() && !is_bits(p, t.target);
    return is_built || t.op == Tail::Closure;
}
/// Whether the arms of a `case` are for all values that there can be.
inline bool is_exhaustive(const Program& p, const Code& c) {
    if (c.arms.empty()) return false;
    auto& data = data_of(p, c.arms[0].con);
    return c.arms.size() == data.cons.size() && !data.has_junk;
}

/// Bytes as the literal of a string.
std::string quoted(const std::string& bytes);
/// The name of the type of a label.
inline std::string label_type(const std::string& label) { return quoted(label); }
/// A row of bits as a literal.
std::string row_text(const Row&, uint32_t width);
/// The text of a program.
std::string print(const Program&, Types&);
/// The lines of that text which are not empty.
size_t num_lines(const Program&);

} // namespace mim::plug::mil
