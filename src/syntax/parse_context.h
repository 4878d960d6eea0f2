// SPDX-License-Identifier: MIT
// The constructs around the text that is read, as far as they decide how it is read. Inside of brackets they do not.
#pragma once
#include <string_view>
#include <utility>

#include "base/span.h"
#include "front/token.h"

namespace mim {

struct ParseContext {
    std::string_view name = "a file";     ///< of what is being read, for diagnostics
    bool in_param_type    = false;        ///< `@` ends the type: a filter follows
    bool in_filter        = false;        ///< `:` ends the expression
    bool no_ret           = false;        ///< `=` ends the expression
    bool in_pack          = false;        ///< `>` ends the expression: a pack in ASCII is around it
    Span statements       = {};           ///< the first token of the declarations that this belongs to, if they have no braces
    uint32_t block        = front::kNone; ///< position of the `{` of the innermost block around it
};

/// While it lives, something else is read that is in brackets, or that has an end of its own.
class Brackets {
public:
    Brackets(ParseContext& context, std::string_view name)
        : context_(context)
        , outer_(std::exchange(context, ParseContext{name})) {
        context.block = outer_.block;
    }
    /// As in brackets: a declaration in front of an expression, whose `;` ends it.
    Brackets(ParseContext& context, Span statements)
        : Brackets(context, context.name) {
        context_.statements = statements;
    }
    ~Brackets() { context_ = outer_; }
    /// No bracket is around it: what ends the pack around it ends it as well.
    void stay_in_pack() { context_.in_pack = outer_.in_pack; }
    Brackets(const Brackets&)            = delete;
    Brackets& operator=(const Brackets&) = delete;

private:
    ParseContext& context_;
    ParseContext outer_;
};

} // namespace mim
