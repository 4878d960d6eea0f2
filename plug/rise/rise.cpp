// SPDX-License-Identifier: MIT
// Registers the plugin `rise`. What it declares is in rise.mim.
#include "rise.h"

#include <algorithm>
#include <filesystem>

#include "backend/emit.h"
#include "cli/run/command.h"
#include "core/annexes.h"
#include "driver/plugin.h"
#include "kit/match.h"
#include "meaning.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "strategy.h"
#include "types.h"

namespace mim::plug::rise {

/// The program of a session, for its output.
struct State {
    std::unique_ptr<Program> program;
    std::unique_ptr<Types> types;
    Built built;
    bool is_text = false; ///< the only output is RISE
};

/// Machine code of programs whose choices are made is that of the plugin `dpia`, if it is installed.
static MimText program_text(const FrontEndContext& c, const std::string& folder) {
    bool is_code = c.outputs.empty() && std::filesystem::exists(std::filesystem::path(folder).parent_path() / "dpia.mim");
    return MimText(is_code ? "plugin dpia;\n" : "");
}

static std::optional<FrontEndProgram> read_rise(FrontEndContext& c, State& result, const std::string& folder) {
    State state{std::make_unique<Program>(), {}, {}};
    state.is_text = !c.outputs.empty() && std::ranges::all_of(c.outputs, [](auto& output) { return output == "rise"; });
    state.types   = std::make_unique<Types>(*state.program);
    auto& program = *state.program;
    parse(c, program);
    if (!read_strategies(c, program, folder + "/with")) return {};
    if (!infer(c, program, *state.types) || c.diags.num_errors()) return {};
    state.built = build(c, program, *state.types);
    if (c.diags.num_errors()) return {};
    if (auto refuse = state.built.refuse) {
        c.evaluator = [refuse](const std::vector<std::string>&) {
            refuse();
            return Evaluation{1, {}, {}};
        };
    }
    if (!c.is_imported) result = std::move(state);
    return program_text(c, folder);
}

/// `--emit rise` shows the program behind this phase.
static void apply_strategies_of(PhaseContext& c, State& state) {
    if (state.built.refuse) state.built.refuse();
    apply_strategies(c, [&](const Lam* program) {
        if (state.built.print) state.built.text = state.built.print(c.world, program);
    });
    if (state.is_text) c.world.externals.remove(c.world.sym("main")); // nothing is made of it but text
}

static std::optional<std::string> emit_rise(BackEndContext& c, const State& state) {
    if (!state.built.text.empty()) return state.built.text;
    c.error("no program in RISE was read that can be called from outside");
    return {};
}

/// The processor's, or that of the C library.
static backend::Value emit_fma(backend::Emit& e, const mim::Def* app) {
    auto a = e.emit(mim::group(app, 1)), b = e.emit(mim::group(app, 2)), c = e.emit(mim::group(app, 3));
    return e.intrinsic("llvm.fma", {e.type_of(a)}, {a, b, c});
}

/// Memory holds no functions.
static void refuse_function(const mim::Def* type) {
    if (type->isa<Pi>()) throw Error(diag::no_data("an element"));
}

const mim::Def* normalize_Arr(const Redex& redex) {
    refuse_function(redex.elem(1));
    return nullptr;
}

const mim::Def* normalize_Tup(const Redex& redex) {
    refuse_function(redex.elem(0));
    refuse_function(redex.elem(1));
    return nullptr;
}

static std::optional<uint64_t> power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (uint64_t i = 0; i != exponent && i != 64; ++i)
        if (__builtin_mul_overflow(result, base, &result)) return {};
    return exponent > 64 && base > 1 ? std::nullopt : std::optional(base == 0 && exponent > 0 ? 0 : result);
}

/// Literals; a power of 1 is 1; one of a product, or with a sum in the exponent, is a product.
const mim::Def* normalize_nat(const Redex& redex) {
    auto& w     = redex.w;
    auto [x, y] = redex.elems<2>();
    auto a = value(x), b = value(y);
    auto op      = nat(redex.sub());
    bool divides = op == nat::div || op == nat::mod;
    if (a && b && !(divides && *b == 0)) {
        switch (op) {
            case nat::div: return w.lit_nat(*a / *b);
            case nat::mod: return w.lit_nat(*a % *b);
            case nat::min: return w.lit_nat(std::min(*a, *b));
            case nat::max: return w.lit_nat(std::max(*a, *b));
            default: break;
        }
        auto p = power(*a, *b);
        return p ? w.lit_nat(*p) : nullptr;
    }
    if (op != nat::pow) return op == nat::div && b == 1 ? x : nullptr;
    auto pow = [&](const mim::Def* base, const mim::Def* exponent) { return w.apply(nat::pow, {base, exponent}); };
    auto mul = [&](const mim::Def* left, const mim::Def* right) { return w.call(core::nat::mul, {left, right}); };
    if (a == 1) return x;
    constexpr uint64_t kLongest = 64;
    if (b && *b <= kLongest) {
        const mim::Def* result = w.lit_nat(1);
        for (uint64_t i = 0; i != *b; ++i) result = mul(result, x);
        return result;
    }
    auto exponent = match<core::nat>(core::nat::add, y);
    if (exponent) return mul(pow(x, elem(w, exponent.arg(), 0)), pow(x, elem(w, exponent.arg(), 1)));
    auto base = match<core::nat>(core::nat::mul, x);
    if (base) return mul(pow(elem(w, base.arg(), 0), y), pow(elem(w, base.arg(), 1), y));
    return nullptr;
}

} // namespace mim::plug::rise

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::rise;
    p.diagnostics(mim::plug::rise::diag::all());
    p.option(
        "strategy", "",
        "the strategy that is applied to programs, in place of what stands behind `by`, or of `default`; `none` applies nothing");
    p.option("target", "", "`c`, `omp` or `opencl`: the code that the strategy `default` is for, if the output does not say it");
    p.option("sizes", "",
             "sizes that exported definitions take, as `n:1024,m:64`: the program is made for these and refuses others");
    p.option("assume-sizes", "",
             "`1`: what sizes owe and facts do not prove is checked where the program is called, and is no error");
    p.option("trace", false, "shows each rule that a strategy fired, where it did, and the terms before and after");
    auto state  = std::make_shared<State>();
    auto folder = p.folder();
    p.front_end("rise", [=](mim::FrontEndContext& c) { return read_rise(c, *state, folder); });
    p.back_end("rise", ".rise", "the program in RISE", [=](mim::BackEndContext& c) { return emit_rise(c, *state); });
    p.phase("rise.strategy", "applies the strategies of .rise files",
            [=](mim::PhaseContext& c) { apply_strategies_of(c, *state); });
    p.join("language", "rise.strategy");
    register_strategies(p);
    p.phase("rise.lower", "makes operations on tensors of programs of .rise files", lower);
    p.join("language", "rise.lower").after("rise.strategy");
    register_normalizers(p);
    p.axiom("%rise.nat").meaning(mean_nat);
    p.axiom("%rise.number").meaning(mean_number);
    p.axiom("%rise.unary").meaning(mean_unary);
    p.axiom("%rise.compare").meaning(mean_compare);
    p.axiom("%rise.fma").speculatable().meaning(mean_fma).emit("llvm", emit_fma);
    p.axiom("%rise.vec_compare").meaning(mean_compare);
    p.axiom("%rise.vec_logic").meaning(mean_vec_logic);
    p.axiom("%rise.vec_not").meaning(mean_vec_not);
    p.axiom("%rise.vec_select").meaning(mean_vec_select);
    p.axiom("%rise.vector_from_scalar").meaning(mean_vector_from_scalar);
    p.axiom("%rise.as_vector").meaning(mean_split);
    p.axiom("%rise.as_scalar").meaning(mean_join);
    p.axiom("%rise.reorder").meaning(mean_reorder);
    p.axiom("%rise.pad_empty").meaning(mean_pad_empty);
    p.axiom("%rise.logic").meaning(mean_logic);
    p.axiom("%rise.not_").meaning(mean_not);
    p.axiom("%rise.select").meaning(mean_select);
    p.axiom("%rise.cast").meaning(mean_cast);
    p.axiom("%rise.unsigned").meaning(mean_unsigned);
    p.axiom("%rise.index_as_nat").meaning(mean_index_as_nat);
    p.axiom("%rise.nat_as_index").meaning(mean_nat_as_index);
    p.axiom("%rise.lidx").meaning(mean_lidx);
    p.axiom("%rise.id").meaning(mean_same);
    p.axiom("%rise.let").meaning(mean_let);
    p.axiom("%rise.pair").meaning(mean_pair);
    p.axiom("%rise.fst").meaning(mean_fst);
    p.axiom("%rise.snd").meaning(mean_snd);
    p.axiom("%rise.map_fst").meaning(mean_map_fst);
    p.axiom("%rise.map_snd").meaning(mean_map_snd);
    p.axiom("%rise.make_array").meaning(mean_make_array);
    p.axiom("%rise.map").meaning(mean_map);
    p.axiom("%rise.map_level").meaning(mean_map_level);
    p.axiom("%rise.reduce").meaning(mean_reduce);
    p.axiom("%rise.reduce_seq").meaning(mean_reduce_seq);
    p.axiom("%rise.scan_seq").meaning(mean_scan_seq);
    p.axiom("%rise.iterate").meaning(mean_iterate);
    p.axiom("%rise.generate").meaning(mean_generate);
    p.axiom("%rise.to_mem").meaning(mean_to_mem);
    p.axiom("%rise.ocl_run").meaning(mean_to_mem);
    p.axiom("%rise.idx").meaning(mean_idx);
    p.axiom("%rise.zip").meaning(mean_zip);
    p.axiom("%rise.unzip").meaning(mean_unzip);
    p.axiom("%rise.transpose").meaning(mean_transpose);
    p.axiom("%rise.split").meaning(mean_split);
    p.axiom("%rise.join").meaning(mean_join);
    p.axiom("%rise.take").meaning(mean_take);
    p.axiom("%rise.drop").meaning(mean_drop);
    p.axiom("%rise.concat").meaning(mean_concat);
    p.axiom("%rise.slide").meaning(mean_slide);
    p.axiom("%rise.gather").meaning(mean_gather);
    p.axiom("%rise.scatter").meaning(mean_scatter);
    p.axiom("%rise.pad_cst").meaning(mean_pad_cst);
    p.axiom("%rise.pad_clamp").meaning(mean_pad_clamp);
    p.axiom("%rise.main").effect().meaning(mim::plug::cli::run_main);
    p.axiom("%rise.invoke").meaning(mean_invoke);
    p.axiom("%rise.into").effect().meaning(mean_into);
}

MIM_PLUGIN(rise, init)
