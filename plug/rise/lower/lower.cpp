// SPDX-License-Identifier: MIT
// Programs meet the host here: what `main` reads and prints.
#include "kit/lower.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/terms.h"
#include "mem/annexes.h"
#include "rise.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "tensor/annexes.h"
#include "terms/start.h"

namespace mim::plug::rise {

namespace {

class Main : public Start {
public:
    using Start::Start;

private:
    void compute(const Lam* program, const Def* sizes) override {
        auto term = w.beta(program, sizes);
        auto type = term->type();
        std::vector<CodeRef> args;
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) args.push_back(argument(pi->dom()));
        results(type, Terms(w, coder_).call(term, args));
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
    void results(const Def* type, const CodeRef& value) {
        auto leaves = coder_.leaves(type);
        auto words  = coder_.store(type, value, Form::Words);
        for (size_t i = 0; i != leaves.size(); ++i) {
            auto& leaf = leaves[i];
            if (is_empty(leaf)) continue;
            auto at = memory(leaf, count(leaf));
            mem_    = leaf.dims.empty() ? w.call<mem::store>({mem_, at, words[i]})
                                        : w.apply<tensor::store>(coder_.shape(leaf, Form::Words), {mem_, at, words[i]});
        }
    }
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
        .on<rise::into>([&](const Lowered& app) { return w.beta(app.group(4), app.group(5)); })
        .run();
}

} // namespace mim::plug::rise
