// SPDX-License-Identifier: MIT
#include "single.h"

#include "base/components.h"
#include "retype.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

/// The code without them. Lines that only rename a value go as well: a call in front of one stays a tail call.
class Wrappers {
public:
    Wrappers(Program& p, const std::vector<bool>& singles)
        : p_(p)
        , is_single_(singles) {}

    void run() {
        for (auto& b : p_.blocks) code(b.code);
        for (auto& k : p_.closures) tail(k.tail);
        for (auto& t : p_.tops) tail(t.tail);
        name_tops();
    }

private:
    bool is_wrapper(uint32_t con) const { return is_single_[p_.cons[con].data]; }

    Atom atom(const Atom& a) const {
        if (a.kind != Atom::Var) return a;
        auto found = meanings_.find(static_cast<uint32_t>(a.number));
        return found == meanings_.end() ? a : found->second;
    }
    void atoms(Atoms& all) const {
        for (auto& a : all) a = atom(a);
    }
    void tail(Tail& t) const {
        atoms(t.args);
        bool is_same = (t.op == Tail::Build || t.op == Tail::Select) && is_wrapper(t.target);
        if (is_same) t.op = Tail::Return;
    }

    void code(Code&);
    void end(Code&);
    void name_tops();
    void open_cycles();

    Program& p_;
    const std::vector<bool>& is_single_;
    std::unordered_map<uint32_t, Atom> meanings_; ///< of variables that are another name
};

void Wrappers::code(Code& c) {
    meanings_.clear();
    std::vector<Statement> rest;
    for (auto& s : c.statements) {
        tail(s.tail);
        bool is_nothing = s.tail.op == Tail::Assert && is_wrapper(s.tail.target);
        if (is_nothing) continue;
        if (s.tail.op != Tail::Return) {
            rest.push_back(std::move(s));
            continue;
        }
        for (size_t i = 0; i != s.binds.size(); ++i)
            if (s.binds[i] != kNone) meanings_[s.binds[i]] = s.tail.args[i];
    }
    c.statements = std::move(rest);
    end(c);
}

void Wrappers::end(Code& c) {
    c.subject = atom(c.subject);
    for (auto& arm : c.arms) atoms(arm.jump.args);
    if (c.otherwise) atoms(c.otherwise->args);
    bool is_known = c.end == Code::Case && !c.arms.empty() && is_wrapper(c.arms[0].con);
    if (is_known) {
        auto jump   = c.arms[0].jump;
        auto result = c.tail.results;
        c.end       = Code::Tailed;
        c.tail      = {Tail::Block, jump.block, 0, jump.args, jump.at, result};
        c.arms.clear();
        c.otherwise.reset();
    }
    if (c.end != Code::Tailed) return;
    tail(c.tail);
    bool is_last = c.tail.op == Tail::Return && !c.statements.empty() && c.tail.args.size() == c.statements.back().binds.size();
    if (is_last)
        for (size_t i = 0; i != c.tail.args.size(); ++i)
            is_last &= c.tail.args[i] == Atom{Atom::Var, c.statements.back().binds[i]};
    if (!is_last || c.tail.args.empty()) return;
    auto op      = c.statements.back().tail.op;
    bool is_call = op == Tail::Block || op == Tail::Enter || op == Tail::Build || op == Tail::Closure;
    if (!is_call) return;
    c.tail = std::move(c.statements.back().tail);
    c.statements.pop_back();
}

/// A top-level definition that is another one is named by nobody.
void Wrappers::name_tops() {
    auto meaning = [&](Atom& a) {
        for (size_t i = 0; a.kind == Atom::Top && i != p_.tops.size(); ++i) {
            auto& top      = p_.tops[a.number];
            bool has_value = top.tail.op == Tail::Return && top.tail.args.size() == 1; // one that is gone has none
            bool is_other  = has_value && top.tail.args[0].kind == Atom::Top && !top.typing.is_kept;
            if (!is_other) return;
            a = top.tail.args[0];
        }
    };
    auto tail = [&](Tail& t) {
        for (auto& a : t.args) meaning(a);
    };
    open_cycles();
    for (auto& b : p_.blocks) each_atom(b.code, meaning);
    for (auto& k : p_.closures) tail(k.tail);
    for (auto& t : p_.tops) tail(t.tail);
}

/// A definition that was an allocation in a cycle, and now is another name of one, allocates the same again.
void Wrappers::open_cycles() {
    std::vector<std::vector<uint32_t>> edges(p_.tops.size());
    for (auto& e : p_.order)
        if (e.kind == Program::TopKind)
            for (auto& a : p_.tops[e.index].tail.args)
                if (a.kind == Atom::Top) edges[e.index].push_back(static_cast<uint32_t>(a.number));
    auto place = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    std::vector<size_t> sizes(edges.size());
    for (auto c : place) ++sizes[c];
    auto is_name = [&](uint32_t top) { return p_.tops[top].tail.op == Tail::Return && sizes[place[top]] > 1; };
    for (uint32_t top = 0; top != edges.size(); ++top) {
        auto source = top;
        for (size_t i = 0; i != edges.size() && is_name(source); ++i) source = edges[source][0];
        if (source != top) p_.tops[top].tail = p_.tops[source].tail;
    }
}

} // namespace

// ---- the types
// ------------------------------------------------------------------------------------------------------------------

Singles::Singles(Source& source, Program& p, const ProgramTypes& found)
    : source_(source)
    , p_(p)
    , types_(source.types)
    , found_(found)
    , is_single_(p.datas.size()) {
    for (uint32_t i = 0; i != p_.datas.size(); ++i) datas_[p_.datas[i].type] = i;
}

uint32_t Singles::find_data(Type* head) const {
    auto found = datas_.find(head);
    return found == datas_.end() ? kNone : found->second;
}

bool Singles::is_builtin(uint32_t data) const {
    auto is = [&](uint32_t con) { return p_.cons[con].data == data; };
    return is(p_.func) || is(p_.proc) || is(p_.init);
}

/// A constructor of types with too few arguments stands for itself.
void Singles::look(Type* t) {
    t = types_.resolve(t);
    if (!seen_.insert(t).second) return;
    size_t count = 0;
    auto head    = t;
    for (; head->kind == Type::Apply; head = types_.resolve(head->first)) {
        ++count;
        look(head->second);
    }
    has_applied_variables_ |= count != 0 && head->kind != Type::Con;
    auto data = find_data(head);
    if (data != kNone && count < p_.datas[data].parameters.size()) is_single_[data] = false;
}

void Singles::look_everywhere() {
    auto all = [&](auto& list) {
        for (auto t : list)
            if (t) look(t);
    };
    all(found_.variables);
    all(found_.blocks);
    all(found_.closures);
    all(found_.tops);
    for (auto& [user, t] : found_.uses) look(t);
    for (auto& con : p_.cons) all(con.types);
}

/// A type that has itself in its field has no type without it.
void Singles::keep_cycles() {
    std::vector<std::vector<uint32_t>> edges(p_.datas.size());
    for (uint32_t d = 0; d != edges.size(); ++d) {
        if (!is_single_[d]) continue;
        std::vector<Type*> todo{p_.cons[p_.datas[d].cons[0]].types[0]};
        while (!todo.empty()) {
            auto t = types_.resolve(todo.back());
            todo.pop_back();
            if (t->kind == Type::Apply) todo.insert(todo.end(), {t->first, t->second});
            auto to = find_data(t);
            if (to != kNone && is_single_[to]) edges[d].push_back(to);
        }
    }
    auto place = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    std::vector<size_t> sizes(edges.size());
    for (auto c : place) ++sizes[c];
    for (uint32_t d = 0; d != edges.size(); ++d) {
        bool is_own = std::ranges::find(edges[d], d) != edges[d].end();
        if (is_own || sizes[place[d]] > 1) is_single_[d] = false;
    }
}

/// A `main` that is no `Proc` must not become one.
void Singles::look_at_main() {
    if (p_.main == kNone || p_.main_is_proc) return;
    std::vector<Type*> todo{p_.tops[p_.main].typing.scheme.type};
    while (!todo.empty()) {
        auto t = types_.resolve(todo.back());
        todo.pop_back();
        if (t->kind == Type::Apply) todo.insert(todo.end(), {t->first, t->second});
        auto data = find_data(t);
        if (data != kNone && !is_builtin(data)) is_single_[data] = false;
    }
}

void Singles::find() {
    for (uint32_t d = 0; d != p_.datas.size(); ++d) {
        auto& data    = p_.datas[d];
        is_single_[d] = data.form == DataType::Objects && data.cons.size() == 1 && p_.cons[data.cons[0]].types.size() == 1;
    }
    look_everywhere();
    look_at_main();
    for (uint32_t d = 0; d != p_.datas.size(); ++d)
        if (has_applied_variables_ && !p_.datas[d].parameters.empty()) is_single_[d] = false;
    keep_cycles();
}

void Singles::find_for_text() { find(); }

void Singles::find_for_code() {
    find();
    for (auto con : {p_.func, p_.proc, p_.init}) is_single_[p_.cons[con].data] = true;
}

Type* Singles::type(Type* t) {
    t = types_.resolve(t);
    if (t->kind != Type::Apply && t->kind != Type::Con) return t;
    if (auto found = known_.find(t); found != known_.end()) return found->second;
    std::vector<Type*> arguments;
    auto head = t;
    for (; head->kind == Type::Apply; head = types_.resolve(head->first)) arguments.insert(arguments.begin(), type(head->second));
    auto data      = find_data(head);
    bool is_single = data != kNone && is_single_[data] && arguments.size() == p_.datas[data].parameters.size();
    auto result    = is_single ? nullptr : arguments.empty() ? head : types_.apply(head, arguments);
    if (is_single) {
        auto& con = p_.cons[p_.datas[data].cons[0]];
        std::unordered_map<Type*, Type*> meanings;
        for (size_t i = 0; i != arguments.size(); ++i) meanings[con.scheme.variables[i]] = arguments[i];
        result = types_.replaced(type(con.types[0]), meanings);
    }
    return known_[t] = result;
}

void Singles::change_order() {
    std::erase_if(p_.order, [&](auto& e) { return e.kind == Program::DataKind && is_single_[e.index]; });
    bool is_erased = is_single_[p_.cons[p_.proc].data];
    if (p_.main_is_proc && is_erased) p_.main_is_closure = true;
}

void Singles::erase() {
    Wrappers(p_, is_single_).run();
    change_types(source_, p_, [&](Type* t) { return type(t); }, is_single_);
    change_order();
}

void erase_functions(Program& p) {
    std::vector<bool> singles(p.datas.size());
    for (auto con : {p.func, p.proc}) singles[p.cons[con].data] = true;
    Wrappers(p, singles).run();
}

} // namespace mim::plug::mil
