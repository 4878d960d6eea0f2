// SPDX-License-Identifier: MIT
// The meanings of names in LC, and the order in which definitions depend on each other.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/components.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

using Binds = std::vector<Bind*>;

class Resolver {
public:
    Resolver(Diagnostics& diags, Source& source, File& file)
        : diags_(diags)
        , source_(source)
        , file_(file) {}

    std::vector<Binds> top() { return definitions(file_.order); }

private:
    void expr(Expr*);
    void parts(Expr*);
    void record(Expr*);
    void name(Expr*);
    void alternative(Alternative&);
    void steps(Expr*, size_t i);
    uint32_t con(const std::string& name, Span at);
    std::vector<Binds> definitions(const Binds&);
    void push(const Binds&);
    void pop(const Binds&);

    Diagnostics& diags_;
    Source& source_;
    File& file_;
    std::unordered_map<std::string, Binds> scope_; ///< local names, the innermost last
    std::unordered_map<Bind*, std::unordered_set<Bind*>> uses_;
    Binds defining_; ///< the definitions around the expression
};

void Resolver::push(const Binds& binds) {
    for (auto b : binds)
        if (b) scope_[b->name].push_back(b);
}

void Resolver::pop(const Binds& binds) {
    for (auto b : binds)
        if (b) scope_[b->name].pop_back();
}

/// The components of definitions that need each other, each behind what it needs.
std::vector<Binds> Resolver::definitions(const Binds& binds) {
    for (auto b : binds) {
        defining_.push_back(b);
        expr(b->value);
        defining_.pop_back();
    }
    std::unordered_map<Bind*, uint32_t> number;
    for (uint32_t i = 0; i != binds.size(); ++i) number[binds[i]] = i;
    std::vector<std::vector<uint32_t>> edges(binds.size());
    for (uint32_t i = 0; i != binds.size(); ++i) {
        for (auto used : uses_[binds[i]])
            if (auto found = number.find(used); found != number.end()) edges[i].push_back(found->second);
        std::ranges::sort(edges[i]); // the order of a set of addresses is another one in each run
    }
    auto succs  = [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; };
    auto place  = ComponentSearch(binds.size(), succs).run();
    size_t size = 0;
    for (auto p : place) size = std::max<size_t>(size, p + 1);
    std::vector<Binds> groups(size);
    for (size_t i = 0; i != binds.size(); ++i) groups[place[i]].push_back(binds[i]);
    for (auto& group : groups) {
        auto first    = group[0];
        bool is_cycle = group.size() > 1 || uses_[first].contains(first);
        if (!is_cycle) continue;
        for (auto b : group) {
            bool is_late = b->value->kind == Expr::Lambda || b->value->kind == Expr::Do || b->value->kind == Expr::Broken;
            if (!is_late) diags_.report(diag::needs_itself(b->name), b->at);
        }
    }
    return groups;
}

uint32_t Resolver::con(const std::string& name, Span at) {
    auto found = find_con(file_, name);
    if (!found) diags_.report(diag::unknown("constructor", name), at);
    return found.value_or(kNone);
}

void Resolver::name(Expr* e) {
    auto local = scope_.find(e->name);
    bool known = local != scope_.end() && !local->second.empty();
    e->bind    = known ? local->second.back() : find_value(file_, e->name);
    if (!e->bind) {
        diags_.report(diag::unknown("value", e->name), e->at);
        e->kind = Expr::Broken;
        return;
    }
    ++e->bind->uses;
    for (auto around : defining_) uses_[around].insert(e->bind);
}

/// Whoever leaves fields out needs their values.
void Resolver::record(Expr* e) {
    auto found = find_con(file_, e->name);
    auto data  = found ? std::nullopt : find_type(file_, e->name);
    auto& p    = source_.program;
    auto needs = [&](Bind* initial) {
        for (auto around : defining_) uses_[around].insert(initial);
    };
    parts(e);
    if (data && p.datas[*data].form == DataType::Struct) {
        e->kind  = Expr::Initializer;
        e->index = *data;
        for (auto& part : p.datas[*data].parts) needs(part.initial);
        return;
    }
    e->con = con(e->name, e->at);
    if (e->con == kNone) e->kind = Expr::Broken;
    else
        for (auto& r : p.cons[e->con].regions) needs(r.initial);
}

void Resolver::parts(Expr* e) {
    for (auto part : e->parts) expr(part);
}

void Resolver::alternative(Alternative& alt) {
    bool has_con = alt.kind == Alternative::Constructor || alt.kind == Alternative::Tuple;
    if (has_con) alt.con = con(alt.name, alt.at);
    push(alt.fields);
    expr(alt.body);
    pop(alt.fields);
}

void Resolver::steps(Expr* e, size_t i) {
    for (size_t j = i; j != e->steps.size(); ++j) {
        auto& step = e->steps[j];
        if (step.step == Expr::Define) push(step.binds);
        if (step.step == Expr::Define) {
            auto holder    = source_.expr({.kind = Expr::Let, .at = e->at});
            holder->binds  = step.binds;
            holder->groups = definitions(step.binds);
            step.value     = holder;
        } else {
            expr(step.value);
        }
        if (step.step == Expr::Bound) push({step.name});
    }
    for (size_t j = e->steps.size(); j-- != i;) {
        auto& step = e->steps[j];
        if (step.step == Expr::Define) pop(step.binds);
        if (step.step == Expr::Bound) pop({step.name});
    }
}

void Resolver::expr(Expr* e) {
    switch (e->kind) {
        case Expr::Name: return e->bind ? void() : name(e);
        case Expr::Con:
            e->con = con(e->name, e->at);
            if (e->con == kNone) e->kind = Expr::Broken;
            return;
        case Expr::Record: return record(e);
        case Expr::Lambda:
            push(e->binds);
            parts(e);
            return pop(e->binds);
        case Expr::Let:
            push(e->binds);
            e->groups = definitions(e->binds);
            parts(e);
            return pop(e->binds);
        case Expr::Case:
            parts(e);
            for (auto& alt : e->alts) alternative(alt);
            return;
        case Expr::Do: return steps(e, 0);
        default: return parts(e);
    }
}

} // namespace

void resolve(FrontEndContext& c, Source& source) {
    for (auto& file : source.files) {
        file->groups = Resolver(c.diags, source, *file).top();
        for (auto& [name, place] : file->exports) {
            bool is_known = find_value(*file, name) || file->tops.contains(name) || file->blocks.contains(name)
                            || file->primitives.contains(name) || file->primitive_blocks.contains(name)
                            || file->closures.contains(name) || file->cons.contains(name);
            if (!is_known) c.diags.report(diag::unknown("value", name), place);
        }
    }
}

} // namespace mim::plug::mil
