// SPDX-License-Identifier: MIT
// Names in scope: one stack of bindings, and for each symbol the topmost one, so entering, leaving and looking up are a few
// instructions. What a pattern binds is taken apart only when a name is used: an element knows its parent and its index.
#pragma once
#include <vector>

#include "base/span.h"
#include "base/symbol.h"
#include "ir/def.h"
#include "sema/view.h"

namespace mim {

/// Where the value that a pattern binds comes from: element `index` of `num` of the binding `parent`.
struct Source {
    uint32_t parent, index, num;
};

struct Constructor;
struct OpenType;

struct Binding {
    enum State : uint8_t {
        Ready,   ///< def is there; null: poison
        Element, ///< to be extracted from its parent
        Lazy,    ///< the variable of a binder that is only made when needed; `parent` is its number
        Pending, ///< a function that is declared but not elaborated yet
    };
    enum Kind : uint8_t { Param, Let, Part, Fun, Import }; ///< Part: of a `let` of several

    Symbol sym       = {}; ///< empty: only a parent
    Span span        = {};
    const Def* def   = nullptr;
    const View* view = nullptr;
    uint32_t prev    = 0; ///< what it shadows: index + 1
    uint32_t parent = 0, index = 0, num = 0;
    State state = Ready;
    Kind kind   = Let;
    bool used   = false;

    Constructor* constructor = nullptr; ///< of a label, which makes the value when it is used
    const OpenType* open     = nullptr; ///< a type with parameters whose definition is being read
    uint32_t declared_with   = 0;       ///< in a plan, of a label: the binding of its type + 1
};

class Scopes {
public:
    Scopes();
    size_t mark() const { return stack_.size(); }
    /// Ends the scope that began at this mark.
    void pop(size_t mark);
    /// The index of the new binding.
    uint32_t push(Binding);
    /// The innermost visible binding of the name, or null.
    Binding* find(Symbol);
    /// Calls `visit` with the index of each visible binding of the name, from the innermost out.
    template<class F>
    void each(Symbol sym, F visit) {
        for (auto i = slot(sym); i; i = stack_[i - 1].prev)
            if (!is_hidden(i - 1)) visit(i - 1);
    }
    Binding& operator[](size_t i) { return stack_[i]; }
    size_t size() const { return stack_.size(); }

    /// Hides bindings [lo, hi): what was declared between a function and where it is elaborated.
    struct Hide {
        Hide(Scopes& s, size_t lo, size_t hi)
            : scopes(s) {
            scopes.hidden_.push_back({lo, hi});
        }
        ~Hide() { scopes.hidden_.pop_back(); }
        Hide(const Hide&)            = delete;
        Hide& operator=(const Hide&) = delete;
        Scopes& scopes;
    };
    bool is_hidden(size_t i) const;
    /// The binding that this one shadows, if that is visible; or null.
    Binding* shadowed(const Binding&);

private:
    uint32_t& slot(Symbol);
    void grow();

    std::vector<Binding> stack_;
    struct Slot {
        Symbol sym;
        uint32_t top = 0; ///< index + 1
    };
    std::vector<Slot> table_;
    size_t used_ = 0;
    struct Range {
        size_t lo, hi;
    };
    std::vector<Range> hidden_;
};

} // namespace mim
