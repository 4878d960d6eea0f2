// SPDX-License-Identifier: MIT
// Registers the plugin `mil`. What it declares is in mil.mim.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "backend/emit.h"
#include "count.h"
#include "driver/plugin.h"
#include "kit/match.h"
#include "mil/annexes.h"
#include "mil/diagnostics.h"

namespace mim::plug::mil {

namespace {

/// The program of a session, for its outputs.
struct State {
    std::shared_ptr<Source> source; ///< the program after its passes
    std::optional<Program> counted; ///< where the user asked to see that
    CFunctions c_functions;
    uint32_t functions = 0; ///< of Mim have numbers below that
};

/// The kind of `main`: a `Proc`, and whether it returns a word.
void find_main(Source& s) {
    auto main = s.main->values.find("main");
    if (main == s.main->values.end()) return;
    auto bind = main->second;
    if (bind->top == kNone) return; // a function
    s.program.main = bind->top;
    auto& typing   = s.program.tops[bind->top].typing;
    auto own       = typing.scheme.type;
    auto type      = s.types.closed(own ? own : bind->scheme.type);
    typing.scheme  = {{}, type};
    typing.is_kept = true;
    std::vector<Type*> parts;
    bool is_proc    = s.types.is_apply(type, "Proc", parts);
    bool is_closure = !is_proc && s.types.text(type).starts_with("[] ->> ");
    if (is_closure) s.types.is_apply(parts[1], "[1]", parts); // behind the pass `single`

    s.program.main_is_proc    = is_proc || is_closure;
    s.program.main_is_closure = is_closure;
    s.program.main_is_word    = s.program.main_is_proc && parts.size() == 1 && s.types.text(parts[0]) == "Word";

    s.program.tops[bind->top].is_exported = true;
}

/// From text to a program in MIL that has types. False after a report.
bool read_typed(FrontEndContext& c, const std::string& library, Source& source) {
    Profile::Scope scope(c.profile, "types");
    if (!read(c, library, source)) return false;
    bool is_whole = c.diags.num_errors() == 0;
    declare_types(c, source);
    resolve(c, source);
    bool is_typed = is_whole && !check_types(c, source).tops.empty();
    if (is_typed) check_aliases(c.diags, source);
    infer(c, source);
    if (c.diags.num_errors()) return false;
    lower(source);
    if (!source.uses.empty()) order_tops(c.diags, source.program, 0);
    source.uses.clear();
    if (c.diags.num_errors()) return false;
    find_main(source);
    if (!make_entries(c, source)) return false;
    shake(source.program);
    check_again(c, source, source.program);
    bool is_fine              = generate(c, source);
    source.types.closes_sizes = true;
    return is_fine;
}

/// Text is all that is made of the program: nobody needs code.
bool makes_text_alone(const FrontEndContext& c) {
    bool is_asked = !c.is_imported && !c.outputs.empty();
    return is_asked && std::ranges::all_of(c.outputs, [](auto& output) { return output.starts_with("mil"); });
}

std::optional<FrontEndProgram> read_mil_program(FrontEndContext& c, const std::string& library, State& state) {
    auto bits = c.settings.number("mil.word");
    if (bits != 32 && bits != 64) {
        c.error(0, 0, "a word has 32 or 64 bits, not " + std::to_string(bits));
        return {};
    }
    auto source               = std::make_shared<Source>();
    source->program.word_bits = static_cast<unsigned>(bits);

    source->program.first_function = state.functions;
    if (!read_typed(c, library, *source)) return {};
    // The machine runs what no pass has changed, unless the user asks for passes.
    auto own = has_default_passes(c) ? std::make_shared<Program>(source->program) : nullptr;
    if (!run_passes(c, *source)) return {};
    bool has_main = source->program.main != kNone;
    bool is_run   = has_main || !source->program.entries.empty();
    bool has_code = is_run && !makes_text_alone(c);
    state.source  = source;
    state.counted.reset();
    if (has_code || source->shows_counts) {
        Profile::Scope scope(c.profile, "code");
        auto counted      = prepare(c, *source);
        bool cannot_check = c.settings.number("mil.check-heap") != 0 && !counted.is_counted;
        if (cannot_check) {
            c.error(0, 0, "`mil.check-heap` needs counts: a function calls itself at larger and larger types, so objects stay");
            return {};
        }
        if (c.diags.num_errors()) return {};
        if (has_code) make_code(c, counted, state.c_functions);
        if (source->shows_counts) state.counted = std::move(counted.program);
    }
    if (has_main) {
        c.evaluator = [source, own, &world = c.world](const std::vector<std::string>&) {
            return run_machine(own ? *own : source->program, world);
        };
    }
    auto functions = mim_functions(source->program);
    state.functions += static_cast<uint32_t>(source->program.c_functions.size());
    return functions;
}

backend::Value emit_table(backend::Emit& e, const Def* app) {
    return e.call("mim_mil_start", e.int_type(64), {e.elem(arg_of(app), 1)});
}

bool has_program(BackEndContext& c, const State& state) {
    if (state.source) return true;
    c.error("the program is in none of the languages of the plugin mil");
    return false;
}

std::optional<std::string> emit_mil(BackEndContext& c, const State& state) {
    if (!has_program(c, state)) return {};
    auto& program = state.counted ? *state.counted : state.source->program;
    return print(program, state.source->types);
}

/// Writes a report on the program behind its passes.
std::optional<std::string> emit_more(BackEndContext& c, const State& state, std::string (*text)(const Source&)) {
    if (!has_program(c, state)) return {};
    return text(*state.source);
}
std::string stats_of(const Source& s) { return s.report.stats(s.program); }
std::string trace_of(const Source& s) { return s.report.trace; }
std::string dot_of(const Source& s) { return dot(s.program); }

} // namespace

} // namespace mim::plug::mil

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::mil;
    auto state = std::make_shared<State>();
    p.diagnostics(mim::plug::mil::diag::all());
    p.option("word", uint64_t(32), "how many bits a word has, 32 or 64");
    p.option("passes", "default",
             "passes on the program in MIL: `opt`, `single`, `special`, `data`, `bits`, and at the end `count`; `none`; "
             "`default` is `opt single opt special data bits opt`");
    p.option("trace", uint64_t(0), "1: `--emit mil-trace` shows each rewrite of the optimizer");
    p.option("check-heap", uint64_t(0),
             "1: whether a program whose objects have not all gone at its end says so, with the status 4");
    register_normalizers(p);
    p.axiom("%mil.table").effect().emit("llvm", emit_table);
    p.library({.name = "mim_mil_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
    p.phase("mil.foreign", "puts functions of Mim where programs in LC and MIL call them", link_mim_functions);
    p.join("front", "mil.foreign");
    auto folder = p.folder();
    for (auto extension : {"lc", "llc", "mil", "lmil"})
        p.front_end(extension, [=](mim::FrontEndContext& c) { return read_mil_program(c, folder + "/lib", *state); });
    p.back_end("mil", ".mil", "the program in MIL", [=](mim::BackEndContext& c) { return emit_mil(c, *state); });
    auto more = [&](const char* name, const char* suffix, const char* summary, std::string (*text)(const Source&)) {
        p.back_end(name, suffix, summary, [=](mim::BackEndContext& c) { return emit_more(c, *state, text); });
    };
    more("mil-stats", ".txt", "what the passes on MIL did: rules, lines, allocations", stats_of);
    more("mil-trace", ".txt", "each rewrite of the optimizer on MIL", trace_of);
    more("mil-dot", ".dot", "the calls of a program in MIL as a graph: closures are red, blocks blue", dot_of);
}

MIM_PLUGIN(mil, init)
