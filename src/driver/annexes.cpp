// SPDX-License-Identifier: MIT
#include "driver/annexes.h"

namespace mim {

bool split_annex(std::string_view text, AnnexName& out) {
    if (text.empty() || text.front() != '%') return false;
    text.remove_prefix(1);
    auto dot = text.find('.');
    if (dot == text.npos || dot == 0 || dot + 1 == text.size()) return false;
    out.plugin = text.substr(0, dot);
    text.remove_prefix(dot + 1);
    dot     = text.find('.');
    out.tag = text.substr(0, dot);
    out.sub = dot == text.npos ? std::string_view() : text.substr(dot + 1);
    return !out.tag.empty() && out.sub.find('.') == out.sub.npos && (dot == text.npos || !out.sub.empty());
}

namespace {

std::string key(std::string_view plugin, std::string_view tag) {
    std::string s(plugin);
    return s.append(".").append(tag);
}

} // namespace

AnnexTag& AnnexTable::get_tag(const AnnexName& name, Span span) {
    auto [it, fresh] = tag_index_.emplace(key(name.plugin, name.tag), tags_.size());
    if (fresh) {
        AnnexTag tag;
        tag.plugin = name.plugin;
        tag.name   = name.tag;
        tag.number = next_tag_[name.plugin]++;
        tag.span   = span;
        tags_.push_back(std::move(tag));
    }
    return tags_[it->second];
}

void AnnexTable::add_sub(AnnexTag& tag, std::vector<std::string_view> names, Span span, std::optional<size_t> axiom) {
    auto number = tag.subs.size();
    AnnexId id{plugin_hash(tag.plugin), tag.number, static_cast<uint16_t>(number)};
    for (auto name : names) {
        auto full = "%" + key(tag.plugin, tag.name);
        if (!name.empty()) full.append(".").append(name);
        ids_.emplace(std::move(full), id); // a second declaration of one name is the elaborator's error
    }
    tag.subs.push_back({std::move(names), span, axiom});
}

void AnnexTable::add_axiom(const ast::Axm& axm) {
    AnnexName name;
    if (!split_annex(axm.name.name.view(), name)) return;
    auto& tag  = get_tag(name, axm.name.span);
    auto axiom = tag.axioms.size();
    tag.axioms.push_back({axm.has_curry ? std::optional(axm.curry) : std::nullopt, axm.normalizer});
    if (axm.subs.empty()) {
        add_sub(tag, {name.sub}, axm.name.span, axiom);
        return;
    }
    for (auto& sub : axm.subs) {
        std::vector<std::string_view> names;
        for (auto& binder : sub.names) names.push_back(binder.name.view());
        add_sub(tag, std::move(names), sub.names.front().span, axiom);
    }
}

void AnnexTable::add_name(const ast::Binder& binder) {
    AnnexName name;
    if (!split_annex(binder.name.view(), name)) return;
    if (find(binder.name.view())) return;
    add_sub(get_tag(name, binder.span), {name.sub}, binder.span);
}

void AnnexTable::add(const ast::Module& module) {
    for (auto decl : module.annexes) {
        if (auto axm = ast::isa<ast::Axm>(decl)) add_axiom(*axm);
        ast::each_name(decl, [&](const ast::Binder& name) { add_name(name); });
    }
}

const AnnexId* AnnexTable::find(std::string_view annex) const {
    auto it = ids_.find(std::string(annex));
    return it == ids_.end() ? nullptr : &it->second;
}

const AnnexTag* AnnexTable::tag(std::string_view plugin, std::string_view name) const {
    auto it = tag_index_.find(key(plugin, name));
    return it == tag_index_.end() ? nullptr : &tags_[it->second];
}

} // namespace mim
