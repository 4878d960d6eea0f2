// SPDX-License-Identifier: MIT
// `///` comments: the documentation of a file and of its declarations.
#pragma once
#include "syntax/tree_builder.h"

namespace mim {

class DocComments {
public:
    DocComments(Cursor& cursor, TreeBuilder& tree)
        : cursor_(cursor)
        , tree_(tree) {}

    /// The lines that open the file, when a blank line sets them off: to be asked for first.
    std::string_view of_module();
    /// The lines right above the declaration that starts here.
    std::string_view of_decl();

private:
    bool is_apart(uint32_t end, uint32_t begin) const;
    std::string_view join(const Comment* begin, const Comment* end);

    Cursor& cursor_;
    TreeBuilder& tree_;
    uint32_t next_ = 0; ///< index of the next comment to look at
};

} // namespace mim
