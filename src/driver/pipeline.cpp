// SPDX-License-Identifier: MIT
#include "driver/pipeline.h"

#include <cstdio>
#include <stdexcept>

#include "base/nearest.h"
#include "base/stack.h"
#include "driver/extension_points.h"
#include "ir/hook.h"
#include "phase/pipeline.h"
#include "phase/verify.h"
#include "sema/error_text.h"
#include "sema/reflect.h"
#include "syntax/print.h"

namespace mim {

void run_hook(PipelineBuilder& builder, const Def* pipeline) {
    auto& axiom = head_axiom(pipeline)->axiom();
    call_hook(axiom, "the pipeline of", pipeline, [&] { axiom.pipeline(builder, pipeline); });
}

namespace {

/// Names the plugin whose pipeline it is, unless the user has written the name that is wrong.
void note_hook(Diagnostic& d, World& world, const std::string& name) {
    auto blame = Blame::current();
    if (!blame) return;
    auto pipeline   = blame->culprit.at;
    bool is_written = !name.empty() && pipeline && show(world, pipeline).find(name) != std::string::npos;
    if (!is_written) d.note(Diag::code_of, {}, {blame->culprit.text()});
}

void unknown_phase(Session& session, Span at, const std::string& name) {
    Nearest nearest(name);
    for (auto& known : session.registry.phases()) nearest.offer(known.phase.name);
    auto& d = session.diags.report(Diag::unknown_phase, at, {name});
    note_hook(d, session.world, name);
    if (!nearest.best.empty()) d.note(Diag::did_you_mean, {}, {std::string(nearest.best)});
}

class Interpreter : public PipelineBuilder {
public:
    Interpreter(Session& session, Span at, std::vector<Step>& steps)
        : session_(session)
        , at_(at)
        , steps_(steps)
        , joined_(session) {}

    World& world() override { return session_.world; }

    void phase(std::string_view name) override {
        auto phase = session_.registry.phase(name);
        if (!phase) {
            ok_ = false;
            return unknown_phase(session_, at_, std::string(name));
        }
        steps_.push_back({&phase->phase, phase->plugin});
    }

    void extension_point(std::string_view name) override {
        for (auto& phase : joined_.at(std::string(name))) this->phase(phase);
    }

    void repeat(uint64_t limit, const std::function<void()>& body) override {
        auto begin = steps_.size();
        body();
        if (steps_.size() != begin) steps_.push_back({nullptr, {}, steps_.size() - begin, limit});
    }

    bool has_plugin(std::string_view name) override { return session_.has_plugin(name); }

    void interpret(const Def* pipeline) override {
        if (!pipeline) throw std::invalid_argument("it has no pipeline to interpret"); // a fault of the hook that asks
        auto head = saturated_axiom(pipeline);
        if (!head || !head->axiom().pipeline)
            return fail(Diag::not_a_pipeline, {show(world(), pipeline), show(world(), pipeline->type())});
        if (depth_ == kMaxPipelineNesting || stack_is_low()) return fail(Diag::too_deep, {});
        ++depth_;
        try {
            run_hook(*this, pipeline);
            --depth_;
        } catch (const Error& e) {
            --depth_;
            session_.report(e, at_ ? at_ : world().notes.span(pipeline));
            ok_ = false;
        }
    }

    bool ok() const { return ok_ && joined_.ok(); }

private:
    void fail(Diag id, DiagArgs args) {
        auto name = args.empty() ? std::string() : args.front();
        note_hook(session_.diags.report(id, at_, std::move(args)), world(), name);
        ok_ = false;
    }

    Session& session_;
    Span at_;
    std::vector<Step>& steps_;
    OrderedPhases joined_;
    unsigned depth_ = 0;
    bool ok_        = true;
};

const Def* choose(Session& session, const std::string& wanted) {
    if (!wanted.empty()) return session.expression(wanted, "--pipeline");
    auto annexes = session.own_annexes();
    for (auto i = annexes.rbegin(); i != annexes.rend(); ++i)
        if (is_pipeline(*i)) return *i;
    return session.expression(kDefaultPipeline, "the default pipeline");
}

std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

std::string to_text(World& world, const std::vector<Violation>& violations) {
    std::string text;
    for (auto& v : violations) text += (text.empty() ? "" : "; ") + to_string(world, v);
    return text;
}

/// The program before a phase need not name the plugin of the phase: an option does, unless there is one already.
std::string option_for_owner(const Session& session, const PipelineOptions& options, const std::string& phase) {
    auto found = session.registry.phase(phase);
    if (!found || found->plugin.empty()) return {};
    auto option = "-p '" + found->plugin + "' ";
    return options.command.find(option) == std::string::npos ? option : std::string();
}

/// The pipeline as text that stays what it is in another program: the default one by its name, any other in full.
std::string text_of(Session& session, const Def* pipeline) {
    auto usual = session.has_plugin(default_pipeline_plugin()) ? session.expression(kDefaultPipeline, "the default pipeline")
                                                               : nullptr;
    return pipeline == usual ? std::string(kDefaultPipeline) : one_line(print_ir(session.world, pipeline));
}

/// A word of a command, as a shell reads it.
std::string shell_word(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    bool is_plain                    = !word.empty() && word.find_first_not_of(plain) == word.npos;
    if (is_plain) return word;
    std::string out = "'";
    for (auto c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

/// A file whose name begins with `-` is no option.
std::string shell_file(const std::string& file) { return shell_word(file.starts_with('-') ? "./" + file : file); }

Instruments instruments(Session& session, const Def* pipeline, const PipelineOptions& options) {
    auto graph = std::make_shared<GraphVerifier>(session.world);
    Instruments i;
    i.print           = [names = options.names](World& world) { return print_program(world, names); };
    i.verify          = [graph](World& world) { return to_text(world, verify(world, *graph)); };
    i.report          = [&session](const Error& e) { session.report(e, e.rewritten ? e.rewritten : session.world.here); };
    i.text            = [](World& world, const Error& e) { return message_of(world, e); };
    i.show            = [](const std::string& text) { std::fputs(text.c_str(), stderr); };
    i.settings        = &session.settings;
    i.target          = options.target;
    i.verify_each     = options.verify_each;
    i.debugging       = options.debugging;
    i.print_after     = options.print_after;
    i.start_at        = options.start_at;
    i.stop_after      = options.stop_after;
    i.reproducer      = options.reproducer;
    i.reproducer_head = [&session, &options, pipeline](const std::string& phase) {
        return "// it came from: " + options.command_line + "\n// to see it fail: " + options.command
               + option_for_owner(session, options, phase) + "--pipeline " + shell_word(text_of(session, pipeline))
               + " --start-at " + phase + " " + shell_file(options.reproducer) + "\n";
    };
    return i;
}

bool has_step(const std::vector<Step>& steps, const std::string& name) {
    for (auto& step : steps)
        if (step.phase && step.phase->name == name) return true;
    return false;
}

} // namespace

bool is_pipeline(const Def* def) {
    auto head = saturated_axiom(def);
    return head && head->axiom().pipeline;
}

bool interpret(Session& session, const Def* pipeline, Span at, std::vector<Step>& steps) {
    Interpreter interpreter(session, at, steps);
    interpreter.interpret(pipeline);
    return interpreter.ok();
}

std::string verify_text(World& world) { return to_text(world, verify(world)); }

std::string print_program(World& world, NamesOf names) {
    auto module = reflect(world, names);
    return print(module);
}

/// The pipeline and its steps; null if there is none, or if an option names a phase that is no step of it.
static const Def* load_pipeline(Session& session, const PipelineOptions& options, std::vector<Step>& steps) {
    Profile::Scope scope(session.profile, "load pipeline", &session.world);
    auto pipeline = choose(session, options.pipeline);
    if (!pipeline || !check_extension_points(session, pipeline) || !interpret(session, pipeline, {}, steps)) return nullptr;
    for (auto name : {&options.print_after, &options.start_at, &options.stop_after}) {
        if (name->empty() || *name == "all" || has_step(steps, *name)) continue;
        unknown_phase(session, {}, *name);
        return nullptr;
    }
    return pipeline;
}

bool check_phases(Session& session, const PipelineOptions& options) {
    std::vector<Step> steps;
    return load_pipeline(session, options, steps);
}

Outcome run_pipeline(Session& session, const PipelineOptions& options) {
    std::vector<Step> steps;
    auto pipeline = load_pipeline(session, options, steps);
    if (!pipeline) return Outcome::UserError;
    auto is_left_out = [&](const Step& step) { return !step.phase || step.phase->name != options.only; };
    if (!options.only.empty()) std::erase_if(steps, is_left_out);
    session.world.here = {}; // what goes wrong from now on is not at the pipeline
    PhaseManager manager(instruments(session, pipeline, options), session.diags, session.profile);
    return manager.run(session.world, steps);
}

} // namespace mim
