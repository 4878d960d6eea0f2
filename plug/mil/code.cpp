// SPDX-License-Identifier: MIT
#include "code_maker.h"

#include <map>

namespace mim::plug::mil {

const mim::Def* CodeMaker::atom(const Atom& a) {
    switch (a.kind) {
        case Atom::Var: return locals_.at(static_cast<uint32_t>(a.number));
        case Atom::Word:
        case Atom::Bits:
        case Atom::Flag: return number(a.number);
        case Atom::Proxy:
        case Atom::Label: return number(0);
        case Atom::Top: return load(static_value(a.number));
        default: return load(static_value(p_.tops.size() + a.number));
    }
}

// ---- computations
// -----------------------------------------------------------------------------------------------------------

const mim::Def* WordMaker::operation(Op op, const mim::Def* a, const mim::Def* b) {
    auto width    = number(p_.word_bits);
    auto shifted  = [&](const mim::Def* v) { return w.select(w.call(core::icmp::ul, {b, width}), v, number(0)); };
    auto amount   = [&] { return w.select(w.call(core::icmp::ul, {b, width}), b, number(0)); };
    auto most     = [&] { return w.select(w.call(core::icmp::ul, {b, width}), b, number(p_.word_bits - 1)); };
    auto compared = [&](core::icmp how) { return flag(w.call(how, {a, b})); };
    auto signs    = [&](core::icmp how) { return flag(w.call(how, {extended(a), extended(b)})); };
    switch (op) {
        case Op::Not: return masked(bits(core::bit2::xor_, a, number(~uint64_t(0))));
        case Op::Neg: return masked(wrap(core::wrap::sub, number(0), a));
        case Op::Band:
        case Op::And: return bits(core::bit2::and_, a, b);
        case Op::Bor:
        case Op::Or: return bits(core::bit2::or_, a, b);
        case Op::Bxor:
        case Op::Xor: return bits(core::bit2::xor_, a, b);
        case Op::Add: return masked(wrap(core::wrap::add, a, b));
        case Op::Sub: return masked(wrap(core::wrap::sub, a, b));
        case Op::Mul: return masked(wrap(core::wrap::mul, a, b));
        case Op::Shl: return shifted(masked(wrap(core::wrap::shl, a, amount())));
        case Op::Lshr: return shifted(w.call(core::shr::l, {a, amount()}));
        case Op::Ashr: return masked(w.call(core::shr::a, {extended(a), most()}));
        case Op::Bnot: return bits(core::bit2::xor_, a, number(1));
        case Op::Beq:
        case Op::Eq: return compared(core::icmp::e);
        case Op::Neq: return compared(core::icmp::ne);
        case Op::Blt:
        case Op::Ult: return compared(core::icmp::ul);
        case Op::Ble:
        case Op::Ule: return compared(core::icmp::ule);
        case Op::Bgt:
        case Op::Ugt: return compared(core::icmp::ug);
        case Op::Bge:
        case Op::Uge: return compared(core::icmp::uge);
        case Op::Slt: return signs(core::icmp::sl);
        case Op::Sle: return signs(core::icmp::sle);
        case Op::Sgt: return signs(core::icmp::sg);
        case Op::Sge: return signs(core::icmp::sge);
        case Op::Zeros: return number(0);
        case Op::Offset: return wrap(core::wrap::add, a, b);
        case Op::WordToFlag: return bits(core::bit2::and_, a, number(1));
        default: return a; // flagToWord, primRet, primAs, primSame
    }
}

/// Calls a function, and goes on with its results.
void CodeMaker::call(const mim::Def* callee, Values args, size_t results) {
    auto next = functions_.lam(returns(results), "next");
    args.push_back(next);
    finish(w.app(callee, w.tuple(args)));
    enter(next);
}

void CodeMaker::stop(const mim::Def* why) {
    auto next = block("never");
    finish(w.app(why, {mem_, next}));
    go_on(next);
}

/// Nothing comes behind it.
void CodeMaker::loop_for_ever() {
    auto again = block("again");
    finish(w.app(again, mem_));
    go_on(again);
    finish(w.app(again, mem_));
    go_on(block("never"));
}

Values CodeMaker::primitive(const Tail& t) {
    auto op       = static_cast<Op>(p_.primitives[t.target].code);
    auto args     = atoms(t.args);
    auto quotient = [&](const mim::Def* how, const Values& operands) -> Values {
        call(how, {w.tuple({mem_, operands[0], operands[1]})}, 1);
        return {masked(w.extract(now_->var(), 1))};
    };
    switch (op) {
        case Op::Div: return quotient(w.annex(mil::div(0)), {extended(args[0]), extended(args[1])});
        case Op::Rem: return quotient(w.annex(mil::rem(0)), {extended(args[0]), extended(args[1])});
        case Op::Area: call(w.annex(mil::area(0)), {w.tuple({mem_, args[0], args[1]})}, 1); return {w.extract(now_->var(), 1)};
        case Op::Load: call(w.annex(mil::load(0)), {w.tuple({mem_, args[0], args[1]})}, 1); return {w.extract(now_->var(), 1)};
        case Op::Store: effect(w.annex(mil::store(0)), {mem_, args[0], args[1], args[2]}); return {};
        case Op::NzDiv: return quotient(w.annex(mil::nzdiv(0)), args);
        case Op::NzRem: return quotient(w.annex(mil::nzrem(0)), args);
        case Op::PrintWord: effect(w.annex(print_word(0)), {mem_, extended(args[0])}); return {};
        case Op::PrintString: effect(w.annex(print_string(0)), {mem_, args[0]}); return {};
        case Op::ReadChar: {
            auto next = functions_.lam(returns(1), "next");
            finish(w.app(w.annex(read_char(0)), {mem_, next}));
            enter(next);
            return {masked(w.extract(next->var(), 1))};
        }
        case Op::C: {
            auto& prim = p_.primitives[t.target];
            return p_.c_functions[prim.c_function].mim_name.empty() ? c_function(prim, args)
                                                                    : mim_function(prim.c_function, args);
        }
        case Op::Loop: loop_for_ever(); return Values(t.results, number(0));
        case Op::Halt:
            stop(t.index == kNoAlternative ? w.annex(no_match(0)) : w.annex(halt(0)));
            return Values(t.results, number(0));
        case Op::NoInline: return {};
        case Op::Part:
        case Op::Put: return {part_of_row(t, args)};
        default: return {operation(op, args[0], args.size() > 1 ? args[1] : nullptr)};
    }
}

/// A tail that enters no function of the program.
Values CodeMaker::simple(const Tail& t) {
    switch (t.op) {
        case Tail::Return: return atoms(t.args);
        case Tail::Primitive: return primitive(t);
        case Tail::Build: return {build(t)};
        case Tail::Select:
            return {is_bits(p_, t.target) ? field_of(t)
                                          : load(element(atom(t.args[0]), t.index + 1, p_.cons[t.target].types.size() + 1))};
        case Tail::Closure: return {allocate(t)};
        case Tail::Reuse: return {reuse(atom(t.args[0]), t.args, 1)};
        case Tail::Dup:
        case Tail::Drop:
        case Tail::Free: change(t); return {};
        default: return {};
    }
}

/// The function that a call enters, and all its arguments but the continuation.
const mim::Def* CodeMaker::callee(const Tail& t, Values& args) {
    auto values = atoms(t.args);
    if (t.op == Tail::Block) {
        args = {mem_, tops_};
        args.insert(args.end(), values.begin(), values.end());
        return blocks_[t.target];
    }
    auto type = function_type(values.size(), t.results);
    auto code = w.call<core::bitcast>(type, load(element(values[0], 1, 2)));
    args      = {mem_, tops_};
    args.insert(args.end(), values.begin(), values.end());
    return code;
}

void CodeMaker::statement(const Statement& s) {
    Values values;
    if (s.tail.op == Tail::Block || s.tail.op == Tail::Enter) {
        Values args;
        auto entered = callee(s.tail, args);
        call(entered, std::move(args), s.tail.results);
        for (size_t i = 0; i != s.tail.results; ++i) values.push_back(w.extract(now_->var(), i + 1));
    } else {
        values = simple(s.tail);
    }
    for (size_t i = 0; i != s.binds.size(); ++i)
        if (s.binds[i] != kNone) locals_[s.binds[i]] = values[i];
}

void CodeMaker::end(const Tail& t) {
    Values args;
    if (t.op == Tail::Block || t.op == Tail::Enter) {
        auto entered = callee(t, args);
        args.push_back(return_);
        return finish(w.app(entered, w.tuple(args)));
    }
    auto values = simple(t);
    args        = {mem_};
    args.insert(args.end(), values.begin(), values.end());
    finish(w.app(return_, w.tuple(args)));
}

void CodeMaker::jump(const Jump& j) {
    Tail t{Tail::Block, j.block, 0, j.args, j.at, results_};
    end(t);
}

/// Goes on in one of two blocks, which both go on with the memory.
void CodeMaker::split(const mim::Def* condition, Lam* yes, Lam* no) { finish(w.app(w.select(condition, yes, no), mem_)); }

/// Without fields a value is an odd number, with them an object whose tag is read, unless it is the only one of its
/// type that has fields.
void CodeMaker::test(const mim::Def* subject, const Con& con, Lam* yes, Lam* no) {
    if (is_bits(p_.datas[con.data])) return split(is_row_of(con, subject), yes, no);
    if (con.types.empty()) return split(w.call(core::icmp::e, {subject, number(2 * uint64_t(con.tag) + 1)}), yes, no);
    size_t objects = 0;
    for (auto other : p_.datas[con.data].cons) objects += !p_.cons[other].types.empty();
    auto is_object = w.call(core::icmp::e, {bits(core::bit2::and_, subject, number(1)), number(0)});
    if (objects == 1) return split(is_object, yes, no);
    auto look = block("look");
    split(is_object, look, no);
    go_on(look);
    auto tag = w.call(core::shr::l, {load(element(subject, 0, 1)), number(52)});
    split(w.call(core::icmp::e, {tag, number(con.tag)}), yes, no);
}

void CodeMaker::branch(const Code& c) {
    auto subject = atom(c.subject);
    if (c.end == Code::If) {
        auto yes = block("then");
        auto no  = block("else");
        split(w.call(core::icmp::ne, {subject, number(0)}), yes, no);
        go_on(yes);
        jump(c.arms[0].jump);
        go_on(no);
        return jump(c.arms[1].jump);
    }
    for (auto& arm : c.arms) {
        auto& con    = p_.cons[arm.con];
        bool is_all  = !c.otherwise && is_exhaustive(p_, c);
        bool is_last = is_all && &arm == &c.arms.back();
        if (is_last) return jump(arm.jump);
        auto yes = block("arm");
        auto no  = block("other");
        test(subject, con, yes, no);
        go_on(yes);
        jump(arm.jump);
        go_on(no);
    }
    if (c.otherwise) return jump(*c.otherwise);
    stop(w.annex(no_match(0)));
    give_nothing();
}

/// Behind the end of the program.
void CodeMaker::give_nothing() {
    DefVec results(size_t(results_) + 1, number(0));
    results[0] = mem_;
    finish(w.app(return_, w.tuple(results)));
}

void CodeMaker::code(const Code& c) {
    for (auto& s : c.statements) statement(s);
    if (c.end == Code::Tailed) end(c.tail);
    else branch(c);
}

// ---- functions
// --------------------------------------------------------------------------------------------------------------

void CodeMaker::body(Lam* lam, const BlockDef& def) {
    auto& params = def.params;
    results_     = def.results;
    locals_.clear();
    enter(lam);
    tops_ = w.extract(lam->var(), 1);
    for (size_t i = 0; i != params.size(); ++i) locals_[params[i]] = w.extract(lam->var(), i + 2);
    return_ = w.extract(lam->var(), params.size() + 2);
    code(def.code);
}

/// Its first argument is itself.
void CodeMaker::closure(uint32_t i) {
    auto& def = p_.closures[i];
    auto lam  = closures_[i];
    results_  = def.tail.results;
    locals_.clear();
    enter(lam);
    tops_     = w.extract(lam->var(), 1);
    auto self = w.extract(lam->var(), 2);
    for (size_t j = 0; j != def.params.size(); ++j) locals_[def.params[j]] = w.extract(lam->var(), j + 3);
    return_ = w.extract(lam->var(), def.params.size() + 3);
    Atoms stored;
    for (size_t j = 0; j != def.stored.size(); ++j) {
        locals_[def.stored[j]] = load(element(self, j + 2, def.stored.size() + 2));
        stored.push_back({Atom::Var, def.stored[j]});
    }
    if (c_.is_counted) free_cell(reuse(self, stored, 0), slots_for(stored.size() + 1));
    end(def.tail);
}

namespace {

/// Stands for the value of a definition that is computed later: a constructor without fields.
constexpr uint64_t kNoObject = 1;

/// Allocations of top-level definitions that need each other: which ones name a value that is not there yet.
class LaterTops {
public:
    struct Use {
        uint32_t top;
        size_t argument;
    };
    explicit LaterTops(const Program& p) {
        std::vector<bool> is_there(p.tops.size());
        for (auto& e : p.order) {
            if (e.kind != Program::TopKind) continue;
            auto& t = p.tops[e.index].tail;
            for (size_t i = 0; i != t.args.size() && makes_object(p, t); ++i)
                if (t.args[i].kind == Atom::Top && !is_there[t.args[i].number]) users_[t.args[i].number].push_back({e.index, i});
            is_there[e.index] = true;
        }
    }
    std::vector<uint64_t> all() const {
        std::vector<uint64_t> result;
        for (auto& [top, _] : users_) result.push_back(top);
        return result;
    }
    std::vector<Use> users(uint32_t top) const {
        auto found = users_.find(top);
        return found == users_.end() ? std::vector<Use>() : found->second;
    }

private:
    std::map<uint64_t, std::vector<Use>> users_;
};

} // namespace

/// The values of top-level definitions are static from the beginning of `main` on.
void CodeMaker::start_tops() {
    for (size_t i = 0; i != p_.texts.size(); ++i) {
        auto text  = p_.texts[i] + '\0';
        auto bytes = def_vec(text.size(), [&](size_t j) { return w.lit_idx(256, static_cast<unsigned char>(text[j])); });
        auto at    = w.call<mem::alloc>(w.arr(text.size(), w.idx(256)), mem_);
        mem_       = w.extract(at, 0);
        store(w.extract(at, 1), w.tuple(bytes));
        store(static_value(p_.tops.size() + i), address(w.extract(at, 1)));
    }
    LaterTops later(p_);
    for (auto top : later.all()) store(static_value(top), number(kNoObject));
    for (auto& e : p_.order) {
        if (e.kind != Program::TopKind) continue;
        auto value = compute(p_.tops[e.index].tail);
        store(static_value(e.index), value);
        bool is_reference = c_.is_counted && c_.tops[e.index] != Held::Plain;
        if (is_reference) effect(w.annex(freeze(0)), {mem_, value});
        for (auto& use : later.users(e.index)) set_field(use.top, use.argument, value);
    }
}

/// The object of a top-level definition gets a value that was not there when it was made.
void CodeMaker::set_field(uint32_t top, size_t argument, const mim::Def* value) {
    auto& t    = p_.tops[top].tail;
    auto first = t.op == Tail::Closure ? 1 : 0;
    auto size  = slots_for(t.args.size() + first) + 1;
    store(element(load(static_value(top)), first + argument + 1, size), value);
}

const mim::Def* CodeMaker::compute(const Tail& t) {
    auto v = static_cast<uint32_t>(p_.variables.size());
    statement({{v}, t});
    return locals_.at(v);
}

/// The table with the values of top-level definitions: made here, or by a function that entry points know as well.
void CodeMaker::make_table(Lam* init) {
    if (init) {
        call(w.annex(mil::enter(0)), {w.tuple({mem_, init})}, 1);
        tops_ = w.extract(now_->var(), 1);
        return;
    }
    auto made = w.app(w.annex(table(0)), {mem_, number(p_.tops.size() + p_.texts.size())});
    mem_      = w.extract(made, 0);
    tops_     = w.extract(made, 1);
    start_tops();
}

/// Makes the table; null if C calls nothing.
Lam* CodeMaker::initializer() {
    auto is_entry = [](auto& b) { return b.entry != kNone; };
    if (std::ranges::none_of(p_.blocks, is_entry)) return nullptr;
    auto lam = functions_.lam(w.cn({memory_, w.cn({memory_, word_})}), "initialize");
    return_  = w.extract(lam->var(), 1);
    enter(lam);
    locals_.clear();
    make_table(nullptr);
    finish(w.app(return_, {mem_, tops_}));
    return lam;
}

/// The function that runs on a stack of its own: what `main` is. Its result is the status.
Lam* CodeMaker::start(Lam* init) {
    auto i32 = w.idx(uint64_t(1) << 32);
    auto lam = functions_.lam(w.cn({memory_, w.cn({memory_, i32})}), "start");
    return_  = w.extract(lam->var(), 1);
    enter(lam);
    locals_.clear();
    make_table(init);
    const mim::Def* status = number(0);
    if (p_.main_is_proc) {
        auto v        = static_cast<uint32_t>(p_.variables.size()) + 1;
        locals_[v]    = load(static_value(p_.main));
        auto returned = compute({Tail::Enter, kNone, 0, {{Atom::Var, v}}, {}});
        drop(returned, p_.main_is_word ? Held::Plain : c_.result);
        if (p_.main_is_word) status = bits(core::bit2::and_, returned, number(255));
    }
    if (is_checked_) effect(w.annex(check(0)), {mem_, tops_});
    finish(w.app(return_, {mem_, w.call(core::conv::u, w.lit_nat(uint64_t(1) << 32), status)}));
    return lam;
}

void CodeMaker::make_main(Lam* init) {
    auto program = start(init);
    auto i32     = w.idx(uint64_t(1) << 32);
    auto lam     = functions_.lam(w.cn({memory_, w.cn({memory_, i32})}), "main");
    w.set_body(lam, w.app(w.annex(mil::run(0)), {w.tuple({w.extract(lam->var(), 0), program}), w.extract(lam->var(), 1)}));
    w.externals.add(w.sym("main"), lam);
}

void CodeMaker::run() {
    blocks_.resize(p_.blocks.size());
    closures_.resize(p_.closures.size());
    auto note = [&](Lam* lam, Span at) {
        if (at) w.notes.set_span(lam, at);
    };
    for (auto& e : p_.order) {
        if (e.kind == Program::BlockKind) {
            auto& b          = p_.blocks[e.index];
            blocks_[e.index] = functions_.lam(function_type(b.params.size(), b.results), b.name);
            note(blocks_[e.index], b.at);
        } else if (e.kind == Program::ClosureKind) {
            auto& k            = p_.closures[e.index];
            closures_[e.index] = functions_.lam(function_type(k.params.size() + 1, k.tail.results), k.name);
            note(closures_[e.index], k.at);
        }
    }
    for (auto& e : p_.order) {
        if (e.kind == Program::BlockKind) body(blocks_[e.index], p_.blocks[e.index]);
        if (e.kind == Program::ClosureKind) closure(e.index);
    }
    auto init = initializer();
    for (auto& e : p_.order)
        if (e.kind == Program::BlockKind && p_.blocks[e.index].entry != kNone) entry(e.index, init);
    if (p_.main != kNone) make_main(init);
    functions_.close();
}

void make_code(FrontEndContext& c, const CountedProgram& p, CFunctions& functions) {
    CodeMaker(c.world, p, functions, c.settings.number("mil.check-heap") != 0).run();
}

} // namespace mim::plug::mil
