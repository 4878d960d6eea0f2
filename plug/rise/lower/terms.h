// SPDX-License-Identifier: MIT
// Terms of a program to code: each array is what its elements are, until something has to be in memory.
#pragma once
#include <map>
#include <stdexcept>

#include "kit/scopes.h"
#include "terms/code.h"

namespace mim::plug::rise {

/// Why there is no code, and for which term.
struct NoCode : std::runtime_error {
    NoCode(const std::string& why, const Def* where)
        : std::runtime_error(why)
        , where(where) {}
    const Def* where;
};

class Terms {
public:
    Terms(World& w, Coder& c)
        : w(w)
        , c_(c)
        , arithmetic_(w, c) {}

    /// The function, or function of functions, applied to these.
    CodeRef call(const Def* f, const std::vector<CodeRef>& args);
    CodeRef term(const Def* closed) { return term(closed, {}); }

private:
    using ScopeRef = Scopes<CodeRef>::Ref;
    using Handler  = CodeRef (Terms::*)(const Def*, const ScopeRef&);
    struct Row {
        uint64_t plugin;
        uint16_t tag;
        Handler run;
    };
    static const Row rows[];

    CodeRef term(const Def*, const ScopeRef&);
    CodeRef made(const Def*, const ScopeRef&);
    CodeRef apply(const Def* f, const std::vector<CodeRef>& args, const ScopeRef&);
    /// A value that is in memory, or has no array, is computed once.
    CodeRef stored(const Def* type, const CodeRef&);
    CodeRef folded(const Def* type, const Def* n, const CodeRef& start,
                   const std::function<CodeRef(CodeRef acc, const Def* i)>& step);

    /// Of vectors, what `f` makes of each lane of the parts; `type` is that of one of them.
    using OfLanes = std::function<const Def*(const Def* type, const DefVec& lanes)>;
    CodeRef lifted(const Def* type, const DefVec& parts, const ScopeRef&, OfLanes f);
    const Def* scalar(const Def* d, const ScopeRef& s) { return term(d, s)->scalar; }
    /// Size `i` of `of` in the group.
    const Def* size(const Def* app, size_t group, size_t i) { return elem(w, mim::group(app, group), i); }
    const Def* size_word(const Def* app, size_t group, size_t i) { return c_.size_word(size(app, group, i)); }

    CodeRef number(const Def*, const ScopeRef&);
    CodeRef unary(const Def*, const ScopeRef&);
    CodeRef fma(const Def*, const ScopeRef&);
    CodeRef vec_logic(const Def*, const ScopeRef&);
    CodeRef vec_not(const Def*, const ScopeRef&);
    CodeRef vec_select(const Def*, const ScopeRef&);
    CodeRef vector_from_scalar(const Def*, const ScopeRef&);
    CodeRef reorder(const Def*, const ScopeRef&);
    const Def* place(const Def* size, const Def* var, const Def* index);
    CodeRef pad_empty(const Def*, const ScopeRef&);
    CodeRef any_value(const Def* type);
    CodeRef compare(const Def*, const ScopeRef&);
    CodeRef logic(const Def*, const ScopeRef&);
    CodeRef negation(const Def*, const ScopeRef&);
    CodeRef select(const Def*, const ScopeRef&);
    CodeRef cast(const Def*, const ScopeRef&);
    CodeRef literal(const Def*, const ScopeRef&);
    CodeRef nat_as_index(const Def*, const ScopeRef&);
    CodeRef lidx(const Def*, const ScopeRef&);
    CodeRef same(const Def*, const ScopeRef&);
    CodeRef let(const Def*, const ScopeRef&);
    CodeRef to_mem(const Def*, const ScopeRef&);
    CodeRef pair(const Def*, const ScopeRef&);
    CodeRef fst(const Def*, const ScopeRef&);
    CodeRef snd(const Def*, const ScopeRef&);
    CodeRef map_fst(const Def*, const ScopeRef&);
    CodeRef map_snd(const Def*, const ScopeRef&);
    CodeRef make_array(const Def*, const ScopeRef&);
    CodeRef map(const Def*, const ScopeRef&);
    CodeRef reduce(const Def*, const ScopeRef&);
    CodeRef scan_seq(const Def*, const ScopeRef&);
    CodeRef iterate_loop(const Def*, const ScopeRef&);
    CodeRef iterate(const Def*, const ScopeRef&);
    CodeRef generate(const Def*, const ScopeRef&);
    CodeRef idx(const Def*, const ScopeRef&);
    CodeRef zip(const Def*, const ScopeRef&);
    CodeRef unzip(const Def*, const ScopeRef&);
    CodeRef transpose(const Def*, const ScopeRef&);
    CodeRef split(const Def*, const ScopeRef&);
    CodeRef join(const Def*, const ScopeRef&);
    CodeRef take(const Def*, const ScopeRef&);
    CodeRef drop(const Def*, const ScopeRef&);
    CodeRef concat(const Def*, const ScopeRef&);
    CodeRef slide(const Def*, const ScopeRef&);
    CodeRef gather(const Def*, const ScopeRef&);
    CodeRef scatter(const Def*, const ScopeRef&);
    CodeRef pad_cst(const Def*, const ScopeRef&);
    CodeRef pad_clamp(const Def*, const ScopeRef&);

    World& w;
    Coder& c_;
    Arithmetic arithmetic_;
    std::map<std::pair<const Def*, std::vector<const void*>>, CodeRef> known_;
    Scopes<CodeRef> scopes_;
    std::vector<CodeRef> alive_; ///< keys of `known_` are addresses of these
};

} // namespace mim::plug::rise
