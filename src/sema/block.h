// SPDX-License-Identifier: MIT
// A block while its declarations are elaborated, one step of its plan after the other. Private to src/sema.
#pragma once
#include "sema/elab.h"

namespace mim {

struct Elab::Stub {
    uint32_t decl;
    size_t scope;              ///< what was visible at its declaration
    Fun fun         = {};      ///< of a function
    const Def* hole = nullptr; ///< of a `rec`
    bool ok         = false;
};

struct Elab::Frame {
    explicit Frame(Decls d)
        : decls(d)
        , binding(d.size(), ~0u) {}
    Decls decls;
    std::vector<uint32_t> binding; ///< of each function, or none
    std::vector<Stub> stubs;
    void set(Scopes& scopes, uint32_t decl, const Def* def, const View* view) {
        if (binding[decl] == ~0u) return;
        auto& b = scopes[binding[decl]];
        b.state = Binding::Ready, b.def = def, b.view = view;
    }
};

} // namespace mim
