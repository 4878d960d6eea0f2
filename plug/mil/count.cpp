// SPDX-License-Identifier: MIT
// Makes explicit where references begin and end (Reinking, Xie, de Moura and Leijen, "Perceus: Garbage Free Reference Counting with
// Reuse", PLDI 2021), on blocks: what a block owns is its parameters, and each end of it passes on all that is left.
#include "count.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/components.h"

namespace mim::plug::mil {

namespace {

using Variables = std::set<uint32_t>;

/// A cell that became free, and its slots.
struct Cell {
    uint32_t variable;
    size_t slots;
};

class Counter {
public:
    Counter(CountedProgram& counted, Types& types, const ProgramTypes& found)
        : c_(counted)
        , p_(counted.program)
        , types_(types)
        , found_(found) {}

    void run();

private:
    struct Work {
        uint32_t block;
        std::vector<Cell> cells;
    };

    /// @name how values are held
    ///@{
    void hold();
    Held held(Type*);
    bool is_counted(uint32_t v) const { return v < c_.variables.size() && c_.variables[v] != Held::Plain; }
    bool is_counted(const Atom& a) const { return a.kind == Atom::Var && is_counted(static_cast<uint32_t>(a.number)); }
    uint32_t fresh(const std::string& name, Held held) {
        c_.variables.resize(p_.variables.size(), Held::Plain);
        c_.variables.push_back(held);
        return p_.variable(name);
    }
    ///@}

    /// @name blocks that can use a cell
    ///@{
    void find_components();
    size_t slots(const Tail&) const;
    /// Whether it goes on in a block that comes back to no earlier one.
    bool is_join(const Tail& t) const { return t.op == Tail::Block && !recursive_.contains(components_[t.target]); }
    bool wants(uint32_t block, size_t slots, std::set<uint32_t>& seen) const;
    bool wants(uint32_t block, size_t slots) const {
        std::set<uint32_t> seen;
        return wants(block, slots, seen);
    }
    bool code_wants(const Code&, size_t first, size_t slots) const;
    uint32_t derived(uint32_t block, Cell);
    ///@}

    /// @name the block that is being made
    ///@{
    void block(Work);
    void find_last_uses(const Code&);
    bool is_live(uint32_t v, size_t after) const {
        auto found = last_.find(v);
        return found != last_.end() && found->second > after;
    }
    std::vector<uint32_t> consumed(const Tail&) const;
    void statement(Statement, size_t i);
    std::optional<std::vector<uint32_t>> only_read(const Code&, size_t i, std::vector<size_t>& reads) const;
    std::vector<Held> fields_of(uint32_t object, const Con&);
    bool open(const Code&, size_t i);
    void share(const std::vector<uint32_t>& consumed, size_t i);
    void take_cell(Tail&);
    void bind(const Statement&, size_t i);
    void drop(uint32_t v, std::vector<Statement>& out) const;
    static void act(std::vector<Statement>& out, Tail::Op op, uint32_t v, size_t slots = 0) {
        out.push_back({{}, {op, kNone, static_cast<uint32_t>(slots), {{Atom::Var, v}}, {}, 0}});
    }
    void finish(Code&);
    void arm(Jump&, uint32_t con, const Atom& subject);
    void tail_call(Tail&);
    ///@}

    void closure(uint32_t);
    uint32_t add_block(const BlockDef&, uint32_t component);

    CountedProgram& c_;
    Program& p_;
    Types& types_;
    const ProgramTypes& found_;
    std::unordered_map<Type*, uint32_t> datas_;
    std::vector<BlockDef> originals_;
    std::vector<uint32_t> components_;
    std::set<uint32_t> recursive_; ///< components whose blocks come back to themselves
    std::map<std::pair<uint32_t, size_t>, uint32_t> derived_;
    std::vector<Work> todo_;

    size_t end_ = 0; ///< behind the statements
    std::vector<Statement> out_;
    std::unordered_map<uint32_t, size_t> last_;   ///< the statement that uses a variable last
    std::unordered_map<uint32_t, uint32_t> cons_; ///< known constructors of variables
    Variables owned_;
    std::set<size_t> done_; ///< statements that came earlier
    std::vector<Cell> cells_;
};

// ---- how values are held
// --------------------------------------------------------------------------------------------------------

Held Counter::held(Type* t) {
    t = t ? types_.resolve(t) : nullptr;
    while (t && t->kind == Type::Apply) t = types_.resolve(t->first);
    if (!t || t->kind != Type::Con) return Held::Plain;
    auto found = datas_.find(t);
    if (found == datas_.end()) return Held::Plain;
    auto& data = p_.datas[found->second];
    if (data.name == "->>") return Held::Object;
    if (is_bits(data)) return Held::Plain;
    auto has_fields = [&](uint32_t c) { return !p_.cons[c].types.empty(); };
    if (std::ranges::none_of(data.cons, has_fields)) return Held::Plain;
    return std::ranges::all_of(data.cons, has_fields) ? Held::Object : Held::Mixed;
}

void Counter::hold() {
    for (uint32_t i = 0; i != p_.datas.size(); ++i) datas_[p_.datas[i].type] = i;
    for (auto t : found_.variables) c_.variables.push_back(held(t));
    for (auto t : found_.tops) c_.tops.push_back(held(t));
    std::vector<Type*> result;
    if (!p_.main_is_proc) return;
    bool has_result = types_.is_apply(found_.tops[p_.main], "->>", result) && types_.is_apply(result[1], "[1]", result);
    if (has_result) c_.result = held(result[0]);
}

// ---- blocks that can use a cell
// -------------------------------------------------------------------------------------------------

void Counter::find_components() {
    std::vector<std::vector<uint32_t>> edges(p_.blocks.size());
    for (size_t i = 0; i != edges.size(); ++i) {
        auto& code = p_.blocks[i].code;
        auto call  = [&](const Tail& t) {
            if (t.op == Tail::Block) edges[i].push_back(t.target);
        };
        for (auto& s : code.statements) call(s.tail);
        if (code.end == Code::Tailed) call(code.tail);
        for (auto& arm : code.arms) edges[i].push_back(arm.jump.block);
        if (code.otherwise) edges[i].push_back(code.otherwise->block);
    }
    components_ = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    for (size_t i = 0; i != edges.size(); ++i)
        for (auto to : edges[i])
            if (components_[i] == components_[to]) recursive_.insert(components_[i]);
}

/// The slots of what a tail allocates.
size_t Counter::slots(const Tail& t) const {
    if (!makes_object(p_, t)) return 0;
    return slots_for(t.op == Tail::Closure ? t.args.size() + 1 : t.args.size());
}

bool Counter::wants(uint32_t block, size_t size, std::set<uint32_t>& seen) const {
    if (!seen.insert(block).second || seen.size() > 16) return false;
    auto& code = originals_[block].code;
    for (auto& s : code.statements)
        if (slots(s.tail) == size) return true;
    if (code.end == Code::Tailed) {
        if (slots(code.tail) == size) return true;
        return is_join(code.tail) && wants(code.tail.target, size, seen);
    }
    for (auto& arm : code.arms)
        if (wants(arm.jump.block, size, seen)) return true;
    return code.otherwise && wants(code.otherwise->block, size, seen);
}

bool Counter::code_wants(const Code& code, size_t first, size_t size) const {
    for (auto i = first; i < code.statements.size(); ++i)
        if (slots(code.statements[i].tail) == size) return true;
    if (code.end == Code::Tailed) {
        auto& t = code.tail;
        return slots(t) == size || (is_join(t) && wants(t.target, size));
    }
    for (auto& arm : code.arms)
        if (wants(arm.jump.block, size)) return true;
    return code.otherwise && wants(code.otherwise->block, size);
}

/// The block with a cell as one more parameter.
uint32_t Counter::derived(uint32_t block, Cell cell) {
    auto& known = derived_[{block, cell.slots}];
    if (known) return known;
    auto def = originals_[block];
    auto v   = fresh("cell", Held::Plain);
    def.params.push_back(v);
    def.typing.is_kept = false;
    auto made          = add_block(def, components_[block]);
    known              = made;
    todo_.push_back({made, {{v, cell.slots}}});
    return made;
}

// ---- a block
// --------------------------------------------------------------------------------------------------------------------

void Counter::find_last_uses(const Code& code) {
    last_.clear();
    auto use = [&](const Atoms& all, size_t i) {
        for (auto& a : all)
            if (a.kind == Atom::Var) last_[static_cast<uint32_t>(a.number)] = i;
    };
    auto size = code.statements.size();
    for (size_t i = 0; i != size; ++i) use(code.statements[i].tail.args, i);
    if (code.end == Code::Tailed) use(code.tail.args, size);
    else use({code.subject}, size);
    for (auto& arm : code.arms) use(arm.jump.args, size);
    if (code.otherwise) use(code.otherwise->args, size);
}

/// The references that it uses up.
std::vector<uint32_t> Counter::consumed(const Tail& t) const {
    std::vector<uint32_t> result;
    if (t.op == Tail::Select || t.op == Tail::Assert) return result;
    for (auto& a : t.args)
        if (is_counted(a)) result.push_back(static_cast<uint32_t>(a.number));
    return result;
}

/// One more reference for each use but the last one.
void Counter::share(const std::vector<uint32_t>& all, size_t i) {
    for (auto v : Variables(all.begin(), all.end())) {
        auto needed = std::ranges::count(all, v) + (is_live(v, i) ? 1 : 0);
        for (auto n = needed; n > 1; --n) act(out_, Tail::Dup, v);
        if (!is_live(v, i)) owned_.erase(v);
    }
}

void Counter::drop(uint32_t v, std::vector<Statement>& out) const {
    auto con        = cons_.find(v);
    bool is_nothing = con != cons_.end() && p_.cons[con->second].types.empty();
    if (!is_nothing) act(out, Tail::Drop, v);
}

void Counter::take_cell(Tail& t) {
    auto size  = slots(t);
    auto found = std::ranges::find(cells_, size, &Cell::slots);
    if (size == 0 || found == cells_.end()) return;
    t.token = found->variable;
    cells_.erase(found);
}

/// Variables that are bound are owned, or go at once.
void Counter::bind(const Statement& s, size_t i) {
    bool is_field = s.tail.op == Tail::Select;
    for (auto v : s.binds) {
        if (v == kNone || !is_counted(v)) continue;
        if (is_field) act(out_, Tail::Dup, v);
        if (is_live(v, i)) owned_.insert(v);
        else act(out_, Tail::Drop, v);
    }
}

void Counter::statement(Statement s, size_t i) {
    if (s.tail.op == Tail::Assert && s.tail.args[0].kind == Atom::Var)
        cons_[static_cast<uint32_t>(s.tail.args[0].number)] = s.tail.target;
    bool is_unused = s.tail.op == Tail::Select && (s.binds[0] == kNone || !is_live(s.binds[0], i));
    auto args      = s.tail.args;
    if (!is_unused) {
        share(consumed(s.tail), i);
        take_cell(s.tail);
        out_.push_back(s);
        bind(s, i);
    }
    bool inspects = s.tail.op == Tail::Select || s.tail.op == Tail::Assert;
    for (auto& a : args) {
        auto v       = static_cast<uint32_t>(a.number);
        bool is_over = inspects && is_counted(a) && owned_.contains(v) && !is_live(v, i);
        if (!is_over) continue;
        drop(v, out_);
        owned_.erase(v);
    }
}

/// The variables of the fields of an object, kNone for those that nobody reads, if all that is left to do with it is to
/// read them; `reads` are the statements that do so.
std::optional<std::vector<uint32_t>> Counter::only_read(const Code& code, size_t i, std::vector<size_t>& reads) const {
    auto& t = code.statements[i].tail;
    if (t.op != Tail::Select || !is_counted(t.args[0])) return {};
    auto v     = static_cast<uint32_t>(t.args[0].number);
    auto known = cons_.find(v);
    if (!owned_.contains(v) || known == cons_.end() || known->second != t.target) return {};
    std::vector<uint32_t> fields(p_.cons[t.target].types.size(), kNone);
    for (auto j = i; j != code.statements.size(); ++j) {
        auto& s = code.statements[j];
        if (std::ranges::find(s.tail.args, t.args[0]) == s.tail.args.end()) continue;
        bool is_read = s.tail.op == Tail::Select && fields[s.tail.index] == kNone;
        if (!is_read) return {};
        fields[s.tail.index] = s.binds[0];
        reads.push_back(j);
    }
    if (is_live(v, reads.back())) return {};
    return fields;
}

/// The ways in which the fields of an object are held.
std::vector<Held> Counter::fields_of(uint32_t object, const Con& con) {
    std::vector<Type*> arguments;
    auto whole = types_.resolve(found_.variables[object]);
    for (; whole->kind == Type::Apply; whole = types_.resolve(whole->first)) arguments.insert(arguments.begin(), whole->second);
    std::unordered_map<Type*, Type*> meanings;
    for (size_t i = 0; i != arguments.size() && i != con.scheme.variables.size(); ++i)
        meanings[con.scheme.variables[i]] = arguments[i];
    std::vector<Held> result;
    for (auto t : con.types) result.push_back(held(types_.replaced(t, meanings)));
    return result;
}

/// If an object is only read from here on, all its fields are read at once, and its cell is free or the fields have one
/// more reference. False if there is more to do with it.
bool Counter::open(const Code& code, size_t i) {
    std::vector<size_t> reads;
    auto fields = only_read(code, i, reads);
    if (!fields) return false;
    auto& t   = code.statements[i].tail;
    auto v    = static_cast<uint32_t>(t.args[0].number);
    auto& con = p_.cons[t.target];
    auto how  = fields_of(v, con);
    Tail reuse{Tail::Reuse, t.target, 0, {t.args[0]}, t.at, 1};
    std::vector<uint32_t> unused;
    for (uint32_t f = 0; f != fields->size(); ++f) {
        auto field = (*fields)[f];
        if (field == kNone && how[f] != Held::Plain) field = fresh("unused", how[f]);
        if (field == kNone) continue;
        out_.push_back({{field}, {Tail::Select, t.target, f, {t.args[0]}, t.at}});
        if (how[f] == Held::Plain) continue;
        reuse.args.push_back({Atom::Var, field});
        if (last_.contains(field)) owned_.insert(field);
        else unused.push_back(field);
    }
    auto cell = fresh("cell", Held::Plain);
    auto size = slots_for(con.types.size());
    out_.push_back({{cell}, std::move(reuse)});
    for (auto f : unused) act(out_, Tail::Drop, f);
    owned_.erase(v);
    done_.insert(reads.begin(), reads.end());
    bool has_one = std::ranges::find(cells_, size, &Cell::slots) != cells_.end();
    if (!has_one && code_wants(code, i, size)) cells_.push_back({cell, size});
    else act(out_, Tail::Free, cell, size);
    return true;
}

void Counter::tail_call(Tail& t) {
    share(consumed(t), end_);
    take_cell(t);
    bool may_take = is_join(t) && !cells_.empty() && wants(t.target, cells_[0].slots);
    if (may_take) {
        t.args.push_back({Atom::Var, cells_[0].variable});
        t.target = derived(t.target, cells_[0]);
        cells_.erase(cells_.begin());
    }
    for (auto& cell : cells_) act(out_, Tail::Free, cell.variable, cell.slots);
}

/// A branch drops what only others need, in a block of its own.
void Counter::arm(Jump& j, uint32_t con, const Atom& subject) {
    std::vector<Statement> before;
    std::vector<uint32_t> all;
    for (auto& a : j.args)
        if (is_counted(a)) all.push_back(static_cast<uint32_t>(a.number));
    for (auto v : Variables(all.begin(), all.end()))
        for (auto n = std::ranges::count(all, v); n > 1; --n) act(before, Tail::Dup, v);
    for (auto v : owned_) {
        if (std::ranges::find(all, v) != all.end()) continue;
        bool is_nothing = con != kNone && subject == Atom{Atom::Var, v} && p_.cons[con].types.empty();
        if (!is_nothing) drop(v, before);
    }
    bool is_taken = false;
    for (auto& cell : cells_) {
        bool takes = !is_taken && wants(j.block, cell.slots);
        if (takes) {
            j.args.push_back({Atom::Var, cell.variable});
            j.block  = derived(j.block, cell);
            is_taken = true;
        } else {
            act(before, Tail::Free, cell.variable, cell.slots);
        }
    }
    if (before.empty()) return;
    // The block has the variables of this one as its parameters.
    Variables params;
    for (auto& s : before) params.insert(static_cast<uint32_t>(s.tail.args[0].number));
    for (auto& a : j.args)
        if (a.kind == Atom::Var) params.insert(static_cast<uint32_t>(a.number));
    BlockDef own{originals_[j.block].name, j.at, {params.begin(), params.end()}, {}, originals_[j.block].results, true};
    own.code.statements = std::move(before);
    own.code.tail       = {Tail::Block, j.block, 0, j.args, j.at, own.results};
    Atoms args;
    for (auto v : params) args.push_back({Atom::Var, v});
    j.block = add_block(own, components_[j.block]);
    j.args  = std::move(args);
}

void Counter::finish(Code& code) {
    if (code.end == Code::Tailed) return tail_call(code.tail);
    for (auto& a : code.arms) arm(a.jump, code.end == Code::Case ? a.con : kNone, code.subject);
    if (code.otherwise) arm(*code.otherwise, kNone, code.subject);
}

void Counter::block(Work w) {
    auto def  = originals_[w.block];
    auto code = def.code;
    end_      = code.statements.size();
    out_.clear();
    cons_.clear();
    owned_.clear();
    done_.clear();
    cells_ = w.cells;
    find_last_uses(code);
    for (auto v : def.params) {
        if (!is_counted(v)) continue;
        if (last_.contains(v)) owned_.insert(v);
        else act(out_, Tail::Drop, v);
    }
    for (size_t i = 0; i != code.statements.size(); ++i) {
        if (done_.contains(i)) continue;
        if (!open(code, i)) statement(code.statements[i], i);
    }
    finish(code);
    code.statements         = std::move(out_);
    p_.blocks[w.block].code = std::move(code);
}

/// Its tail owns the values that it holds. If there is more to do, that is done in a block.
void Counter::closure(uint32_t index) {
    auto& k     = p_.closures[index];
    auto params = k.stored;
    params.insert(params.end(), k.params.begin(), k.params.end());
    auto used     = consumed(k.tail);
    bool is_plain = std::ranges::all_of(params, [&](uint32_t v) { return !is_counted(v) || std::ranges::count(used, v) == 1; });
    if (is_plain) return;
    BlockDef own{k.name, k.at, params, {}, k.tail.results, true};
    own.code.tail = k.tail;
    Atoms args;
    for (auto v : params) args.push_back({Atom::Var, v});
    auto made = add_block(own, kNone);
    k.tail    = {Tail::Block, made, 0, std::move(args), k.at, k.tail.results};
    todo_.push_back({made, {}});
}

uint32_t Counter::add_block(const BlockDef& def, uint32_t component) {
    auto index = add(p_.blocks, def);
    originals_.push_back(def);
    components_.push_back(component);
    p_.order.push_back({Program::BlockKind, index});
    return index;
}

void Counter::run() {
    hold();
    find_components();
    originals_ = p_.blocks;
    for (auto& e : std::vector(p_.order)) {
        if (e.kind == Program::BlockKind) todo_.push_back({e.index, {}});
        if (e.kind == Program::ClosureKind) closure(e.index);
    }
    while (!todo_.empty()) {
        auto next = std::move(todo_.back());
        todo_.pop_back();
        block(std::move(next));
    }
    c_.variables.resize(p_.variables.size(), Held::Plain);
    c_.is_counted = true;
}

} // namespace

CountedProgram count_references(Program p, Types& types, const ProgramTypes& found) {
    CountedProgram counted;
    counted.program = std::move(p);
    Counter(counted, types, found).run();
    return counted;
}

CountedProgram without_counts(Program p) {
    CountedProgram counted;
    counted.variables.resize(p.variables.size(), Held::Plain);
    counted.tops.resize(p.tops.size(), Held::Plain);
    counted.program = std::move(p);
    return counted;
}

} // namespace mim::plug::mil
