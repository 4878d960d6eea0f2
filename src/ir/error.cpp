// SPDX-License-Identifier: MIT
#include "ir/error.h"

#include "ir/brief.h"
#include "ir/impl.h"

namespace mim {

Error::Error(Diag id, std::vector<Arg> args)
    : id(id)
    , args(std::move(args))
    , what_(message(id, texts())) {}

DiagArgs Error::texts() const {
    DiagArgs result;
    for (auto& arg : args) {
        auto text = std::get_if<std::string>(&arg);
        result.push_back(text ? *text : brief(std::get<const Def*>(arg)));
    }
    return result;
}

std::string undefined_text(std::string_view what, const Def* at) {
    std::string text(what);
    auto axm      = at ? head_axiom(at) : nullptr;             // the operation itself, or applied
    bool is_named = axm && !axm->axiom().has(Axiom::Internal); // by programs
    return is_named ? text + " in `" + axm->axiom().name.str() + "`" : text;
}

void fail(Diag id, std::vector<Error::Arg> args) { throw Error(id, std::move(args)); }

} // namespace mim
