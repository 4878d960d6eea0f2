// SPDX-License-Identifier: MIT
// What the graph throws when it is asked to build something ill-typed, or when evaluation runs out of its budget. The graph
// knows no source text: the front end, which holds the span, turns this into a diagnostic at the user's line.
#pragma once
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diag/diag.h"

namespace mim {

class Def;

/// What is said of undefined behaviour: what happened, and in which operation if `at` is one.
std::string undefined_text(std::string_view what, const Def* at);

class Error : public std::exception {
public:
    /// An argument of the message: text, or an expression that the front end prints as the user would write it.
    using Arg = std::variant<std::string, const Def*>;

    Error(Diag id, std::vector<Arg> args);
    template<class... Args>
    Error(const DiagWith<Args...>& d)
        : Error(d.id, std::apply([](const Args&... a) { return std::vector<Arg>{argument(a)...}; }, d.args)) {}
    const char* what() const noexcept override { return what_.c_str(); }
    /// The arguments, with short texts for expressions.
    DiagArgs texts() const;

    Diag id;
    std::vector<Arg> args;
    /// The calls under evaluation when the error happened, innermost first, each place once, and only the first few.
    struct Call {
        const Def* callee;
        Span site; ///< of the call or, if that is not known, of the callee
    };
    std::vector<Call> trace;
    /// Of the innermost expression that was being rewritten and has a place.
    Span rewritten;
    /// The application that it is about, where a hook of its axiom failed.
    const Def* node = nullptr;
    /// Where what the first argument names is declared, if a note shall point there.
    Span declared;
    /// Where in the last argument, a text, the mistake is, and how to say so where nobody can point there.
    struct Part {
        uint64_t begin, end;
        std::string words;
    };
    std::optional<Part> part;

private:
    static Arg argument(const Def* def) { return def; }
    template<class T>
    static Arg argument(const T& value) {
        return diag_text(value);
    }

    std::string what_;
};

} // namespace mim
