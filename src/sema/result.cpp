// SPDX-License-Identifier: MIT
#include "sema/result.h"

namespace mim {

const ast::Expr* result_expr(const ast::Expr* e) {
    while (true) {
        if (auto w = ast::isa<ast::Where>(e)) e = w->body;
        else if (auto b = ast::isa<ast::Block>(e)) e = b->body;
        else return e;
    }
}

} // namespace mim
