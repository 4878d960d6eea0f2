// SPDX-License-Identifier: MIT
// Types as they are written to types.
#pragma once
#include <map>
#include <set>
#include <string>

#include "diag/diag.h"
#include "tree.h"

namespace mim::plug::mil {

/// The kind that a part of a type should have; unknown if the type is applied to what stands for any.
Kind kind_of_part(const Source&, const File&, const TypeExpr* whole, size_t part);
/// Finds the kinds of parameters of data types.
void infer_kinds(Source&);

class TypeReader {
public:
    TypeReader(Diagnostics& diags, Source& source)
        : diags_(diags)
        , source_(source) {}

    /// Variables of the text that stand for these types; others are new ones if `is_open`, else errors.
    std::map<std::string, Type*> variables;
    bool is_open = true;

    /// Reports a type of another kind.
    Type* read(const File&, const TypeExpr*, Kind want = Kind::Type);
    std::vector<Type*> read(const File&, const std::vector<TypeExpr*>&);
    /// A signature: all its variables may be any types.
    Scheme scheme(const File&, const TypeExpr*, Kind want = Kind::Type);
    /// A variable of the text stands for this type.
    void declare(const std::string& name, Type* type, Kind kind) {
        variables[name] = type;
        kinds_[type]    = kind;
    }

private:
    Type* variable(const TypeExpr*, Kind want);
    Type* constructor(const File&, const TypeExpr*, size_t arguments, Kind want);
    Kind kind_of(Type*);
    Type* computed(const File&, const TypeExpr*);
    Type* quantified(const File&, const TypeExpr*);
    /// False after a report.
    bool has_kind(const TypeExpr*, Kind is, Kind want);

    Diagnostics& diags_;
    Source& source_;
    std::set<const TypeExpr*> expanding_;
    std::map<const Type*, Kind> kinds_; ///< of variables
};

} // namespace mim::plug::mil
