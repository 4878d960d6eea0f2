// SPDX-License-Identifier: MIT
// The function that a program becomes, and where it is called.
#include "cli/annexes.h"
#include "core/annexes.h"
#include "direct/annexes.h"
#include "dpia/dpia.h"
#include "dpia/translate.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "loops.h"
#include "mem/annexes.h"
#include "rise/terms/start.h"

namespace mim::plug::dpia {

// ---- parameters

void LoopCode::parameter(const Def* type, const std::string& name, bool is_pointer) {
    auto leaves = coder_.leaves(type);
    auto& leaf  = leaves.front();
    auto given  = next_parameter();
    if (!is_pointer) {
        auto value                                   = form_ == rise::Form::Words ? coder_.from_word(type, given) : given;
        atoms_[sizes_.atom(name, scalar(type).name)] = value;
        return;
    }
    Polynomial count = Polynomial::number(1);
    for (auto n : leaf.dims) count = count * size(n);
    const Def* number     = leaf.dims.empty() ? nullptr : count.terms().empty() ? w.lit_nat(1) : nat(count);
    auto at               = number ? array_of(given, leaf.cell, number, form_) : given;
    memories_[name]       = {at, leaf.cell, number, form_};
    auto [pointee, space] = elems<2>(w, arg_of(given->type()));
    entry_mem_            = w.apply<mem::restrict>({pointee}, {space}, {w.lit_nat(0), w.unit()}, {entry_mem_, given, w.unit()});
}

void LoopCode::input(const Def* type, const std::string& name) {
    if (auto parts = pair(type)) {
        input(parts.first, name + "_fst");
        return input(parts.second, name + "_snd");
    }
    parameter(type, name, array(type) || rise::isa_vector(w, type));
}

CPlaceRef LoopCode::output(const Def* type, const std::string& name) {
    if (auto parts = pair(type)) {
        auto first = output(parts.first, name + "_fst");
        return place_pair(first, output(parts.second, name + "_snd"));
    }
    parameter(type, name, true);
    return CCode::store(type, Walk{name, {}, true});
}

void LoopCode::bind_sizes(const Lam* commands) {
    auto domain = commands->dom();
    auto arr    = domain->isa<mim::Arr>();
    auto n      = arr ? *mim::value(arr->arity()) : domain->isa<Sigma>() ? 0 : 1;
    for (uint64_t i = 0; i != n; ++i) {
        auto size  = sizes_.name(text_.unique("n"));
        auto given = next_parameter();
        auto lit   = mim::value(given);
        if (lit) size = Polynomial::number(Polynomial::Number(*lit));
        else atoms_[sizes_.node(size)] = w.call<core::bitcast>(coder_.i64(), given);
        bind(n == 1 ? commands->var() : w.extract(commands->var(), i), number(size));
    }
}

Lam* LoopCode::made(const Lam* commands, const DefVec& types, rise::Form form) {
    form_      = form;
    auto body  = commands->body()->as<Lam>();
    auto start = begin_function(w.sigma(types), "loops");
    bind_sizes(commands);

    auto domain = body->dom();
    bool is_one = match<dpia::Acc>(domain);
    auto n      = is_one ? size_t(1)
                         : static_cast<size_t>(domain->isa<Sigma>() ? domain->as<Sigma>()->num_ops()
                                                                    : *mim::value(domain->as<mim::Arr>()->arity()));
    auto var    = [&](size_t i) { return is_one ? body->var() : w.extract(body->var(), i); };
    bind_place(var(n - 1), output(acc_data(var(n - 1)), text_.unique("output")));
    for (size_t i = 0; i + 1 != n; ++i) {
        auto type = data(var(i)->type());
        auto name = text_.unique("in");
        input(type, name);
        bind(var(i), load_outside(type, name));
    }
    begin();
    command(body->body());

    end_function(start);
    functions_.close();
    return made_;
}

// ---- calls

namespace {

/// The token behind the program with these values, of which the first one is a token, and the status.
const Def* called(World& w, const Lam* program, const DefVec& values, rise::Form form) {
    auto types = map_defs(values, [](auto v) { return v->type(); });
    Sizes sizes;
    CText text;
    auto function = LoopCode(w, sizes, text).made(imperative(w, program), types, form);
    return w.app(w.call<direct::cps2ds>(function), w.tuple(values));
}

void add_all(World& w, const Def* tuple, size_t n, DefVec& all) {
    for (size_t i = 0; i != n; ++i) all.push_back(n == 1 ? tuple : w.extract(tuple, i));
}

class LoopStart : public rise::Start {
public:
    using Start::Start;

private:
    void compute(const Lam* program, const Def* sizes) override {
        auto type = program->type()->as<Pi>()->codom();
        type      = mim::codom(w, program->type()->as<Pi>(), sizes);
        DefVec values, inputs;
        for (; auto pi = type->isa<Pi>(); type = pi->codom())
            for (auto& leaf : coder_.leaves(pi->dom())) inputs.push_back(argument(leaf));
        auto results = map_defs(coder_.leaves(type), [&](auto& leaf) { return place(leaf); });
        values.push_back(mem_);
        add_all(w, sizes, num_sizes(program), values);
        values.insert(values.end(), results.begin(), results.end());
        values.insert(values.end(), inputs.begin(), inputs.end());
        status_ = effect(called(w, program, values, rise::Form::Words));
    }
    const Def* end() override {
        auto result = w.sigma({mem_->type(), status_->type()});
        Functions functions(w);
        auto lam     = functions.lam(w.fn(w.sigma({mem_->type(), program_->type(), status_->type()}), result), "end");
        auto part    = [&](size_t i) { return w.extract(w.extract(lam->var(), 0), i); };
        auto returns = [&](const Def* mem) { return w.app(w.extract(lam->var(), 1), w.tuple({mem, part(2)})); };
        auto shown   = functions.block(returns(w.apply<cli::close>({part(0), part(1)})), "shown");
        auto lacks   = functions.block(returns(w.apply<cli::no_memory>({part(0), part(1)})), "lacks");
        auto is_done = w.call(core::icmp::xyglE, {part(2), rise::status_of(w, 0)});
        w.set_body(lam, functions.branch(is_done, shown, lacks));
        functions.close();
        return w.app(w.call<direct::cps2ds>(lam), w.tuple({mem_, program_, status_}));
    }
    static size_t num_sizes(const Lam* program) {
        auto domain = program->dom();
        auto arr    = domain->isa<mim::Arr>();
        return arr ? static_cast<size_t>(*mim::value(arr->arity())) : domain->isa<Sigma>() ? 0 : 1;
    }
    const Def* first_of(const rise::Leaf& leaf, const Def* at) {
        rise::Leaf cell{{}, leaf.cell};
        auto type = coder_.leaf_type(cell, rise::Form::Words);
        return leaf.dims.empty() ? at : w.call<core::bitcast>(w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}), at);
    }
    /// Memory that nobody looks at, of an array without elements.
    const Def* nothing(const rise::Leaf& leaf) {
        rise::Leaf cell{{}, leaf.cell};
        return effect(w.apply<mem::local>({coder_.leaf_type(cell, rise::Form::Words)}, {w.lit_nat(0)}, {mem_}));
    }
    const Def* argument(const rise::Leaf& leaf) {
        if (is_empty(leaf)) return nothing(leaf);
        auto at = memory(leaf, w.lit_nat(0));
        return leaf.dims.empty() ? effect(w.call<mem::load>({mem_, at})) : first_of(leaf, at);
    }
    const Def* place(const rise::Leaf& leaf) {
        if (is_empty(leaf)) return nothing(leaf);
        return first_of(leaf, memory(leaf, count(leaf)));
    }

    const Def* status_ = nullptr;
};

const Def* called_by_host(const Lowered& app) {
    auto& w      = app.world();
    auto program = app.group(1)->as<Lam>();
    auto values  = app.group(5);
    auto n       = values->type()->as<Sigma>()->num_ops();
    auto num     = static_cast<size_t>(*mim::value(app.group(2)));
    DefVec all{w.extract(values, 0)};
    add_all(w, app.group(3), num, all);
    for (size_t i = 1; i != n; ++i) all.push_back(w.extract(values, i));
    return called(w, program, all, rise::Form::Inside);
}

} // namespace

void lower_to_loops(PhaseContext& c) {
    auto or_nothing = [](auto make) {
        return [=](const Lowered& app) -> const Def* {
            try {
                return make(app);
            } catch (const Refused&) {
                return nullptr;
            }
        };
    };
    Lowering(c)
        .on<rise::main>(rise::main::run, or_nothing([](const Lowered& app) { return LoopStart(app.world(), app).run(); }))
        .on<rise::into>(or_nothing(called_by_host))
        .run();
}

} // namespace mim::plug::dpia
