// SPDX-License-Identifier: MIT
// The tree under construction: its nodes and lists are in the arena of the module, and span the text up to the last
// token.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "syntax/ast.h"
#include "syntax/cursor.h"
#include "syntax/parse.h"

namespace mim {

class TreeBuilder {
public:
    TreeBuilder(const Cursor& cursor, SymbolTable& symbols, const ParseOptions& options)
        : cursor_(cursor)
        , symbols_(symbols)
        , dialect_(options.dialect)
        , map_(options.map) {
        module_.file = cursor.file();
    }

    /// @name nodes that begin at this offset of the text
    ///@{
    template<class T, class... Args>
    const T* make(uint32_t begin, Args... args) {
        return ast::make<T>(module_.arena, place(cursor_.span_from(begin)), args...);
    }
    template<class T, class... Args>
    ast::Decl* make_decl(uint32_t begin, Args... args) {
        return ast::make_decl<T>(module_.arena, place(cursor_.span_from(begin)), args...);
    }
    /// The same of a node that ends here.
    template<class T, class... Args>
    const T* make_between(uint32_t begin, uint32_t end, Args... args) {
        return ast::make<T>(module_.arena, place(Span{cursor_.file(), begin, end}), args...);
    }
    /// The place that the next token stands for.
    Span place() const { return place(cursor_.span()); }
    /// The place that this text stands for.
    Span place(Span text) const { return map_ ? (*map_)(text) : text; }
    ///@}
    template<class T>
    ast::List<T> list(const std::vector<T>& v) {
        return module_.arena.list(v);
    }
    template<class T>
    ast::List<T> list_of(const T& only) {
        return module_.arena.list(&only, 1);
    }
    /// A copy of the text in the arena.
    std::string_view text(std::string_view s) { return module_.arena.text(s); }

    /// The name that is the next token.
    Symbol symbol();
    Symbol intern(std::string_view s) { return symbols_.intern(s); }

    ast::Module& module() { return module_; }

private:
    const Cursor& cursor_;
    SymbolTable& symbols_;
    Dialect dialect_;
    const front::SourceMap* map_; ///< null: the tree is that of the text itself
    ast::Module module_;
    struct Known {
        std::string_view text;
        Symbol symbol;
    };
    std::array<Known, 1024> known_{}; ///< recently interned names
};

} // namespace mim
