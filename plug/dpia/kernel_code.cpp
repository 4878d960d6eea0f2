// SPDX-License-Identifier: MIT
#include "kernel_code.h"

namespace mim::plug::dpia {

constexpr auto kGlobal = dpia::par_for::global;
constexpr auto kGroup  = dpia::par_for::group;
constexpr auto kLocal  = dpia::par_for::local;

static std::string call(const char* name, unsigned dim) { return std::string(name) + "(" + std::to_string(dim) + ")"; }

// ---- sizes

void KernelCode::find_sizes(const Def* c) {
    if (match<dpia::seq>(c) || match<dpia::if_>(c)) {
        auto [first, second] = elems<2>(w, arg_of(c));
        find_sizes(first);
        return find_sizes(second);
    }
    if (auto par = match<dpia::par_for>(c)) {
        auto d     = mim::value(group(c, 1)).value_or(kDims);
        bool known = par.sub() != dpia::par_for::par && par.sub() != dpia::par_for::vec;
        if (known && d >= kDims) throw Refused{Refused::NoCode, "OpenCL has the dimensions 0, 1 and 2", {}, c};
        if (known && !asked_[size_t(par.sub())][d]) asked_[size_t(par.sub())][d] = size(elem(w, group(c, 0), 0));
    }
    bool has_body = match<dpia::par_for>(c) || match<dpia::for_>(c) || match<dpia::new_>(c);
    if (has_body) find_sizes(arg_of(c)->as<Lam>()->body());
    if (!match<dpia::dbl_buf>(c)) return;
    // the first step has the most turns
    auto [m, n, element] = elems<3>(w, group(c, 1));
    auto most            = size(m);
    auto num_steps       = size(elem(w, group(c, 0), 1)).value().value_or(1);
    for (Polynomial::Number i = 1; i < num_steps; ++i) most = most * size(n);
    auto step = group(c, 2)->as<Lam>();
    bind(step->var(), number(most));
    find_sizes(step->body()->as<Lam>()->body());
}

bool KernelCode::has_many_items(unsigned dim) const {
    if (given_) return !(given_->items[dim].value() == 1);
    return is_used(kLocal, dim) || is_used(kGlobal, dim);
}

bool KernelCode::has_many_groups(unsigned dim) const {
    if (given_) return !(given_->groups[dim].value() == 1);
    return is_used(kGroup, dim) || is_used(kGlobal, dim);
}

std::optional<uint64_t> KernelCode::most_of_group() const {
    uint64_t most = 1;
    for (unsigned d = 0; d != kDims; ++d) {
        auto known = local_size(d);
        if (!known && given_) return {};
        most *= known.value_or(most_items());
    }
    return most;
}

uint64_t KernelCode::most_items() const {
    unsigned n = 0;
    for (unsigned d = 0; d != kDims; ++d) n += is_used(kLocal, d) || is_used(kGlobal, d) ? 1 : 0;
    return n <= 1 ? 256 : n == 2 ? 16 : 6;
}

std::optional<uint64_t> KernelCode::local_size(unsigned dim) const {
    if (given_) {
        auto known = given_->items[dim].value();
        return known ? std::optional(static_cast<uint64_t>(*known)) : std::nullopt;
    }
    bool is_global = is_used(kGlobal, dim);
    if (!is_used(kLocal, dim) && !is_global) return 1;
    auto& turns = asked_[size_t(is_global ? kGlobal : kLocal)][dim];
    auto known  = turns->value();
    if (!known) return {};
    return std::clamp<uint64_t>(static_cast<uint64_t>(*known), 1, most_items());
}

/// Each worker has one turn.
bool KernelCode::is_single(dpia::par_for how, unsigned dim, const Polynomial& count) const {
    if (given_) {
        auto& all      = how == kLocal ? given_->items[dim] : how == kGroup ? given_->groups[dim] : given_->all[dim];
        bool is_at_all = all.value() || sizes_.is_less({}, all); // there is no launch of none
        return is_at_all && all == count;
    }
    auto& asked = asked_[size_t(how)][dim];
    if (!asked->value() || !(*asked == count)) return false;
    if (how != kLocal) return how == kGroup;
    return local_size(dim) == static_cast<uint64_t>(*count.value());
}

// ---- phases

Phase* KernelCode::add(Phase::Kind kind) {
    auto phase  = std::make_unique<Phase>();
    phase->kind = kind;
    phase->gap  = gaps_++;
    text_.line("@" + std::to_string(phase->gap));
    current_->parts.push_back(std::move(phase));
    return current_->parts.back().get();
}

void KernelCode::command(const Def* c) {
    if (!first_command_) first_command_ = c;
    bool is_part     = match<dpia::assign>(c) || match<dpia::if_>(c) || match<dpia::par_for>(c) || match<dpia::for_>(c);
    bool is_together = match<dpia::if_>(c) && is_uniform(value(group(c, 0))->scalar);
    if (is_apart_ || !is_part || is_together) return CCode::command(c);
    auto par      = match<dpia::par_for>(c);
    bool is_loop  = match<dpia::for_>(dpia::for_::loop, c) || (par && (par.sub() == kGroup || par.sub() == dpia::par_for::vec));
    bool is_turns = match<dpia::for_>(dpia::for_::unroll, c);
    auto outer    = current_;
    current_      = add(is_loop ? Phase::Loop : is_turns ? Phase::Sequence : Phase::Leaf);
    is_apart_     = !is_loop && !is_turns;
    CCode::command(c);
    is_apart_ = false;
    current_  = outer;
}

void KernelCode::finish() {
    std::set<Polynomial::Var> uniform;
    for (Polynomial::Var x = 0; x != heap_.first_local; ++x)
        if (sizes_.is_name(x)) uniform.insert(x);
    auto barriers = place_barriers(program_, uniform);
    if (barriers.refused)
        throw Refused{
            Refused::NoCode, "work items meet in `" + barriers.storage + "`, and " + barriers.refused, {}, first_command_};
    std::string result;
    for (size_t at = 0; at != text_.body.size();) {
        auto end  = text_.body.find('\n', at) + 1;
        auto line = text_.body.substr(at, end - at);
        at        = end;
        auto mark = line.find_first_not_of(' ');
        if (mark == line.npos || line[mark] != '@') {
            result += line;
            continue;
        }
        auto found = barriers.fences.find(std::stoul(line.substr(mark + 1)));
        if (found == barriers.fences.end()) continue;
        auto [local, global] = found->second;
        auto both            = local && global ? " | " : "";
        result += line.substr(0, mark) + "barrier(" + (local ? "CLK_LOCAL_MEM_FENCE" : "") + both
                  + (global ? "CLK_GLOBAL_MEM_FENCE" : "") + ");\n";
    }
    text_.body = result;
}

// ---- accesses

void KernelCode::note_cell(CRef node, const Walk& walk) { cells_[node] = {walk.name, walk.indices}; }

void KernelCode::note_vector(CRef vector, unsigned num_lanes, const std::function<CRef(unsigned)>& lane) {
    auto& lanes = lanes_[vector];
    for (unsigned i = 0; i != num_lanes && lanes.size() != num_lanes; ++i) lanes.push_back(lane(i));
}

const KernelCode::Cell* KernelCode::cell_of(CRef node) const {
    auto lanes = lanes_.find(node);
    auto cell  = cells_.find(lanes == lanes_.end() ? node : lanes->second[0]);
    return cell == cells_.end() ? nullptr : &cell->second;
}

void KernelCode::add_access(CRef node, bool is_write) {
    if (auto lanes = lanes_.find(node); lanes != lanes_.end())
        for (auto lane : lanes->second) add_access(lane, is_write);
    auto cell = cells_.find(node);
    if (cell == cells_.end()) return;
    auto storage = storages_.find(cell->second.storage);
    if (storage == storages_.end()) return;
    auto& memory = storage->second;
    if (memory.is_own && levels_.size() > memory.num_levels)
        throw Refused{Refused::NoCode,
                      "`" + storage->first
                          + "` is memory of one work item, and a parallel loop inside is of others: take `mapSeq`",
                      {},
                      first_command_};
    if (memory.is_own) return;
    Access access{storage->first, memory.is_global, is_write,        cell->second.indices, {}, {},
                  loops_,         memory.family,    memory.swap_loop};
    size_t groups = 0;
    // where no item is alone, those of a dimension without a loop all do it
    constexpr auto kEach = ~Polynomial::Var(0) - 1;
    for (unsigned d = 0; d != kDims && !is_guarded_; ++d)
        if (has_many_items(d)) access.items[d] = kEach;
    for (auto& level : levels_) {
        if (level.how != kGroup) access.items[level.dim] = level.turn;
        bool is_outer = level.how != kLocal && groups++ < storage->second.num_groups;
        if (level.how != kLocal && !is_outer) access.groups[level.dim] = level.turn;
    }
    auto phase = current_;
    if (phase->kind != Phase::Leaf) return;
    phase->accesses.push_back(std::move(access));
}

void KernelCode::note_reads(const std::vector<CRef>& roots) {
    std::set<CRef> seen;
    std::vector<CRef> open = roots;
    while (!open.empty()) {
        auto node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        add_access(node, false);
        open.insert(open.end(), node->args.begin(), node->args.end());
    }
}

void KernelCode::note_write(CRef place) {
    add_access(place, true);
    auto cell = cell_of(place);
    if (!cell) return;
    bool is_outer = outputs_.contains(cell->storage) && !storages_.contains(cell->storage);
    if (is_outer) written_.insert(cell->storage);
}

/// All work items of a group compute the same.
bool KernelCode::is_uniform(CRef node) const {
    if (node->kind == CNode::Atom) return !items_.contains(node->text);
    auto cell = cell_of(node);
    if (cell && !inputs_.contains(cell->storage)) return false;
    for (auto& item : items_)
        for (size_t at = node->text.find(item); at != node->text.npos; at = node->text.find(item, at + 1)) {
            auto is_part = [&](size_t i) {
                return i < node->text.size() && (std::isalnum(static_cast<unsigned char>(node->text[i])) || node->text[i] == '_');
            };
            bool is_word = (at == 0 || !is_part(at - 1)) && !is_part(at + item.size());
            if (is_word) return false;
        }
    return std::ranges::all_of(node->args, [&](auto arg) { return is_uniform(arg); });
}

// ---- commands

/// In dimensions that have no loop here, one item writes for all.
std::string KernelCode::first_item(bool is_global) const {
    std::string all;
    auto add = [&](const char* function, unsigned d) { all += (all.empty() ? "" : " && ") + call(function, d) + " == 0"; };
    for (unsigned d = 0; d != kDims; ++d) {
        if (is_in_loop(kGlobal, d)) continue;
        bool is_group = is_global && has_many_groups(d) && !is_in_loop(kGroup, d);
        bool is_item  = has_many_items(d) && !is_in_loop(kLocal, d);
        if (is_group && is_item) add("get_global_id", d);
        else if (is_group) add("get_group_id", d);
        else if (is_item) add("get_local_id", d);
    }
    return all;
}

std::string KernelCode::guard(CRef place) const {
    auto cell = cell_of(place);
    auto name = cell ? cell->storage : place->text;
    if (auto storage = storages_.find(name); storage != storages_.end())
        return storage->second.is_own ? "" : first_item(storage->second.is_global);
    if (name.starts_with('*')) name.erase(0, 1);
    return outputs_.contains(name) ? first_item(true) : "";
}

void KernelCode::assign(const Def* c) {
    auto condition = guard(collected(c).front().first);
    if (!condition.empty()) text_.open("if (" + condition + ")");
    is_guarded_ = !condition.empty();
    CCode::assign(c);
    is_guarded_ = false;
    if (!condition.empty()) text_.close();
}

/// Both sides are parts of the program that all items reach together, or none is.
void KernelCode::choose(const std::string& condition, const Commands& holds, const Commands& otherwise) {
    if (is_apart_) return CCode::choose(condition, holds, otherwise);
    auto outer  = current_;
    auto branch = add(Phase::Branch);
    auto side   = [&](const Commands& commands) {
        branch->parts.push_back(std::make_unique<Phase>());
        current_       = branch->parts.back().get();
        current_->kind = Phase::Sequence;
        commands();
    };
    CCode::choose(condition, [&] { side(holds); }, [&] { side(otherwise); });
    current_ = outer;
}

void KernelCode::swap_loop(const std::vector<std::array<std::string, 4>>& buffers, const std::string& turn, bool is_run,
                           const Commands& loop) {
    auto x = *sizes_.name(turn).as_variable();
    for (auto& [first, second, source, target] : buffers) {
        auto memory = storages_.at(first);
        for (auto& name : {first, second, source, target}) {
            storages_[name]        = memory;
            storages_[name].family = first;
        }
        storages_[source].swap_loop = storages_[target].swap_loop = x;
    }
    auto outer = current_;
    if (!is_apart_) {
        current_             = add(Phase::Loop);
        current_->may_repeat = true;
        current_->is_run     = is_run;
        current_->turn       = x;
    }
    loops_.push_back(x);
    loop();
    loops_.pop_back();
    current_ = outer;
}

void KernelCode::allocate(const CLeaf& leaf) { memory_outside(w.annex(rise::as::global), leaf); }

void KernelCode::declare(const Def* space, const CLeaf& leaf, const Def* where) {
    items_.insert(leaf.name);
    CCode::declare(space, leaf, where);
}

CValueRef KernelCode::pointed(const Def* type, const std::string& name, bool is_outside) {
    if (auto parts = pair(type))
        return pair(pointed(parts.first, name + "_fst", is_outside), pointed(parts.second, name + "_snd", is_outside));
    return load(type, Walk{name, array(type) ? std::nullopt : std::optional(Polynomial()), is_outside});
}

CPlaceRef KernelCode::pointed_place(const Def* type, const std::string& name, bool is_outside) {
    if (auto parts = pair(type))
        return place_pair(pointed_place(parts.first, name + "_fst", is_outside),
                          pointed_place(parts.second, name + "_snd", is_outside));
    return store(type, Walk{name, array(type) ? std::nullopt : std::optional(Polynomial()), is_outside});
}

void KernelCode::bind_memory(const HostMemory& m, bool is_written) {
    if (is_written) {
        bind(m.value, pointed(m.type, m.name, m.is_outside));
        return bind_place(m.place, pointed_place(m.type, m.name, m.is_outside));
    }
    bind(m.value, load(m.type, Walk{m.name, {}, m.is_outside}));
}

std::string KernelCode::linear(bool is_group) const {
    auto name = is_group ? "get_group_id" : "get_local_id";
    auto size = is_group ? "get_num_groups" : "get_local_size";
    auto x    = call(name, 2) + " * " + call(size, 1) + " + " + call(name, 1);
    return "(" + x + ") * " + call(size, 0) + " + " + call(name, 0);
}

/// Each group, or each item, has its part.
void KernelCode::memory_outside(const Def* space, const CLeaf& leaf) {
    auto type      = scalar(leaf.cell).in_memory();
    bool is_local  = space == w.annex(rise::as::local);
    bool is_group  = std::ranges::any_of(levels_, [](auto& l) { return l.how == kGroup; });
    bool is_global = std::ranges::any_of(levels_, [](auto& l) { return l.how == kGlobal; });
    bool is_item   = is_global || std::ranges::any_of(levels_, [](auto& l) { return l.how == kLocal; });
    if (sizes_.depends_on_later(leaf.count, heap_.first_local))
        throw Refused{Refused::NoCode, "the size of `" + leaf.name + "` is not known before the kernel runs", {}, leaf.cell};
    bool per_group       = !is_local && (is_group || is_global);
    size_t outer         = std::ranges::count_if(levels_, [](auto& l) { return l.how != kLocal; });
    storages_[leaf.name] = {!is_local, is_item, outer, levels_.size()};
    bool is_part         = per_group || is_item;
    auto whole           = is_part ? text_.unique(leaf.name + "_all") : leaf.name;
    memory_.push_back({is_local, type, whole, leaf.count, per_group, is_item});
    if (!is_part) return;
    std::string part = per_group ? linear(true) : "";
    if (is_item) {
        auto items = call("get_local_size", 0) + " * " + call("get_local_size", 1) + " * " + call("get_local_size", 2);
        part       = (per_group ? "(" + part + ") * (" + items + ") + " : "") + linear(false);
    }
    auto count = expression(leaf.count);
    text_.line(std::string(is_local ? "__local " : "__global ") + type + "* const " + leaf.name + " = " + whole + " + (" + part
               + ") * (" + count + ");");
}

void KernelCode::new_memory(const Def* c) {
    auto [space, type] = elems<2>(w, group(c, 0));
    auto body          = arg_of(c)->as<Lam>();
    bool is_private    = space == w.annex(rise::as::private_) || space == w.annex(rise::as::constant);
    if (is_private) {
        if (has_array(type)) private_.insert(w.extract(body->var(), 1));
        return CCode::new_memory(c);
    }
    auto base = field_name(body, 0);
    auto name = text_.unique(base.empty() ? "mem" : base);
    Polynomial zero;
    for (auto& leaf : leaves(type, name)) memory_outside(space, leaf);
    bind(w.extract(body->var(), uint64_t(0)), load(type, Walk{name, zero, false, {}, {}}));
    bind_place(w.extract(body->var(), 1), store(type, Walk{name, zero, false, {}, {}}));
    command(body->body());
}

void KernelCode::for_loop(const Def* c) {
    auto body = arg_of(c)->as<Lam>();
    if (match<dpia::for_>(dpia::for_::unroll, c)) return CCode::for_loop(c);
    turns_in_order(group(c, 0), w.notes.name(body->var()).view(), [&](const Polynomial& i) {
        bind(body->var(), number(i));
        command(body->body());
    });
}

void KernelCode::turns_in_order(const Def* n, std::string_view name, const std::function<void(const Polynomial&)>& turn) {
    auto count = size(n);
    auto known = count.value();
    if (current_->kind == Phase::Loop && !is_apart_) {
        current_->may_repeat = !known || *known > 1;
        current_->is_run     = sizes_.is_less({}, count);
    }
    auto phase = current_;
    loop(n, name, [&](const Polynomial& i) {
        if (auto x = i.as_variable()) {
            if (!is_apart_) phase->turn = *x;
            loops_.push_back(*x);
        }
        turn(i);
        if (i.as_variable()) loops_.pop_back();
    });
}

/// The compiler of the device makes vectors of it, or not.
void KernelCode::vector_loop(const Def* c) {
    auto body = arg_of(c)->as<Lam>();
    auto out  = place(group(c, 2));
    turns_in_order(elem(w, group(c, 0), 0), "i", [&](const Polynomial& i) {
        bind(w.extract(body->var(), uint64_t(0)), number(i));
        bind_place(w.extract(body->var(), 1), out->element(i));
        command(body->body());
    });
}

void KernelCode::par_loop(const Def* c) {
    auto how = match<dpia::par_for>(c).sub();
    if (how == dpia::par_for::par)
        throw Refused{
            Refused::NoCode, "`mapPar` is for threads: take `mapGlobal`, `mapWorkGroup`, `mapLocal` or `mapSeq`", {}, c};
    if (how == dpia::par_for::vec) return vector_loop(c);
    auto root = group(c, 2);
    while (root->isa<App>()) root = arg_of(root);
    if (private_.contains(root))
        throw Refused{Refused::NoCode,
                      "a `Private` array is in each work item, so the map over it is `mapSeq`: take it, or `Local`",
                      {},
                      c};
    auto dim   = static_cast<unsigned>(mim::value(group(c, 1)).value_or(0));
    auto body  = arg_of(c)->as<Lam>();
    auto out   = place(group(c, 2));
    auto count = size(elem(w, group(c, 0), 0));
    if (count.terms().empty()) return;
    const char* ids[]   = {"get_global_id", "get_group_id", "get_local_id"};
    const char* sizes[] = {"get_global_size", "get_num_groups", "get_local_size"};
    auto which          = size_t(how) - 1;
    bool is_once        = is_single(how, dim, count);
    if (how == kGroup && !is_apart_) {
        current_->may_repeat = !is_once;
        current_->is_run     = is_once && given_.has_value(); // there may be more groups than turns
    }
    auto i = text_.unique(how == kLocal ? "l" + std::to_string(dim) : how == kGroup ? "g" + std::to_string(dim) : "i");
    if (is_once) {
        text_.open("");
        text_.line("const uint64_t " + i + " = " + call(ids[which], dim) + ";");
    } else {
        text_.open("for (uint64_t " + i + " = " + call(ids[which], dim) + "; " + i + " < " + expression(count) + "; " + i
                   + " += " + call(sizes[which], dim) + ")");
    }
    if (how != kGroup) items_.insert(i);
    auto index = sizes_.name(i, count);
    if (how == kGroup && !is_apart_) current_->turn = *index.as_variable();
    levels_.push_back({how, dim, *index.as_variable()});
    loops_.push_back(*index.as_variable());
    bind(w.extract(body->var(), uint64_t(0)), number(index));
    bind_place(w.extract(body->var(), 1), out->element(index));
    command(body->body());
    loops_.pop_back();
    levels_.pop_back();
    text_.close();
}

} // namespace mim::plug::dpia
