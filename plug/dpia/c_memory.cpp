// SPDX-License-Identifier: MIT
// Memory as values and as places. Rows of an array lie one behind the other.
#include "c_code.h"

namespace mim::plug::dpia {

/// The number of numbers that a value is in memory.
static Polynomial lanes_of(const CScalar& t) {
    return Polynomial::number(Polynomial::Number(t.kind == CScalar::Vector ? t.lanes : 1));
}

std::vector<CLeaf> CCode::leaves(const Def* type, const std::string& name) const {
    std::vector<CLeaf> all;
    add_leaves(all, type, name, Polynomial::number(1), false);
    return all;
}

void CCode::add_leaves(std::vector<CLeaf>& all, const Def* type, const std::string& name, const Polynomial& count,
                       bool is_array) const {
    if (auto parts = pair(type)) {
        add_leaves(all, parts.first, name + "_fst", count, is_array);
        add_leaves(all, parts.second, name + "_snd", count, is_array);
    } else if (auto parts = array(type)) {
        add_leaves(all, parts.elem, name, count * const_cast<CCode*>(this)->size(parts.size), true);
    } else {
        auto t = const_cast<CCode*>(this)->scalar(type);
        all.push_back({name, type, is_array ? count * lanes_of(t) : count, is_array});
    }
}

/// A vector in memory, or a variable.
CRef CCode::vector_cell(const CScalar& t, const Walk& walk, VectorUse use) {
    if (!walk.path.empty()) throw Refused{Refused::NoCode, "a pair in an array of the caller has no vectors", {}, nullptr};
    if (!walk.index && !walk.is_outside) return sizes_.atom(walk.name, t.name);
    auto place = walk.index ? "&" + walk.name + "[$0$]" : walk.name;
    auto text  = use == VectorUse::Store ? vectors_->store(t, place) : vectors_->load(t, place, false);
    std::vector<CRef> args;
    if (walk.index) args.push_back(sizes_.node(*walk.index * lanes_of(t)));
    auto result = sizes_.infix(text, t.name, args);
    note_vector(result, t.lanes, [&](unsigned i) { return lane_cell(t, walk, Polynomial::number(Polynomial::Number(i))); });
    return result;
}

CRef CCode::lane_cell(const CScalar& t, const Walk& walk, const Polynomial& lane) {
    bool is_variable = !walk.index && !walk.is_outside;
    auto known       = lane.value();
    if (is_variable && known)
        return sizes_.call(vectors_->lane_of_variable(t, walk.name, std::to_string(static_cast<uint64_t>(*known))), t.lane, {});
    if (is_variable) return sizes_.call(vectors_->lane_of_variable(t, walk.name, "$0$"), t.lane, {sizes_.node(lane)});
    auto index            = walk.index ? *walk.index * lanes_of(t) + lane : lane;
    auto result           = sizes_.call(walk.name + "[$0$]", t.lane, {sizes_.node(index)});
    memory_cells_[result] = {walk.name, index};
    auto to_lane          = walk;
    auto& indices         = to_lane.indices;
    if (indices.empty()) indices.emplace_back();
    indices.back() = indices.back() * lanes_of(t) + lane;
    note_cell(result, to_lane);
    return result;
}

CRef CCode::cell(const Def* type, const Walk& walk) {
    auto name = scalar(type).name;
    if (!walk.index) return sizes_.atom(walk.name + walk.path, name);
    auto result = sizes_.call(walk.name + "[$0$]" + walk.path, name, {sizes_.node(*walk.index)});
    note_cell(result, walk);
    if (walk.path.empty()) memory_cells_[result] = {walk.name, *walk.index};
    return result;
}

CCode::Walk CCode::part(const Walk& walk, bool is_first) {
    auto result = walk;
    if (walk.is_outside && walk.index) result.path += is_first ? ".fst" : ".snd";
    else result.name += is_first ? "_fst" : "_snd";
    return result;
}

CCode::Walk CCode::at(const Walk& walk, const Def* count, const Polynomial& i) {
    auto result  = walk;
    result.index = walk.index ? *walk.index * size(count) + i : i;
    result.indices.push_back(i);
    return result;
}

CValueRef CCode::load(const Def* type, const Walk& walk) {
    if (auto parts = pair(type)) return pair(load(parts.first, part(walk, true)), load(parts.second, part(walk, false)));
    if (auto parts = array(type)) {
        if (!walk.path.empty()) throw Refused{Refused::NoCode, "a pair in an array of the caller has no arrays", {}, type};
        return array([=, this](const Polynomial& i) { return load(parts.elem, at(walk, parts.size, i)); });
    }
    auto t = scalar(type);
    if (t.kind == CScalar::Vector) return of_scalar(vector_cell(t, walk, VectorUse::Load));
    auto node = cell(type, walk);
    return t.kind == CScalar::Size ? number(sizes_.opaque(node)) : of_scalar(node);
}

CPlaceRef CCode::store(const Def* type, const Walk& walk) {
    if (auto parts = pair(type)) return place_pair(store(parts.first, part(walk, true)), store(parts.second, part(walk, false)));
    if (auto parts = array(type)) {
        if (!walk.path.empty()) throw Refused{Refused::NoCode, "a pair in an array of the caller has no arrays", {}, type};
        return places([=, this](const Polynomial& i) { return store(parts.elem, at(walk, parts.size, i)); });
    }
    auto t = scalar(type);
    if (t.kind != CScalar::Vector) return std::make_shared<const CPlace>(CPlace{cell(type, walk)});
    auto lane = [=, this](const Polynomial& i) { return std::make_shared<const CPlace>(CPlace{lane_cell(t, walk, i)}); };
    return std::make_shared<const CPlace>(CPlace{vector_cell(t, walk, VectorUse::Store), {}, {}, lane});
}

/// A vector whose lanes have these places.
CPlaceRef CCode::place_of_lanes(const CScalar& t, const Element<CPlaceRef>& lane) {
    std::vector<CRef> lanes;
    for (unsigned i = 0; i != t.lanes; ++i) lanes.push_back(lane(Polynomial::number(Polynomial::Number(i)))->lvalue);
    return std::make_shared<const CPlace>(CPlace{vector_in_memory(t, lanes, VectorUse::Store), {}, {}, lane});
}

CValueRef CCode::load(const Def* type, const std::string& name) { return load(type, Walk{name, {}, false}); }
CPlaceRef CCode::store(const Def* type, const std::string& name) { return store(type, Walk{name, {}, false}); }
CValueRef CCode::load_outside(const Def* type, const std::string& name) { return load(type, Walk{name, {}, true}); }
CPlaceRef CCode::store_outside(const Def* type, const std::string& name) {
    bool is_pointer = !pair(type) && !array(type);
    if (is_pointer && scalar(type).kind == CScalar::Vector) return store(type, Walk{name, {}, true});
    if (is_pointer) return std::make_shared<const CPlace>(CPlace{sizes_.atom("*" + name, scalar(type).name)});
    auto parts = pair(type);
    if (!parts) return store(type, Walk{name, {}, true});
    return place_pair(store_outside(parts.first, name + "_fst"), store_outside(parts.second, name + "_snd"));
}

// ---- tables

void CCode::add_literals(const Def* type, const CValueRef& v, const std::string& name, std::map<std::string, std::string>& all) {
    if (auto parts = pair(type)) {
        add_literals(parts.first, v->first, name + "_fst", all);
        return add_literals(parts.second, v->second, name + "_snd", all);
    }
    if (auto parts = array(type)) {
        auto n = static_cast<uint64_t>(size(parts.size).value().value());
        for (uint64_t i = 0; i != n; ++i)
            add_literals(parts.elem, v->element(Polynomial::number(static_cast<Polynomial::Number>(i))), name, all);
        return;
    }
    auto& text = all[name];
    text += (text.empty() ? "" : ", ") + CStatement(text_, {v->scalar}).text(v->scalar);
}

CValueRef CCode::table(const Def* term) {
    auto& name = tables_[term];
    if (name.empty()) {
        name = text_.unique(table_name_);
        std::map<std::string, std::string> elements;
        add_literals(term->type(), value(arg_of(term)), name, elements);
        for (auto& leaf : leaves(term->type(), name)) {
            auto& all = elements[leaf.name];
            tables_text_ += table_start() + scalar(leaf.cell).name + " " + leaf.name + "[] = {" + (all.empty() ? "0" : all)
                            + "};\n";
        }
    }
    return load(term->type(), name);
}

// ---- acceptors

CPlaceRef CCode::place(const Def* acc) {
    if (auto known = places_.find(acc); known != places_.end()) return known->second;
    return inverse(acc);
}

CPlaceRef CCode::inverse(const Def* acc) {
    auto x = place(arg_of(acc));
    if (match<dpia::idx_acc>(acc)) return x->element(*value(group(acc, 1))->size);
    if (match<dpia::pair_acc1>(acc)) return x->first;
    if (match<dpia::pair_acc2>(acc)) return x->second;
    if (match<dpia::take_acc>(acc)) return x;
    auto parts = group(acc, 0);
    if (match<dpia::join_acc>(acc)) {
        auto m = size(elem(w, parts, 1));
        return places(
            [=, this](const Polynomial& i) { return places([=](const Polynomial& j) { return x->element(i * m + j); }); });
    }
    if (match<dpia::as_scalar_acc>(acc)) {
        auto t = scalar(array(acc_data(acc)).elem);
        auto m = lanes_of(t);
        return places([=, this](const Polynomial& i) {
            return place_of_lanes(t, [=](const Polynomial& j) { return x->element(i * m + j); });
        });
    }
    if (match<dpia::split_acc>(acc) || match<dpia::as_vector_acc>(acc)) {
        auto n = size(elem(w, parts, 0));
        return places([=, this](const Polynomial& i) {
            auto [row, column] = sizes_.divide(i, n);
            return x->element(row)->element(column);
        });
    }
    if (match<dpia::transpose_acc>(acc))
        return places(
            [=, this](const Polynomial& i) { return places([=](const Polynomial& j) { return x->element(j)->element(i); }); });
    if (match<dpia::drop_acc>(acc)) {
        auto n = size(elem(w, parts, 0));
        return places([=](const Polynomial& i) { return x->element(i + n); });
    }
    if (match<dpia::scatter_acc>(acc)) {
        auto to = value(group(acc, 1));
        return places([=](const Polynomial& i) { return x->element(*to->element(i)->size); });
    }
    if (match<dpia::reorder_acc>(acc)) {
        auto g = group(acc, 1);
        return places([=, this](const Polynomial& i) { return x->element(place_by(g, i, nullptr)); });
    }
    if (match<dpia::zip_acc1>(acc)) return places([=](const Polynomial& i) { return x->element(i)->first; });
    if (match<dpia::zip_acc2>(acc)) return places([=](const Polynomial& i) { return x->element(i)->second; });
    if (match<dpia::unzip_acc>(acc))
        return places([=, this](const Polynomial& i) { return place_pair(x->first->element(i), x->second->element(i)); });
    auto f     = group(acc, 1)->as<Lam>();
    auto apply = [=, this](const CPlaceRef& o) {
        places_[f->var()] = o;
        return place(f->body());
    };
    if (match<dpia::map_acc>(acc)) return places([=](const Polynomial& i) { return apply(x->element(i)); });
    if (match<dpia::map_fst_acc>(acc)) return place_pair(apply(x->first), x->second);
    return place_pair(x->first, apply(x->second));
}

} // namespace mim::plug::dpia
