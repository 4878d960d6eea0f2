// SPDX-License-Identifier: MIT
// Parameters of blocks and stored fields of closures that nobody needs go, through recursion too: what is only passed
// on to one that nobody needs is not needed. So do parameters that are always the same constant.
#include <algorithm>
#include <tuple>

#include "optimize.h"

namespace mim::plug::mil {

namespace {

class Parameters {
public:
    explicit Parameters(Optimizer& o)
        : o_(o)
        , p_(o.p) {}

    bool run();

private:
    struct Place {
        Program::Kind kind;
        uint32_t index;
        size_t i;
    };
    /// The facts of a parameter.
    struct Fact {
        bool is_needed = false, has_value = false, varies = false;
        Atom value;
        std::vector<Place> passed_by; ///< parameters that are passed here
    };

    std::vector<Fact>& facts(Program::Kind kind, uint32_t i) { return kind == Program::BlockKind ? blocks_[i] : closures_[i]; }
    Fact& fact(const Place& place) { return facts(place.kind, place.index)[place.i]; }
    bool may_change(const Place& place) const {
        return place.kind == Program::BlockKind ? !p_.blocks[place.index].is_kept && !o_.is_fixed(place.index)
                                                : !p_.closures[place.index].is_kept && !o_.is_fixed_closure(place.index);
    }
    bool goes(const Place& place) {
        auto& f          = fact(place);
        bool is_constant = place.kind == Program::BlockKind && f.has_value && !f.varies;
        return may_change(place) && (!f.is_needed || is_constant);
    }

    void gather(Program::Entry, const std::vector<uint32_t>& params);
    void call(Program::Kind, uint32_t callee, const Atoms&, Program::Entry from);
    void need(const Atom&, Program::Entry from);
    void take(const Place&, const Atom&);
    void spread_values();
    using Key = std::tuple<int, uint32_t, size_t>;
    static Key key(const Place& p) { return {p.kind, p.index, p.i}; }
    void spread();
    template<class Params>
    bool shorten(Program::Kind, uint32_t, Params&);
    void shorten_args(Program::Kind, uint32_t, Atoms&);
    void shorten_calls(Tail&);
    void change(BlockDef&, uint32_t);

    Optimizer& o_;
    Program& p_;
    std::vector<std::vector<Fact>> blocks_, closures_;
    std::unordered_map<uint32_t, size_t> places_; ///< of the parameters of the definition that is looked at
    std::vector<Place> needed_;
    std::map<Key, std::vector<Place>> passes_; ///< parameters that a parameter is passed to
    std::vector<Place> known_;                 ///< have a new value
};

void Parameters::need(const Atom& a, Program::Entry from) {
    auto place = a.kind == Atom::Var ? places_.find(static_cast<uint32_t>(a.number)) : places_.end();
    if (place == places_.end()) return;
    Place own{from.kind, from.index, place->second};
    if (std::exchange(fact(own).is_needed, true)) return;
    needed_.push_back(own);
}

void Parameters::call(Program::Kind kind, uint32_t callee, const Atoms& args, Program::Entry from) {
    for (size_t i = 0; i != args.size(); ++i) {
        Place to{kind, callee, i};
        auto& f       = fact(to);
        auto place    = args[i].kind == Atom::Var ? places_.find(static_cast<uint32_t>(args[i].number)) : places_.end();
        bool is_param = place != places_.end();
        if (is_param) f.passed_by.push_back({from.kind, from.index, place->second});
        if (is_param && !may_change(to)) need(args[i], from);
        if (!is_param) take(to, args[i]);
    }
}

/// An argument of a call: it is always the same constant, or it varies.
void Parameters::take(const Place& to, const Atom& a) {
    auto& f      = fact(to);
    bool is_same = a.kind != Atom::Var && a.kind != Atom::Text && (!f.has_value || f.value == a);
    bool is_new  = !f.has_value || (!is_same && !f.varies);
    f.varies |= !is_same;
    f.has_value = true;
    f.value     = a;
    if (is_new) known_.push_back(to);
}

/// A parameter whose arguments are all one constant, or itself, passed on, is that constant.
void Parameters::spread_values() {
    for (auto& e : p_.order) {
        bool is_block = e.kind == Program::BlockKind;
        if (!is_block && e.kind != Program::ClosureKind) continue;
        auto size = facts(e.kind, e.index).size();
        for (size_t i = 0; i != size; ++i)
            for (auto& from : facts(e.kind, e.index)[i].passed_by) passes_[key(from)].push_back({e.kind, e.index, i});
    }
    // A parameter that nobody knows anything of, as those of closures and of blocks that stay, may be anything.
    for (auto& [from, to] : passes_) {
        Place place{static_cast<Program::Kind>(std::get<0>(from)), std::get<1>(from), std::get<2>(from)};
        if (!may_change(place) || place.kind != Program::BlockKind) take(place, {Atom::Var, 0});
    }
    while (!known_.empty()) {
        auto next = known_.back();
        known_.pop_back();
        auto f = fact(next);
        for (auto& to : passes_[key(next)]) take(to, f.varies ? Atom{Atom::Var, 0} : f.value);
    }
}

void Parameters::gather(Program::Entry e, const std::vector<uint32_t>& params) {
    places_.clear();
    for (size_t i = 0; i != params.size(); ++i) places_[params[i]] = i;
    auto tail = [&](const Tail& t) {
        if (t.op == Tail::Block) return call(Program::BlockKind, t.target, t.args, e);
        if (t.op == Tail::Closure) return call(Program::ClosureKind, t.target, t.args, e);
        for (auto& a : t.args) need(a, e);
    };
    if (e.kind == Program::ClosureKind) return tail(p_.closures[e.index].tail);
    if (e.kind == Program::TopKind) return tail(p_.tops[e.index].tail);
    auto& code = p_.blocks[e.index].code;
    each_tail(code, tail);
    each_jump(code, [&](auto& j) { call(Program::BlockKind, j.block, j.args, e); });
    if (code.end != Code::Tailed) need(code.subject, e);
}

void Parameters::spread() {
    while (!needed_.empty()) {
        auto next = needed_.back();
        needed_.pop_back();
        for (auto& from : fact(next).passed_by)
            if (!std::exchange(fact(from).is_needed, true)) needed_.push_back(from);
    }
}

void Parameters::shorten_args(Program::Kind kind, uint32_t callee, Atoms& args) {
    Atoms rest;
    for (size_t i = 0; i != args.size(); ++i)
        if (!goes({kind, callee, i})) rest.push_back(args[i]);
    args = std::move(rest);
}

void Parameters::shorten_calls(Tail& t) {
    if (t.op == Tail::Block) shorten_args(Program::BlockKind, t.target, t.args);
    if (t.op == Tail::Closure) shorten_args(Program::ClosureKind, t.target, t.args);
}

bool Parameters::run() {
    blocks_.resize(p_.blocks.size());
    closures_.resize(p_.closures.size());
    for (size_t b = 0; b != blocks_.size(); ++b) blocks_[b].resize(p_.blocks[b].params.size());
    for (size_t k = 0; k != closures_.size(); ++k) closures_[k].resize(p_.closures[k].stored.size());
    for (auto& e : p_.order) {
        if (e.kind == Program::BlockKind) gather(e, p_.blocks[e.index].params);
        if (e.kind == Program::ClosureKind) gather(e, p_.closures[e.index].stored);
        if (e.kind == Program::TopKind) gather(e, {});
    }
    spread();
    spread_values();
    std::vector<bool> changed(p_.blocks.size());
    bool any = false;
    for (auto& e : p_.order) {
        if (e.kind == Program::BlockKind) {
            auto& def = p_.blocks[e.index];
            each_tail(def.code, [&](Tail& t) { shorten_calls(t); });
            each_jump(def.code, [&](Jump& j) { shorten_args(Program::BlockKind, j.block, j.args); });
        }
        if (e.kind == Program::ClosureKind) shorten_calls(p_.closures[e.index].tail);
        if (e.kind == Program::TopKind) shorten_calls(p_.tops[e.index].tail);
    }
    for (auto& e : p_.order) {
        bool is_block = e.kind == Program::BlockKind;
        if (!is_block && e.kind != Program::ClosureKind) continue;
        auto& params = is_block ? p_.blocks[e.index].params : p_.closures[e.index].stored;
        std::vector<uint32_t> rest;
        Renaming names(p_);
        for (size_t i = 0; i != params.size(); ++i) {
            if (!goes({e.kind, e.index, i})) {
                rest.push_back(params[i]);
                continue;
            }
            auto& f = fact({e.kind, e.index, i});
            if (is_block && f.has_value && !f.varies) names.set(params[i], f.value);
            o_.report.note(Rule::Parameter);
        }
        if (rest.size() == params.size()) continue;
        any    = true;
        params = std::move(rest);
        if (!is_block) continue;
        changed[e.index]        = true;
        p_.blocks[e.index].code = names(p_.blocks[e.index].code);
        o_.touch(e.index);
    }
    if (any) o_.forget_derived(changed);
    return any;
}

} // namespace

bool remove_parameters(Optimizer& o) { return Parameters(o).run(); }

} // namespace mim::plug::mil
