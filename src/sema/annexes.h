// SPDX-License-Identifier: MIT
// The annexes (`%plugin.tag.sub`) of all files that one Elaborator has seen: they are in one global name space.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/span.h"
#include "base/symbol.h"
#include "ir/def.h"
#include "sema/view.h"

namespace mim {

struct Constructor;

class Annexes {
public:
    struct Annex {
        const Def* def; ///< null: its declaration had an error
        const View* view;
        Span span;
        Constructor* constructor = nullptr; ///< of a label, which makes the value when it is used
    };
    using Map = std::unordered_map<Symbol, Annex>;

    /// Null if there is none of this name.
    const Annex* find(Symbol) const;
    /// The annex of this name, and whether it is the one given here: what is declared first stays.
    std::pair<const Annex*, bool> define(Symbol, const Annex&);
    size_t size() const { return map_.size(); }
    Map::const_iterator begin() const { return map_.begin(); }
    Map::const_iterator end() const { return map_.end(); }

    /// The only annex whose name ends in `.last`; null if there are none or several.
    const Map::value_type* find_by_last(Symbol last) const;
    /// The subtags of an axiom (`%p.tag`), or the tags that a plugin (`%p`) declares, for a message: each once and in
    /// the order of their declaration; empty if there are none.
    std::string subtags_of(std::string_view axiom) const;

private:
    Map map_;
};

} // namespace mim
