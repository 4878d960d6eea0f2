// SPDX-License-Identifier: MIT
// Rows that do not fit a value become objects of words, `Row$n`, least first: their literals, parts, layouts and tests.
// A block knows the words of each row that it makes or takes until it ends, so it builds few of these objects.
#include "layouts.h"
#include "retype.h"
#include "row_words.h"
#include "stages.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

/// The bits of types of rows.
class Widths {
public:
    Widths(const Program& p, Types& types)
        : types_(types) {
        for (auto& d : p.datas) datas_[d.type] = is_bits(d) && d.width != kNone ? d.width : 0;
    }

    /// 0 for all other types.
    uint64_t operator()(Type* t) const {
        t = types_.resolve(t);
        if (auto data = datas_.find(t); data != datas_.end()) return data->second;
        std::vector<Type*> parts;
        bool is_row = types_.is_apply(t, "Bit", parts) || types_.is_apply(t, "NZBit", parts);
        return is_row && parts.size() == 1 ? types_.number_of(parts[0]).value_or(0) : 0;
    }
    /// Whether one in the program has more bits than the limit.
    bool has_more(const Program& p, const ProgramTypes& found, uint32_t limit) const {
        std::unordered_set<Type*> seen;
        std::vector<Type*> todo;
        for (auto all : {&found.variables, &found.blocks, &found.closures, &found.tops})
            todo.insert(todo.end(), all->begin(), all->end());
        for (auto& con : p.cons) todo.insert(todo.end(), con.types.begin(), con.types.end());
        while (!todo.empty()) {
            auto t = todo.back() ? types_.resolve(todo.back()) : nullptr;
            todo.pop_back();
            if (!t || !seen.insert(t).second) continue;
            if ((*this)(t) > limit) return true;
            if (t->kind == Type::Apply) todo.insert(todo.end(), {t->first, t->second});
        }
        return false;
    }

private:
    Types& types_;
    std::unordered_map<Type*, uint64_t> datas_; ///< `bitdata` and layouts
};

class Widening : RowWords {
public:
    Widening(Source& source, CodeBuilder& b, const Program& old, const ProgramTypes& found, const Widths& widths, uint32_t limit)
        : RowWords(source, b)
        , old_(old)
        , p_(b.program)
        , types_(source.types)
        , found_(found)
        , widths_(widths)
        , limit_(limit) {}

    void run();

private:
    /// A row in a block: what is known of its words, and whether there is an object.
    struct Known {
        std::vector<std::optional<Atom>> words;
        bool is_there = true;
    };

    /// @name types
    ///@{
    bool is_wide(Type* t) { return t && widths_(t) > limit_; }
    bool is_wide(const Atom&);
    bool is_wide_con(uint32_t con) const { return is_wider(data_of(old_, con), limit_); }
    Type* type(Type*);
    uint32_t row_con(size_t words);
    ///@}

    /// @name values
    ///@{
    Atom word_of(const Atom&, uint32_t width, uint32_t i);
    Parts words_of(const Atom&, uint32_t width);
    Atom generic(const Atom&);
    Atoms generic(const Atoms& all) {
        Atoms result;
        for (auto& a : all) result.push_back(generic(a));
        return result;
    }
    Atom truth_word(Atom);
    uint32_t truth_block(const char* name, bool to_word);
    ///@}

    /// @name code
    ///@{
    void statement(const Statement&);
    bool row_statement(uint32_t v, const Tail&);
    bool primitive_statement(uint32_t v, const Tail&);
    void bind(uint32_t v, Parts words) { rows_[v] = {{words.begin(), words.end()}, false}; }
    void rename(uint32_t v, const Atom&);
    bool is_wide_change(uint32_t v, const Tail&);
    void emit(uint32_t v, Tail t) { b_.code().statements.push_back({{v}, std::move(t)}); }
    Parts built(const Tail&);
    Parts fixed(const Con&);
    void field(uint32_t v, const Tail&);
    void end(const Code&);
    void cases(const Code&);
    bool changes(uint32_t v, const Tail&);
    Tail closed(const Tail&, const std::string& name, const std::vector<uint32_t>& variables);
    void block(uint32_t);
    ///@}

    /// @name tests: 0 or 1
    ///@{
    Atom is_made_by(const Con&, const Parts&, uint32_t width);
    std::optional<Atom> holds(const Con&, const Parts&);
    std::optional<Atom> holds(const Region&, const Parts&);
    Atom matches(const Parts&, const Row& mask, const Row& bits);
    ///@}

    const Program& old_;
    Program& p_;
    Types& types_;
    const ProgramTypes& found_;
    const Widths& widths_;
    uint32_t limit_;
    std::unordered_map<Type*, Type*> changed_;
    std::map<size_t, uint32_t> row_cons_;
    std::vector<Program::Entry> new_datas_; ///< come first in the text
    std::map<std::pair<uint64_t, uint32_t>, uint32_t> constants_;
    std::unordered_map<uint32_t, Known> rows_;
    uint32_t to_word_ = kNone, to_truth_ = kNone;
};

// ---- types
// ----------------------------------------------------------------------------------------------------------------------

bool Widening::is_wide(const Atom& a) {
    if (a.kind == Atom::Bits) return a.width > limit_;
    if (a.kind == Atom::Var) return rows_.contains(static_cast<uint32_t>(a.number)) || is_wide(found_.variables[a.number]);
    return a.kind == Atom::Top && is_wide(found_.tops[a.number]);
}

Type* Widening::type(Type* t) {
    t = types_.resolve(t);
    if (is_wide(t)) return p_.datas[p_.cons[row_con(count(widths_(t)))].data].type;
    if (t->kind != Type::Apply) return t;
    if (auto found = changed_.find(t); found != changed_.end()) return found->second;
    auto first = type(t->first), second = type(t->second);
    bool is_same       = first == types_.resolve(t->first) && second == types_.resolve(t->second);
    return changed_[t] = is_same ? t : types_.apply(first, second);
}

/// The constructor of rows of so many words.
uint32_t Widening::row_con(size_t words) {
    if (auto made = row_cons_.find(words); made != row_cons_.end()) return made->second;
    auto name     = "Row$" + std::to_string(words);
    auto is_taken = [&] { return std::ranges::find(p_.datas, name, &DataType::name) != p_.datas.end(); };
    for (size_t i = 2; is_taken(); ++i) name = "Row$" + std::to_string(words) + "$" + std::to_string(i);
    DataType data{name, {}, {}, {}};
    data.is_row = true;
    data.type   = types_.new_con(name);
    Con con{name, {}, static_cast<uint32_t>(p_.datas.size()), 0, {}, {}, {}};
    auto whole = data.type;
    for (size_t i = 0; i != words; ++i) {
        con.fields.push_back(source_.type_expr({TypeExpr::Con, {}, "Word"}));
        con.types.push_back(types_.con("Word"));
        whole = types_.function(types_.con("Word"), whole);
    }
    con.scheme = {{}, whole};
    data.cons  = {static_cast<uint32_t>(p_.cons.size())};
    new_datas_.push_back({Program::DataKind, add(p_.datas, std::move(data))});
    return row_cons_[words] = add(p_.cons, std::move(con));
}

// ---- values
// ---------------------------------------------------------------------------------------------------------------------

Atom Widening::word_of(const Atom& a, uint32_t width, uint32_t i) {
    if (a.kind == Atom::Bits) return number(low_bits(p_.row(a) >> i * bits()));
    auto take = [&] { return b_.emit({Tail::Select, row_con(count(width)), i, {a}, at_}, "w"); };
    if (a.kind != Atom::Var) return take();
    auto& words = rows_[static_cast<uint32_t>(a.number)].words;
    words.resize(count(width));
    if (!words[i]) words[i] = take();
    return *words[i];
}

RowWords::Parts Widening::words_of(const Atom& a, uint32_t width) {
    Parts result;
    auto size = count(width);
    for (uint32_t i = 0; i != size; ++i) result.push_back(word_of(a, width, i));
    return result;
}

/// The object, for somebody who knows nothing of words.
Atom Widening::generic(const Atom& a) {
    if (a.kind == Atom::Bits && a.width > limit_) {
        auto& made = constants_.emplace(std::pair(a.number, a.width), kNone).first->second;
        if (made != kNone) return {Atom::Top, made};
        TopDef constant{"row", at_, {Tail::Build, row_con(count(a.width)), 0, {}, at_}, true};
        for (uint32_t i = 0; i != count(a.width); ++i) constant.tail.args.push_back(word_of(a, a.width, i));
        made = add(p_.tops, std::move(constant));
        p_.order.insert(p_.order.begin(), {Program::TopKind, made});
        return {Atom::Top, made};
    }
    auto row = a.kind == Atom::Var ? rows_.find(static_cast<uint32_t>(a.number)) : rows_.end();
    if (row == rows_.end() || row->second.is_there) return a;
    Parts words;
    for (auto& w : row->second.words) words.push_back(*w);
    row->second.is_there = true;
    emit(row->first, {Tail::Build, row_con(words.size()), 0, words, at_});
    return a;
}

/// `True` and `False` as 1 and 0, or back.
uint32_t Widening::truth_block(const char* name, bool to_word) {
    auto from     = b_.at;
    auto constant = [&](bool value) {
        b_.at = b_.block(name, {}, {});
        if (to_word) b_.finish(tail(Tail::Return, kNone, {number(value)}, {}));
        else b_.finish(tail(Tail::Build, value ? p_.yes : p_.no, {}, {}));
        return b_.at;
    };
    auto yes = constant(true), no = constant(false);
    auto v    = p_.variable("x");
    b_.at     = b_.block(name, {v}, {});
    auto made = b_.at;
    if (to_word) {
        b_.code().end     = Code::Case;
        b_.code().subject = variable(v);
        b_.code().arms    = {{p_.yes, {yes, {}, {}}}, {p_.no, {no, {}, {}}}};
    } else {
        branch(word(Op::WordToFlag, variable(v)), {yes, {}, {}}, {no, {}, {}});
    }
    b_.at = from;
    return made;
}

Atom Widening::truth_word(Atom a) {
    if (to_word_ == kNone) to_word_ = truth_block("truthToWord", true);
    return b_.emit(tail(Tail::Block, to_word_, {a}, at_), "w");
}

// ---- tests
// ----------------------------------------------------------------------------------------------------------------------

Atom Widening::matches(const Parts& words, const Row& mask, const Row& bits) {
    Parts differences;
    for (size_t i = 0; i != words.size(); ++i) {
        auto own = low_bits(mask >> i * this->bits()) & p_.mask();
        if (own == 0) continue;
        auto cut = own == p_.mask() ? words[i] : word(Op::And, words[i], number(own));
        differences.push_back(word(Op::Xor, cut, number(low_bits(bits >> i * this->bits()))));
    }
    return word(Op::Xor, any(differences), number(1));
}

/// Nothing: always.
std::optional<Atom> Widening::holds(const Con& con, const Parts& words) {
    Row mask, fixed;
    for (auto& r : con.regions) {
        if (r.content != Region::Fixed) continue;
        mask |= ones(r.width) << r.offset;
        fixed |= r.row << r.offset;
    }
    std::optional<Atom> result;
    if (mask.any()) result = matches(words, mask, fixed);
    for (auto& r : con.regions) {
        auto own = holds(r, words);
        if (own) result = result ? word(Op::And, *result, *own) : *own;
    }
    return result;
}

std::optional<Atom> Widening::holds(const Region& r, const Parts& words) {
    auto own = [&] { return cut(shifted(words, 0, r.offset), r.width); };
    switch (r.content) {
        case Region::Below: {
            bool is_all = r.width == 0 || (r.width < 64 && r.limit >> r.width != 0);
            if (is_all) return {};
            return truth(Op::Ult, own()[0], number(r.limit));
        }
        case Region::NonZero: return any(own());
        case Region::Of: break;
        default: return {};
    }
    auto& data = old_.datas[r.number];
    auto inner = own();
    if (data.form == DataType::Layout) return holds(old_.cons[data.outside], inner);
    std::optional<Atom> result;
    for (auto c : data.cons) {
        auto one = holds(old_.cons[c], inner);
        if (!one) return {};
        result = result ? word(Op::Or, *result, *one) : *one;
    }
    return result;
}

Atom Widening::is_made_by(const Con& con, const Parts& words, uint32_t) {
    if (data_of(old_, static_cast<uint32_t>(&con - old_.cons.data())).has_junk) {
        auto test = holds(con, words);
        return test ? *test : number(1);
    }
    if (con.mask.none()) return number(1);
    auto same = matches(words, con.mask, con.bits);
    return con.is_other ? word(Op::Xor, same, number(1)) : same;
}

// ---- code
// -----------------------------------------------------------------------------------------------------------------------

/// It is that value.
void Widening::rename(uint32_t v, const Atom& a) {
    if (a.kind == Atom::Bits) return bind(v, words_of(a, a.width));
    auto known = a.kind == Atom::Var ? rows_[static_cast<uint32_t>(a.number)] : Known();
    rows_[v]   = known;
    if (known.is_there) emit(v, {Tail::Return, kNone, 0, {a}, at_});
}

RowWords::Parts Widening::fixed(const Con& con) {
    Row row;
    for (auto& r : con.regions) row |= r.row << r.offset;
    auto width = data_of(old_, static_cast<uint32_t>(&con - old_.cons.data())).width;
    return words_of(bits_atom(p_.word_bits, p_.row(row), width), width);
}

/// The words of a layout.
RowWords::Parts Widening::built(const Tail& t) {
    auto& data  = data_of(old_, t.target);
    auto& con   = old_.cons[data.outside];
    auto result = fixed(con);
    auto& types = old_.cons[t.target].types;
    size_t next = 0;
    for (auto& r : con.regions) {
        if (!r.is_field()) continue;
        auto a = t.args[next++];
        if (r.width == 0) continue;
        Parts own;
        if (r.content == Region::Truth) own = {truth_word(generic(a))};
        else if (r.width > limit_) own = words_of(a, r.width);
        else own = parts(a, types[next - 1], r.width);
        result = each(Op::Or, result, shifted(fitted(std::move(own), result.size()), r.offset, 0));
    }
    return result;
}

/// A field of a layout.
void Widening::field(uint32_t v, const Tail& t) {
    auto& data = data_of(old_, t.target);
    auto index = t.index;
    for (auto& r : old_.cons[data.outside].regions) {
        if (!r.is_field() || index-- != 0) continue;
        if (r.content == Region::Nothing) return emit(v, {Tail::Build, p_.unit, 0, {}, at_});
        auto words = r.width == 0 ? Parts() : cut(shifted(words_of(t.args[0], data.width), 0, r.offset), r.width);
        if (r.width > limit_) return bind(v, std::move(words));
        if (r.content != Region::Truth) return emit(v, row(words, old_.cons[t.target].types[t.index], r.width));
        if (to_truth_ == kNone) to_truth_ = truth_block("wordToTruth", false);
        return emit(v, {Tail::Block, to_truth_, 0, {words[0]}, at_});
    }
}

/// The types of some variables are lost where nobody looks at them.
bool Widening::is_wide_change(uint32_t v, const Tail& t) {
    bool has_type = v < found_.variables.size();
    return is_wide(t.args[0]) || (has_type && is_wide(found_.variables[v]));
}

bool Widening::primitive_statement(uint32_t v, const Tail& t) {
    auto op      = static_cast<Op>(old_.primitives[t.target].code);
    auto width   = [&](size_t i) { return static_cast<uint32_t>(t.args[i].number); };
    bool is_row  = (op == Op::Zeros && width(0) > limit_) || ((op == Op::Part || op == Op::Put) && width(1) > limit_);
    bool is_same = op == Op::As || op == Op::Same;
    if (is_same && is_wide_change(v, t)) {
        rename(v, t.args[0]);
        return true;
    }
    if (!is_row) return false;
    if (op == Op::Zeros) {
        bind(v, Parts(count(width(0)), number(0)));
        return true;
    }
    if (op == Op::Part) {
        auto w = word_of(t.args[0], width(1), width(2));
        emit(v, {Tail::Return, kNone, 0, {w}, at_});
        return true;
    }
    auto words      = words_of(t.args[0], width(1));
    words[width(2)] = t.args[3];
    bind(v, std::move(words));
    return true;
}

/// False if it is not about rows.
bool Widening::row_statement(uint32_t v, const Tail& t) {
    if (t.op == Tail::Primitive) return primitive_statement(v, t);
    bool is_row = (t.op == Tail::Build || t.op == Tail::Select || t.op == Tail::Assert) && is_wide_con(t.target);
    if (!is_row) return false;
    if (t.op == Tail::Assert) return true;
    bool is_inside = data_of(old_, t.target).form == DataType::Layout;
    if (!is_inside && !t.args.empty()) rename(v, t.args[0]);
    else if (t.op == Tail::Select) field(v, t);
    else bind(v, is_inside ? built(t) : fixed(old_.cons[t.target]));
    return true;
}

void Widening::statement(const Statement& s) {
    at_       = s.tail.at;
    auto v    = s.binds.size() == 1 ? s.binds[0] : kNone;
    auto own  = v == kNone && changes(v, s.tail) ? p_.variable("unused") : v;
    bool done = row_statement(own, s.tail);
    if (done) return;
    auto made = s.tail;
    made.args = generic(s.tail.args);
    b_.code().statements.push_back({s.binds, std::move(made)});
}

/// The first constructor whose test is 1.
void Widening::cases(const Code& c) {
    auto& data = data_of(old_, c.arms[0].con);
    auto words = words_of(c.subject, data.width);
    auto go_on = [&](const Jump& j) {
        auto args = generic(j.args);
        b_.finish({Tail::Block, j.block, 0, std::move(args), j.at, c.tail.results});
    };
    for (auto& arm : c.arms) {
        bool is_last = !c.otherwise && is_exhaustive(old_, c) && &arm == &c.arms.back();
        if (is_last) return go_on(arm.jump);
        auto test = is_made_by(old_.cons[arm.con], words, data.width);
        auto args = generic(arm.jump.args);
        auto flag = word(Op::Neq, test, number(0));
        auto rest = b_.block(p_.blocks[b_.at].name, {}, at_);
        branch(flag, {arm.jump.block, std::move(args), arm.jump.at}, {rest, {}, at_});
        b_.at = rest;
    }
    if (c.otherwise) return go_on(*c.otherwise);
    auto stop  = tail(Tail::Primitive, find_halt(p_, types_), {}, at_);
    stop.index = kNoAlternative;
    b_.finish(std::move(stop));
}

void Widening::end(const Code& c) {
    at_ = c.at;
    if (c.end == Code::Case && !c.arms.empty() && is_wide_con(c.arms[0].con)) return cases(c);
    auto made = c;
    made.statements.clear();
    if (c.end == Code::Tailed) {
        at_ = c.tail.at;
        if (changes(kNone, c.tail)) {
            auto v = p_.variable("row");
            row_statement(v, c.tail);
            made.tail = {Tail::Return, kNone, 0, {variable(v)}, at_};
        }
        made.tail.args = generic(made.tail.args);
    } else {
        made.subject = generic(c.subject);
        each_jump(made, [&](Jump& j) { j.args = generic(j.args); });
    }
    made.statements = std::move(b_.code().statements);
    b_.code()       = std::move(made);
}

/// Whether it becomes something else.
bool Widening::changes(uint32_t v, const Tail& t) {
    if (t.op == Tail::Primitive) {
        auto op = static_cast<Op>(old_.primitives[t.target].code);
        if (op == Op::As || op == Op::Same) return is_wide_change(v, t);
        if (op == Op::Zeros) return t.args[0].number > limit_;
        return (op == Op::Part || op == Op::Put) && t.args[1].number > limit_;
    }
    bool is_it = (t.op == Tail::Build || t.op == Tail::Select) && is_wide_con(t.target);
    return is_it;
}

/// The tail of a closure or of a top-level definition; if that is not enough, a block does it.
Tail Widening::closed(const Tail& t, const std::string& name, const std::vector<uint32_t>& variables) {
    rows_.clear();
    at_ = t.at;
    if (!changes(kNone, t)) {
        auto made = t;
        made.args = generic(t.args);
        return made;
    }
    Atoms args;
    for (auto v : variables) args.push_back(variable(v));
    b_.at    = b_.block(name, variables, t.at);
    auto own = b_.at;
    Code code;
    code.tail = t;
    end(code);
    return {Tail::Block, own, 0, std::move(args), t.at};
}

void Widening::block(uint32_t index) {
    rows_.clear();
    b_.at     = index;
    auto& old = old_.blocks[index];
    b_.code() = {};
    for (auto& s : old.code.statements) statement(s);
    end(old.code);
}

void Widening::run() {
    for (auto& e : old_.order) {
        if (e.kind == Program::BlockKind) {
            block(e.index);
        } else if (e.kind == Program::ClosureKind) {
            auto& k        = old_.closures[e.index];
            auto variables = k.stored;
            variables.insert(variables.end(), k.params.begin(), k.params.end());
            auto made                 = closed(k.tail, k.name, variables);
            p_.closures[e.index].tail = std::move(made);
        } else if (e.kind == Program::TopKind) {
            auto made             = closed(old_.tops[e.index].tail, old_.tops[e.index].name, {});
            p_.tops[e.index].tail = std::move(made);
        }
    }
    b_.capture();
    std::vector<bool> is_gone(p_.datas.size());
    for (size_t i = 0; i != is_gone.size(); ++i) is_gone[i] = is_wider(p_.datas[i], limit_);
    change_types(source_, p_, [&](Type* t) { return type(t); }, is_gone);
    std::erase_if(p_.order, [&](auto& e) { return e.kind == Program::DataKind && e.index < is_gone.size() && is_gone[e.index]; });
    p_.order.insert(p_.order.begin(), new_datas_.begin(), new_datas_.end());
}

} // namespace

bool has_wide_rows(const Program& p, uint32_t limit) {
    bool has_one = false;
    auto look    = [&](const Tail& t) {
        if (t.op != Tail::Primitive) return;
        auto op = static_cast<Op>(p.primitives[t.target].code);
        has_one |= op == Op::Zeros && t.args[0].number > limit;
    };
    auto look_at_atom = [&](const Atom& a) { has_one |= a.kind == Atom::Bits && a.width > limit; };
    auto look_at_all  = [&](const Tail& t) {
        look(t);
        for (auto& a : t.args) look_at_atom(a);
    };
    for (auto& e : p.order) {
        if (e.kind == Program::DataKind) has_one |= is_wider(p.datas[e.index], limit);
        if (e.kind == Program::ClosureKind) look_at_all(p.closures[e.index].tail);
        if (e.kind == Program::TopKind) look_at_all(p.tops[e.index].tail);
        if (e.kind != Program::BlockKind) continue;
        each_tail(p.blocks[e.index].code, look);
        each_atom(p.blocks[e.index].code, look_at_atom);
    }
    return has_one;
}

void widen(Source& source, Program& p, const ProgramTypes& types, uint32_t limit) {
    Widths widths(p, source.types);
    if (!widths.has_more(p, types, limit)) return;
    auto old = p;
    CodeBuilder b(p, 0);
    Widening(source, b, old, types, widths, limit).run();
}

} // namespace mim::plug::mil
