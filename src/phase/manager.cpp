// SPDX-License-Identifier: MIT
#include "phase/manager.h"

#include <algorithm>
#include <cstdio>

#include "base/crash.h"
#include "diag/family.h"
#include "diag/fault_text.h"
#include "ir/hook.h"
#include "phase/unlowered.h"

namespace mim {

namespace {

/// Nodes never change, so going back to an earlier program is a matter of its externals alone.
void restore(World& world, const std::vector<External>& before) {
    auto now = world.externals;
    for (auto& e : now) world.externals.remove(e.name);
    for (auto& e : before) world.externals.add(e.name, e.lam);
}

/// Programs are equal if their functions are: nodes never change.
bool is_same(const std::vector<External>& a, const std::vector<External>& b) {
    return std::ranges::equal(a, b, [](auto& x, auto& y) { return x.name == y.name && x.lam == y.lam; });
}

/// Whether a parameter of this type is no value that a debugger could show: a type, or a function that is no return continuation, or
/// is one that gets such a thing.
bool is_abstract(const Def* type, bool may_return) {
    if (auto pi = type->isa<Pi>()) return !may_return || !pi->is_cn() || is_abstract(pi->dom(), false);
    if (auto arr = type->isa<Arr>()) return is_abstract(arr->body(), false);
    if (!type->isa<Sigma>()) return type->isa<Sort>();
    for (size_t i = 0; i != type->num_ops(); ++i)
        if (is_abstract(type->op(i), may_return && i + 1 == type->num_ops())) return true;
    return false;
}

/// Which code crashed: that of the phase, or of a hook that it made run.
std::string crash_text(const Crash& crash, const Step& step) {
    auto how        = " crashed with signal " + std::to_string(crash.signal);
    bool is_phase   = crash.culprit.name == step.phase->name && crash.culprit.plugin == step.plugin;
    bool is_unknown = !crash.culprit;
    return (is_phase || is_unknown ? std::string("it") : crash.culprit.text()) + how;
}

std::string owner_of(const Step& step) { return step.plugin.empty() ? "Mim itself" : "the plugin `" + step.plugin + "`"; }

/// Functions that take types or functions may be code only after phases that hide them.
bool has_abstractions(PhaseContext& context) {
    return std::ranges::any_of(context.program().nodes(), [](const Def* def) {
        auto lam = def->isa<Lam>();
        return lam && is_abstract(lam->dom(), true);
    });
}

} // namespace

PhaseManager::Outcome PhaseManager::run(World& world, std::span<const Step> steps) {
    if (auto open = world.externals.find_open()) {
        diags_.report(Diag::external_open, {}, {open->name.str()});
        return Outcome::Fault;
    }
    started_ = i_.start_at.empty();
    PhaseContext context{world, diags_, {}, *i_.settings};
    return run_range(context, steps, 0, steps.size(), 0);
}

/// Most phases leave most programs as they are: these are kept once.
PhaseManager::Program PhaseManager::program(const World& world) {
    if (!program_ || !is_same(*program_, world.externals.all())) program_ = std::make_shared<Externals>(world.externals.all());
    return program_;
}

/// A repetition's first round is the steps before its end; the others follow at the end, until one changes nothing. In them, a
/// phase is not run on a program that it has left as it is before: the last round costs only what is new.
PhaseManager::Outcome PhaseManager::run_range(PhaseContext& context, std::span<const Step> all, size_t begin, size_t end,
                                              uint64_t round) {
    auto& world = context.world;
    std::vector<Program> before; // of each step: what it got in this round
    for (size_t n = begin; n < end && !stopped_; ++n) {
        auto& step = all[n];
        before.push_back(program(world));
        if (!step.phase) {
            auto last = before[n - step.back - begin];
            for (uint64_t i = 1; i < step.limit && last != program(world) && !stopped_; ++i) {
                last = program(world);
                if (auto outcome = run_range(context, all, n - step.back, n, i); outcome != Outcome::Done) return outcome;
            }
            continue;
        }
        started_ |= step.phase->name == i_.start_at;
        if (!started_) continue;
        stopped_ = step.phase->name == i_.stop_after;
        if (i_.debugging && step.phase->hides && !has_abstractions(context)) continue;
        auto& idle = idle_[step.phase];
        if (round != 0 && idle && idle->emitting == world.emitting && idle->program == before.back()) continue;
        if (auto outcome = run_phase(context, all.subspan(n)); outcome != Outcome::Done) return outcome;
        if (before.back() == program(world)) idle = {before.back(), world.emitting};
    }
    return Outcome::Done;
}

PhaseManager::Outcome PhaseManager::run_phase(PhaseContext& context, std::span<const Step> rest) {
    auto& world     = context.world;
    auto before     = program(world);
    auto errors     = diags_.num_errors();
    bool user_error = false;
    auto wrong      = attempt(context, rest, user_error);
    if (user_error || (wrong.what.empty() && diags_.num_errors() != errors)) return Outcome::UserError;
    auto open = wrong.what.empty() ? world.externals.find_open() : nullptr;
    if (open) wrong.what = "the function `" + open->name.str() + "`, which is visible outside, has no body";
    if (wrong.what.empty() && i_.verify_each && i_.verify && verified_ != program(world)) {
        Profile::Scope scope(profile_, "verify", &world);
        wrong.what = i_.verify(world);
        verified_  = program(world);
    }
    if (!wrong.what.empty()) {
        fault(world, rest, wrong, *before);
        return Outcome::Fault;
    }
    print(world, rest.front());
    return Outcome::Done;
}

std::string PhaseManager::text(World& world, const Error& e) { return i_.text ? i_.text(world, e) : e.what(); }

PhaseManager::Wrong PhaseManager::attempt(PhaseContext& context, std::span<const Step> rest, bool& user_error) {
    auto& step = rest.front();
    Profile::Scope scope(profile_, step.phase->name, &context.world);
    auto run = [&] {
        Blame blame(step.plugin, "the phase", step.phase->name);
        step.phase->run(context);
    };
    try {
        auto crash = guarded(run);
        return crash ? Wrong{crash_text(*crash, step), crash->culprit.at} : Wrong();
    } catch (const Error& e) {
        auto who   = Blame::thrower();
        user_error = true;
        if (report_unlowered(context.world, rest)) return {};
        user_error = is_of_program(e.id);
        if (!user_error) return thrown(who, text(context.world, e), is_type_error(e.id)); // it built something wrongly
        Blame blame(step.plugin, "the phase", step.phase->name); // which is named where the error has no place
        i_.report(e);
    } catch (...) {
        auto what = fault_text(&diags_);
        return thrown(Blame::thrower(), what, true);
    }
    return {};
}

/// Handles an error that a phase has thrown, or a function of it for one axiom. Other errors than those of types say
/// already whose they are.
PhaseManager::Wrong PhaseManager::thrown(const Culprit& who, const std::string& what, bool names_nobody) {
    bool is_of_axiom = who.at && names_nobody;
    return {is_of_axiom ? std::string(who.kind) + " `" + std::string(who.name) + "` failed: " + what : what, who.at};
}

/// A phase may stumble over what should not be there any more. That is the user's to mend, and all that there is to say.
bool PhaseManager::report_unlowered(World& world, std::span<const Step> rest) {
    if (i_.target.empty()) return false;
    restore(world, *program_);
    auto app = find_unlowered(world, i_.target, rest);
    if (!app) return false;
    auto& axiom = head_axiom(app)->axiom();
    DiagArgs args{axiom.name.str(), std::string(plugin_name(axiom)), i_.target};
    auto& d = diags_.report(Diag::no_emitter, world.notes.span(app), std::move(args));
    d.note(Diag::lowered_by_phase, {}, {axiom.name.str()});
    return true;
}

void PhaseManager::fault(World& world, std::span<const Step> rest, const Wrong& wrong, const Externals& before) {
    restore(world, before);
    bool written = write_reproducer(world, rest);
    auto& step   = rest.front();
    auto place   = wrong.at ? world.notes.span(wrong.at) : Span();
    auto& d      = diags_.report(Diag::phase_broke, place, {owner_of(step), step.phase->name, wrong.what});
    if (written) d.note(Diag::reproducer_written, {}, {i_.reproducer});
}

bool PhaseManager::write_reproducer(World& world, std::span<const Step> rest) {
    if (i_.reproducer.empty() || !i_.print) return false;
    std::string text;
    try {
        if (guarded([&] { text = i_.print(world); })) return false;
    } catch (...) {
        thrown_text(); // what must go on does
        return false;
    }
    auto file = std::fopen(i_.reproducer.c_str(), "wb");
    if (!file) return false;
    auto& failed = rest.front().phase->name;
    auto head    = "// The program before the phase `" + failed + "`, which failed.\n";
    if (i_.reproducer_head) head += i_.reproducer_head(failed);
    head += "// phases from here on:";
    for (auto& step : rest)
        if (step.phase) head += " " + step.phase->name;
    head += "\n\n";
    bool ok = std::fwrite(head.data(), 1, head.size(), file) == head.size()
              && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return (std::fclose(file) == 0) && ok;
}

void PhaseManager::print(World& world, const Step& step) {
    auto& name = step.phase->name;
    if (i_.print_after != "all" && i_.print_after != name) return;
    auto text = i_.print(world);
    i_.show(text == last_print_ ? "// after " + name + ": unchanged\n" : "// after " + name + "\n" + text);
    last_print_ = std::move(text);
}

} // namespace mim
