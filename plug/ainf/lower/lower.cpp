// SPDX-License-Identifier: MIT
// Lists meet the host here: programs that are called from the command line, or by others.
#include "lower/lower.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/diagnostics.h"
#include "ainf/list/programs.h"
#include "cli/annexes.h"
#include "cli/run/entry.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "mem/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::ainf {

namespace {

const Def* type_of(const List& list) {
    for (auto& b : list.bindings)
        if (b.number == list.result.number) return b.p.type;
    throw std::runtime_error("its result is no binding");
}

/// The function of sizes that makes the list.
const Lam* program_of(World& w, const Def* app) {
    auto program = elem(w, group(app, 1), 0)->isa<Lam>();
    if (!program) throw std::runtime_error("it is no function of sizes that is known");
    return program;
}

/// With --checked, sizes that are computed are computed before the program, and none of them is negative.
class SizeChecks {
public:
    SizeChecks(World& w, Span place)
        : w(w)
        , place_(place) {}

    /// The token behind them.
    const Def* run(const List& list, const Def* mem) {
        if (!w.checked) return mem;
        for (auto& b : list.bindings) {
            add(b.p.type);
            for (auto& f : b.env) add(f);
            for (auto& f : b.p.body) add(f);
        }
        for (auto size : sizes_) {
            auto difference   = match<core::nat>(size);
            bool may_be_less  = difference && difference.sub() == core::nat::sub;
            auto [more, less] = may_be_less ? elems<2>(w, difference.arg()) : std::array{size, w.lit_nat(0)};
            mem               = w.apply<fits>({mem, less, more});
            for (auto part : {mem, more, less})
                if (part->isa<App>()) w.notes.set_span(part, place_);
        }
        return mem;
    }

private:
    void add(const Frame& f) {
        if (f.type) add(f.type);
        if (f.turn) add(f.turn);
    }
    /// The sizes of a type.
    void add(const Def* type) {
        if (!types_.insert(type).second) return;
        if (auto size = isa_idx(type)) return add_size(size);
        if (auto pi = type->isa<Pi>()) return add(pi->dom()), add(pi->codom());
        if (auto pair = isa_pair(w, type)) return add(pair->first), add(pair->second);
        if (auto array = isa_array(w, type)) add_size(array->first), add(array->second);
    }
    void add_size(const Def* size) {
        bool is_new = match<core::nat>(size) && std::ranges::find(sizes_, size) == sizes_.end();
        if (is_new) sizes_.push_back(size);
    }

    World& w;
    Span place_;
    std::set<const Def*> types_;
    DefVec sizes_;
};

/// A list between the memory that its arguments come from and that its results go to.
class Border {
public:
    Border(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , app_(app)
        , program_(program_of(w, app.app())) {}

protected:
    ~Border() = default;

    /// An argument, or `()` if it is known to have no elements.
    virtual const Def* argument(const Leaf&) = 0;
    virtual const Def* size(size_t i)        = 0;

    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    /// The leaves of the result.
    std::vector<std::pair<Leaf, const Def*>> results();
    const Def* load(const Leaf& leaf, const Def* at) {
        auto shape = coder_.shape(leaf, Form::Words);
        return effect(leaf.dims.empty() ? w.call<mem::load>({mem_, at}) : w.apply<tensor::load>(shape, {mem_, at}));
    }
    void store(const Leaf& leaf, const Def* at, const Def* words) {
        auto shape = coder_.shape(leaf, Form::Words);
        mem_       = leaf.dims.empty() ? w.call<mem::store>({mem_, at, words}) : w.apply<tensor::store>(shape, {mem_, at, words});
    }

    World& w;
    Coder coder_;
    const Lowered& app_;
    const Lam* program_;
    const Def* mem_ = nullptr;
};

std::vector<std::pair<Leaf, const Def*>> Border::results() {
    auto sizes = w.tuple(def_vec(cli::num_sizes(program_), [&](size_t i) { return size(i); }));
    auto list  = renamed(w, read(w, program_->body()), program_->var(), sizes);
    auto type  = type_of(list);
    mem_       = SizeChecks(w, w.notes.span(program_)).run(list, mem_);
    Instance instance(w, coder_, list); // functions that are values refer to it
    auto value = instance.run();
    for (; auto pi = type->isa<Pi>(); type = pi->codom()) {
        DefVec all;
        for (auto& leaf : leaves(w, pi->dom())) all.push_back(argument(leaf));
        value = value->call(coder_.load(pi->dom(), all, Form::Words));
    }
    if (coder_.has_function(type)) throw std::runtime_error("its result has functions");
    auto words = coder_.store(type, value, Form::Words);
    std::vector<std::pair<Leaf, const Def*>> all;
    for (auto& leaf : leaves(w, type)) all.emplace_back(leaf, words[all.size()]);
    return all;
}

/// `%ainf.main` as code.
class Main : Border {
public:
    using Border::Border;

    const Def* run() {
        auto signature         = elem(w, app_.group(1), 1);
        auto [mem, argc, argv] = elems<3>(w, app_.arg());
        auto length            = w.lit_nat(*value(elem(w, group(app_.app(), 0), 1)));
        arguments_             = effect(w.apply<cli::open>(length, {signature}, {mem, argc, argv}));
        for (auto& [leaf, words] : results())
            if (auto at = memory(leaf, count_of(leaf))) store(leaf, at, words);
        mem_ = w.apply<cli::close>({mem_, arguments_});
        return w.tuple({mem_, w.lit_idx(uint64_t(1) << 32, 0)});
    }

private:
    const Def* size(size_t i) override { return effect(w.apply<cli::size>({mem_, arguments_, w.lit_nat(i)})); }
    const Def* argument(const Leaf& leaf) override {
        auto at = memory(leaf, w.lit_nat(0));
        return at ? load(leaf, at) : w.unit();
    }
    /// An array that is known to be empty counts as a leaf, but there is nothing to read or write.
    const Def* memory(const Leaf& leaf, const Def* count) {
        auto i = next_leaf_++;
        if (has_no_elements(leaf)) return nullptr;
        return effect(w.apply<cli::leaf>({leaf_type(w, leaf, Form::Words)}, {mem_, arguments_, w.lit_nat(i), count}));
    }
    const Def* count_of(const Leaf& leaf) {
        auto count = w.lit_nat(num_words(leaf.cell));
        for (auto n : leaf.dims) count = w.call(core::nat::mul, {count, n});
        return count;
    }
    size_t num_words(const Def* cell) {
        auto pair = isa_pair(w, cell);
        return pair ? num_words(pair->first) + num_words(pair->second) : 1;
    }

    const Def* arguments_ = nullptr;
    uint64_t next_leaf_   = 0;
};

/// `%ainf.call` as code.
class Call : Border {
public:
    using Border::Border;

    const Def* run() {
        mem_           = next();
        auto all       = results();
        bool is_number = all.size() == 1 && all[0].first.dims.empty();
        if (is_number) return w.tuple({mem_, outside(all[0].first.cell, all[0].second)});
        for (auto& [leaf, words] : all) {
            auto at = pointer(leaf);
            if (!has_no_elements(leaf)) store(leaf, at, words);
        }
        return mem_;
    }

private:
    const Def* next() { return elem(w, app_.arg(), next_++); }
    const Def* size(size_t) override { return next(); }
    const Def* argument(const Leaf& leaf) override {
        if (leaf.dims.empty()) return is_float(w, leaf.cell) ? next() : w.call<core::bitcast>(w.i64_type(), next());
        auto at = pointer(leaf);
        return has_no_elements(leaf) ? w.unit() : load(leaf, at);
    }
    const Def* pointer(const Leaf& leaf) {
        auto type = w.app(w.annex(mem::PtrAS(0)), {leaf_type(w, leaf, Form::Words), w.lit_nat(0)});
        return w.call<core::bitcast>(type, next());
    }
    const Def* outside(const Def* type, const Def* word) {
        return is_float(w, type) ? word : w.call<core::bitcast>(w.nat(), word);
    }

    uint64_t next_ = 0;
};

} // namespace

void lower(PhaseContext& c) {
    auto& w      = c.world;
    auto lowered = [&]<class Program>(const Lowered& app) -> const Def* {
        try {
            return Program(w, app).run();
        } catch (const std::runtime_error& e) {
            c.diags.report(diag::no_code(e.what()), w.notes.span(app.app()));
            return nullptr;
        }
    };
    Lowering(c)
        .on<main>([&](const Lowered& app) { return lowered.template operator()<Main>(app); })
        .on<call>([&](const Lowered& app) { return lowered.template operator()<Call>(app); })
        .run();
}

} // namespace mim::plug::ainf
