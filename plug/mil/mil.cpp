// SPDX-License-Identifier: MIT
// Registers the plugin `mil`. What it declares is in mil.mim.
#include <memory>
#include <string>

#include "driver/plugin.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

/// The program of a session, for its outputs.
struct State {
    std::shared_ptr<Source> source;
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
    s.program.main_is_proc = s.types.is_apply(type, "Proc", parts);
    s.program.main_is_word = s.program.main_is_proc && s.types.is_apply(parts[0], "Word", parts);

    s.program.tops[bind->top].is_exported = true;
}

std::optional<FrontEndProgram> read_mil_program(FrontEndContext& c, const std::string& library, State& state) {
    auto bits = c.settings.number("mil.word");
    if (bits != 32 && bits != 64) {
        c.error(0, 0, "a word has 32 or 64 bits, not " + std::to_string(bits));
        return {};
    }
    auto source               = std::make_shared<Source>();
    source->program.word_bits = static_cast<unsigned>(bits);
    Profile::Scope scope(c.profile, "types");
    if (!read(c, library, *source)) return {};
    bool is_whole = c.diags.num_errors() == 0;
    declare_types(c, *source);
    resolve(c, *source);
    if (is_whole) check_types(c, *source);
    infer(c, *source);
    if (c.diags.num_errors()) return {};
    lower(*source);
    find_main(*source);
    shake(source->program);
    check_again(c, *source);
    state.source = source;
    if (source->program.main != kNone) {
        make_code(c, source->program);
        c.evaluator = [source](const std::vector<std::string>&) { return run_machine(source->program); };
    }
    return MimText("");
}

std::optional<std::string> emit_mil(BackEndContext& c, const State& state) {
    if (state.source) return print(state.source->program, state.source->types);
    c.error("the program is in none of the languages of the plugin mil");
    return {};
}

} // namespace

} // namespace mim::plug::mil

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::mil;
    auto state = std::make_shared<State>();
    p.diagnostics(mim::plug::mil::diag::all());
    p.option("word", uint64_t(32), "how many bits a word has, 32 or 64");
    auto folder = p.folder();
    for (auto extension : {"lc", "llc", "mil", "lmil"})
        p.front_end(extension, [=](mim::FrontEndContext& c) { return read_mil_program(c, folder + "/lib", *state); });
    p.back_end("mil", ".mil", "the program in MIL", [=](mim::BackEndContext& c) { return emit_mil(c, *state); });
}

MIM_PLUGIN(mil, init)
