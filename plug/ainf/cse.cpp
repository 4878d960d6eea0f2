// SPDX-License-Identifier: MIT
// Common subexpressions. Operations with equal operands are one if their environments can be merged: if what runs
// under the merged one ran under one of the two before. Dropping a condition is what makes merging worthwhile: what
// both branches compute needs no condition.
//
// The result is that of passes over the list until nothing changes, each of which lets a binding be the newest one
// before it that it can be. After the first pass, only those bindings are looked at for which that may have changed:
// whose operands got other names, or that may be merged with one whose environment has become smaller. Operands that
// are one are a class; the class with fewer users gets the name of the other one, so names change seldom.
#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "ainf.h"
#include "merge.h"

namespace mim::plug::ainf {

namespace {

/// Equal operations have equal keys. The index that a binder binds has no name in it, and operands are classes. What
/// loops and functions the operation stands in is part of it, since merging drops conditions only.
struct Key {
    Op op;
    const Def *type, *literal, *bound;
    uint64_t mode;
    uint32_t fold;
    std::vector<Operand> args;
    std::vector<uint64_t> loops;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    size_t operator()(const Key& key) const {
        size_t hash = static_cast<size_t>(key.op);
        auto add    = [&](uint64_t x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15 + (hash >> 29); };
        add(key.type->id()), add(key.literal ? key.literal->id() : 0), add(key.mode);
        for (auto& x : key.args) add(2 * uint64_t(x.number) + x.is_index);
        for (auto x : key.loops) add(x);
        return hash;
    }
};

/// The innermost condition of an environment: the loops and functions inside of it, and its class.
struct Innermost {
    static constexpr uint32_t kNone          = UINT32_MAX;
    uint32_t depth                           = kNone;
    uint32_t condition                       = 0;
    auto operator<=>(const Innermost&) const = default;
};

using Places = std::set<uint32_t>;

/// Bindings with one key. Of those whose innermost conditions are at the same place, only those with the same condition
/// can be merged.
struct Group {
    Places all;
    std::map<Innermost, Places> by_condition;
    std::map<uint32_t, Places> by_depth;

    void add(uint32_t place, const Innermost& c) {
        all.insert(place);
        if (c.depth == Innermost::kNone) by_condition[c].insert(place);
        else by_condition[c].insert(place), by_depth[c.depth].insert(place);
    }
    void remove(uint32_t place, const Innermost& c) {
        all.erase(place);
        by_condition[c].erase(place);
        if (c.depth != Innermost::kNone) by_depth[c.depth].erase(place);
    }
    /// Sets of those that a binding with this innermost condition may be merged with.
    std::vector<const Places*> candidates(const Innermost& c) const {
        if (c.depth == Innermost::kNone) return {&all};
        std::vector<const Places*> result;
        for (auto& known : {c, Innermost{}})
            if (auto found = by_condition.find(known); found != by_condition.end()) result.push_back(&found->second);
        for (auto& [depth, places] : by_depth)
            if (depth != c.depth) result.push_back(&places);
        return result;
    }
};

bool is_commutative(const Primitive& p) {
    constexpr uint64_t kNoNaN = 1, kNoSignedZero = 4, kAnyOrder = kNoNaN | kNoSignedZero;
    switch (p.op) {
        case Op::NatAdd:
        case Op::NatMul:
        case Op::FltAdd:
        case Op::FltMul:
        case Op::Equal: return true;
        case Op::FltMax: return (p.mode & kAnyOrder) == kAnyOrder;
        default: return false;
    }
}

class Sharing {
public:
    explicit Sharing(bool simplifies)
        : simplifies_(simplifies) {}

    List run(List list);

private:
    struct Entry {
        Binding b;
        bool is_gone    = false; ///< another name of something else
        Group* group    = nullptr;
        Innermost where = {}; ///< in the group
    };
    /// Of operands that are one.
    struct Class {
        Operand name; ///< of the oldest one, or the index that they are
        std::vector<uint32_t> users;
    };

    void start(List&);
    List finish(List);
    void look(uint32_t place);
    bool merge(uint32_t place);
    void move(uint32_t place, Environment);
    void rename(uint32_t place, Operand, bool is_merged);
    void put(uint32_t place);
    void take(uint32_t place);
    void mark(uint32_t place);
    void wake(uint32_t place, uint32_t after);
    void wake_users(uint32_t place);

    uint32_t place_of(const Operand& x) const { return places_.at(x.number); }
    /// The class of a binding, by the binding that it is named after.
    uint32_t class_of(uint32_t place);
    Operand class_of(const Operand& x) { return x.is_index ? x : in_class(class_of(place_of(x))); }
    Operand in_class(uint32_t c) const { return classes_[c].name.is_index ? classes_[c].name : Operand{false, c}; }
    Operand name(const Operand& x) { return x.is_index ? x : classes_[class_of(place_of(x))].name; }
    Key key_of(const Binding&);
    Innermost innermost(const Environment&);
    uint64_t loop(const Frame&);

    const Binding& definition(const Operand& x) const { return entries_[place_of(x)].b; }
    bool is_within(const Operand&, const Environment&);
    std::optional<Operand> simpler(const Binding&);
    std::optional<Operand> element(const Binding&);

    bool simplifies_;
    bool is_first_ = true; ///< the first pass looks at all
    uint32_t at_   = 0;    ///< the place that is looked at
    std::vector<Entry> entries_;
    std::vector<uint32_t> places_; ///< by number
    std::vector<uint32_t> parents_;
    std::vector<Class> classes_;
    std::unordered_map<Key, Group, KeyHash> table_;
    std::map<std::tuple<Kind, uint32_t, const Def*, const Def*, uint32_t>, uint64_t> loops_;
    Places now_, next_; ///< those to look at, in this pass and in the next one
    NameOf name_of_ = [this](const Operand& x) { return class_of(x); };
};

void Sharing::start(List& list) {
    auto n = static_cast<uint32_t>(list.bindings.size());
    parents_.resize(n), classes_.resize(n);
    std::iota(parents_.begin(), parents_.end(), 0u);
    auto use = [&](const Operand& x, uint32_t user) {
        if (!x.is_index) classes_[place_of(x)].users.push_back(user);
    };
    for (uint32_t i = 0; i != n; ++i) {
        auto& b = list.bindings[i];
        places_.resize(std::max<size_t>(places_.size(), b.number + size_t(1)));
        places_[b.number] = i;
        classes_[i].name  = {false, b.number};
        for (auto& x : b.p.args) use(x, i);
        for (auto& f : b.env)
            if (f.is_condition()) use(f.condition, i);
        entries_.push_back({std::move(b)});
    }
}

List Sharing::run(List list) {
    start(list);
    for (uint32_t i = 0; i != entries_.size(); ++i) look(i);
    is_first_ = false;
    while (!next_.empty()) {
        now_.swap(next_);
        while (!now_.empty()) look(now_.extract(now_.begin()).value());
    }
    return finish(std::move(list));
}

List Sharing::finish(List list) {
    list.bindings.clear();
    for (auto& e : entries_) {
        if (e.is_gone) continue;
        for (auto& x : e.b.p.args) x = name(x);
        for (auto& f : e.b.env)
            if (f.is_condition()) f.condition = name(f.condition);
        if (simplifies_ && is_commutative(e.b.p)) std::ranges::sort(e.b.p.args);
        list.bindings.push_back(std::move(e.b));
    }
    list.result = name(list.result);
    return list;
}

uint32_t Sharing::class_of(uint32_t place) {
    while (parents_[place] != place) place = parents_[place] = parents_[parents_[place]];
    return place;
}

uint64_t Sharing::loop(const Frame& f) {
    return loops_.try_emplace({f.kind, f.index, f.type, f.turn, f.fold}, loops_.size()).first->second;
}

Key Sharing::key_of(const Binding& b) {
    constexpr Operand kOwnIndex{true, UINT32_MAX};
    auto& p = b.p;
    Key key{
        .op = p.op, .type = p.type, .literal = p.literal, .bound = nullptr, .mode = p.mode, .fold = 0, .args = {}, .loops = {}};
    for (auto& x : p.args) key.args.push_back(class_of(x));
    if (p.is_binder()) {
        auto& f      = p.body.front();
        bool is_fold = f.kind == Kind::Fold;
        key.bound    = is_fold ? f.turn : f.type;
        key.fold     = is_fold ? f.fold : 0;
        auto& body   = key.args.back();
        if (body.is_index && !is_fold && f.binds(body.number)) body = kOwnIndex;
    }
    if (simplifies_ && is_commutative(p)) std::ranges::sort(key.args);
    for (auto& f : b.env)
        if (!f.is_condition()) key.loops.push_back(loop(f));
    return key;
}

Innermost Sharing::innermost(const Environment& env) {
    uint32_t depth = 0;
    for (size_t i = env.size(); i-- != 0; ++depth) {
        if (!env[i].is_condition()) continue;
        auto c = class_of(env[i].condition);
        return {depth, 2 * c.number + c.is_index};
    }
    return {};
}

void Sharing::put(uint32_t place) {
    auto& e = entries_[place];
    e.group = &table_[key_of(e.b)];
    e.where = innermost(e.b.env);
    e.group->add(place, e.where);
}

void Sharing::take(uint32_t place) {
    auto& e = entries_[place];
    if (e.group) e.group->remove(place, e.where);
    e.group = nullptr;
}

/// The first pass gets to what stands further below anyway.
void Sharing::mark(uint32_t place) {
    if (entries_[place].is_gone) return;
    if (place <= at_) next_.insert(place);
    else if (!is_first_) now_.insert(place);
}

/// Marks those after a place that may be one with this binding.
void Sharing::wake(uint32_t place, uint32_t after) {
    auto& e = entries_[place];
    if (!e.group || is_first_) return;
    for (auto places : e.group->candidates(e.where))
        for (auto it = places->upper_bound(std::max(place, after)); it != places->end(); ++it)
            if (merged(e.b.env, entries_[*it].b.env, name_of_)) mark(*it);
}

/// Marks what may be simpler, now that the environment of an operand has become smaller.
void Sharing::wake_users(uint32_t place) {
    if (!simplifies_) return;
    for (auto user : classes_[class_of(place)].users) {
        auto op = entries_[user].b.p.op;
        if (op == Op::Ite) mark(user);
        if (op != Op::Pair && op != Op::For) continue;
        for (auto other : classes_[class_of(user)].users) mark(other);
    }
}

void Sharing::look(uint32_t place) {
    at_     = place;
    auto& e = entries_[place];
    if (e.is_gone) return;
    if (auto other = simplifies_ ? simpler(e.b) : std::nullopt) return rename(place, *other, false);
    if (!e.group) put(place);
    if (!merge(place)) wake(place, place);
}

/// Makes the binding another name of the newest one before it that it can be.
bool Sharing::merge(uint32_t place) {
    auto& e   = entries_[place];
    auto sets = e.group->candidates(e.where);
    std::vector<std::pair<const Places*, Places::const_iterator>> rest; ///< those that are left of each set
    for (auto places : sets) rest.push_back({places, places->lower_bound(place)});
    while (true) {
        std::pair<const Places*, Places::const_iterator>* newest = nullptr;
        for (auto& set : rest) {
            if (set.second == set.first->begin()) continue;
            if (!newest || *std::prev(set.second) > *std::prev(newest->second)) newest = &set;
        }
        if (!newest) return false;
        auto other = *--newest->second;
        auto env   = merged(entries_[other].b.env, e.b.env, name_of_);
        if (!env) continue;
        move(other, std::move(*env));
        rename(place, {false, entries_[other].b.number}, true);
        return true;
    }
}

/// Gives a binding the environment that it has together with the one that is looked at.
void Sharing::move(uint32_t place, Environment env) {
    auto& e    = entries_[place];
    auto same  = [](const Frame& a, const Frame& b) { return a.kind == b.kind && a.functions == b.functions; };
    bool is_it = std::ranges::equal(e.b.env, env, same);
    if (is_it) return;
    take(place);
    e.b.env = std::move(env);
    put(place);
    mark(place);
    wake(place, at_);
    wake_users(place);
}

/// Makes the class of a binding one with that of the operand.
void Sharing::rename(uint32_t place, Operand to, bool is_merged) {
    take(place);
    entries_[place].is_gone = true;
    auto from               = class_of(place);
    auto into               = to.is_index ? from : class_of(place_of(to));
    auto target             = to.is_index ? to : classes_[into].name;
    bool is_larger          = classes_[from].users.size() > classes_[into].users.size();
    auto renamed            = is_larger ? into : from;
    auto kept               = is_larger ? from : into;
    auto users              = std::move(classes_[renamed].users);
    classes_[renamed].users.clear();
    std::vector<uint32_t> known; ///< those in the table, under their old keys
    for (auto user : users) {
        if (!entries_[user].group) continue;
        take(user);
        known.push_back(user);
    }
    auto& others = classes_[kept].users;
    if (!is_merged)
        for (auto other : others) mark(other);
    others.insert(others.end(), users.begin(), users.end());
    parents_[renamed]   = kept;
    classes_[kept].name = target;
    for (auto user : known) put(user);
    for (auto user : users) {
        if (user > at_) mark(user);
        wake(user, at_);
    }
}

/// Whether an operand may stand in this environment: all of its frames are there.
bool Sharing::is_within(const Operand& x, const Environment& env) {
    if (x.is_index) return std::ranges::any_of(env, [&](auto& f) { return f.binds(x.number); });
    auto is_it = [&](const Frame& a, const Frame& b) {
        bool are_conditions = a.is_condition() && a.kind == b.kind;
        return are_conditions ? class_of(a.condition) == class_of(b.condition) : is_same(a, b);
    };
    return std::ranges::all_of(definition(x).env, [&](const Frame& needed) {
        return std::ranges::any_of(env, [&](const Frame& f) { return is_it(needed, f); });
    });
}

/// x[i] ▷ y where x = for i. y, if the loop is around, and i is its index.
std::optional<Operand> Sharing::element(const Binding& b) {
    auto array = name(b.p.args[0]);
    auto index = name(b.p.args[1]);
    if (array.is_index || definition(array).p.op != Op::For) return {};
    auto& loop   = definition(array).p;
    auto& frame  = loop.body.front();
    bool is_own  = index.is_index && frame.binds(index.number);
    bool is_here = std::ranges::any_of(b.env, [&](auto& f) { return is_same(f, frame); });
    return is_own && is_here ? std::optional(name(loop.args[0])) : std::nullopt;
}

/// Another operand that the operation is the same as.
std::optional<Operand> Sharing::simpler(const Binding& b) {
    std::optional<Operand> other;
    std::vector<Operand> args;
    for (auto& x : b.p.args) args.push_back(name(x));
    if (b.p.op == Op::Get) other = element(b);
    if (b.p.op == Op::Ite && args[1] == args[2]) other = args[1];
    bool is_part  = b.p.op == Op::Fst || b.p.op == Op::Snd;
    bool is_known = is_part && !args[0].is_index && definition(args[0]).p.op == Op::Pair;
    if (is_known) other = name(definition(args[0]).p.args[b.p.op == Op::Fst ? 0 : 1]);
    return other && is_within(*other, b.env) ? other : std::nullopt;
}

} // namespace

List share(List list) { return Sharing(false).run(std::move(list)); }
List simplify(List list) { return Sharing(true).run(std::move(list)); }

} // namespace mim::plug::ainf
