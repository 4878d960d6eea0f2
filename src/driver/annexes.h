// SPDX-License-Identifier: MIT
// The annexes that a file declares, read off its syntax tree alone: which names, in which order, with which aliases. This is the
// one place that numbers them, so the header of `mim bootstrap` and the descriptors of the loader cannot disagree. An annex that is
// declared inside of a function is one of the file like any other. A table outlives the tree, of which it keeps nothing.
//
// Tags are numbered in the order in which a name first appears; an axiom numbers its subtags in the order written, and aliases
// share the number of their subtag. `let`, `rec` and functions define annexes in the same way: `%p.tag` is subtag 0 of its tag,
// `%p.tag.sub` the next free one. Tags are counted for each plugin name apart.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/axiom.h"
#include "syntax/ast.h"

namespace mim {

/// `%plugin.tag.sub` taken apart; `sub` is empty without a subtag.
struct AnnexName {
    std::string_view plugin, tag, sub;
};
/// False unless text is `%` and two or three names with dots between.
bool split_annex(std::string_view text, AnnexName& out);

/// One tag of one plugin with its subtags.
struct AnnexTag {
    /// A declaration of an axiom.
    struct Declaration {
        std::optional<uint32_t> curry; ///< the counter, if it is written
        ast::Binder normalizer;        ///< empty without one
    };
    struct Sub {
        std::vector<std::string_view> names; ///< the canonical one first; one empty name if the annex has no subtags
        Span span;
        std::optional<size_t> axiom; ///< which of `axioms` declares it; none for annexes of `let` and functions
    };
    std::string_view plugin, name;
    uint16_t number = 0;
    std::vector<Sub> subs;
    std::vector<Declaration> axioms; ///< that declare some of the subtags
    Span span;
};

class AnnexTable {
public:
    AnnexTable() = default;
    explicit AnnexTable(const ast::Module& module) { add(module); }
    void add(const ast::Module&);

    const std::vector<AnnexTag>& tags() const { return tags_; }
    /// The id of a full name with `%`, aliases included; null if the file does not declare it.
    const AnnexId* find(std::string_view annex) const;
    const AnnexTag* tag(std::string_view plugin, std::string_view name) const;

private:
    void add_axiom(const ast::Axm&);
    void add_name(const ast::Binder&);
    AnnexTag& get_tag(const AnnexName&, Span);
    void add_sub(AnnexTag&, std::vector<std::string_view> names, Span, std::optional<size_t> axiom = {});

    std::vector<AnnexTag> tags_;
    std::unordered_map<std::string, size_t> tag_index_; ///< "plugin.tag" → index into tags_
    std::unordered_map<std::string_view, uint16_t> next_tag_;
    std::unordered_map<std::string, AnnexId> ids_;
};

} // namespace mim
