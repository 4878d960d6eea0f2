// SPDX-License-Identifier: MIT
// `mim run FILE [ARG…]`: compiles in memory and runs main; exits with the low 8 bits of its result. With --eval, the reference
// evaluator runs it instead.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/compilation.h"
#include "driver/crash.h"
#include "driver/emission.h"
#include "driver/start.h"
#include "eval/eval.h"

namespace mim {

namespace {

/// Runs the program by the evaluator of its language.
int evaluate_foreign(Compilation& c, const Evaluator& evaluator, const std::vector<std::string>& args) {
    c.show_diagnostics();
    auto result = evaluator(args);
    print_text(result.output);
    print_error(result.errors);
    return result.exit_code;
}

/// Writes what the program left in the buffer of its standard output; false after a message, if some of its output is lost.
bool flush_output() {
    errno           = 0;
    bool is_written = std::fflush(stdout) == 0 && !std::ferror(stdout);
    if (is_written) return true;
    auto why = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
    print_error("mim: error: the program's output was not written" + why + "\n");
    return false;
}

/// Whether a `rule` says what an axiom is that the evaluator does not know.
bool explains_by_rules(World& world) {
    auto explains = [](auto& rule) {
        bool is_applied = !rule->eager && !rule->on_request;
        return is_applied && !head_axiom(rule->lhs)->axiom().meaning;
    };
    return std::ranges::any_of(world.rules.all(), explains);
}

/// Runs main by the reference evaluator on the graph as it is.
int evaluate_main(Compilation& c, const std::vector<std::string>& args) {
    auto& session = c.session;
    auto result   = eval::run_main(session.world, args);
    c.show_diagnostics();
    print_text(result.output);
    auto span = result.where ? session.world.notes.span(result.where) : Span{};
    if (result.status == eval::Result::Undefined) session.diags.report(Diag::undefined_behaviour, span, {result.message});
    if (result.status == eval::Result::Failed) session.diags.report(Diag::eval_failed, span, {result.message});
    return result.status == eval::Result::Done ? result.exit_code : static_cast<int>(kInputError);
}

} // namespace

int cmd_run(const Options& o) {
    return compile(o, o.files.front(), [&](Compilation& c) {
        if (!c.check()) return static_cast<int>(kInputError);
        auto language   = c.session.evaluator();        // of the file, if that is not in Mim
        bool is_checked = !c.session.is_made_by_phases; // they may have made another type of `main`
        if (is_checked && c.session.world.externals.find("main") && !check_main_type(c.session))
            return static_cast<int>(kInputError);
        auto args = o.args;
        args.insert(args.begin(), o.files.front());
        bool phases = !o.eval || !o.pipeline.empty() || !o.stop_after.empty();
        if (phases)
            if (auto outcome = c.optimize(); outcome != Outcome::Done) return status_of(outcome);
        bool is_named = !o.start_at.empty() || !o.print_after.empty();
        if (!phases && is_named && !c.check_phases()) return static_cast<int>(kInputError);
        if (language && o.eval && !phases) return evaluate_foreign(c, *language, args);
        if (!check_main_exists(c.session)) return static_cast<int>(kInputError);
        if (o.eval && !phases && explains_by_rules(c.session.world))
            if (auto outcome = c.apply_rules(); outcome != Outcome::Done) return status_of(outcome);
        if (o.eval) return evaluate_main(c, args);
        auto options = emit_options(o);
        std::optional<ExitReporter> nobody; // the program may end the process
        options.before_run = [&] {
            c.show_diagnostics(); // warnings come before anything that the program prints
            nobody.emplace(ExitReporter::Report());
        };
        int result = backend::run_jit(c.session.world, c.session.diags, options, args);
        install_crash_handlers(kInputError); // while the program ran, its faults were its own
        if (result < 0) return static_cast<int>(kInputError);
        bool is_written = flush_output();
        return result == kDone && !is_written ? static_cast<int>(kInputError) : result;
    });
}

} // namespace mim
