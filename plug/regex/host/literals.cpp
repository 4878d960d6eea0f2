// SPDX-License-Identifier: MIT
#include "regex/host/literals.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <unordered_set>

#include "regex/host/finder.h"

namespace mim::plug::regex {

namespace {

constexpr size_t max_texts  = 256;
constexpr size_t max_length = 8;
constexpr size_t max_parts  = 24;  ///< of a pattern, at which something rare may begin
constexpr double place_cost = 30;  ///< nanoseconds
constexpr double max_cost   = 0.4; ///< of a character: the automaton takes more
constexpr double max_rate   = 1.0 / 100;

/// The texts that may follow, as rows of sets, which end where more is not known.
class Beginnings {
public:
    /// None if one of them may be empty.
    std::vector<Sets> of(std::span<const Pattern* const> parts) {
        open_ = {{}};
        for (auto part : parts) add(*part);
        closed_.insert(closed_.end(), open_.begin(), open_.end());
        auto least = max_length;
        for (auto& text : closed_) least = std::min(least, text.size());
        if (least == 0) return {};
        for (auto& text : closed_) text.resize(least);
        return closed_;
    }

private:
    void add(const Pattern& p) {
        if (open_.empty()) return;
        switch (p.op) {
            case Pattern::Look: return;
            case Pattern::Chars: return character(p.set);
            case Pattern::Group: return add(*p.kids[0]);
            case Pattern::Conj:
                for (auto kid : p.kids) add(*kid);
                return;
            case Pattern::Disj:
            case Pattern::Alt: return either(p);
            case Pattern::Quant: return repeat(p);
        }
    }
    void character(const Set& set) {
        for (auto& text : open_) text.push_back(set);
        auto full = std::ranges::partition(open_, [](auto& text) { return text.size() < max_length; });
        closed_.insert(closed_.end(), std::move_iterator(full.begin()), std::move_iterator(full.end()));
        open_.erase(full.begin(), full.end());
    }
    void close() {
        for (auto& text : open_) closed_.push_back(std::move(text));
        open_.clear();
    }
    void either(const Pattern& p) {
        auto before = std::move(open_);
        std::vector<Sets> all;
        for (auto kid : p.kids) {
            open_ = before;
            add(*kid);
            all.insert(all.end(), open_.begin(), open_.end());
            if (all.size() + closed_.size() > max_texts) {
                close_instead(before);
                return;
            }
        }
        open_ = std::move(all);
    }
    /// Keeps the texts that were known before; nothing is known of what follows them.
    void close_instead(const std::vector<Sets>& before) {
        open_ = before;
        close();
    }
    void repeat(const Pattern& p) {
        auto before = open_;
        add(*p.kids[0]);
        if (p.many) close(); // another round, or what follows
        if (p.none) open_.insert(open_.end(), before.begin(), before.end());
        if (open_.size() + closed_.size() > max_texts) close();
    }

    std::vector<Sets> open_, closed_;
};

std::optional<Finder> finder_of(std::span<const Pattern* const> parts) {
    auto texts = Beginnings().of(parts);
    if (texts.empty()) return {};
    auto finder = make_finder(texts, place_cost);
    bool pays   = cost(finder, place_cost) < max_cost && finder.rate() < max_rate;
    return pays ? std::optional(std::move(finder)) : std::nullopt;
}

Places places_of(const Finder& finder) {
    Places result{};
    static_assert(sizeof(Finder::Row) == sizeof(Places::Look::low));
    for (auto& look : finder.looks) {
        auto& to = result.looks[result.count++];
        to       = {look.offset, look.run, look.mask, look.least, look.more, {}, {}};
        std::memcpy(to.low, look.low.data(), sizeof to.low);
        std::memcpy(to.high, look.high.data(), sizeof to.high);
    }
    result.reach = finder.reach();
    return result;
}

/// The parts that each match has, one after the other.
void take_parts(const Pattern& p, std::vector<const Pattern*>& parts) {
    if (p.op == Pattern::Group) return take_parts(*p.kids[0], parts);
    if (p.op != Pattern::Conj) return parts.push_back(&p);
    for (auto kid : p.kids) take_parts(*kid, parts);
}

} // namespace

std::optional<Places> find_beginnings(const Pattern& pattern) {
    const Pattern* parts[] = {&pattern};
    auto finder            = finder_of(parts);
    return finder ? std::optional(places_of(*finder)) : std::nullopt;
}

std::optional<Places> find_inner(const Pattern& pattern) {
    std::vector<const Pattern*> parts;
    take_parts(pattern, parts);
    const Pattern* all[] = {&pattern};
    auto best            = finder_of(all);
    bool is_inner        = false;
    size_t tried         = 0;
    for (size_t i = 1; i < parts.size() && tried != max_parts; ++i) {
        if (parts[i]->nullable) continue; // what follows it is in each match, too
        ++tried;
        auto one = finder_of(std::span(parts).subspan(i));
        if (!one || (best && cost(*one, place_cost) > 0.7 * cost(*best, place_cost))) continue;
        best     = std::move(one);
        is_inner = true;
    }
    return is_inner ? std::optional(places_of(*best)) : std::nullopt;
}

bool is_within_line(const Pattern& pattern) {
    std::unordered_set<const Pattern*> seen; // parts may be shared
    std::vector<const Pattern*> todo{&pattern};
    while (!todo.empty()) {
        auto p = todo.back();
        todo.pop_back();
        if (!seen.insert(p).second) continue;
        if (p->op == Pattern::Chars && p->set['\n']) return false;
        if (p->op == Pattern::Look && p->set['\n'] != p->set[End]) return false;
        todo.insert(todo.end(), p->kids.begin(), p->kids.end());
    }
    return true;
}

} // namespace mim::plug::regex
