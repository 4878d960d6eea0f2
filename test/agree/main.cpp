// SPDX-License-Identifier: MIT
// Random programs on which everything must agree; see batch.h for what is compared.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>

#include <poll.h>

#include "backend/backend.h"
#include "mutant.h"
#include "report.h"
#include "sessions.h"

namespace {

using namespace agree;
using Clock = std::chrono::steady_clock;

const char* const usage =
    R"(usage: agree [--count N] [--jobs N] [--seed N] [--batch N] [--modes M,…] [--with FEATURE]… [--without FEATURE]… [--carried PERCENT] [--out DIR] [--shrink N]
             [--mutants | --direct-style | --leaving] [--stats] [--coverage]
       agree --file FILE    checks a program that a failure left
       agree --print SEED   shows a program

--count     programs to generate (default 1000); program k has the seed `--seed` + k
--jobs      processes (default 1)
--batch     programs of one module (default 40)
--modes     of normalized, known, reread, phases, late, O0, O3, debug, checked (default all)
--with      puts a feature into programs that is left out by default, since something is wrong with it; or `all`
--carried   percent of programs that are loops over arrays of unknown length; default 4
--without   leaves a feature of programs out, see all_features in gen.h
--out       where failures are written (default: agree-out)
--shrink    how many smaller programs are tried for a failure (default 1500)
--stats     shows how many programs use what
--mutants   programs with one mistake, each in a process of its own: they are refused, or agree
--direct-style
            programs of effects in direct style, each in a process of its own: the checker refuses them for their
            tokens, or they agree; fails if it refuses more than four in five
--leaving   the same of calls in direct style that may leave, and of several tokens, each of which must be closed once
--coverage  fails if an axiom with a normalizer was never evaluated
)";

struct Settings {
    uint64_t count = 1000, seed = 1;
    unsigned jobs = 1, batch = 40, shrink = 1500;
    std::set<std::string> modes{all_modes.begin(), all_modes.end()};
    std::string out = "agree-out", file;
    bool coverage = false, print = false, stats = false, mutants = false, direct_style = false, leaving = false;
    GenOptions gen;

    bool may_lack_tokens() const { return direct_style || leaving; }
    bool may_be_refused() const { return mutants || may_lack_tokens(); }
};

/// The mutant of this seed; no program depends on what may be undefined, so that a mutant shows what the checker lets pass.
Program make_mutant(const Settings& s, uint64_t seed) {
    auto options = s.gen;
    options.without.insert("risk");
    auto program = generate(seed / 4, "t" + std::to_string(seed), options);
    Random random(seed * 0x9e3779b97f4a7c15ull + 7);
    for (int tries = 0; tries != 20; ++tries)
        if (!mutate(program.tree, random, options).empty()) break;
    return program;
}

Program make_program(const Settings& s, uint64_t seed) {
    auto name = "t" + std::to_string(seed);
    if (s.mutants) return make_mutant(s, seed);
    if (s.direct_style) return generate_direct_style(seed, name, s.gen);
    if (s.leaving) return generate_leaving(seed, name);
    return generate(seed, name, s.gen);
}

std::vector<Program> make_batch(const Settings& s, uint64_t first) {
    std::vector<Program> programs;
    for (uint64_t i = first, end = std::min(first + s.batch, s.count); i != end; ++i)
        programs.push_back(make_program(s, s.seed + i));
    return programs;
}

class Run {
public:
    explicit Run(const Settings& s)
        : s_(s)
        , reporter_(s.out, s.shrink)
        , begin_(Clock::now())
        , shown_(begin_) {}

    int run() {
        uint64_t next = 0;
        while (next < s_.count || num_running() != 0) {
            for (unsigned j = 0; j != s_.jobs; ++j) {
                if (children_.size() <= j) children_.emplace_back();
                if (children_[j] || next >= s_.count) continue;
                children_[j] = std::make_unique<Child>(make_batch(s_, next), s_.modes,
                                                       make_folder(s_.out, "job" + std::to_string(j)));
                next += s_.batch;
            }
            wait();
            show_progress(false);
        }
        show_progress(true);
        if (s_.stats) show_uses();
        bool complete = !s_.coverage || check_coverage();
        if (s_.may_lack_tokens() && tally_.refused * 5 > num_made_ * 4) {
            std::puts("the checker refused more than four in five of the programs: they say little");
            complete = false;
        }
        return reporter_.num_failures() == 0 && complete ? 0 : 1;
    }

private:
    size_t num_running() const {
        return static_cast<size_t>(std::count_if(children_.begin(), children_.end(), [](auto& c) { return bool(c); }));
    }

    void wait() {
        std::vector<pollfd> fds;
        for (auto& c : children_) fds.push_back({c ? c->fd() : -1, POLLIN, 0});
        if (::poll(fds.data(), fds.size(), 5000) <= 0) return;
        for (size_t j = 0; j != fds.size(); ++j) {
            if (!fds[j].revents || !children_[j]->read()) continue;
            auto child   = std::move(children_[j]);
            auto outcome = child->outcome();
            tally_ += outcome.tally;
            for (auto& p : child->programs())
                for (auto& what : p.uses) ++uses_[what];
            num_made_ += child->programs().size();
            if (!outcome.failures.empty()) reporter_.investigate(child->programs(), outcome.failures, s_.modes);
        }
    }

    void show_progress(bool last) {
        auto now = Clock::now();
        if (!last && now - shown_ < std::chrono::seconds(10)) return;
        shown_       = now;
        auto seconds = std::chrono::duration<double>(now - begin_).count();
        std::printf("%llu programs, %llu runs (%.1f %% undefined, %.2f %% too long), %u failures, %.0f s, %.0f programs/s\n",
                    (unsigned long long)tally_.programs, (unsigned long long)tally_.runs,
                    100.0 * double(tally_.undefined) / double(std::max<uint64_t>(tally_.runs, 1)),
                    100.0 * double(tally_.long_runs) / double(std::max<uint64_t>(tally_.runs, 1)), reporter_.num_failures(),
                    seconds, double(tally_.programs) / seconds);
        if (s_.may_be_refused())
            std::printf("    %llu refused by the checker, %llu later, %llu accepted\n", (unsigned long long)tally_.refused,
                        (unsigned long long)tally_.refused_late,
                        (unsigned long long)(num_made_ - tally_.refused - tally_.refused_late));
        std::fflush(stdout);
    }

    void show_uses() const {
        for (auto what : all_uses) {
            auto found = uses_.find(what);
            auto n     = found == uses_.end() ? 0 : found->second;
            std::printf("%10llu programs, %4.1f %%: %s\n", (unsigned long long)n,
                        100.0 * double(n) / double(std::max<uint64_t>(num_made_, 1)), what);
        }
    }

    bool check_coverage() {
        bool complete = true;
        for (auto& axiom : normalized_axioms()) {
            // in filters only: what is known differs with the normalizers on purpose
            if (tally_.axioms.contains(axiom) || axiom == "%core.pe.known") continue;
            if (axiom == "%core.absurd") continue; // has no value
            std::printf("never evaluated: %s\n", axiom.c_str());
            complete = false;
        }
        return complete;
    }

    const Settings& s_;
    Reporter reporter_;
    Clock::time_point begin_, shown_;
    std::vector<std::unique_ptr<Child>> children_;
    Tally tally_;
    std::map<std::string, uint64_t> uses_;
    uint64_t num_made_ = 0;
};

std::set<std::string> words(const char* list) {
    std::set<std::string> all;
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');) all.insert(word);
    return all;
}

int check_file(const Settings& s) {
    std::vector<Program> programs;
    if (!read_programs(s.file, programs)) return std::fprintf(stderr, "agree: `%s` holds no programs\n", s.file.c_str()), 2;
    auto outcome = isolated(programs, s.modes, make_folder(s.out, "file"));
    for (auto& f : outcome.failures) std::printf("FAILED %s, input %d: %s\n", f.mode.c_str(), f.input, f.message.c_str());
    std::printf("%llu runs, %llu undefined\n", (unsigned long long)outcome.tally.runs,
                (unsigned long long)outcome.tally.undefined);
    return outcome.failures.empty() ? 0 : 1;
}

/// Null if it is none.
bool* flag_of(Settings& s, const std::string& arg) {
    if (arg == "--coverage") return &s.coverage;
    if (arg == "--stats") return &s.stats;
    if (arg == "--mutants") return &s.mutants;
    if (arg == "--direct-style") return &s.direct_style;
    if (arg == "--leaving") return &s.leaving;
    return nullptr;
}

bool parse(int argc, char** argv, Settings& s) {
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (auto flag = flag_of(s, arg)) {
            *flag = true;
            continue;
        }
        if (i + 1 == argc) return false;
        auto value  = argv[++i];
        auto number = std::strtoull(value, nullptr, 10);
        if (arg == "--count") s.count = number;
        else if (arg == "--seed") s.seed = number;
        else if (arg == "--jobs") s.jobs = static_cast<unsigned>(std::max<uint64_t>(number, 1));
        else if (arg == "--batch") s.batch = static_cast<unsigned>(std::max<uint64_t>(number, 1));
        else if (arg == "--shrink") s.shrink = static_cast<unsigned>(number);
        else if (arg == "--modes") s.modes = words(value);
        else if (arg == "--without") s.gen.without.insert(value);
        else if (arg == "--carried") s.gen.carried = static_cast<unsigned>(number);
        else if (arg == "--with") value == std::string("all") ? s.gen.without.clear() : void(s.gen.without.erase(value));
        else if (arg == "--out") s.out = value;
        else if (arg == "--file") s.file = value;
        else if (arg == "--print") s.print = true, s.seed = number;
        else return false;
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Settings s;
    if (!parse(argc, argv, s)) return std::fputs(usage, stderr), 2;
    if (s.mutants) s.batch = 1, s.modes.insert("mutant");
    if (s.may_lack_tokens()) s.batch = 1, s.modes.insert("tokens");
    if (s.print) return std::fputs(module_text({make_program(s, s.seed)}).c_str(), stdout), 0;
    mim::backend::llvm_version(); // opens the library once, not in each process
    prepare_sessions();
    if (!s.file.empty()) return check_file(s);
    return Run(s).run();
}
