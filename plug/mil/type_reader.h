// SPDX-License-Identifier: MIT
// Types as they are written to types.
#pragma once
#include <map>
#include <set>
#include <string>

#include "diag/diag.h"
#include "tree.h"

namespace mim::plug::mil {

class TypeReader {
public:
    TypeReader(Diagnostics& diags, Source& source)
        : diags_(diags)
        , source_(source) {}

    /// Variables of the text that stand for these types; others are new ones if `is_open`, else errors.
    std::map<std::string, Type*> variables;
    bool is_open = true;

    Type* read(const File&, const TypeExpr*);
    std::vector<Type*> read(const File&, const std::vector<TypeExpr*>&);
    /// A signature: all its variables may be any types.
    Scheme scheme(const File&, const TypeExpr*);

private:
    Type* variable(const TypeExpr*);
    Type* constructor(const File&, const TypeExpr*, size_t arguments);

    Diagnostics& diags_;
    Source& source_;
    std::set<const TypeExpr*> expanding_;
};

} // namespace mim::plug::mil
