// SPDX-License-Identifier: MIT
// Sizes are derived and facts are checked one after the other, each in a block of its own: behind one that fails, nothing
// is computed.
#include "function.h"

#include <algorithm>
#include <functional>

#include "cli/run/entry.h"
#include "cli/runtime/program.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "mem/annexes.h"
#include "rise/annexes.h"
#include "tensor/annexes.h"
#include "terms/code.h"

namespace mim::plug::rise {

namespace run = mim::cli;

static const Def* memory(World& w) { return w.app(w.annex(mem::MAS(0)), w.lit_nat(0)); }
static const Def* pointer(World& w, const Def* type) { return w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}); }

void add_main(World& w, const Lam* program, const std::string& signature, bool is_shown) {
    auto axiom = w.annex(is_shown ? rise::main::shown : rise::main::run);
    w.externals.add(w.sym("main"), cli::main_of(w, program, signature, axiom));
}

static bool has_array(Types& types, Type* type) {
    auto t = types.resolve(type);
    if (t->kind == Type::Pair) return has_array(types, t->first) || has_array(types, t->second);
    return t->kind == Type::Array || t->kind == Type::Vec;
}

static bool has_nested_pair(Types& types, Type* type, bool is_element) {
    auto t = types.resolve(type);
    if (t->kind == Type::Array) return has_nested_pair(types, t->first, true);
    if (t->kind != Type::Pair) return false;
    if (is_element) return has_array(types, t);
    return has_nested_pair(types, t->first, false) || has_nested_pair(types, t->second, false);
}

bool has_nested_pairs(Types& types, Type* type) {
    auto t = types.resolve(type);
    while (t->kind == Type::Dep) t = types.resolve(t->second);
    for (; t->kind == Type::Fun; t = types.resolve(t->second))
        if (has_nested_pair(types, t->first, false)) return true;
    return has_nested_pair(types, t, false);
}

namespace {

/*
 * the function that others call
 */
class Function {
public:
    Function(World& world, const Lam* program, const std::string& signature)
        : w(world)
        , coder_(world)
        , program_(program)
        , signature_(run::make_program(signature.c_str()))
        , functions_(world) {}

    Lam* make() {
        auto domain = parameters();
        lam_        = functions_.lam(w.fn(domain, w.sigma({memory(w), status_type(w)})));
        w.notes.copy_info(program_, lam_);
        given_ = w.extract(lam_->var(), 0);
        mem_   = w.extract(given_, 0);
        for (size_t i = 0; i != num_given_sizes(); ++i) sizes_.push_back(w.extract(given_, 1 + num_results_ + i));
        w.set_body(lam_, behind_rule(0));
        functions_.close();
        return lam_;
    }

private:
    // ---- types

    /// The program's type for sizes that nobody has yet: what a pointer points to is the same for all of them.
    const Def* parameters() {
        DefVec results, all{memory(w)};
        DefVec inputs;
        auto type = program_->type()->as<Pi>()->codom();
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) add_inputs(pi->dom(), inputs);
        add_results(type, results);
        num_results_ = results.size();
        all.insert(all.end(), results.begin(), results.end());
        all.insert(all.end(), num_given_sizes(), w.nat());
        all.insert(all.end(), inputs.begin(), inputs.end());
        num_parameters_ = all.size();
        return w.sigma(all);
    }
    const Def* cell(const Leaf& leaf) {
        Leaf alone{{}, leaf.cell};
        return coder_.leaf_type(alone, Form::Inside);
    }
    void add_inputs(const Def* type, DefVec& all) {
        for (auto& leaf : coder_.leaves(type)) all.push_back(leaf.dims.empty() ? cell(leaf) : pointer(w, cell(leaf)));
    }
    void add_results(const Def* type, DefVec& all) {
        for (auto& leaf : coder_.leaves(type)) all.push_back(pointer(w, cell(leaf)));
    }
    size_t num_given_sizes() const {
        size_t num_derived = 0;
        for (size_t i = 0; i != signature_->rules.size; ++i) num_derived += is_derived(signature_->rules[i]) ? 1 : 0;
        return signature_->sizes.size - num_derived;
    }
    static bool is_derived(const run::Rule& r) { return r.kind == '/' || r.kind == '-'; }

    // ---- sizes

    /// The part of a sum with positive coefficients, or with negative ones.
    const Def* part_of(const run::Size& sum, bool is_positive) {
        const Def* result = nullptr;
        for (size_t i = 0; i != sum.size; ++i) {
            auto& product = sum[i];
            bool is_here  = (product.coefficient > 0) == is_positive;
            if (!is_here) continue;
            auto number  = product.coefficient > 0 ? product.coefficient : -product.coefficient;
            const Def* x = w.lit_nat(static_cast<uint64_t>(number));
            for (size_t j = 0; j != product.sizes.size; ++j) x = w.call(core::nat::mul, {x, sizes_[product.sizes[j]]});
            result = result ? w.call(core::nat::add, {result, x}) : x;
        }
        return result ? result : w.lit_nat(0);
    }
    const Def* size(const run::Size& sum) {
        auto less = part_of(sum, false), more = part_of(sum, true);
        return is_value(less, 0) ? more : w.call(core::nat::sub, {more, less});
    }
    const Def* compare(core::ncmp how, const run::Size& a, const run::Size& b) {
        auto left  = w.call(core::nat::add, {part_of(a, true), part_of(b, false)});
        auto right = w.call(core::nat::add, {part_of(b, true), part_of(a, false)});
        return w.apply(how, {left, right});
    }
    const Def* returns(uint64_t status) { return w.app(w.extract(lam_->var(), 1), w.tuple({mem_, status_of(w, status)})); }
    const Def* unless(const Def* fails, const std::function<const Def*()>& rest) {
        auto no  = functions_.block(returns(1), "broken");
        auto yes = functions_.con(w.unit_type(), "holds");
        w.set_body(yes, rest());
        return functions_.branch(fails, no, yes);
    }
    const Def* behind_division(const run::Size& a, const run::Size& b, const std::function<const Def*()>& rest) {
        return unless(w.apply(core::ncmp::gLE, {part_of(b, true), part_of(b, false)}), [&] {
            return unless(compare(core::ncmp::gLe, a, {}), [&] {
                auto remainder = w.apply(core::quot::nrem, {size(a), size(b)});
                return unless(w.apply(core::ncmp::GLe, {remainder, w.lit_nat(0)}), rest);
            });
        });
    }
    const Def* behind_rule(size_t i) {
        if (i == signature_->rules.size) return done();
        auto& rule = signature_->rules[i];
        auto &a = rule.left, &b = rule.right;
        auto next = [&, i] { return behind_rule(i + 1); };
        switch (rule.kind) {
            case '/':
                return behind_division(a, b, [&] {
                    sizes_.push_back(w.apply(core::quot::ndiv, {size(a), size(b)}));
                    return next();
                });
            case '-':
                return unless(compare(core::ncmp::gLe, a, b), [&] {
                    sizes_.push_back(w.call(core::nat::sub, {size(a), size(b)}));
                    return next();
                });
            case 'd': return behind_division(b, a, next);
            case 'l': return unless(compare(core::ncmp::Gle, a, b), next);
            case 's': return unless(compare(core::ncmp::GlE, a, b), next);
            default: return unless(compare(core::ncmp::GLe, a, b), next);
        }
    }

    // ---- values

    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    const Def* at(const Leaf& leaf, const Def* first) {
        return w.call<core::bitcast>(pointer(w, coder_.leaf_type(leaf, Form::Inside)), first);
    }
    static bool is_empty(const Leaf& leaf) {
        return std::ranges::any_of(leaf.dims, [](auto n) { return is_value(n, 0); });
    }
    const Def* argument(const Def* type) {
        auto pair = isa_pair(w, type);
        if (pair) {
            auto first = argument(pair.first);
            return w.tuple({first, argument(pair.second)});
        }
        auto leaf  = coder_.leaves(type).front();
        auto given = w.extract(given_, next_++);
        if (leaf.dims.empty()) return given;
        if (is_empty(leaf)) return coder_.zeros(leaf, Form::Inside);
        return effect(w.apply<tensor::load>(coder_.shape(leaf, Form::Inside), {mem_, at(leaf, given)}));
    }
    const Def* result_type(const Def* type) {
        auto pair = isa_pair(w, type);
        if (pair) return w.sigma({result_type(pair.first), result_type(pair.second)});
        return coder_.leaf_type(coder_.leaves(type).front(), Form::Inside);
    }
    void store(const Def* type, const Def* value) {
        if (auto pair = isa_pair(w, type)) {
            store(pair.first, w.extract(value, 0));
            return store(pair.second, w.extract(value, 1));
        }
        auto leaf  = coder_.leaves(type).front();
        auto given = w.extract(given_, next_++);
        if (leaf.dims.empty()) mem_ = w.call<mem::store>({mem_, given, value});
        else if (!is_empty(leaf)) mem_ = w.apply<tensor::store>(coder_.shape(leaf, Form::Inside), {mem_, at(leaf, given), value});
    }
    /// From values in memory to values in memory: `given_` has them, behind the token.
    const Def* through_values() {
        mem_       = w.extract(given_, 0);
        next_      = 1 + num_results_;
        auto sizes = w.tuple(sizes_);
        auto type  = mim::codom(w, program_->type()->as<Pi>(), sizes);
        DefVec args;
        for (; auto pi = type->isa<Pi>(); type = pi->codom()) args.push_back(argument(pi->dom()));
        auto types  = w.tuple({program_->type(), w.sigma(map_defs(args, [](auto a) { return a->type(); })), result_type(type),
                               w.lit_nat(args.size())});
        auto result = w.apply<rise::invoke>(types, {program_}, {w.lit_nat(sizes_.size())}, {sizes});
        result      = w.app(result, w.tuple(args));
        w.notes.set_span(result, w.notes.span(program_));
        next_ = 1;
        store(type, result);
        return w.tuple({mem_, status_of(w, 0)});
    }
    const Def* done() {
        auto first_size = 1 + num_results_, first_input = first_size + num_given_sizes();
        auto part      = [&](size_t i) { return w.extract(given_, i < first_size ? i : i - first_size + first_input); };
        auto values    = def_vec(num_parameters_ - num_given_sizes(), part);
        values[0]      = mem_;
        auto types     = w.sigma(map_defs(values, [](auto v) { return v->type(); }));
        auto otherwise = w.lam(w.pi(types, w.sigma({memory(w), status_type(w)})), [&](const Def* v) {
            given_ = v;
            return through_values();
        });
        auto sizes     = w.tuple(sizes_);
        auto into      = w.apply<rise::into>({program_->type(), types}, {program_}, {w.lit_nat(sizes_.size())}, {sizes});
        auto result    = w.app(w.app(into, otherwise), w.tuple(values));
        w.notes.set_span(result, w.notes.span(program_));
        return w.app(w.extract(lam_->var(), 1), result);
    }

    World& w;
    Coder coder_;
    const Lam* program_;
    run::Program* signature_;
    Functions functions_;
    Lam* lam_         = nullptr;
    const Def* given_ = nullptr; ///< all but the continuation
    const Def* mem_   = nullptr;
    DefVec sizes_;
    size_t num_results_ = 0, num_parameters_ = 0, next_ = 0;
};

} // namespace

void add_function(World& w, const Lam* program, const std::string& signature) {
    w.externals.add(w.notes.name(program), Function(w, program, signature).make());
}

} // namespace mim::plug::rise
