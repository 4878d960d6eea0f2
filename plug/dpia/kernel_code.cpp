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
}

uint64_t KernelCode::most_items() const {
    unsigned n = 0;
    for (unsigned d = 0; d != kDims; ++d) n += is_used(kLocal, d) || is_used(kGlobal, d) ? 1 : 0;
    return n <= 1 ? 256 : n == 2 ? 16 : 6;
}

std::optional<uint64_t> KernelCode::local_size(unsigned dim) const {
    bool is_global = is_used(kGlobal, dim);
    if (!is_used(kLocal, dim) && !is_global) return 1;
    auto& turns = asked_[size_t(is_global ? kGlobal : kLocal)][dim];
    auto known  = turns->value();
    if (!known) return {};
    return std::clamp<uint64_t>(static_cast<uint64_t>(*known), 1, most_items());
}

/// Each worker has one turn.
bool KernelCode::is_single(dpia::par_for how, unsigned dim, const Polynomial& count) const {
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
    bool is_part = match<dpia::assign>(c) || match<dpia::if_>(c) || match<dpia::par_for>(c) || match<dpia::for_>(c);
    if (is_apart_ || !is_part) return CCode::command(c);
    auto par      = match<dpia::par_for>(c);
    bool is_loop  = match<dpia::for_>(dpia::for_::loop, c) || (par && par.sub() == kGroup);
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
    for (Polynomial::Var x = 0; x != heap_.first_local; ++x) uniform.insert(x);
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

void KernelCode::add_access(CRef node, bool is_write) {
    auto cell = cells_.find(node);
    if (cell == cells_.end()) return;
    auto storage = storages_.find(cell->second.storage);
    if (storage == storages_.end() || storage->second.is_own) return;
    Access access{storage->first, storage->second.is_global, is_write, cell->second.indices, {}, {}, loops_};
    size_t groups = 0;
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

void KernelCode::note_write(CRef place) { add_access(place, true); }

// ---- commands

/// In dimensions that have no loop here, one item writes for all.
std::string KernelCode::first_item(bool is_global) const {
    std::string all;
    auto add = [&](const char* function, dpia::par_for how) {
        for (unsigned d = 0; d != kDims; ++d) {
            bool is_here = std::ranges::any_of(levels_, [&](auto& l) { return l.how == how && l.dim == d; });
            if (is_used(how, d) && !is_here) all += (all.empty() ? "" : " && ") + call(function, d) + " == 0";
        }
    };
    if (is_global) add("get_global_id", kGlobal);
    if (is_global) add("get_group_id", kGroup);
    add("get_local_id", kLocal);
    return all;
}

std::string KernelCode::guard(CRef place) const {
    auto cell = cells_.find(place);
    auto name = cell == cells_.end() ? place->text : cell->second.storage;
    if (auto storage = storages_.find(name); storage != storages_.end())
        return storage->second.is_own ? "" : first_item(storage->second.is_global);
    if (name.starts_with('*')) name.erase(0, 1);
    return outputs_.contains(name) ? first_item(true) : "";
}

void KernelCode::assign(const Def* c) {
    auto condition = guard(collected(c).front().first);
    if (!condition.empty()) text_.open("if (" + condition + ")");
    CCode::assign(c);
    if (!condition.empty()) text_.close();
}

void KernelCode::iterate(const Def* c) {
    throw Refused{Refused::NoCode, "there is no OpenCL for `iterate` yet: take `--emit c` or `--emit omp`", {}, c};
}

std::string KernelCode::linear(bool is_group) const {
    auto name = is_group ? "get_group_id" : "get_local_id";
    auto size = is_group ? "get_num_groups" : "get_local_size";
    auto x    = call(name, 2) + " * " + call(size, 1) + " + " + call(name, 1);
    return "(" + x + ") * " + call(size, 0) + " + " + call(name, 0);
}

/// Each group, or each item, has its part.
void KernelCode::memory_outside(const Def* space, const CLeaf& leaf) {
    auto type      = scalar(leaf.cell).name;
    bool is_local  = space == w.annex(rise::as::local);
    bool is_group  = std::ranges::any_of(levels_, [](auto& l) { return l.how == kGroup; });
    bool is_global = std::ranges::any_of(levels_, [](auto& l) { return l.how == kGlobal; });
    bool is_item   = is_global || std::ranges::any_of(levels_, [](auto& l) { return l.how == kLocal; });
    if (sizes_.depends_on_later(leaf.count, heap_.first_local))
        throw Refused{Refused::NoCode, "the size of `" + leaf.name + "` is not known before the kernel runs", {}, leaf.cell};
    bool per_group       = !is_local && (is_group || is_global);
    size_t outer         = std::ranges::count_if(levels_, [](auto& l) { return l.how != kLocal; });
    storages_[leaf.name] = {!is_local, is_item, outer};
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
    auto body  = arg_of(c)->as<Lam>();
    auto count = size(group(c, 0));
    auto known = count.value();
    if (match<dpia::for_>(dpia::for_::unroll, c)) return CCode::for_loop(c);
    if (current_->kind == Phase::Loop && !is_apart_) {
        current_->may_repeat = !known || *known > 1;
        current_->is_run     = sizes_.is_less({}, count);
    }
    auto phase = current_;
    loop(group(c, 0), w.notes.name(body->var()).view(), [&](const Polynomial& i) {
        if (auto x = i.as_variable()) {
            if (!is_apart_) phase->turn = *x;
            loops_.push_back(*x);
        }
        bind(body->var(), number(i));
        command(body->body());
        if (i.as_variable()) loops_.pop_back();
    });
}

void KernelCode::par_loop(const Def* c) {
    auto how = match<dpia::par_for>(c).sub();
    if (how == dpia::par_for::par)
        throw Refused{
            Refused::NoCode, "`mapPar` is for threads: take `mapGlobal`, `mapWorkGroup`, `mapLocal` or `mapSeq`", {}, c};
    if (how == dpia::par_for::vec) throw Refused{Refused::NoCode, "`mapVec` is for C and OpenMP: take `mapSeq`", {}, c};
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
        current_->is_run     = false; // there may be more groups than turns
    }
    auto i = text_.unique(how == kLocal ? "l" + std::to_string(dim) : how == kGroup ? "g" + std::to_string(dim) : "i");
    if (is_once) {
        text_.open("");
        text_.line("const uint64_t " + i + " = " + call(ids[which], dim) + ";");
    } else {
        text_.open("for (uint64_t " + i + " = " + call(ids[which], dim) + "; " + i + " < " + expression(count) + "; " + i
                   + " += " + call(sizes[which], dim) + ")");
    }
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
