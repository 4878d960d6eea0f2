// SPDX-License-Identifier: MIT
// Runs the phases of a pipeline over a World and owns the instruments around each: timing, verification, printing, starting and
// stopping in the middle, and the reproducer. A phase that fails is a fault of whoever wrote it, never of the user: the program
// as it was before that phase is written to one .mim file, with the pipeline that remains in its header.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/blame.h"
#include "diag/diag.h"
#include "ir/error.h"
#include "phase/phase.h"
#include "phase/profile.h"

namespace mim {

/// A phase in a pipeline, and the plugin whose it is (empty: Mim itself); or the end of steps that are repeated until they change nothing.
struct Step {
    const Phase* phase;
    std::string plugin;
    size_t back    = 0; ///< without a phase: so many steps before this one are repeated,
    uint64_t limit = 0; ///< and run at most so often
};

struct Instruments {
    /// The whole program as Mim text that reads back.
    std::function<std::string(World&)> print;
    /// Checks the invariants of the graph; says what is wrong, or nothing.
    std::function<std::string(World&)> verify;
    /// Reports an error of the user's program that shows only now (a run-away evaluation).
    std::function<void(const Error&)> report;
    /// The message of an error, its expressions as the user would write them; null: its own text.
    std::function<std::string(World&, const Error&)> text;
    /// Shows text of --print-after.
    std::function<void(const std::string&)> show;

    const Settings* settings = &Settings::none(); ///< what phases get
    std::string target;                           ///< whose code is made; empty: no code is made, or nobody knows what for
    bool verify_each = false;
    bool debugging   = false; ///< skips the phases that hide something, where the program is code without them
    std::string print_after;  ///< a phase, `all`, or nothing
    std::string start_at;     ///< skips the phases before this one
    std::string stop_after;   ///< skips the phases after this one
    /// Where the reproducer goes; empty: none.
    std::string reproducer;
    /// Comment lines for the head of the reproducer: how to run it from this phase on.
    std::function<std::string(const std::string& phase)> reproducer_head;
};

class PhaseManager {
public:
    enum class Outcome : uint8_t { Done, UserError, Fault };

    PhaseManager(Instruments instruments, Diagnostics& diags, Profile& profile)
        : i_(std::move(instruments))
        , diags_(diags)
        , profile_(profile) {}

    Outcome run(World&, std::span<const Step>);

private:
    using Externals = std::vector<External>;
    using Program   = std::shared_ptr<const Externals>;
    /// What world is now; the same pointer as long as it is the same.
    Program program(const World&);
    Outcome run_range(PhaseContext&, std::span<const Step> all, size_t begin, size_t end, uint64_t round);
    Outcome run_phase(PhaseContext&, std::span<const Step> rest);
    /// The mistake of a phase, and the node where it happened.
    struct Wrong {
        std::string what;
        const Def* at = nullptr;
    };
    Wrong attempt(PhaseContext&, std::span<const Step> rest, bool& user_error);
    static Wrong thrown(const Culprit&, const std::string& what, bool names_nobody);
    std::string text(World&, const Error&);
    bool report_unlowered(World&, std::span<const Step> rest);
    void fault(World&, std::span<const Step> rest, const Wrong&, const Externals& before);
    bool write_reproducer(World&, std::span<const Step> rest);
    void print(World&, const Step&);

    Instruments i_;
    Diagnostics& diags_;
    Profile& profile_;
    Program program_;
    Program verified_; ///< what was verified last
    std::string last_print_;
    /// What a phase left as it is. Phases have no state of their own, so it would not change anything again.
    struct Idle {
        Program program;
        bool emitting;
    };
    std::unordered_map<const Phase*, std::optional<Idle>> idle_;
    bool started_ = false, stopped_ = false;
};

} // namespace mim
