// SPDX-License-Identifier: MIT
// New parameters for functions all of whose calls are known. A phase plans what becomes of each part of a function's argument; here
// the function and its calls are built again: parts that are kept become its parameters, in order.
#pragma once
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "ir/id_table.h"
#include "kit/selective.h"

namespace mim::opt {

/// The fate of an argument, or of a part of one.
struct Part {
    enum Kind : uint8_t { Keep, Drop, Split };
    Kind kind        = Keep;
    const Def* value = nullptr; ///< Drop: what stands for it in the old program; null: nothing uses it
    std::vector<Part> parts;    ///< Split: of its elements
};

/// The parts of a function's argument: its elements, if there are at least two and not too many, else the argument itself.
size_t num_parts(World&, const Pi*);
inline constexpr int64_t max_parts = 256;
/// Part i of an argument with n parts.
inline const Def* part_of(World& world, const Def* arg, size_t n, size_t i) {
    if (auto tuple = n == 1 ? nullptr : arg->isa<Tuple>()) return tuple->op(i);
    return n == 1 ? arg : world.extract(arg, i);
}
/// Position of the return continuation among the parts of a continuation's argument, or -1.
int ret_part(World&, const Pi*);
inline bool is_cn_type(const Def* type) {
    auto pi = type->isa<Pi>();
    return pi && pi->is_cn();
}

/// All that happens to lam is that it is called. (A function visible outside is called by others as well.)
bool is_only_called(const Snapshot&, const Lam*);

class SignatureRewriter : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    /// Planned functions are only called (see callee_of), and nothing refers to a part that is dropped without a value.
    std::unordered_map<const Lam*, Part> plans_;
    /// The planned function that a call in the old program leads to, if it is called by another name.
    virtual const Def* callee_of(const App* call) { return call->callee(); }

    /// The fate of a type that the new parameters have, or of a value that such a type mentions.
    virtual const Def* type_for_part(const Def* type) { return rewrite(type); }

    /// The parts of the old argument of lam.
    Defs parts_of(const Lam* lam);

    bool wants(const Def* def) override {
        auto lam = def->isa<Lam>();
        return lam && plans_.contains(lam);
    }
    const Def* rewrite_mut(const Def* def) override;
    const Def* rewrite_var(const Def* def) override;
    /// Indices and scrutinees go first: what is not chosen is not looked at.
    const Def* rewrite_imm(const Def* def) override;
    const Def* known_value(const Def* def) override;

    /// The parts of `arg` that are kept, rewritten.
    void kept(const Part&, const Def* arg, std::vector<const Def*>& out);
    /// The domain of a function with these parts kept, and the type of such a continuation.
    const Def* new_dom(const Part&, const Def* dom);
    const Def* new_type(const Part& part, const Pi* pi) { return world().cn(new_dom(part, pi->dom())); }
    /// The parts of `arg`, an argument of the new program, that are kept.
    void select(const Part&, const Def* arg, std::vector<const Def*>& out);
    /// Keeps those parts of the argument `param` of which the value that was to take their place has another type, once the parts that
    /// their types mention are as planned. Whether something is left of the plan.
    bool keep_misfits(Part&, const Def* param);
    /// The argument whose kept parts are `params`.
    const Def* assemble(const Part&, Defs params);
    /// The new parameters of lam one by one, if there are n of them.
    std::vector<const Def*> params_of(const Lam* lam, size_t n);

private:
    const Def* build(const Lam*, const Part&);
    const App* only_entry(const Lam*, const Part&);
    const Def* assemble(const Part&, Defs params, size_t& next);
    const Def* planned(const Part&, const Def* param);
    bool keep_misfits(Part&, const Def* type, const Def* value);
    void restore(const Part&, const Def* from, Defs params, size_t& next);

    std::pmr::monotonic_buffer_resource pool_;
    IdTable<Defs> parts_; ///< they lie in the pool
    /// Parts of old arguments, and what stands for them in the old program. It is looked at where it is used, not before: by then all
    /// that it mentions is in scope.
    std::unordered_map<const Def*, const Def*> values_;
    std::unordered_map<const Def*, size_t> splits_; ///< parts that were taken apart, and into how many
    const Def* set_types(const Part&, const Def* type, const Def* from, Sigma*, size_t& next,
                         std::vector<const Def*>* single = nullptr);
    void kept_types(const Part&, const Def* type, std::vector<const Def*>& out);
};

/// Parts that are kept.
size_t num_kept(const Part&);
/// Whether one is not.
bool has_drop(const Part&);

} // namespace mim::opt
