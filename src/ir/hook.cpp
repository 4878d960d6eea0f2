// SPDX-License-Identifier: MIT
#include "ir/hook.h"

#include <functional>

#include "base/crash.h"
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

std::string hook_exception_text() {
    try {
        throw;
    } catch (const Error& e) {
        if (!is_type_error(e.id)) throw;
        return e.what();
    } catch (...) {
        return thrown_text();
    }
}

void hook_threw(const Axiom& axiom, std::string_view kind, const Def* at) {
    hook_broke(axiom, kind, at, "failed: " + hook_exception_text());
}

namespace {

/// Calls a hook for a literal. A crash becomes an exception at once: only the caller knows where the literal is.
void call_for_literal(const Axiom& axiom, std::string_view kind, const std::function<void()>& hook) {
    auto crash = guarded([&] { call_hook(axiom, kind, nullptr, hook); }, Guards::Overflows);
    if (!crash) return;
    if (crash->is_overflow) hook_broke(axiom, kind, nullptr, "used up the stack");
    hook_broke(axiom, kind, nullptr, "crashed with signal " + std::to_string(crash->signal));
}

} // namespace

const Def* LiteralReader::operator()(World& world, const Def* type, std::string_view text) const {
    constexpr std::string_view kind = "the reader of literals of";
    auto& axiom                     = head_axiom(type)->axiom();
    const Def* literal              = nullptr;
    call_for_literal(axiom, kind, [&] { literal = read_(world, type, text); });
    if (literal && literal->type() != type)
        hook_broke(axiom, kind, nullptr, "makes a value of another type of `" + std::string(text) + "`");
    return literal;
}

std::string LiteralPrinter::operator()(const Def* literal) const {
    constexpr std::string_view kind = "the printer of literals of";
    auto& axiom                     = head_axiom(literal->type())->axiom();
    std::string text;
    call_for_literal(axiom, kind, [&] { text = print_(literal); });
    if (text.empty()) hook_broke(axiom, kind, nullptr, "prints nothing");
    return text;
}

} // namespace mim
