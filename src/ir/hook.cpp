// SPDX-License-Identifier: MIT
#include "ir/hook.h"

#include "diag/family.h"
#include "ir/error.h"
#include "ir/world.h"

namespace mim {

std::string_view plugin_name(const Axiom& axiom) {
    auto name = axiom.name.view();
    auto from = name.starts_with('%') ? size_t(1) : size_t(0);
    return name.substr(from, name.find('.') - from);
}

void hook_broke(const Axiom& axiom, std::string_view kind, const Def* at, std::string what) {
    auto hook = std::string(kind) + " `" + axiom.name.str() + "` ";
    Error fault(Diag::plugin_fault, {std::string(plugin_name(axiom)), hook + what});
    fault.node = at;
    throw fault;
}

void hook_threw(const Axiom& axiom, std::string_view kind, const Def* at) {
    std::string what;
    try {
        throw;
    } catch (const Error& e) {
        if (!is_type_error(e.id)) throw;
        what = e.what();
    } catch (...) {
        what = thrown_text();
    }
    hook_broke(axiom, kind, at, "failed: " + what);
}

const Def* LiteralReader::operator()(World& world, const Def* type, std::string_view text) const {
    constexpr std::string_view kind = "the reader of literals of";
    auto& axiom                     = head_axiom(type)->axiom();
    auto literal                    = call_hook(axiom, kind, nullptr, [&] { return read_(world, type, text); });
    if (literal && literal->type() != type) hook_broke(axiom, kind, nullptr, "makes a value of another type of `" + std::string(text) + "`");
    return literal;
}

std::string LiteralPrinter::operator()(const Def* literal) const {
    constexpr std::string_view kind = "the printer of literals of";
    auto& axiom                     = head_axiom(literal->type())->axiom();
    auto text                       = call_hook(axiom, kind, nullptr, [&] { return print_(literal); });
    if (text.empty()) hook_broke(axiom, kind, nullptr, "prints nothing");
    return text;
}

} // namespace mim
