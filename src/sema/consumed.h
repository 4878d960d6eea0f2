// SPDX-License-Identifier: MIT
// Frees the tree of a file while it turns into the graph, so that a large file never has both in memory: the blocks of the tree's
// arena count the top-level declarations that lie in them, and end with the last of these.
#pragma once
#include <span>
#include <vector>

#include "syntax/ast.h"

namespace mim {

class Consumed {
public:
    explicit Consumed(ast::Module& m)
        : module_(m)
        , users_(m.arena.block() + 1)
        , done_(m.decls.size()) {
        for (auto [first, last] : m.blocks)
            for (auto b = first; b <= last; ++b) ++users_[b];
        if (!users_.empty()) ++users_.back(); // the list of the declarations
    }
    bool is_top(ast::List<const ast::Decl*> decls) const { return decls.begin() == module_.decls.begin(); }
    /// Nobody reads these declarations again.
    void done(std::span<const uint32_t> decls) {
        for (auto i : decls) {
            done_[i] = true;
            if (module_.blocks.empty()) continue;
            auto [first, last] = module_.blocks[i];
            for (auto b = first; b <= last; ++b)
                if (--users_[b] == 0) module_.arena.free_block(b);
        }
    }
    /// This declaration must not be looked at.
    bool is_done(ast::List<const ast::Decl*> decls, uint32_t i) const { return is_top(decls) && done_[i]; }

private:
    ast::Module& module_;
    std::vector<uint32_t> users_; ///< of each block
    std::vector<bool> done_;
};

} // namespace mim
