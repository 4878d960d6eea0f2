// SPDX-License-Identifier: MIT
// Values between C and the program: C has words and addresses, the program has 64 bits of which it knows what they are.
#include "code_maker.h"

namespace mim::plug::mil {

const mim::Def* WordMaker::c_type(const CValue& v) {
    switch (v.form) {
        case CValue::Nothing: return nullptr;
        case CValue::Address: return w.app(w.annex(mem::PtrAS(0)), {w.sigma(DefVec{}), w.lit_nat(0)}); // `void*`
        default: return p_.word_bits == 64 ? word_ : w.idx(uint64_t(1) << 32);
    }
}

/// C may leave anything in the bits that the type does not have.
const mim::Def* WordMaker::from_c(const CValue& v, const mim::Def* value) {
    if (v.form == CValue::Nothing) return number(v.value);
    if (v.form == CValue::Address) return address(value);
    auto word = p_.word_bits == 64 ? value : w.call(core::conv::u, w.lit_2_64(), value);
    if (v.width < p_.word_bits) word = bits(core::bit2::and_, word, number((uint64_t(1) << v.width) - 1));
    if (v.form != CValue::Truth) return word;
    auto is_true = w.call(core::icmp::ne, {word, number(0)});
    return w.select(is_true, truth(true), truth(false));
}

const mim::Def* WordMaker::to_c(const CValue& v, const mim::Def* value) {
    if (v.form == CValue::Address) return pointer(value, w.sigma(DefVec{}));
    if (v.form == CValue::Truth) value = flag(w.call(core::icmp::e, {value, truth(true)}));
    return p_.word_bits == 64 ? value : w.call(core::conv::u, w.lit_nat(uint64_t(1) << 32), value);
}

/// A call of a function of C.
Values CodeMaker::c_function(const Primitive& prim, const Values& args) {
    auto& passing = p_.c_functions[prim.c_function].passing;
    auto& axiom   = c_functions_[prim.name];
    if (!axiom) axiom = std::make_unique<Axiom>();
    axiom->name = w.sym(prim.name);
    axiom->kind = Axiom::CFun;
    auto call   = block(prim.name.c_str());
    finish(w.app(call, mem_));
    go_on(call);
    if (prim.at) w.notes.set_span(call, prim.at);
    DefVec domain{memory_}, values{mem_};
    for (size_t i = 0; i != args.size(); ++i) {
        auto type = c_type(passing.arguments[i]);
        if (!type) continue;
        domain.push_back(type);
        values.push_back(to_c(passing.arguments[i], args[i]));
    }
    auto result = c_type(passing.result);
    auto back   = result ? w.cn({memory_, result}) : w.cn(memory_);
    auto callee = w.axm(axiom.get(), w.cn({w.sigma(domain), back}));
    auto next   = functions_.lam(back, "next");
    finish(w.app(callee, {w.tuple(values), next}));
    if (result) enter(next);
    else go_on(next);
    if (prim.range.empty()) return {};
    return {from_c(passing.result, result ? w.extract(next->var(), 1) : nullptr)};
}

/// A function of C that calls a block; for Mim it is a `Fn [%mem.M, …] → [%mem.M, …]`.
void CodeMaker::entry(uint32_t block, Lam* init) {
    auto& def     = p_.blocks[block];
    auto& passing = p_.entries[def.entry];
    auto result   = c_type(passing.result);
    DefVec domain{memory_};
    for (auto& a : passing.arguments)
        if (auto type = c_type(a)) domain.push_back(type);
    auto lam      = functions_.lam(w.fn(w.sigma(domain), result ? w.sigma({memory_, result}) : memory_), def.name);
    auto given    = w.extract(lam->var(), 0);
    auto argument = [&](size_t i) { return domain.size() == 1 ? given : w.extract(given, i); };
    auto back     = w.extract(lam->var(), 1);
    now_          = lam;
    mem_          = argument(0);
    make_table(init);
    DefVec args{tops_};
    size_t next = 1;
    for (auto& a : passing.arguments) args.push_back(from_c(a, c_type(a) ? argument(next++) : nullptr));
    args.insert(args.begin(), mem_);
    call(blocks_[block], std::move(args), 1);
    auto value = w.extract(now_->var(), 1);
    if (result) finish(w.app(back, {mem_, to_c(passing.result, value)}));
    else finish(w.app(back, mem_));
    if (def.at) w.notes.set_span(lam, def.at);
    w.externals.add(w.sym(def.name), lam);
}

} // namespace mim::plug::mil
