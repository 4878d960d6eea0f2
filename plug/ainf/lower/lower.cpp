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
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "mem/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::ainf {

namespace {

size_t num_sizes(const Lam* program) {
    auto domain = program->dom();
    auto arr    = domain->isa<mim::Arr>();
    return arr ? *value(arr->arity()) : domain->isa<Sigma>() ? 0 : 1;
}

const Def* type_of(const List& list) {
    for (auto& b : list.bindings)
        if (b.number == list.result.number) return b.p.type;
    throw std::runtime_error("its result is no binding");
}

bool has_no_elements(const Leaf& leaf) {
    return std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
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

/// `%ainf.main` as code.
class Main {
public:
    Main(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , app_(app) {}

    const Def* run() {
        begin();
        auto program = program_of(w, app_.app());
        auto list    = renamed(w, read(w, program->body()), program->var(), sizes(program));
        auto type    = type_of(list);
        mem_         = SizeChecks(w, w.notes.span(program)).run(list, mem_);
        Instance instance(w, coder_, list); // functions that are values refer to it
        auto value = instance.run();
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) value = value->call(argument(pi->dom()));
        if (coder_.has_function(type)) throw std::runtime_error("its result has functions");
        results(type, value);
        mem_ = w.apply<close>({mem_, program_});
        return w.tuple({mem_, w.lit_idx(uint64_t(1) << 32, 0)});
    }

private:
    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    void begin();
    const Def* sizes(const Lam* program);
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
    auto signature         = elem(w, app_.group(1), 1);
    auto [mem, argc, argv] = elems<3>(w, app_.arg());
    auto length            = w.lit_nat(*value(elem(w, group(app_.app(), 0), 1)));
    mem_                   = mem;
    program_               = effect(w.apply<ainf::open>(length, {signature}, {mem_, argc, argv}));
}

const Def* Main::sizes(const Lam* program) {
    auto get = [&](size_t i) { return effect(w.apply<size>({mem_, program_, w.lit_nat(i)})); };
    return w.tuple(def_vec(num_sizes(program), get));
}

const Def* Main::memory(const Leaf& leaf, const Def* count) {
    auto type = coder_.leaf_type(leaf, Form::Words);
    return effect(w.apply<ainf::leaf>({type}, {mem_, program_, w.lit_nat(next_leaf_++), count}));
}

/// Known to have no elements. It counts as a leaf, but there is nothing to read or write.
bool Main::is_empty(const Leaf& leaf) {
    bool result = has_no_elements(leaf);
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
        auto at    = memory(leaf, w.lit_nat(0));
        auto shape = coder_.shape(leaf, Form::Words);
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
        auto shape = coder_.shape(leaf, Form::Words);
        mem_ = leaf.dims.empty() ? w.call<mem::store>({mem_, at, words[i]}) : w.apply<tensor::store>(shape, {mem_, at, words[i]});
    }
}

/// `%ainf.call` as code.
class Call {
public:
    Call(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , arguments_(app.arg())
        , app_(app.app()) {}

    const Def* run() {
        mem_         = argument();
        auto program = program_of(w, app_);
        auto n       = num_sizes(program);
        auto sizes   = w.tuple(def_vec(n, [&](size_t) { return argument(); }));
        auto list    = renamed(w, read(w, program->body()), program->var(), sizes);
        auto type    = type_of(list);
        mem_         = SizeChecks(w, w.notes.span(program)).run(list, mem_);
        Instance instance(w, coder_, list);
        auto value = instance.run();
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) value = value->call(value_of(pi->dom()));
        auto leaves = coder_.leaves(type);
        auto words  = coder_.store(type, value, Form::Words);
        if (leaves.size() == 1 && leaves[0].dims.empty()) return w.tuple({mem_, outside(leaves[0].cell, words[0])});
        for (size_t i = 0; i != leaves.size(); ++i) store(leaves[i], words[i]);
        return mem_;
    }

private:
    const Def* argument() { return elem(w, arguments_, next_++); }
    const Def* pointer(const Leaf& leaf) {
        auto type = w.app(w.annex(mem::PtrAS(0)), {coder_.leaf_type(leaf, Form::Words), w.lit_nat(0)});
        return w.call<core::bitcast>(type, argument());
    }
    const Def* outside(const Def* type, const Def* word) {
        return is_float(w, type) ? word : w.call<core::bitcast>(w.nat(), word);
    }
    CodeRef value_of(const Def* type) {
        DefVec all;
        for (auto& leaf : coder_.leaves(type)) all.push_back(leaf.dims.empty() ? scalar(leaf.cell) : array(leaf));
        return coder_.load(type, all, Form::Words);
    }
    const Def* scalar(const Def* type) {
        auto arg = argument();
        return is_float(w, type) ? arg : w.call<core::bitcast>(w.i64_type(), arg);
    }
    const Def* array(const Leaf& leaf) {
        auto at = pointer(leaf);
        if (has_no_elements(leaf)) return w.unit();
        auto loaded = w.apply<tensor::load>(coder_.shape(leaf, Form::Words), {mem_, at});
        mem_        = w.extract(loaded, 0);
        return w.extract(loaded, 1);
    }
    void store(const Leaf& leaf, const Def* words) {
        auto at = pointer(leaf);
        if (leaf.dims.empty()) mem_ = w.call<mem::store>({mem_, at, words});
        else if (!has_no_elements(leaf)) mem_ = w.apply<tensor::store>(coder_.shape(leaf, Form::Words), {mem_, at, words});
    }

    World& w;
    Coder coder_;
    const Def* arguments_;
    const Def* app_;
    uint64_t next_  = 0;
    const Def* mem_ = nullptr;
};

} // namespace

void lower(PhaseContext& c) {
    auto& w      = c.world;
    auto lowered = [&]<class Border>(const Lowered& app) -> const Def* {
        try {
            return Border(w, app).run();
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
