// SPDX-License-Identifier: MIT
// Diagnostics of emission, and the names of nodes in them.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "diag/diag.h"
#include "ir/error.h"
#include "ir/hook.h"
#include "ir/world.h"

namespace mim::backend::llvm {

struct Frame;

/// Thrown after a diagnostic was reported; ends the function that is being emitted.
struct Failed : Passing {};

/// A node without a place of its own is reported at the place of the frame.
class Reports {
public:
    using Show = std::function<std::string(World&, const Def*)>;
    /// `show` prints a node as the user would write it; without it there are only names.
    Reports(World& world, Diagnostics& diags, Show show, const Frame& frame)
        : world_(world)
        , diags_(diags)
        , show_(std::move(show))
        , frame_(frame) {}

    /// An error was reported, so that the module is of no use.
    bool failed() const { return failed_; }

    /// Reports and goes on.
    void error(const Def* at, Diag, std::vector<std::string> args);
    /// Of something that leaves through the return of a function around it: a note says how to write it instead.
    void error_at_return(const Def* at, Diag, std::vector<std::string> args);
    /// A call, or a function that is passed, which no phase has brought into continuation-passing style.
    void direct_style_left(const Def* def, const Def* at);

    /// Reports and throws Failed.
    [[noreturn]] void fail(const Def* at, Diag, std::vector<std::string> args);
    [[noreturn]] void fail(const Def* at, const Error&);
    /// At the place of the frame.
    [[noreturn]] void fail_here(Diag, std::vector<std::string> args);
    /// The layout of `type` depends on a run-time value.
    [[noreturn]] void run_time_layout(const Def* type);
    /// Its values have more bytes than there are addresses.
    [[noreturn]] void too_large(const Def* type);
    /// The return continuation of `owner` is used as a value.
    [[noreturn]] void return_as_value(const Def* ret, const Lam* owner);
    /// No plugin has code for the axiom on this target.
    [[noreturn]] void no_emitter(const Def* at, const Axiom&, std::string_view target);

    /// A note, if notes are wanted, that an array is copied, once for each place.
    void copied(const Def* at, const Def* type, const char* why);

    /// Calls a hook of the axiom's plugin for `at`. Its exception is reported, and Failed is thrown instead.
    template<class F>
    auto call(const Axiom& axiom, std::string_view kind, const Def* at, F&& hook) {
        try {
            return call_hook(axiom, kind, placed(at), hook);
        } catch (const Error& e) {
            fail(at, e);
        }
    }
    /// The emitter of the axiom did what it must not; `what` goes on after its name.
    [[noreturn]] void emitter_broke(const Def* at, const Axiom&, std::string_view target, std::string what);

    std::string show(const Def*);
    std::string name_of(const Def*);
    /// The lines that a program prints where `what` happens in the operation `at`.
    std::string undefined(const Def* at, std::string_view what);
    /// That of the frame if the node has none.
    Span span_of(const Def*);

private:
    /// The node, or that of the frame if it has no place of its own.
    const Def* placed(const Def*);

    World& world_;
    Diagnostics& diags_;
    Show show_;
    const Frame& frame_;
    std::set<std::tuple<FileId, uint32_t, std::string>> copies_; ///< those of which notes speak
    bool failed_ = false;
};

} // namespace mim::backend::llvm
