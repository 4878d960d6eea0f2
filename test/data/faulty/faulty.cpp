// SPDX-License-Identifier: MIT
// One hook fails in one way, which the environment variable FAULTY says: `normalizer throw`, `emitter wrong`, `init loop`.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <unistd.h>

#include "backend/emit.h"
#include "base/crash.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "phase/pipeline.h"
#include "syntax/build.h"

using namespace mim;

/// `%faulty.lowered`: this plugin has no generated header.
enum class LoweredAxiom : uint16_t {};
template<>
struct mim::AnnexTraits<LoweredAxiom> {
    static constexpr uint64_t plugin   = plugin_hash("faulty");
    static constexpr uint16_t tag      = 9; ///< that many are declared before it
    static constexpr uint16_t num_subs = 1;
};

namespace {

/// Whether `hook` is the one that fails, and in the way `how`.
bool asked(std::string_view hook, std::string_view how) {
    auto text = std::getenv("FAULTY");
    return text && std::string_view(text) == std::string(hook) + " " + std::string(how);
}

/// Deeper than any stack, but not without end, which a compiler could tell.
[[gnu::noinline]] uint64_t recurse(volatile uint64_t* from, uint64_t depth) {
    volatile uint64_t here[64] = {*from};
    return depth == 0 ? 0 : recurse(here, depth - 1) + here[0];
}

/// For ever, but the user loses patience.
[[noreturn]] void loop() {
    ::kill(::getpid(), SIGINT);
    for (volatile bool goes_on = true; goes_on;) {}
    std::abort();
}

/// A thread that a hook has left behind waits for the next hook, and that one for the thread.
std::atomic<bool> is_left, is_later;

void leave_thread(void (*run)()) {
    is_left = true;
    std::thread([=] {
        while (!is_later) std::this_thread::yield();
        run();
    }).detach();
}

void wait_for_left_thread() {
    is_later = true;
    while (true) ::pause();
}

/// The faults that any hook may have.
void fail(std::string_view hook) {
    if (is_left) wait_for_left_thread();
    if (asked(hook, "throw")) throw std::runtime_error("thrown on purpose");
    if (asked(hook, "int")) throw 1;
    if (asked(hook, "crash")) std::raise(SIGSEGV);
    if (asked(hook, "abort")) std::abort();
    if (volatile uint64_t zero = 0; asked(hook, "recurse")) recurse(&zero, UINT64_MAX);
    if (asked(hook, "loop")) loop();
    if (asked(hook, "exit")) std::exit(0);
    if (asked(hook, "_exit")) ::_exit(0);
    if (asked(hook, "quick_exit")) std::quick_exit(0);
    if (asked(hook, "thread")) std::thread([] { std::raise(SIGSEGV); }).join();
    if (asked(hook, "thread_exit")) std::thread([] { std::exit(0); }).join();
    if (asked(hook, "thread_left")) leave_thread([] { std::raise(SIGSEGV); });
    if (asked(hook, "thread_left_exit")) leave_thread([] { std::exit(0); });
    if (asked(hook, "stop")) throw TooManyErrors();
    if (asked(hook, "pass")) throw Passing();
    if (asked(hook, "no_crash")) throw Crash();
    if (asked(hook, "system")) throw std::system_error(EMFILE, std::generic_category(), "thrown on purpose");
    if (asked(hook, "error")) throw Error(Diag::unknown_name, {std::string("lost")});
    if (asked(hook, "user_error")) throw Error(Diag::undefined_behaviour, {std::string("lost")});
}

/// The library itself: this runs when the system opens it.
const bool is_open = (fail("library"), true);

const Def* normalize_next(const Redex& redex) {
    fail("normalizer");
    if (asked("normalizer", "itself")) return redex.w.app(redex.callee, redex.arg);
    if (asked("normalizer", "wrong")) return redex.w.tt();
    if (asked("normalizer", "open")) return redex.w.holes.make(redex.w.nat(), 0);
    return nullptr;
}

const Def* normalize_min(const Redex& redex) {
    auto a = value(redex.w, redex.arg, 0), b = value(redex.w, redex.arg, 1);
    if (!a || !b) return nullptr;
    return redex.w.lit_nat(asked("normalizer", "unsound") ? std::max(*a, *b) : std::min(*a, *b));
}

eval::Value mean_next(eval::Machine& m, const Def*) {
    fail("meaning");
    if (asked("meaning", "null")) return {};
    if (asked("meaning", "group")) return eval::Value::num(m.num(m.group(5)));
    if (asked("meaning", "wrong")) return m.tuple({eval::Value::num(1), eval::Value::num(2)});
    return eval::Value::num(m.num(m.group(0)) + 1);
}

/// No truth value, and no pair.
eval::Value mean_seven(eval::Machine&, const Def*) { return eval::Value::num(7); }

eval::Value mean_same(eval::Machine& m, const Def*) { return m.force(m.group(0)); }

eval::Value mean_min(eval::Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return eval::Value::num(std::min(a, b));
}

std::string verify_next(World&, const Def*, const Def*) {
    fail("verifier");
    return asked("verifier", "lines") ? "a first line\n\ta second one\n" : "";
}

backend::Value leave_code_behind(backend::Emit& e, backend::Value n) {
    auto next = e.new_block("next");
    auto slot = e.alloca_(e.type_of(n));
    e.jump(next);
    e.store(n, slot);
    e.enter(next);
    return n;
}

backend::Value end_twice(backend::Emit& e, backend::Value n) {
    auto next = e.new_block("next");
    e.jump(next);
    e.jump(next);
    e.enter(next);
    return n;
}

backend::Value emit_next(backend::Emit& e, const Def* app) {
    fail("emitter");
    auto n = e.emit(arg_of(app));
    if (asked("emitter", "null")) return {};
    if (asked("emitter", "wrong")) return e.i1(true);
    if (asked("emitter", "operands")) return e.bin(backend::Bin::Add, n, e.i1(true));
    if (asked("emitter", "nothing")) return e.bin(backend::Bin::Add, n, {});
    if (asked("emitter", "element")) return e.extract_value(n, 3);
    if (asked("emitter", "memory")) return e.load(e.int_type(64), n);
    if (asked("emitter", "arity")) return e.intrinsic("llvm.umin", {e.type_of(n)}, {n});
    if (asked("emitter", "untyped")) return e.intrinsic("llvm.umin", {}, {n, n});
    if (asked("emitter", "ended")) return e.jump(e.new_block("next")), n;
    if (asked("emitter", "endless")) return e.enter(e.new_block("next")), n;
    if (asked("emitter", "behind")) return leave_code_behind(e, n);
    if (asked("emitter", "ends_twice")) return end_twice(e, n);
    if (asked("emitter", "symbol")) return e.call("faulty_missing", e.int_type(64), {n});
    return e.bin(backend::Bin::Add, n, e.i64(1));
}

backend::Type emit_type(backend::Emit& e, const Def*) {
    fail("emit_type");
    if (asked("emit_type", "null")) return {};
    if (asked("emit_type", "wrong")) return e.int_type(7);
    return e.int_type(64);
}

backend::Value emit_same(backend::Emit& e, const Def* app) { return e.emit(arg_of(app)); }

bool lay_out_type(World&, const Def*, uint64_t& size, uint64_t& align) {
    fail("layout");
    size = align = asked("layout", "zero") ? 0 : 8;
    return true;
}

std::string to_bytes(eval::Machine&, const Def*, const eval::Value&) {
    fail("to_bytes");
    return std::string(asked("to_bytes", "wrong") ? 3 : 8, '\0');
}

eval::Value from_bytes(eval::Machine&, const Def*, std::string_view) {
    fail("from_bytes");
    return eval::Value::num(0);
}

const Def* read_literal(World& w, const Def* type, std::string_view) {
    fail("literal");
    if (asked("literal", "null")) return nullptr;
    if (asked("literal", "wrong")) return w.tt();
    return w.raw_lit(type, 3);
}

std::string print_literal(const Def*) {
    fail("literal_text");
    return asked("literal_text", "wrong") ? "" : "3.0";
}

std::string spell(const Def*) {
    fail("c_spelling");
    return asked("c_spelling", "lines") ? "long\nint" : "uint64_t";
}

void add_steps(PipelineBuilder& p, const Def* self) {
    fail("pipeline");
    if (asked("pipeline", "itself")) p.interpret(self);
    if (asked("pipeline", "null")) return p.interpret(nullptr);
    p.phase(asked("pipeline", "wrong") ? "faulty.none" : "finish");
    p.phase("faulty.phase");
}

const Def* rewrite(World& w, const Def*, const Def* at, std::string&) {
    fail("rewrite");
    return asked("rewrite", "wrong") ? w.tt() : at;
}

const Def* lower(const Lowered& app) {
    fail("lowering");
    return asked("lowering", "wrong") ? app.world().tt() : app.arg();
}

void run_phase(PhaseContext& c) {
    fail("phase");
    bool is_wrong = asked("phase", "wrong") && !c.settings.text("faulty.where").empty();
    if (is_wrong) c.world.app(c.world.tt(), c.world.tt());
    if (asked("phase", "open"))
        c.world.externals.add(c.world.sym("open"), c.world.mut_lam(c.world.pi(c.world.nat(), c.world.nat())));
    if (asked("phase", "none")) c.world.externals.add(c.world.sym("none"), nullptr);
    Lowering(c).on<LoweredAxiom>(lower).run();
}

/// A tree with one fault.
ast::Module plant(FrontEndContext& c) {
    ast::Builder tree(c.file, c.symbols);
    Span at{c.file, 0, 1}, elsewhere{c.file + 1, 0, 1};
    if (asked("tree", "null_value")) tree.add(tree.let(at, at, "x", nullptr));
    if (asked("tree", "null_argument")) tree.call(at, tree.name(at, "f"), {nullptr, nullptr});
    if (asked("tree", "null_declaration")) tree.add(nullptr);
    if (asked("tree", "place")) tree.name(elsewhere, "x");
    if (asked("tree", "bits")) tree.integer_type(at, 17);
    if (asked("tree", "value")) tree.integer(at, 300, 8);
    return tree.finish();
}

Evaluation evaluate(const std::vector<std::string>&) {
    fail("evaluator");
    if (asked("evaluator", "status")) return {.exit_code = 256, .output = {}, .errors = {}};
    if (asked("evaluator", "negative")) return {.exit_code = -1, .output = {}, .errors = {}};
    return {.exit_code = 255, .output = "evaluated\n", .errors = {}};
}

/// A text with a mistake, which is of no place that there is.
FrontEndProgram map_wrongly(FrontEndContext& c) {
    front::MappedText text(c.file + 9);
    text.at(7, 3) << "fun extern main (): I32 = ";
    text.at(UINT32_MAX - 1, UINT32_MAX) << "lost;";
    return MimText(text);
}

std::optional<FrontEndProgram> read(FrontEndContext& c) {
    if (c.diags.num_errors()) return {};
    fail("front_end");
    if (asked("front_end", "null")) return {};
    if (asked("front_end", "none")) c.world.externals.add(c.world.sym("none"), nullptr);
    if (asked("front_end", "nowhere")) c.diags.report(Diag::unknown_name, {c.file + 9, 5, 10}, {"lost"});
    if (asked("front_end", "behind")) c.diags.report(Diag::unknown_name, {c.file, 500, 100}, {"lost"});
    if (asked("front_end", "map")) return map_wrongly(c);
    if (c.text.starts_with("garbage")) return c.error(0, 1, "it is garbage"), std::nullopt;
    if (c.text.starts_with("tree")) return plant(c);
    if (c.text.starts_with("evaluate")) c.evaluator = evaluate;
    return MimText(asked("front_end", "wrong") ? "fun )" : "fun extern main (): I32 = return 0I32;");
}

std::optional<std::string> lay_out(FormatContext& c) {
    fail("formatter");
    if (asked("formatter", "nowhere")) return c.diags.report(Diag::unknown_name, {}, {"lost"}), std::nullopt;
    if (asked("formatter", "null")) return {};
    if (asked("formatter", "empty")) return "";
    if (asked("formatter", "garbage")) return "garbage";
    return asked("formatter", "wrong") ? std::string(c.text) + "!" : std::string(c.text);
}

std::optional<std::string> make(BackEndContext& c) {
    fail("back_end");
    if (asked("back_end", "nowhere")) return c.error("it is lost"), std::nullopt;
    if (asked("back_end", "null")) return {};
    return "made\n";
}

int command(CommandContext& c) {
    fail("command");
    if (asked("command", "status")) return 256;
    if (asked("command", "negative")) return -1;
    if (asked("command", "lines")) throw std::runtime_error("a first line\na second one");
    c.print("done\n");
    return 0;
}

/// Properties of axioms whose types do not fit.
void add_property(PluginBuilder& p) {
    using A = PluginBuilder::AxiomBuilder;
    struct Property {
        const char* name;
        A& (A::*add)();
    };
    static constexpr Property all[] = {
        {"linear_type", &A::linear_type}, {"effect", &A::effect},         {"speculatable", &A::speculatable},
        {"may_trap", &A::may_trap},       {"pointer", &A::pointer},       {"activation", &A::activation},
        {"closures", &A::closures},       {"token_free", &A::token_free}, {"absurd", &A::absurd},
        {"constant", &A::constant},       {"stores", &A::stores},         {"unaliased", &A::unaliased},
        {"unwritten", &A::unwritten},     {"by_literal", &A::by_literal}, {"sum", &A::sum},
        {"product", &A::product},         {"internal", &A::internal},     {"jumps", &A::jumps},
        {"by_need", &A::by_need},         {"local", &A::local},           {"erased", &A::erased},
    };
    for (auto& [name, add] : all)
        for (auto axiom : {"next", "T", "pack", "unpack", "apply", "min", "flag", "pair"}) {
            bool is_one = asked(std::string("property ") + axiom, name);
            if (is_one || asked("property", name)) (p.axiom(std::string("%faulty.") + axiom).*add)();
        }
}

/// Several at once, of different kinds.
void register_many(PluginBuilder& p) {
    p.phase("lower", "no name of its own", run_phase);
    p.phase("faulty.phase", "again", run_phase);
    p.phase("finish", "the name of one of Mim's", run_phase);
    p.axiom("%faulty.none").meaning(mean_next);
    p.axiom("%faulty.never").meaning(mean_next);
    p.axiom("%faulty.lost").meaning(nullptr).verifier(nullptr);
    p.join("mid", "faulty.missing");
    p.option("two words", "", "no name");
}

/// Registrations that are wrong.
void register_wrongly(PluginBuilder& p) {
    if (asked("init", "phase_twice")) p.phase("faulty.phase", "again", run_phase);
    if (asked("init", "phase_null")) p.phase("faulty.null", "nothing", nullptr);
    if (asked("init", "axiom_unknown")) p.axiom("%faulty.none").meaning(mean_next);
    if (asked("init", "axiom_other")) p.axiom("%core.wrap").meaning(mean_next);
    if (asked("init", "front_end_twice")) p.front_end("faulty", read);
    if (asked("init", "back_end_null")) p.back_end("faulty_null", ".txt", "nothing", nullptr);
    if (asked("init", "emitter_twice")) p.axiom("%faulty.next").emit("llvm", emit_next);
    CollectorRuntime collector;
    collector.library.name = "faulty_runtime";
    if (asked("init", "collector_twice")) p.collector(collector);
    if (asked("init", "normalizer_twice")) p.normalizer("normalize_next", normalize_min);
    if (asked("init", "operator_word")) p.operator_call("word", "%faulty.next a");
    if (asked("init", "suffix")) p.back_end("faulty_else", "/../x", "elsewhere", make);
    if (asked("init", "phase_name")) p.phase("lower", "no name of its own", run_phase);
    if (asked("init", "phase_other")) p.phase("core.lower", "a name of another plugin", run_phase);
    if (asked("init", "phase_words")) p.phase("faulty.a b", "no name", run_phase);
    if (asked("init", "join_twice")) p.join("mid", "faulty.phase");
    if (asked("init", "meaning_twice")) p.axiom("%faulty.next").meaning(mean_same);
    if (asked("init", "meaning_null")) p.axiom("%faulty.lost").meaning(nullptr);
    if (asked("init", "verifier_null")) p.axiom("%faulty.lost").verifier(nullptr);
    if (asked("init", "emitter_null")) p.axiom("%faulty.lost").emit("llvm", nullptr);
    if (asked("init", "emitter_target")) p.axiom("%faulty.lost").emit("lvm", emit_next);
    if (asked("init", "join_unknown")) p.join("nowhere", "faulty.phase");
    if (asked("init", "join_missing")) p.join("mid", "faulty.missing");
    if (asked("init", "many")) register_many(p);
    if (asked("init", "join_itself")) p.join("front", "faulty.phase").after("faulty.phase").before("faulty.phase");
}

void init(PluginBuilder& p) {
    fail("init");
    if (!asked("init", "normalizer_missing")) p.normalizer("normalize_next", normalize_next);
    p.normalizer("normalize_min", asked("init", "normalizer_null") ? nullptr : normalize_min);
    p.axiom("%faulty.next").meaning(mean_next).verifier(verify_next).emit("llvm", emit_next);
    p.axiom("%faulty.min").meaning(mean_min);
    p.axiom("%faulty.T")
        .emit_type("llvm", emit_type)
        .layout(lay_out_type)
        .bytes(to_bytes, from_bytes)
        .literal(read_literal, print_literal)
        .c_spelling(spell);
    p.axiom("%faulty.pack").meaning(mean_same).emit("llvm", emit_same);
    p.axiom("%faulty.unpack").meaning(mean_same).emit("llvm", emit_same);
    p.axiom("%faulty.apply").emit("llvm", emit_next);
    p.axiom("%faulty.steps").pipeline(add_steps);
    p.axiom("%faulty.rewrite").rewrite(rewrite);
    for (auto name : {"%faulty.flag", "%faulty.pair"}) p.axiom(name).meaning(mean_seven);
    p.phase("faulty.phase", "does nothing", run_phase);
    p.option("where", "", "the phase fails only if it has a value");
    p.join("mid", "faulty.phase");
    p.front_end("faulty", read);
    p.formatter("faulty", lay_out);
    p.back_end("faulty", ".txt", "a word", make);
    CommandSpec spec{.name = "faulty", .operands = "", .summary = "says a word"};
    spec.max_operands = 0;
    p.command(spec, command);
    add_property(p);
    register_wrongly(p);
}

} // namespace

MIM_PLUGIN(faulty, init)
