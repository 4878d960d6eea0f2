// SPDX-License-Identifier: MIT
// Reports names that are not there, with what may be meant: a similar name, a word of another language, another case,
// an annex without its plugin, a declaration further down.
#pragma once
#include <unordered_set>

#include "sema/enclosing.h"
#include "sema/errors.h"
#include "sema/result.h"

namespace mim {

class UnknownNames {
public:
    UnknownNames(Elaborator::Shared&, Errors&, const Enclosing&);

    void name(Symbol, Span);
    void annex(Symbol, Span);
    void field(Res tuple, const ast::Name* field);

private:
    bool qualified(Symbol, Span);
    bool hint_name(Diagnostic&, Symbol);
    bool hint_annex(Diagnostic&, Symbol);

    World& world_;
    const Annexes& annexes_;
    const Views& views_;
    const std::deque<LabelledType>& labelled_;
    SemaHost& host_;
    Errors& errors_;
    Names& names_;
    const Enclosing& enclosing_;
    std::unordered_set<Symbol> needed_plugins_; ///< those whose `plugin` is missing, which was reported
    bool says_if_ = false;                      ///< the text has an `if`, which was reported
};

} // namespace mim
