// SPDX-License-Identifier: MIT
#include "batch.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "backend/backend.h"
#include "diag/family.h"
#include "driver/pipeline.h"
#include "driver/session.h"
#include "eval/eval.h"
#include "native.h"
#include "sessions.h"

namespace agree {

using namespace mim;
using std::string;

namespace {

constexpr uint64_t max_steps = 200'000; ///< of one evaluation; what takes longer is not compared

struct Result {
    enum Kind : uint8_t { Value, Undefined, TooLong, Failed } kind = Value;
    uint64_t value = 0, trace = 0;
    string message = {};

    bool same(const Result& r) const { return kind == r.kind && value == r.value && trace == r.trace; }
    string show() const {
        switch (kind) {
            case Value: return std::to_string(value) + " after effects " + std::to_string(trace % 10007);
            case Undefined: return "undefined: " + message;
            case TooLong: return "too long";
            case Failed: break;
        }
        return "failed: " + message;
    }
};
using Results = std::vector<std::vector<Result>>;

/// The first errors of a session.
string errors(Session& s) {
    string text;
    int n = 0;
    for (auto& d : s.diags.all())
        if (d.severity == Severity::Error && n++ < 3) text += render_text(s.sources, d, false);
    return text;
}

/// The first line in which the texts differ.
string difference(const string& before, const string& after) {
    std::istringstream a(before), b(after);
    string x, y;
    for (int line = 1;; ++line) {
        bool more = bool(std::getline(a, x));
        if (!std::getline(b, y)) y = "nothing";
        if (!more || x != y) return "line " + std::to_string(line) + " is printed\n    " + x + "\nand after reading\n    " + y;
    }
}

class Checker {
public:
    Checker(const std::vector<Program>& programs, const std::set<string>& modes, string folder, Tally& tally)
        : programs_(programs)
        , modes_(modes)
        , folder_(std::move(folder))
        , tally_(tally) {}

    std::vector<Failure> run() {
        try {
            run_modes();
        } catch (const Error& e) {
            fail("exception", e.what());
        } catch (const TooManyErrors&) {
            fail("exception", "too many errors");
        }
        if (wants("tokens") && is_refused_for_tokens_) {
            ++tally_.refused;
            return {};
        }
        return std::move(failures_);
    }

    void run_modes() {
        auto text = module_text(programs_);
        if (!reference(text)) return;
        if (wants("normalized") || wants("known") || wants("reread") || wants("phases") || wants("late") || wants("O0")
            || wants("O3"))
            compile(text);
        if (failures_.empty() && wants("debug")) debug(text);
        if (failures_.empty() && wants("checked")) checked(text);
    }

    /// The mutant is the only program.
    std::vector<Failure> run_mutant() {
        auto text = module_text(programs_);
        try {
            auto& s = take_session(Kind::Compiler);
            if (!load(s, text, "mutant")) {
                tally_.refused += is_refusal(failures_.back());
                if (is_refusal(failures_.back())) failures_.clear();
                return std::move(failures_);
            }
        } catch (const Error& e) {
            fail("exception", e.what());
            return std::move(failures_);
        } catch (const TooManyErrors&) {
            ++tally_.refused;
            return {};
        }
        auto found = run();
        if (found.empty()) return unsound(text);
        // A program may depend on a normalizer, and need more than the back end has.
        auto& f   = found.front();
        bool late = f.mode == "written" || f.mode.starts_with("after") || f.mode == "phases" || f.mode == "O0"
                    || f.mode == "normalized";
        if (!late || !is_refusal(f)) return found;
        ++tally_.refused_late;
        return {};
    }

private:
    /// A diagnostic of the program, not of the compiler.
    static bool is_refusal(const Failure& f) {
        bool coded = f.message.find("[E") != string::npos;
        return coded && f.message.find("fault of") == string::npos && f.message.find("[E419]") == string::npos;
    }

    /// Faults that the evaluator reports and no well-typed program has: the mutant should have been refused.
    std::vector<Failure> unsound(const string& text) const {
        auto has     = [&](const char* part) { return text.find(part, std::strlen(prelude)) != string::npos; };
        bool foreign = has("%mem.malloc") || has("%mem.free") || has("%core.bitcast (%mem.Ptr");
        for (size_t i = 0; i != expected_[0].size(); ++i) {
            auto& r    = expected_[0][i];
            auto says  = [&](const char* part) { return r.message.find(part) != string::npos; };
            bool wrong = says("index out of range")
                         || (!foreign && (says("past the end") || says("made from a number") || says("null pointer")));
            if (r.kind == Result::Undefined && wrong) return {{"unsound", r.message, 0, static_cast<int>(i)}};
        }
        return {};
    }

    bool wants(const char* mode) const { return modes_.contains(mode); }
    void fail(string mode, string message, int program = -1, int input = -1) {
        failures_.push_back({std::move(mode), std::move(message), program, input});
    }

    /// False after reporting a failure of this mode.
    bool load(Session& s, const string& text, const char* mode) {
        auto path = folder_ + "/" + mode + ".mim";
        std::ofstream(path) << text;
        if (s.load_program(path) && s.check_tokens() && s.diags.num_errors() == 0) return true;
        fail(mode, errors(s));
        bool is_first_look     = mode == string("written") || mode == string("normalized");
        is_refused_for_tokens_ = is_first_look && has_token_errors_only(s);
        return false;
    }

    static bool has_token_errors_only(const Session& s) {
        auto is_of_tokens = [](const Diagnostic& d) {
            if (d.severity != Severity::Error) return true;
            return d.id == Diag::token_used_twice || d.id == Diag::token_dropped || d.id == Diag::token_escapes
                   || d.id == Diag::token_in_loop;
        };
        return s.diags.num_errors() != 0 && std::ranges::all_of(s.diags.all(), is_of_tokens);
    }

    bool reference(const string& text) {
        auto& s = take_session(Kind::Reference);
        if (!load(s, text, "written")) return false;
        s.world.checked =
            true; // what is passed by value and undefined is so although nobody looks at it: machine code may branch on it
        expected_ = evaluate(s, "written");
        for (size_t p = 0; p != programs_.size(); ++p) {
            bool defined = false;
            for (auto& r : expected_[p]) {
                ++tally_.runs;
                defined |= r.kind == Result::Value;
                tally_.undefined += r.kind == Result::Undefined;
                tally_.long_runs += r.kind == Result::TooLong;
            }
            tally_.programs += defined;
        }
        return failures_.empty();
    }

    Result evaluate_one(eval::Machine& m, const Def* fn, const Input* input) {
        forget_effects();
        m.budget().limit_steps(max_steps);
        try {
            auto f          = m.eval(fn);
            eval::Value arg = eval::Value::token();
            if (input) {
                eval::Values values{eval::Value::token()};
                for (auto x : *input) values.push_back(eval::Value::num(x));
                arg = m.tuple(std::move(values));
            }
            auto r = m.call_cps(f, &arg);
            m.token(m.elem(r, 0));
            auto value = m.num(m.elem(r, 1));
            if (open_tokens() != 0) return {Result::Failed, 0, 0, std::to_string(open_tokens()) + " tokens are left open"};
            return {Result::Value, value, effects()};
        } catch (const eval::UndefinedBehaviour& e) {
            return {Result::Undefined, 0, 0, e.message};
        } catch (const eval::Failure& e) {
            bool limit = e.message.find("more steps") != string::npos;
            return {limit ? Result::TooLong : Result::Failed, 0, 0, e.message};
        }
    }

    /// All programs on all inputs, or those that are chosen; the others have the result that is expected. Failures of the evaluator
    /// itself are reported.
    Results evaluate(
        Session& s, const string& mode, const std::function<bool(size_t, size_t)>& chosen = [](size_t, size_t) { return true; }) {
        Results results = expected_;
        results.resize(programs_.size());
        std::unordered_set<const Axiom*> used;
        auto body = [&](eval::Machine& m) {
            add_hosts(m);
            m.used                     = &used;
            m.memory().loads_unwritten = mode.starts_with("after ") || mode == "late";
            for (size_t p = 0; p != programs_.size(); ++p) {
                auto fn = s.world.externals.find(programs_[p].name);
                results[p].resize(programs_[p].inputs.size());
                for (size_t i = 0; i != programs_[p].inputs.size(); ++i) {
                    if (!chosen(p, i)) continue;
                    auto r = evaluate_one(m, fn, &programs_[p].inputs[i]);
                    if (r.kind == Result::Failed)
                        fail(mode, "the evaluator: " + r.message, static_cast<int>(p), static_cast<int>(i));
                    results[p][i] = std::move(r);
                }
            }
            return 0;
        };
        auto r = eval::run(s.world, body, {uint64_t(1) << 60, uint64_t(1) << 30, 1 << 20});
        if (r.status != eval::Result::Done) fail(mode, "the evaluator: " + r.message);
        for (auto a : used) tally_.axioms.insert(a->name.str());
        return results;
    }

    void compare(const Results& got, const string& mode) {
        for (size_t p = 0; p != got.size(); ++p) {
            for (size_t i = 0; i != got[p].size(); ++i) {
                auto& want = expected_[p][i];
                if (want.kind != Result::Value || got[p][i].same(want)) continue;
                if (got[p][i].kind == Result::TooLong) continue;
                fail(mode, "expected " + want.show() + ", got " + got[p][i].show(), static_cast<int>(p), static_cast<int>(i));
                break;
            }
        }
    }

    void compile(const string& text) {
        auto& s = take_session(Kind::Compiler);
        if (!load(s, text, "normalized")) return;
        if (wants("normalized")) {
            if (auto wrong = verify_text(s.world); !wrong.empty()) return fail("normalized", "verifier: " + wrong);
            compare(evaluate(s, "normalized"), "normalized");
        }
        if (wants("known")) known(s);
        if (wants("reread") && failures_.empty()) reread(s, "reread");
        if (!wants("phases") && !wants("late") && !wants("O0") && !wants("O3")) return;
        if (!failures_.empty() || !pipeline(s)) return;
        if (wants("late")) reread(s, "late", true);
        for (unsigned level : {0, 3})
            if (string mode = level ? "O3" : "O0"; wants(mode.c_str()) && failures_.empty()) native(s, level, mode);
    }

    /// Prints, reads, prints: the two texts are equal, and the program means the same.
    void reread(Session& s, const string& mode, bool is_made_by_phases = false) {
        auto text  = print_program(s.world);
        auto again = print_again(text, mode, is_made_by_phases);
        // phases make functions in another order than a text has them: operands that look alike may change places then, once
        bool may_settle = is_made_by_phases && !again.empty() && again != text;
        if (may_settle) text = std::exchange(again, print_again(again, mode, true));
        if (!again.empty() && again != text) fail(mode, difference(text, again));
    }

    /// The text of a program that was read; empty if it could not be. Compares what the program does.
    string print_again(const string& text, const string& mode, bool is_made_by_phases) {
        auto& other             = take_session(Kind::Compiler);
        other.is_made_by_phases = is_made_by_phases;
        if (!load(other, text, "reread")) return "";
        auto again = print_program(other.world);
        compare(evaluate(other, mode), mode);
        return again;
    }

    /// The same with literals for inputs.
    void known(Session& s) {
        auto& w = s.world;
        std::vector<std::pair<Lam*, std::pair<size_t, size_t>>> calls;
        for (size_t p = 0; p != programs_.size(); ++p) {
            auto fn  = w.externals.find(programs_[p].name);
            auto dom = fn->dom(); // [[M, I64, …], Cn [M, I64]]
            auto mem = elem_type(w, dom->op(0), fn->var(), w.lit_idx(5, 0));
            for (size_t i = 0; i != 2; ++i) {
                if (expected_[p][i].kind != Result::Value) continue;
                auto lam = w.mut_lam(w.cn(w.sigma({mem, dom->op(1)})));
                w.set_filter(lam, w.ff());
                std::vector<const Def*> args{w.extract(lam->var(), 0)};
                for (auto x : programs_[p].inputs[i]) args.push_back(w.lit_idx(w.lit_2_64(), x));
                try {
                    w.set_body(lam, w.beta(fn, w.tuple({w.tuple(args), w.extract(lam->var(), 1)})));
                } catch (const Error& e) {
                    fail("known", e.what(), static_cast<int>(p), static_cast<int>(i));
                    continue;
                }
                w.close(std::span<Lam* const>(&lam, 1));
                calls.push_back({lam, {p, i}});
            }
        }
        auto body = [&](eval::Machine& m) {
            add_hosts(m);
            for (auto& [lam, at] : calls) {
                auto r     = evaluate_one(m, lam, nullptr);
                auto& want = expected_[at.first][at.second];
                if (r.kind == Result::TooLong || r.same(want)) continue;
                fail("known", "expected " + want.show() + ", got " + r.show(), static_cast<int>(at.first),
                     static_cast<int>(at.second));
            }
            return 0;
        };
        auto r = eval::run(w, body, {uint64_t(1) << 60, uint64_t(1) << 30, 1 << 20});
        if (r.status != eval::Result::Done) fail("known", "the evaluator: " + r.message);
    }

    /// Runs the default pipeline; with the mode `phases`, what a phase changed is checked after it. Nodes never change, so a function
    /// that is the same node as before means the same.
    bool pipeline(Session& s) {
        auto def = s.expression(kDefaultPipeline, "agree");
        std::vector<Step> steps;
        if (!def || !interpret(s, def, {}, steps)) return fail("phases", errors(s)), false;
        std::map<size_t, uint64_t> rounds; // of what ends at this step
        bool changed = false;              // in this round
        auto before  = functions(s);
        for (size_t n = 0; n < steps.size(); ++n) {
            auto& step = steps[n];
            if (!step.phase) {
                if (++rounds[n] < step.limit && std::exchange(changed, false)) n -= step.back + 1;
                continue;
            }
            Instruments i;
            i.report    = [&](const Error& e) { s.report(e); };
            string mode = "after " + step.phase->name;
            PhaseManager manager(i, s.diags, s.profile);
            if (manager.run(s.world, std::span<const Step>(&step, 1)) != Outcome::Done) return fail(mode, errors(s)), false;
            auto after = functions(s);
            if (after == before) continue;
            changed = true;
            if (wants("phases")) {
                if (auto wrong = verify_text(s.world); !wrong.empty()) return fail(mode, "verifier: " + wrong), false;
                compare(evaluate(s, mode, [&](size_t p, size_t) { return before[p] != after[p]; }), mode);
            }
            if (!failures_.empty()) return false;
            before = std::move(after);
        }
        return true;
    }

    /// What the programs are at this time.
    std::vector<const Def*> functions(Session& s) const {
        std::vector<const Def*> all;
        for (auto& p : programs_) all.push_back(s.world.externals.find(p.name));
        return all;
    }

    /// Null if the program does not become code; errors(s) says why.
    std::unique_ptr<backend::Code> compile(Session& s, unsigned level, const string& mode) {
        backend::EmitOptions options;
        options.opt     = level;
        options.checked = mode == "checked";
        options.debug   = mode == "debug";
        return backend::compile_in_memory(s.world, s.diags, options);
    }

    void native(Session& s, unsigned level, const string& mode) {
        auto code = compile(s, level, mode);
        if (!code) return fail(mode, errors(s));
        run_code(s, *code, mode);
    }

    void run_code(Session& s, backend::Code& code, const string& mode) {
        for (size_t p = 0; p != programs_.size(); ++p) {
            auto fn = code.address(s.diags, programs_[p].name);
            if (!fn) return fail(mode, errors(s));
            for (size_t i = 0; i != programs_[p].inputs.size(); ++i)
                if (!native_one(fn, p, i, mode == "checked", mode)) break;
        }
    }

    bool native_one(void* fn, size_t p, size_t i, bool checked, const string& mode) {
        auto& want = expected_[p][i];
        bool trap  = checked && want.kind == Result::Undefined && is_trapped(want.message);
        if (want.kind != Result::Value && !trap) return true;
        uint64_t value = 0;
        auto signal    = call_native(fn, programs_[p].inputs[i], value);
        auto bad       = [&](const string& what) {
            fail(mode, "expected " + want.show() + ", got " + what, static_cast<int>(p), static_cast<int>(i));
            return false;
        };
        if (signal.empty() && trap) return bad("no trap");
        if (trap) return signal == "trap" || bad(signal);
        if (!signal.empty()) return bad(signal);
        Result got{Result::Value, value, effects() + static_cast<uint64_t>(open_tokens())};
        return got.same(want) || bad(got.show());
    }

    /// What section 1 of the language says is trapped with --checked.
    static bool is_trapped(const string& message) {
        for (auto part : {"division by zero", "overflow in", "outside of its type"})
            if (message.find(part) != string::npos) return true;
        return false;
    }

    /// Options never decide whether a program compiles (doc/adr/0015): a program that does not become code is compiled anew, and less of
    /// it is kept, as `mim` does it.
    struct Kept {
        bool functions = false, names = false, traps = false;
    };

    void debug(const string& text) {
        compile_anew(text, "debug", Kind::Debug, {{.functions = true, .names = true}, {.names = true}, {}},
                     [&](Session& s, backend::Code& code) { run_code(s, code, "debug"); });
    }

    void checked(const string& text) {
        compile_anew(text, "checked", Kind::Checked, {{.traps = true}, {}}, [&](Session& s, backend::Code& code) {
            // Normalizers and phases may define what was undefined, when nothing depends on it: it is the program that is emitted that
            // must trap.
            auto undefined = [&](size_t p, size_t i) { return expected_[p][i].kind == Result::Undefined; };
            expected_      = evaluate(s, "checked", undefined);
            run_code(s, code, "checked");
        });
    }

    template<class F>
    void compile_anew(const string& text, const char* mode, Kind kind, std::initializer_list<Kept> tries, F run) {
        string wrong;
        for (auto& kept : tries) {
            auto& s             = take_session(kind);
            s.world.debug       = kept.names;
            s.world.keeps_traps = kept.traps;
            if (!load(s, text, mode)) return;
            PipelineOptions options;
            options.pipeline  = kDefaultPipeline;
            options.debugging = kept.functions;
            bool is_done      = run_pipeline(s, options) == Outcome::Done;
            auto code         = is_done ? compile(s, mode == string("debug") ? 0 : 1, mode) : nullptr;
            if (code) return run(s, *code);
            wrong = errors(s);
            // Code that LLVM rejects is our fault, though `mim` hides it by compiling anew.
            bool users = std::ranges::any_of(s.diags.all(),
                                             [](auto& d) { return is_of_program(d.id) && d.id != Diag::llvm_failed; });
            if (!users) break;
        }
        fail(mode, wrong);
    }

    const std::vector<Program>& programs_;
    const std::set<string>& modes_;
    string folder_;
    Tally& tally_;
    Results expected_;
    std::vector<Failure> failures_;
    bool is_refused_for_tokens_ = false;
};

} // namespace

void Tally::operator+=(const Tally& t) {
    programs += t.programs, runs += t.runs, undefined += t.undefined, long_runs += t.long_runs;
    refused += t.refused, refused_late += t.refused_late;
    axioms.insert(t.axioms.begin(), t.axioms.end());
}

string module_text(const std::vector<Program>& programs) {
    string text;
    for (auto& p : programs) text += p.tree.text() + "\n";
    return text.starts_with("plugin ") ? text : prelude + text; // those of a file bring what they need
}

std::set<string> normalized_axioms() {
    Session s;
    s.load_plugin("core");
    s.load_plugin("mem");
    std::set<string> names;
    for (auto& a : s.registry.axioms())
        if (a.normalizer) names.insert(a.name.str());
    return names;
}

std::vector<Failure> check(const std::vector<Program>& programs, const std::set<string>& modes, const string& folder,
                           Tally& tally) {
    return Checker(programs, modes, folder, tally).run();
}

std::vector<Failure> check_mutant(const Program& mutant, const std::set<string>& modes, const string& folder, Tally& tally) {
    std::vector<Program> alone{mutant};
    return Checker(alone, modes, folder, tally).run_mutant();
}

} // namespace agree
