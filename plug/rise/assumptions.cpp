// SPDX-License-Identifier: MIT
// Options about sizes: `rise.sizes` fixes those that exported definitions take, by a fact before all others, and
// `rise.assume-sizes` makes facts of what is owed and not proved, which are checked where the program is called.
#include <algorithm>

#include "front/scanner.h"
#include "infer.h"
#include "rise.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

bool is_entry(const Program& program, const Definition& def) {
    bool is_any = std::ranges::any_of(program.defs, [](auto& d) { return d.is_exported; });
    return def.is_exported || def.name == "main" || (!is_any && &def == &program.defs.back());
}

static std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// Reads `n:1024,m:64`.
bool read_sizes(FrontEndContext& c, std::map<std::string, std::pair<uint64_t, bool>, std::less<>>& sizes) {
    std::string_view all = c.settings.text("rise.sizes");
    for (size_t begin = 0; begin < all.size();) {
        auto end       = std::min(all.find(',', begin), all.size());
        auto part      = all.substr(begin, end - begin);
        auto colon     = std::min(part.find(':'), part.size());
        auto name      = trimmed(part.substr(0, colon));
        auto digits    = trimmed(part.substr(std::min(colon + 1, part.size())));
        auto n         = digits.empty() ? std::nullopt : front::integer_value(digits);
        bool is_size   = !name.empty() && n;
        bool is_of_one = is_size && !sizes.contains(name);
        if (!is_of_one) {
            auto why = !is_size ? "is no size: `n:1024` is expected" : "has a size already";
            Span at{*c.open("--set rise.sizes"), static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
            c.diags.report(diag::bad_size(std::string(part), why), at);
            return false;
        }
        sizes.emplace(name, std::pair(*n, false));
        begin = end + 1;
    }
    return true;
}

/// `n == 1024` is a fact of the binder, so callers still hand n over, and another one is refused.
void Inference::fix_sizes(Definition& def) {
    if (given_.empty() || !is_entry(program_, def)) return;
    for (auto e = def.body; e->kind == Expr::DepFun; e = e->parts[0]) {
        auto found = e->binder->sort == Sort::Nat ? given_.find(e->binder->name) : given_.end();
        if (found == given_.end()) continue;
        found->second.second = true;
        auto& digits         = program_.texts.emplace_back(std::to_string(found->second.first));
        auto& name = program_.exprs.emplace_back(Expr{.kind = Expr::Name, .span = e->binder->span, .text = e->binder->name});
        auto& n    = program_.exprs.emplace_back(Expr{.kind = Expr::Integer, .span = e->binder->span, .text = digits});
        Fact fact{.kind = Fact::Equal, .left = &name, .right = &n, .span = e->binder->span};
        fact.text     = std::string(e->binder->name) + " == " + digits;
        fact.is_given = true;
        e->facts.insert(e->facts.begin(), fact);
    }
}

void Inference::check_given_sizes() {
    for (auto& [name, size] : given_) {
        if (size.second) continue;
        auto& all  = c_.settings.text("rise.sizes");
        auto begin = static_cast<uint32_t>(all.find(name));
        Span at{*c_.open("--set rise.sizes"), begin, begin + static_cast<uint32_t>(name.size())};
        report(diag::bad_size(name, "is not a size of an exported definition"), at);
    }
}

/// Whether what is owed is assumed. Nothing after an error.
std::optional<bool> assumes_sizes(FrontEndContext& c) {
    auto& chosen = c.settings.text("rise.assume-sizes");
    bool is_on   = chosen == "1" || chosen == "true";
    bool is_off  = chosen.empty() || chosen == "0" || chosen == "false";
    if (is_on || is_off) return is_on;
    Span at{*c.open("--set rise.assume-sizes"), 0, static_cast<uint32_t>(chosen.size())};
    c.diags.report(diag::bad_size(chosen, "is neither `1` nor `0`"), at);
    return {};
}

/// Makes a fact of what is owed. False if it speaks of other sizes than those that the definition takes,
/// or if types need more than a check.
bool Inference::assume(Fact::Kind kind, const Polynomial& left, const Polynomial& right, bool is_in_type) {
    std::vector<Polynomial::Var> taken;
    Expr* last = nullptr;
    for (auto e = current_->body; e->kind == Expr::DepFun; e = e->parts[0]) {
        if (e->binder->sort == Sort::Nat) taken.push_back(e->binder->nat);
        last = e;
    }
    Fact fact{.kind = kind, .left_size = types_.in_user_names(left), .right_size = types_.in_user_names(right)};
    for (auto side : {&fact.left_size, &fact.right_size})
        for (auto& [monomial, coefficient] : side->terms())
            for (auto x : monomial)
                if (std::ranges::find(taken, x) == taken.end()) return false;
    if (!last) return false;
    auto text = [&](const Polynomial& p) { return types_.text(p); };
    fact.text = text(fact.left_size) + (kind == Fact::Divides ? " | " : " <= ") + text(fact.right_size);
    auto why  = types_.add_outer_fact(kind, fact.left_size, fact.right_size);
    if (!why.empty() && (is_in_type || !is_entry(program_, *current_))) return false;
    if (!why.empty() && current_->assumed.empty()) current_->assumed = fact.text;
    last->facts.push_back(fact);
    return true;
}

/// Sizes that may be negative; what is not known yet is not assumed.
void Inference::assume_sizes(size_t first_var) {
    auto is_owed = [&](const Polynomial& p) { return !types_.is_open(p) && !types_.is_size(p); };
    auto settle  = [&](const Polynomial& p, bool is_in_type) {
        auto known = types_.in_user_names(p);
        Polynomial more, less;
        for (auto& [monomial, coefficient] : known.terms()) {
            auto part = Polynomial::number(coefficient);
            for (auto x : monomial) part = part * Polynomial::variable(x);
            if (coefficient > 0) more = more + part;
            else less = less - part;
        }
        return assume(Fact::AtMost, less, more, is_in_type);
    };
    for (auto& size : types_.sizes_since(first_var))
        if (size.origin && is_owed(size.value)) settle(size.value, true);
    for (auto& o : owed_) {
        bool is_checked = is_owed(o.size) && settle(o.size, o.at->text == "sub");
        if (is_checked) assumed_.push_back(o.size);
    }
}

} // namespace mim::plug::rise
