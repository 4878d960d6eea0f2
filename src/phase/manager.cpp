// SPDX-License-Identifier: MIT
#include "phase/manager.h"

#include <cstdio>

#include "phase/crash.h"

namespace mim {

namespace {

/// Errors of evaluation belong to the program, whoever was evaluating; anything else that a phase builds wrongly is its own fault.
bool is_users(const Error& e) { return info(e.id).code.starts_with("E5"); }

/// Nodes never change, so going back to an earlier program is a matter of its externals alone.
void restore(World& world, const std::vector<World::External>& before) {
    auto now = world.externals();
    for (auto& e : now) world.remove_external(e.name);
    for (auto& e : before) world.make_external(e.name, e.lam);
}

} // namespace

PhaseManager::Outcome PhaseManager::run(World& world, std::span<const Step> steps) {
    bool started = i_.start_at.empty();
    for (size_t n = 0; n < steps.size(); ++n) {
        auto& name = steps[n].phase->name;
        started |= name == i_.start_at;
        if (!started) continue;
        if (auto outcome = run_phase(world, steps.subspan(n)); outcome != Outcome::Done) return outcome;
        if (name == i_.stop_after) break;
    }
    return Outcome::Done;
}

PhaseManager::Outcome PhaseManager::run_phase(World& world, std::span<const Step> rest) {
    auto before     = world.externals();
    auto errors     = diags_.num_errors();
    bool user_error = false;
    auto wrong      = attempt(world, rest.front(), user_error);
    if (user_error || (wrong.empty() && diags_.num_errors() != errors)) return Outcome::UserError;
    if (wrong.empty() && i_.verify_each && i_.verify) {
        Profile::Scope scope(profile_, "verify", &world);
        wrong = i_.verify(world);
    }
    if (!wrong.empty()) {
        fault(world, rest, wrong, before);
        return Outcome::Fault;
    }
    print(world, rest.front());
    return Outcome::Done;
}

std::string PhaseManager::attempt(World& world, const Step& step, bool& user_error) {
    Profile::Scope scope(profile_, step.phase->name, &world);
    try {
        PhaseContext context{world, diags_};
        if (int signal = guarded([&] { step.phase->run(context); })) return "it crashed with signal " + std::to_string(signal);
    } catch (const Error& e) {
        if (!is_users(e)) return e.what();
        i_.report(e);
        user_error = true;
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

void PhaseManager::fault(World& world, std::span<const Step> rest, const std::string& what,
                         const std::vector<World::External>& before) {
    restore(world, before);
    bool written = write_reproducer(world, rest);
    auto& step   = rest.front();
    auto& d      = diags_.report(Diag::phase_broke, {}, {step.owner, step.phase->name, what});
    if (written) d.note(Diag::reproducer_written, {}, {i_.reproducer});
}

bool PhaseManager::write_reproducer(World& world, std::span<const Step> rest) {
    if (i_.reproducer.empty() || !i_.print) return false;
    std::string text;
    try {
        if (guarded([&] { text = i_.print(world); })) return false;
    } catch (const std::exception&) {
        return false;
    }
    auto file = std::fopen(i_.reproducer.c_str(), "wb");
    if (!file) return false;
    auto& failed = rest.front().phase->name;
    auto head    = "// The program before the phase `" + failed + "`, which failed.\n";
    if (i_.reproducer_head) head += i_.reproducer_head(failed);
    head += "// phases from here on:";
    for (auto& step : rest) head += " " + step.phase->name;
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
