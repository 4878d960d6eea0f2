// SPDX-License-Identifier: MIT
// A Σ under construction: its element types so far, and their names, which are in scope until it ends.
#pragma once
#include <vector>

#include "sema/sema_base.h"

namespace mim {

class SigmaScope {
public:
    SigmaScope(Errors&, Views&, size_t num_elems);

    /// The next element; poison makes the whole Σ poison.
    void add(Ty, Symbol name);
    /// Where the value of the element added last comes from, for later elements to mention.
    Source elem() const;
    /// The Σ of all elements. That of one element is the type of that.
    Ty finish(Span);

private:
    World& world_;
    Names& names_;
    Errors& errors_;
    Views& views_;
    LazyBinder binder_{Node::Sigma};
    uint32_t root_;
    std::vector<const Def*> types_;
    std::vector<Symbol> fields_;
    std::vector<const View*> elems_;
    bool has_view_ = false; ///< some element has a name or a view
    Names::Block scope_{names_};
};

} // namespace mim
