// SPDX-License-Identifier: MIT
// The abstract machine: what a program means. It knows nothing of the code that is made of it, and keeps its stack on
// the heap.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unordered_map>

#include <unistd.h>

#include "eval/eval.h"
#include "machine_c.h"
#include "primitives.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

constexpr size_t kStackBytes = size_t(1) << 30;
constexpr size_t kHeapBytes  = size_t(4) << 30;

constexpr auto kNoMatch = "no alternative is for a value";

/// Why a program stopped.
struct Stop {
    std::string why;
};

using Words = std::vector<uint64_t>;

/// Objects: their constructor or closure, and what they hold. Nothing is freed before the machine ends.
class Heap {
public:
    uint64_t* make(uint64_t header, size_t size) {
        if (size + 1 > left_) grow(size + 1);
        auto object = next_;
        next_ += size + 1;
        left_ -= size + 1;
        object[0] = header;
        return object;
    }

    /// Memory of zeros that stays where it is.
    uint64_t area(uint64_t bytes, uint64_t align) {
        if (bytes > kHeapBytes || align > kHeapBytes) throw Stop{"its memory is exhausted"};
        areas_.push_back(std::make_unique<unsigned char[]>(bytes + align));
        auto at = reinterpret_cast<uint64_t>(areas_.back().get());
        return (at + align - 1) / align * align;
    }

private:
    void grow(size_t size) {
        constexpr size_t kBlock = size_t(1) << 16;
        left_                   = std::max(size, kBlock);
        used_ += left_ * sizeof(uint64_t);
        if (used_ > kHeapBytes) throw Stop{"its memory is exhausted"};
        blocks_.push_back(std::make_unique<uint64_t[]>(left_));
        next_ = blocks_.back().get();
    }

    std::vector<std::unique_ptr<uint64_t[]>> blocks_;
    std::vector<std::unique_ptr<unsigned char[]>> areas_;
    uint64_t* next_ = nullptr;
    size_t left_    = 0;
    size_t used_    = 0;
};

/// A definition whose variables are places on the stack.
struct Routine {
    Code code;
    size_t size = 0; ///< places
};

class Placing {
public:
    Routine run(const std::vector<uint32_t>& params, Code code) {
        for (auto v : params) place(v);
        for (auto& s : code.statements) {
            tail(s.tail);
            for (auto& v : s.binds)
                if (v != kNone) v = place(v);
        }
        tail(code.tail);
        if (code.end != Code::Tailed) atom(code.subject);
        for (auto& arm : code.arms) atoms(arm.jump.args);
        if (code.otherwise) atoms(code.otherwise->args);
        return {std::move(code), places_.size()};
    }

private:
    uint32_t place(uint32_t v) { return places_.emplace(v, static_cast<uint32_t>(places_.size())).first->second; }
    void atom(Atom& a) {
        if (a.kind == Atom::Var) a.number = places_.at(static_cast<uint32_t>(a.number));
    }
    void atoms(Atoms& all) {
        for (auto& a : all) atom(a);
    }
    void tail(Tail& t) { atoms(t.args); }

    std::unordered_map<uint32_t, uint32_t> places_;
};

class Machine {
public:
    explicit Machine(const Program& p);

    /// Runs the program; it may stop on its own.
    void run();
    Evaluation result;
    size_t num_shown() const { return shown_; }
    void use(eval::Machine& mim) { mim_ = &mim; }

private:
    struct Frame {
        const Routine* routine;
        size_t next;
        size_t base;
        const std::vector<uint32_t>* binds; ///< null: the machine itself waits
    };

    Words compute(const Tail&);
    void loop();
    void flush();
    void end();
    bool perform(const Tail&);
    void go(const Routine&, size_t base);
    void call(const Routine& r, bool is_last);
    uint64_t* make(const Tail& t) {
        bool is_constant = t.op == Tail::Build && t.args.empty();
        return is_constant ? object(constants_[t.target]) : heap_.make(t.target, t.args.size());
    }
    void jump(const Jump&);
    void branch(const Code&);
    void give();
    void primitive(const Tail&);
    void c_function(const Primitive&);
    void mim_function(uint32_t index);
    void take_output();
    void give_result(const CFunction&, uint64_t returned, bool has_result);
    void run_all();
    void reserve_tops();
    uint64_t word(Op, uint64_t a, uint64_t b);
    /// @name rows of bits: values of `bitdata` are their rows. `Bits` is a Row, or the 64 bits of a narrow one.
    ///@{
    template<class Bits>
    bool holds(const Region&, const Bits& row) const;
    template<class Bits>
    bool holds(const Con&, const Bits& row) const;
    template<class Bits>
    Bits pack(const Region&, uint64_t value) const;
    template<class Bits>
    uint64_t unpack(const Region&, const Bits& row);
    template<class Bits>
    Bits build_row(const Con&) const;
    uint64_t field_of(const Con&, uint32_t index, uint64_t row);
    void part_of_row(Op, const Atoms&);
    /// Rows of more than 64 bits are objects.
    Row row_of(uint64_t value, uint32_t width) const;
    uint64_t value_of(const Row&, uint32_t width);
    bool is_wide(uint32_t con) const { return is_wider(data_of(p_, con), 64); }
    ///@}
    bool is_made_by(uint32_t con, uint64_t value) const {
        if (!is_bits(p_, con)) return object(value)[0] == con;
        return is_wide(con) ? holds(p_.cons[con], row_of(value, data_of(p_, con).width)) : holds(p_.cons[con], value);
    }
    uint64_t value(const Atom& a) const {
        switch (a.kind) {
            case Atom::Var: return stack_[base_ + a.number];
            case Atom::Bits: return a.width > 64 ? rows_[a.number] : a.number;
            case Atom::Word:
            case Atom::Flag: return a.number;
            case Atom::Proxy:
            case Atom::Label: return 0;
            case Atom::Top: return tops_[a.number];
            default: return reinterpret_cast<uint64_t>(p_.texts[a.number].c_str());
        }
    }
    void arguments(const Atoms& all, size_t first = 0) {
        values_.clear();
        for (auto i = first; i != all.size(); ++i) values_.push_back(value(all[i]));
    }
    static uint64_t* object(uint64_t v) { return reinterpret_cast<uint64_t*>(v); }
    int64_t number(uint64_t v) const {
        auto unused = 64 - p_.word_bits;
        return static_cast<int64_t>(v << unused) >> unused;
    }

    const Program& p_;
    std::vector<Routine> blocks_, closures_;
    Words tops_, stack_, values_;
    std::vector<uint64_t> constants_; ///< constructors without fields
    Words rows_;                      ///< those of Program::rows
    std::vector<Frame> frames_;
    Heap heap_;
    const Routine* routine_ = nullptr;
    size_t next_            = 0;
    size_t base_            = 0;
    eval::Machine* mim_     = nullptr; ///< of a program that calls functions of Mim
    size_t shown_           = 0;       ///< bytes of what they printed that are in the result
};

Machine::Machine(const Program& p)
    : p_(p)
    , tops_(p.tops.size()) {
    for (auto& b : p.blocks) blocks_.push_back(Placing().run(b.params, b.code));
    for (auto& k : p.closures) {
        auto all = k.stored;
        all.insert(all.end(), k.params.begin(), k.params.end());
        Code code;
        code.tail = k.tail;
        closures_.push_back(Placing().run(all, std::move(code)));
    }
    for (uint32_t c = 0; c != p.cons.size(); ++c) constants_.push_back(reinterpret_cast<uint64_t>(heap_.make(c, 0)));
    for (auto& r : p.rows) rows_.push_back(value_of(r, kMostBits));
}

void Machine::go(const Routine& r, size_t base) {
    routine_ = &r;
    next_    = 0;
    base_    = base;
    if (base + r.size > stack_.size()) {
        if ((base + r.size) * sizeof(uint64_t) > kStackBytes) throw Stop{"its stack is exhausted"};
        stack_.resize((base + r.size) * 2);
    }
    std::copy(values_.begin(), values_.end(), stack_.begin() + static_cast<std::ptrdiff_t>(base));
}

/// The values are the arguments. A last call takes the place of its caller.
void Machine::call(const Routine& r, bool is_last) {
    if (is_last) return go(r, base_);
    frames_.push_back({routine_, next_, base_, &routine_->code.statements[next_ - 1].binds});
    go(r, base_ + routine_->size);
}

/// The values are results.
void Machine::give() {
    auto frame = frames_.back();
    frames_.pop_back();
    routine_ = frame.routine;
    next_    = frame.next;
    base_    = frame.base;
    if (!frame.binds) return;
    for (size_t i = 0; i != frame.binds->size(); ++i)
        if ((*frame.binds)[i] != kNone) stack_[base_ + (*frame.binds)[i]] = values_[i];
}

/// True if the values are the results; else something was entered.
bool Machine::perform(const Tail& t) {
    bool is_last = next_ > routine_->code.statements.size();
    switch (t.op) {
        case Tail::Return: arguments(t.args); return true;
        case Tail::Block:
            arguments(t.args);
            call(blocks_[t.target], is_last);
            return false;
        case Tail::Enter: {
            auto closure = object(value(t.args[0]));
            auto& def    = p_.closures[closure[0]];
            arguments(t.args, 1);
            values_.insert(values_.begin(), closure + 1, closure + 1 + def.stored.size());
            call(closures_[closure[0]], is_last);
            return false;
        }
        case Tail::Build:
        case Tail::Closure: {
            arguments(t.args);
            if (t.op == Tail::Build && is_bits(p_, t.target)) {
                auto& con       = p_.cons[t.target];
                bool has_layout = data_of(p_, t.target).form == DataType::Bitdata && !values_.empty();
                if (has_layout) return true; // that is the value
                values_ = {is_wide(t.target) ? value_of(build_row<Row>(con), data_of(p_, t.target).width)
                                             : build_row<uint64_t>(con)};
                return true;
            }
            auto made = make(t);
            std::copy(values_.begin(), values_.end(), made + 1);
            values_ = {reinterpret_cast<uint64_t>(made)};
            return true;
        }
        case Tail::Select:
        case Tail::Assert: {
            auto from = value(t.args[0]);
            if (!is_made_by(t.target, from)) throw Stop{"a value is not what `" + p_.cons[t.target].name + "` made"};
            values_.clear();
            if (t.op == Tail::Assert) return true;
            values_.push_back(is_bits(p_, t.target) ? field_of(p_.cons[t.target], t.index, from) : object(from)[1 + t.index]);
            return true;
        }
        case Tail::Primitive: primitive(t); return true;
        default: return true; // the machine counts no references
    }
}

void Machine::jump(const Jump& j) {
    arguments(j.args);
    go(blocks_[j.block], base_);
}

void Machine::branch(const Code& c) {
    auto v = value(c.subject);
    if (c.end == Code::If) return jump(c.arms[v ? 0 : 1].jump);
    for (auto& arm : c.arms)
        if (is_made_by(arm.con, v)) return jump(arm.jump);
    if (!c.otherwise) throw Stop{kNoMatch};
    jump(*c.otherwise);
}

// ---- rows of bits
// -----------------------------------------------------------------------------------------------------------

uint64_t mask_of(uint32_t width) { return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1; }

Row Machine::row_of(uint64_t value, uint32_t width) const {
    if (width <= 64) return value;
    Row result;
    for (auto i = (width + 63) / 64; i != 0; --i) result = result << 64 | Row(object(value)[i]);
    return result;
}

uint64_t Machine::value_of(const Row& row, uint32_t width) {
    if (width <= 64) return low_bits(row);
    auto size = (width + 63) / 64;
    auto made = heap_.make(0, size);
    for (uint32_t i = 0; i != size; ++i) made[1 + i] = low_bits(row >> 64 * i);
    return reinterpret_cast<uint64_t>(made);
}

uint64_t cut(uint64_t row, const Region& r) { return r.width == 0 ? 0 : row >> r.offset & mask_of(r.width); }
Row cut(const Row& row, const Region& r) { return part(row, r.offset, r.width); }
uint64_t number_of(uint64_t bits) { return bits; }
uint64_t number_of(const Row& bits) { return low_bits(bits); }
bool is_fixed(uint64_t bits, const Region& r) { return bits == r.number; }
bool is_fixed(const Row& bits, const Region& r) { return bits == r.row; }

/// Whether the bits of the region are those of a value.
template<class Bits>
bool Machine::holds(const Region& r, const Bits& row) const {
    auto bits = cut(row, r);
    switch (r.content) {
        case Region::Fixed: return is_fixed(bits, r);
        case Region::Below: return number_of(bits) < r.limit;
        case Region::NonZero: return bits != Bits(0);
        case Region::Of: {
            auto& data = p_.datas[r.number];
            if (data.form == DataType::Layout) return holds(p_.cons[data.outside], bits);
            return std::ranges::any_of(data.cons, [&](uint32_t c) { return holds(p_.cons[c], bits); });
        }
        default: return true;
    }
}

/// Of a layout, those of its constructor.
template<class Bits>
bool Machine::holds(const Con& con, const Bits& row) const {
    auto& data  = p_.datas[con.data];
    auto& whole = data.form == DataType::Layout ? p_.cons[data.outside] : con;
    return std::ranges::all_of(whole.regions, [&](auto& r) { return holds(r, row); });
}

/// The value of a field.
template<class Bits>
Bits Machine::pack(const Region& r, uint64_t value) const {
    if (r.width == 0) return 0;
    if (r.content == Region::Truth) value = object(value)[0] == p_.yes;
    return (r.width > 64 ? Bits(row_of(value, r.width)) : Bits(value)) << r.offset;
}
template<>
uint64_t Machine::pack(const Region& r, uint64_t value) const {
    if (r.content == Region::Truth) value = object(value)[0] == p_.yes;
    return r.width == 0 ? 0 : value << r.offset;
}

template<class Bits>
uint64_t Machine::unpack(const Region& r, const Bits& row) {
    if (r.content == Region::Nothing) return constants_[p_.unit];
    auto bits = cut(row, r);
    if (r.content == Region::Truth) return constants_[number_of(bits) ? p_.yes : p_.no];
    return r.width > 64 ? value_of(bits, r.width) : number_of(bits);
}

/// The arguments are in `values_`: the fields of a layout.
template<class Bits>
Bits Machine::build_row(const Con& con) const {
    auto& data     = p_.datas[con.data];
    bool is_inside = data.form == DataType::Layout;
    Bits row       = 0;
    size_t next    = 0;
    for (auto& r : is_inside ? p_.cons[data.outside].regions : con.regions) {
        if (r.is_field()) row |= pack<Bits>(r, values_[next++]);
        else if constexpr (std::is_same_v<Bits, Row>) row |= r.row << r.offset;
        else row |= pack<Bits>(r, r.number);
    }
    return row;
}

uint64_t Machine::field_of(const Con& con, uint32_t index, uint64_t row) {
    auto& data = p_.datas[con.data];
    if (data.form != DataType::Layout) return row;
    for (auto& r : p_.cons[data.outside].regions) {
        bool is_it = r.is_field() && index-- == 0;
        if (is_it) return is_wider(data, 64) ? unpack(r, row_of(row, data.width)) : unpack(r, row);
    }
    return 0;
}

/// The words of a row: zeros, one of them, and the row with another one.
void Machine::part_of_row(Op op, const Atoms& args) {
    auto width = static_cast<uint32_t>(args[op == Op::Zeros ? 0 : 1].number);
    auto row   = op == Op::Zeros ? Row() : row_of(values_[0], width);
    if (op == Op::Zeros) {
        values_ = {value_of(row, width)};
        return;
    }
    auto place = static_cast<uint32_t>(values_[2]) * p_.word_bits;
    if (op == Op::Part) {
        values_ = {low_bits(part(row, place, p_.word_bits))};
        return;
    }
    row     = (row & ~(ones(p_.word_bits) << place)) | Row(values_[3]) << place;
    values_ = {value_of(row, width)};
}

void Machine::loop() {
    while (!frames_.empty()) {
        auto& code = routine_->code;
        if (next_ < code.statements.size()) {
            auto& s = code.statements[next_++];
            if (!perform(s.tail)) continue;
            for (size_t i = 0; i != s.binds.size(); ++i)
                if (s.binds[i] != kNone) stack_[base_ + s.binds[i]] = values_[i];
        } else if (code.end != Code::Tailed) {
            branch(code);
        } else {
            ++next_;
            if (perform(code.tail)) give();
        }
    }
}

Words Machine::compute(const Tail& t) {
    Routine whole;
    whole.code.tail = t;
    frames_         = {{nullptr, 0, 0, nullptr}};
    values_.clear();
    go(whole, 0);
    loop();
    return values_;
}

uint64_t Machine::word(Op op, uint64_t a, uint64_t b) {
    auto bits       = p_.word_bits;
    auto is_by_zero = (op == Op::Div || op == Op::Rem) && b == 0;
    if (is_by_zero) throw Stop{"division by zero"};
    switch (op) {
        case Op::Not: return ~a;
        case Op::Neg: return 0 - a;
        case Op::And: return a & b;
        case Op::Or: return a | b;
        case Op::Xor: return a ^ b;
        case Op::Add: return a + b;
        case Op::Sub: return a - b;
        case Op::Mul: return a * b;
        case Op::Shl: return b >= bits ? 0 : a << b;
        case Op::Lshr: return b >= bits ? 0 : a >> b;
        case Op::Ashr: return static_cast<uint64_t>(number(a) >> std::min<uint64_t>(b, bits - 1));
        case Op::Div: return number(b) == -1 ? 0 - a : static_cast<uint64_t>(number(a) / number(b));
        case Op::Rem: return number(b) == -1 ? 0 : static_cast<uint64_t>(number(a) % number(b));
        case Op::Bnot: return a ^ 1;
        case Op::Band: return a & b;
        case Op::Bor: return a | b;
        case Op::Bxor: return a ^ b;
        case Op::Beq: return a == b;
        case Op::Blt: return a < b;
        case Op::Ble: return a <= b;
        case Op::Bgt: return a > b;
        case Op::Bge: return a >= b;
        case Op::Eq: return a == b;
        case Op::Neq: return a != b;
        case Op::Slt: return number(a) < number(b);
        case Op::Sle: return number(a) <= number(b);
        case Op::Sgt: return number(a) > number(b);
        case Op::Sge: return number(a) >= number(b);
        case Op::Ult: return a < b;
        case Op::Ule: return a <= b;
        case Op::Ugt: return a > b;
        case Op::Uge: return a >= b;
        case Op::FlagToWord: return a;
        case Op::WordToFlag: return a & 1;
        default: return a;
    }
}

/// Values in memory have 1, 2, 4 or 8 bytes.
size_t bytes_of(uint64_t bits) { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }

void Machine::primitive(const Tail& t) {
    arguments(t.args);
    auto op = static_cast<Op>(p_.primitives[t.target].code);
    auto a  = values_.empty() ? 0 : values_[0];
    switch (op) {
        case Op::Halt: throw Stop{t.index == kNoAlternative ? kNoMatch : "`halt` was called"};
        case Op::Loop:
            flush();
            for (;;) pause();
        case Op::NoInline:
        case Op::Ret: return; // its argument may be anything
        case Op::PrintWord:
            result.output += std::to_string(number(a)) + "\n";
            values_.clear();
            return;
        case Op::As:
        case Op::Same: return;
        case Op::Zeros:
        case Op::Part:
        case Op::Put: return part_of_row(op, t.args);
        case Op::Area: values_ = {heap_.area(a, values_[1])}; return;
        case Op::Offset: values_ = {a + values_[1]}; return;
        case Op::Load: {
            uint64_t bits = 0;
            std::memcpy(&bits, reinterpret_cast<const void*>(a), bytes_of(values_[1]));
            values_ = {bits & mask_of(static_cast<uint32_t>(values_[1]))};
            return;
        }
        case Op::Store:
            std::memcpy(reinterpret_cast<void*>(a), &values_[2], bytes_of(values_[1]));
            values_.clear();
            return;
        case Op::NzDiv:
        case Op::NzRem:
            if (values_[1] == 0) throw Stop{"division by zero"};
            values_ = {op == Op::NzDiv ? a / values_[1] : a % values_[1]};
            return;
        case Op::PrintString:
            result.output += reinterpret_cast<const char*>(a);
            values_.clear();
            return;
        case Op::C: return c_function(p_.primitives[t.target]);
        case Op::ReadChar: {
            auto c  = std::getchar();
            values_ = {c == EOF ? p_.mask() : static_cast<uint64_t>(c)};
            return;
        }
        default: values_ = {word(op, a, values_.size() > 1 ? values_[1] : 0) & p_.mask()};
    }
}

void Machine::flush() {
    std::fwrite(result.output.data(), 1, result.output.size(), stdout);
    std::fflush(stdout);
    result.output.clear();
}

/// What the program has printed comes before what C prints.
void Machine::c_function(const Primitive& prim) {
    auto& function = p_.c_functions[prim.c_function];
    if (!function.mim_name.empty()) return mim_function(prim.c_function);
    auto& passing = function.passing;
    Words arguments;
    for (size_t i = 0; i != values_.size(); ++i) {
        auto& how = passing.arguments[i];
        if (how.form == CValue::Nothing) continue;
        arguments.push_back(how.form == CValue::Truth ? object(values_[i])[0] == p_.yes : values_[i]);
    }
    flush();
    uint64_t returned = 0;
    if (!call_c(prim.name, arguments, returned)) throw Stop{"there is no `" + prim.name + "` of C for the machine"};
    std::fflush(stdout);
    give_result(function, returned, !prim.range.empty());
}

/// Puts it among the values, as the program has it.
void Machine::give_result(const CFunction& f, uint64_t returned, bool has_result) {
    auto& how = f.passing.result;
    values_.clear();
    if (!has_result) return;
    auto bits = returned & mask_of(std::max(how.width, 1u));
    if (how.form == CValue::Nothing) bits = how.limit == 0 ? constants_[p_.unit] : 0;
    if (how.form == CValue::Truth) bits = constants_[(returned & 1) != 0 ? p_.yes : p_.no];
    values_ = {bits};
}

/// The evaluator of Mim runs it on the graph.
void Machine::mim_function(uint32_t index) {
    auto& f  = p_.c_functions[index];
    auto lam = mim_->world().externals.find(mim_function_name(p_, index));
    if (!lam) throw Stop{"there is no `" + f.mim_name + "` of Mim"};
    eval::Values arguments;
    if (f.runs) arguments.push_back(eval::Value::token());
    for (size_t i = 0; i != values_.size(); ++i) {
        auto& how     = f.passing.arguments[i];
        bool is_truth = how.form == CValue::Truth;
        auto number   = is_truth ? object(values_[i])[0] == p_.yes : how.form == CValue::Nothing ? 0 : values_[i];
        arguments.push_back(is_nothing_in_mim(how) ? mim_->tuple({}) : eval::Value::num(number));
    }
    auto argument   = mim_->tuple(std::move(arguments));
    auto returned   = mim_->deep(mim_->call_cps(mim_->eval(lam), &argument), lam);
    bool is_nothing = is_nothing_in_mim(f.passing.result);
    bool has_memory = f.runs && !is_nothing;
    auto result     = has_memory ? mim_->force(mim_->elem(returned, 1), lam) : returned;
    take_output();
    give_result(f, is_nothing ? 0 : mim_->num(result), !f.runs || !is_nothing);
}

void Machine::take_output() {
    auto& all = mim_->hosts().output();
    result.output += all.substr(shown_);
    shown_ = all.size();
}

void Machine::run() {
    try {
        run_all();
    } catch (const Stop& stop) {
        result.errors    = "mil: the program stops: " + stop.why + "\n";
        result.exit_code = 3;
    }
}

/// Allocations of definitions may name each other: their objects are there first.
void Machine::reserve_tops() {
    for (auto& e : p_.order) {
        if (e.kind != Program::TopKind) continue;
        auto& t = p_.tops[e.index].tail;
        if (makes_object(p_, t)) tops_[e.index] = reinterpret_cast<uint64_t>(make(t));
    }
}

void Machine::run_all() {
    reserve_tops();
    for (auto& e : p_.order) {
        if (e.kind != Program::TopKind) continue;
        auto& t = p_.tops[e.index].tail;
        if (!makes_object(p_, t)) {
            tops_[e.index] = compute(t)[0];
            continue;
        }
        arguments(t.args);
        std::copy(values_.begin(), values_.end(), object(tops_[e.index]) + 1);
    }
    auto value = tops_[p_.main];
    if (!p_.main_is_proc) return;
    Tail enter{Tail::Enter, kNone, 0, {{Atom::Word, p_.main_is_closure ? value : object(value)[1]}}, {}};
    auto returned = compute(enter);
    if (p_.main_is_word && !returned.empty()) result.exit_code = static_cast<int>(returned[0] & 255);
}

} // namespace

/// A function of Mim that stops, stops the program.
Evaluation run_machine(const Program& p, World& world) {
    Machine machine(p);
    auto is_mim    = [](auto& f) { return !f.mim_name.empty(); };
    bool calls_mim = std::ranges::any_of(p.c_functions, is_mim);
    if (!calls_mim) {
        machine.run();
        return std::move(machine.result);
    }
    auto body = [&](eval::Machine& mim) {
        machine.use(mim);
        machine.run();
        return machine.result.exit_code;
    };
    eval::Limits limits;
    limits.steps = ~uint64_t(0);
    auto ended   = eval::run(world, body, limits);

    auto& result     = machine.result;
    result.exit_code = ended.exit_code;
    result.output += ended.output.substr(std::min(machine.num_shown(), ended.output.size()));
    if (ended.status == eval::Result::Done) return std::move(result);
    result.errors    = "mil: the program stops: in a function of Mim: " + ended.message + "\n";
    result.exit_code = 3;
    return std::move(result);
}

} // namespace mim::plug::mil
