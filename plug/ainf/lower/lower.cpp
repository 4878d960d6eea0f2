// SPDX-License-Identifier: MIT
// Where lists meet the host: a program that is called from the command line.
#include "lower/lower.h"

#include <algorithm>
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/diagnostics.h"
#include "ainf/list/programs.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "mem/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::ainf {

namespace {

/// `%ainf.main` as code.
class Main {
public:
    Main(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , app_(app) {}

    const Def* run() {
        begin();
        auto program    = elem(w, group(app_.app(), 1), 0)->isa<Lam>();
        if (!program) throw std::runtime_error("it is no function of sizes that is known");
        auto list       = renamed(w, read(w, program->body()), program->var(), sizes(program));
        auto type       = type_of(list);
        Instance instance(w, coder_, list); // functions that are values refer to it
        auto value      = instance.run();
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) value = value->call(argument(pi->dom()));
        if (coder_.has_function(type)) throw std::runtime_error("its result has functions");
        results(type, value);
        mem_ = w.apply<close>({mem_, program_});
        return w.tuple({mem_, w.lit_idx(uint64_t(1) << 32, 0)});
    }

private:
    const Def* ptr(const Def* type) { return w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}); }
    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    void begin();
    const Def* sizes(const Def* program);
    static const Def* type_of(const List&);
    CodeRef argument(const Def* type);
    void results(const Def* type, const CodeRef&);
    const Def* memory(const Leaf&, const Def* count);
    const Def* count_of(const Leaf&);
    bool is_empty(const Leaf&);

    World& w;
    Coder coder_;
    const Lowered& app_;
    const Def* mem_     = nullptr;
    const Def* program_ = nullptr;
    uint64_t next_leaf_ = 0;
};

void Main::begin() {
    auto signature        = elem(w, app_.group(1), 1);
    auto [mem, argc, argv] = elems<3>(w, app_.arg());
    auto length           = w.lit_nat(*value(elem(w, group(app_.app(), 0), 1)));
    mem_                  = mem;
    program_              = effect(w.apply<ainf::open>(length, {signature}, {mem_, argc, argv}));
}

const Def* Main::sizes(const Def* program) {
    auto domain = program->type()->as<Pi>()->dom();
    auto arr    = domain->isa<mim::Arr>();
    auto n      = arr ? *value(arr->arity()) : domain == w.nat() ? 1 : 0;
    return w.tuple(def_vec(n, [&](size_t i) { return effect(w.apply<size>({mem_, program_, w.lit_nat(i)})); }));
}

const Def* Main::type_of(const List& list) {
    for (auto& b : list.bindings)
        if (b.number == list.result.number) return b.p.type;
    throw std::runtime_error("its result is no binding");
}

const Def* Main::memory(const Leaf& leaf, const Def* count) {
    auto type = coder_.leaf_type(leaf, Form::Words);
    return effect(w.apply<ainf::leaf>({type}, {mem_, program_, w.lit_nat(next_leaf_++), count}));
}

/// Known to have no elements. It counts as a leaf, but there is nothing to read or write.
bool Main::is_empty(const Leaf& leaf) {
    bool result = std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
    next_leaf_ += result ? 1 : 0;
    return result;
}

CodeRef Main::argument(const Def* type) {
    DefVec all;
    for (auto& leaf : coder_.leaves(type)) {
        if (is_empty(leaf)) {
            all.push_back(w.unit());
            continue;
        }
        auto at = memory(leaf, w.lit_nat(0));
        auto shape = w.tuple({w.lit_nat(leaf.dims.size()), w.tuple(leaf.dims), coder_.cell_type(leaf.cell, Form::Words)});
        all.push_back(effect(leaf.dims.empty() ? w.call<mem::load>({mem_, at}) : w.apply<tensor::load>(shape, {mem_, at})));
    }
    return coder_.load(type, all, Form::Words);
}

static size_t num_words(World& w, const Def* cell) {
    auto pair = isa_pair(w, cell);
    return pair ? num_words(w, pair->first) + num_words(w, pair->second) : 1;
}

const Def* Main::count_of(const Leaf& leaf) {
    auto count = w.lit_nat(num_words(w, leaf.cell));
    for (auto n : leaf.dims) count = w.call(core::nat::mul, {count, n});
    return count;
}

void Main::results(const Def* type, const CodeRef& value) {
    auto leaves = coder_.leaves(type);
    auto words  = coder_.store(type, value, Form::Words);
    for (size_t i = 0; i != leaves.size(); ++i) {
        auto& leaf = leaves[i];
        if (is_empty(leaf)) continue;
        auto at    = memory(leaf, count_of(leaf));
        auto shape = w.tuple({w.lit_nat(leaf.dims.size()), w.tuple(leaf.dims), coder_.cell_type(leaf.cell, Form::Words)});
        mem_       = leaf.dims.empty() ? w.call<mem::store>({mem_, at, words[i]}) : w.apply<tensor::store>(shape, {mem_, at, words[i]});
    }
}

} // namespace

void lower(PhaseContext& c) {
    auto& w = c.world;
    Lowering(c)
        .on<main>([&](const Lowered& app) -> const Def* {
            try {
                return Main(w, app).run();
            } catch (const std::runtime_error& e) {
                c.diags.report(diag::no_code(e.what()), w.notes.span(app.app()));
                return nullptr;
            }
        })
        .run();
}

} // namespace mim::plug::ainf
