// SPDX-License-Identifier: MIT
// The parsers of LC and MIL share this: names, types, and declarations that both have.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/ends.h"
#include "front/parser.h"
#include "tree.h"

namespace mim::plug::mil {

/// The kinds of its tokens.
enum Tok : front::Kind {
    Require = front::kFirstOwn,
    Export,
    Entrypoint,
    External,
    InfixWord,
    InfixL,
    InfixR,
    Data,
    TypeWord,
    Area,
    Struct,
    Bitdata,
    Aligned,
    Case,
    Of,
    If,
    Then,
    Else,
    Let,
    In,
    Do,
    Where,
    Underscore,
    Equals,
    Colons,
    Bar,
    Dot,
    LeftArrow,
    RightArrow,
    ClosureArrow,
    BlockArrow,
    Enter,
    Lambda,
    AndAnd,
    OrOr,
    Hash,
    Comma,
    Semicolon,
    Backquote,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Character, ///< `'c'`: its code
};

const front::Lexicon& lexicon();

/// … as it needs.
inline std::string too_many_bits() { return "at most " + std::to_string(kMostBits) + " bits"; }

/// `B01`, `O17`, `Xff_00`
struct BitLiteral {
    Row value;
    uint32_t width = 0;
    bool is_large  = false; ///< it has more bits than a row can have
};
/// Nothing if the word is a name.
std::optional<BitLiteral> bit_literal(std::string_view word);

struct NumberLiteral {
    uint64_t number = 0;
    bool is_number  = true; ///< its text is one
    bool fits       = true; ///< in 64 bits
};
NumberLiteral number(std::string_view text);

/// Reading needs this: where files are, and where errors go.
struct Reading {
    FrontEndContext& context;
    Source& source;
    std::string library;                     ///< the folder of the plugin's own files
    std::vector<std::unique_ptr<File>> open; ///< that are being read, from the outermost in
    std::deque<std::string> made = {};       ///< text that is not that of a file
    bool is_cut                  = false;    ///< something could not be read: who needs it knows nothing of that
};

class Reader : protected front::ParserBase {
protected:
    Reader(Reading& r, File& file, std::string_view text)
        : ParserBase(file.id, text, lexicon(), {.continues = {Then, Else, Of, In}}, r.context.diags)
        , reading_(r)
        , source_(r.source)
        , file_(file) {
        declare_fixities();
    }
    ~Reader() = default;

    /// @name names
    ///@{
    struct Word {
        std::string text;
        Span at;
    };
    /// A name that begins with a capital letter, or an operator that begins with a colon.
    bool at_con() const;
    /// A name that is none of a constructor, or `(+)`.
    bool at_variable() const;
    bool at_operator(uint32_t ahead = 0) const;
    std::optional<Word> con_name();
    /// `what` is said where there is none.
    std::optional<Word> variable(std::string_view what = "a name");
    std::vector<Word> variables(std::string_view what);
    ///@}

    /// @name types
    ///@{
    TypeExpr* type();
    TypeExpr* argument_type();
    bool at_type() const;
    /// Nothing after a report.
    std::optional<Kind> kind();
    TypeExpr* applied(std::string_view name, Span, std::vector<TypeExpr*> arguments);
    ///@}

    /// @name numbers
    ///@{
    /// Nothing if no literal of bits is next.
    std::optional<BitLiteral> bits();
    uint64_t number_of(const BitLiteral&);
    /// The token is one.
    uint64_t integer();
    std::string string();
    /// Behind a `#`; nothing if there is none.
    std::optional<std::string> label();
    ///@}

    /// The value of a field that expressions leave out; in LC only. It gets a definition of this name.
    virtual Bind* initial_value(const std::string& name);
    /// Reads the declaration of an area; in LC only.
    virtual void area();
    /// Reads what an external stands for, and adds such an external.
    virtual Expr* external_meaning()       = 0;
    virtual void add_alias(const Foreign&) = 0;
    bool needs_generators();
    /// Reads a declaration that both languages have; false if none is next.
    bool declaration();
    /// Reports that something is not built yet, and skips the item.
    void not_yet(std::string_view what, Span at);
    /// Calls `item` for each definition of the file.
    void items(const std::function<void()>& item);
    /// Calls `item` for each item of a block: `{ … ; … }`, or by layout.
    void block(const std::function<void()>& item);
    Span here() const { return cursor_.span(); }
    /// A name is defined in this table of the file. False after a report.
    template<class T>
    bool define(std::map<std::string, T>& table, const Word& name, T value, Span before);

    /// Finds the fixities that the file declares; before anything is read.
    void declare_fixities();
    using Fixities = std::map<std::string, front::Fixity>;
    /// Those of a local block are written down.
    void infix_declaration(Fixities* local = nullptr);

    struct Signature {
        Word name;
        TypeExpr* type;
        Program::Kind kind = Program::TopKind; ///< of MIL
    };
    Reading& reading_;
    Source& source_;
    File& file_;
    std::vector<Signature> signatures_; ///< at the outermost level
    std::vector<Word> fixities_;        ///< operators that have one
    bool is_kept_ = false;              ///< what the text declares stays, if nobody needs it

private:
    TypeExpr* operand_type();
    TypeExpr* tuple_type(uint32_t begin);
    TypeExpr* inner_type();
    TypeExpr* kinded(TypeExpr*);
    std::optional<front::Infix> number_operator();
    void require();
    void require_mim(const std::string& path, Span place);
    void exports();
    void data();
    bool parameter(DataType&);
    void constructor(uint32_t data);
    void bitdata();
    void width(DataType&);
    void bit_constructor(uint32_t data);
    void region(const Word& con, std::vector<Region>&);
    /// Nothing after a report.
    std::optional<uint32_t> add_type(const Word&, DataType);
    std::optional<uint32_t> add_con(const Word&, uint32_t data, std::vector<TypeExpr*> fields);
    void synonym();
    void primitive_type(const Word&);
    void structure();
    void struct_part(const Word& name, std::vector<StructPart>&);
    void external();
    bool one_external(std::vector<Foreign>&);
    std::optional<Foreign> generated(const Word&);
    void add_external(Foreign);
    void add_c_function(const Foreign&, TypeExpr*);
    bool is_library() const { return file_.path == reading_.library + "/generators.mil"; }
};

/// Reads a file, and those that it requires, unless it was read already; null after a report. `at` is who asks for it.
File* require_file(Reading&, const std::string& path, Span at);
/// The library of generators, which a file that has externals or areas requires by itself.
File* require_generators(Reading&, Span at);
/// The path without links and detours.
std::string canonical_path(const std::string&);
/// The path of a required file; empty if there is none.
std::string find_file(const Reading&, const std::string& name, const std::string& from);
/// The files' own text.
void read_lc(Reading&, File&, std::string_view text);
void read_mil(Reading&, File&, std::string_view text);
/// The code of a literate file, with spaces in place of all other text.
std::string literate_code(Diagnostics&, FileId, std::string_view text);

void report_twice(Diagnostics&, const std::string& name, Span second, Span first);

} // namespace mim::plug::mil
