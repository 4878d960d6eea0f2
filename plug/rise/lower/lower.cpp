// SPDX-License-Identifier: MIT
// Programs meet the host here: what `main` reads and prints.
#include "kit/lower.h"
#include "cli/annexes.h"
#include "cli/run/entry.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/terms.h"
#include "mem/annexes.h"
#include "rise.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "tensor/annexes.h"

namespace mim::plug::rise {

namespace {

class Main {
public:
    Main(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , app_(app) {}

    const Def* run() {
        auto [program, signature] = elems<2>(w, app_.group(1));
        auto [mem, argc, argv]    = elems<3>(w, app_.arg());
        auto length               = w.lit_nat(*value(operand(w, callee_of(callee_of(app_.app())), 1)));
        mem_                      = mem;
        program_                  = effect(w.apply<cli::open>(length, {signature}, {mem_, argc, argv}));
        auto term                 = w.beta(program, sizes(program->as<Lam>()));
        auto type                 = term->type();
        std::vector<CodeRef> args;
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) args.push_back(argument(pi->dom()));
        results(type, Terms(w, coder_).call(term, args));
        mem_ = w.apply<cli::close>({mem_, program_});
        return w.tuple({mem_, w.lit_idx(uint64_t(1) << 32, 0)});
    }

private:
    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    const Def* sizes(const Lam* program) {
        return w.tuple(def_vec(cli::num_sizes(program),
                               [&](size_t i) { return effect(w.apply<cli::size>({mem_, program_, w.lit_nat(i)})); }));
    }
    /// Known to have no elements. It counts as a leaf, but there is nothing to read or write.
    bool is_empty(const Leaf& leaf) {
        bool result = std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
        next_leaf_ += result ? 1 : 0;
        return result;
    }
    const Def* memory(const Leaf& leaf, const Def* count) {
        auto type = coder_.leaf_type(leaf, Form::Words);
        return effect(w.apply<cli::leaf>({type}, {mem_, program_, w.lit_nat(next_leaf_++), count}));
    }
    CodeRef argument(const Def* type) {
        DefVec all;
        for (auto& leaf : coder_.leaves(type)) {
            if (is_empty(leaf)) {
                all.push_back(w.unit());
                continue;
            }
            auto at    = memory(leaf, w.lit_nat(0));
            auto shape = coder_.shape(leaf, Form::Words);
            all.push_back(effect(leaf.dims.empty() ? w.call<mem::load>({mem_, at}) : w.apply<tensor::load>(shape, {mem_, at})));
        }
        return coder_.load(type, all, Form::Words);
    }
    uint64_t num_words(const Def* cell) {
        auto pair = isa_pair(w, cell);
        return pair ? num_words(pair.first) + num_words(pair.second) : 1;
    }
    void results(const Def* type, const CodeRef& value) {
        auto leaves = coder_.leaves(type);
        auto words  = coder_.store(type, value, Form::Words);
        for (size_t i = 0; i != leaves.size(); ++i) {
            auto& leaf = leaves[i];
            if (is_empty(leaf)) continue;
            auto count = w.lit_nat(num_words(leaf.cell));
            for (auto n : leaf.dims) count = w.call(core::nat::mul, {count, coder_.size(n)});
            auto at = memory(leaf, count);
            mem_    = leaf.dims.empty() ? w.call<mem::store>({mem_, at, words[i]})
                                        : w.apply<tensor::store>(coder_.shape(leaf, Form::Words), {mem_, at, words[i]});
        }
    }

    World& w;
    Coder coder_;
    const Lowered& app_;
    const Def* mem_     = nullptr;
    const Def* program_ = nullptr;
    uint64_t next_leaf_ = 0;
};

/// A call by the host, whose values are in memory, or numbers.
class Call {
public:
    explicit Call(World& w)
        : w(w)
        , coder_(w) {}

    const Def* run(const Lowered& app) {
        auto [types, program, _, sizes, given] = app.groups<5>();
        auto n                                 = *value(elem(w, types, 3));
        auto term                              = w.beta(program, sizes);
        auto type                              = term->type();
        std::vector<CodeRef> args;
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) {
            DefVec leaves;
            add_leaves(pi->dom(), n == 1 ? given : w.extract(given, args.size()), leaves);
            args.push_back(coder_.load(pi->dom(), leaves, Form::Inside));
        }
        auto leaves = coder_.store(type, Terms(w, coder_).call(term, args), Form::Inside);
        size_t next = 0;
        return result(type, leaves, next);
    }

private:
    void add_leaves(const Def* type, const Def* given, DefVec& all) {
        auto pair = isa_pair(w, type);
        if (!pair) return all.push_back(given);
        add_leaves(pair.first, w.extract(given, 0), all);
        add_leaves(pair.second, w.extract(given, 1), all);
    }
    const Def* result(const Def* type, const DefVec& leaves, size_t& next) {
        auto pair = isa_pair(w, type);
        if (!pair) return leaves[next++];
        auto first = result(pair.first, leaves, next);
        return w.tuple({first, result(pair.second, leaves, next)});
    }

    World& w;
    Coder coder_;
};

} // namespace

void lower(PhaseContext& c) {
    auto& w            = c.world;
    auto code_or_error = [&](const Lowered& app, auto make) -> const Def* {
        try {
            return make();
        } catch (const NoCode& e) {
            auto span = w.notes.span(e.where);
            c.diags.report(diag::no_code(e.what()), span ? span : w.notes.span(app.app()));
            return nullptr;
        }
    };
    Lowering(c)
        .on<rise::main>([&](const Lowered& app) { return code_or_error(app, [&] { return Main(w, app).run(); }); })
        .on<rise::invoke>([&](const Lowered& app) { return code_or_error(app, [&] { return Call(w).run(app); }); })
        .run();
}

} // namespace mim::plug::rise
