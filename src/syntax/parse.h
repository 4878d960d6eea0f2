// SPDX-License-Identifier: MIT
// Text to syntax tree. The parser is a recursive descent over the token array of a file; it reports what is wrong and goes on,
// so one run shows several errors, and a tree is always returned: broken expressions are ast::Error, declarations without a
// name are left out. Time is linear in the length of the text; nesting is limited, sequences of any kind are not.
#pragma once
#include "base/source.h"
#include "base/symbol.h"
#include "diag/diag.h"
#include "front/source_map.h"
#include "syntax/ast.h"

namespace mim {

/// Deepest nesting of brackets, function bodies and `where`s; past it the diagnostic nested_too_deep is reported once and
/// parsing stops. A level takes up to about 1.5 KB of stack: input of strangers is parsed on a big stack (base/stack.h), whose
/// end is minded, too, or with a lower limit.
constexpr uint32_t kMaxNesting = 30'000;

enum class Dialect : uint8_t {
    Mim,    ///< today's language
    Mim0_1, ///< keywords with a leading dot and Π, as MimIR 0.1 had them; only the formatter reads it
};

struct ParseOptions {
    uint32_t max_nesting        = kMaxNesting;
    Dialect dialect             = Dialect::Mim;
    const front::SourceMap* map = nullptr; ///< the places of nodes are those that their text stands for
};

/// Parses a file of declarations. Syntax errors are in `diags`.
ast::Module parse(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions = {});

/// Parses text that is one expression (a pipeline on the command line, a line of the REPL): decls is one Let of `_`.
ast::Module parse_expr(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions = {});

} // namespace mim
