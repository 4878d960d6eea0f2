// SPDX-License-Identifier: MIT
// Field names (spec section 2): a view that the front end keeps beside an expression, never part of its type. Binders,
// `let`, aliases, declared codomains and `#` carry it; what has no view is null.
#pragma once
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/symbol.h"
#include "front/arena.h"

namespace mim {

struct View {
    front::List<Symbol> names      = {};      ///< of the elements of a tuple; a nameless one is empty; no names: empty list
    front::List<const View*> elems = {};      ///< of the elements; empty if none has one
    const View* each               = nullptr; ///< an array or pack: the view of every element
    const View* inst               = nullptr; ///< a type: the view of its values
    const View* dom                = nullptr; ///< a function: the view of its argument
    const View* codom              = nullptr; ///< a function: the view of its result
    front::List<Symbol> labels     = {};      ///< of a union that has them; `elems` are the views of their payloads
    bool is_hint                   = false;   ///< debuggers show the names; to the language there are none

    const View* elem(size_t i) const { return i < elems.size() ? elems[i] : each; }
    /// The values of a labelled union have this view.
    bool has_labels() const { return !labels.empty() && !is_hint; }
    /// The index of the field, or -1.
    int64_t find(Symbol name) const {
        for (size_t i = 0; i < names.size(); ++i)
            if (names[i] == name && name && !is_hint) return static_cast<int64_t>(i);
        return -1;
    }
};

/// Makes views. Of one content there is one: most functions have the parameter names of some other.
class Views {
public:
    const View* make(const View& content);
    /// Of a tuple with fields of these names (or none) and elements of these views, each of which may be null.
    const View* tuple(std::span<const Symbol> names, std::span<const View* const> elems);
    /// Of a union with these labels, whose payloads have these views.
    const View* labelled(std::span<const Symbol> labels, std::span<const View* const> payloads);
    /// Of a type whose values have this view; null for null.
    const View* type_of(const View* values);
    /// The same view, for debuggers only.
    const View* hint(const View*);

    struct Field {
        size_t index, arity;
    };
    /// Where the tuple that was last declared with a field of this name has it; null if none was.
    const Field* last_declared(Symbol field) const;

private:
    struct Hash {
        size_t operator()(const View*) const;
    };
    struct Equal {
        bool operator()(const View*, const View*) const;
    };
    front::Arena arena_;
    std::unordered_set<const View*, Hash, Equal> all_;
    std::unordered_map<const View*, const View*> hints_;
    std::unordered_map<Symbol, Field> last_declared_;
};

inline const View* inst(const View* v) { return v ? v->inst : nullptr; }
inline const View* codom(const View* v) { return v ? v->codom : nullptr; }
inline const View* elem(const View* v, size_t i) { return v ? v->elem(i) : nullptr; }

} // namespace mim
