// SPDX-License-Identifier: MIT
// A phase that replaces axioms is a table: which axiom, and what becomes of its applications.
//
//     void lower(PhaseContext& c) { Lowering(c).on<For>(lower_for).on<fold>(lower_fold).run(); }
#pragma once
#include <array>
#include <functional>

#include "base/blame.h"
#include "kit/selective.h"

namespace mim {

class Lowering;

/// An application of an axiom to all its groups that is being lowered.
class Lowered {
public:
    Lowered(Lowering& lowering, const Def* app)
        : lowering_(lowering)
        , app_(app) {}

    World& world() const;
    /// As it was.
    const Def* app() const { return app_; }
    /// Any part of it.
    const Def* rewrite(const Def*) const;
    /// Group i, rewritten.
    const Def* group(size_t i) const;
    /// The last group, rewritten.
    const Def* arg() const { return group(num_groups(app_) - 1); }
    template<size_t N>
    std::array<const Def*, N> groups() const {
        std::array<const Def*, N> result;
        for (size_t i = 0; i != N; ++i) result[i] = group(i);
        return result;
    }
    /// The axiom applied to the rewritten groups, in the same place. It may be something better, by what the rewrite
    /// found out.
    const Def* again() const;

private:
    Lowering& lowering_;
    const Def* app_;
};

/// Rewrites the program, where each application of an axiom in the table becomes what the function of the axiom
/// returns; null: it stays, over rewritten operands. One that misses groups is a value: it becomes a function that
/// takes them, and is lowered in its body. An error of the program is reported where the definition is that it comes
/// from, one of the function (an exception, a result of another type) where the application is.
class Lowering : public SelectiveRewriter {
public:
    using Handler = std::function<const Def*(const Lowered&)>;

    using SelectiveRewriter::SelectiveRewriter;

    /// Of all subtags.
    template<class Enum>
    Lowering& on(Handler handler) {
        table_.push_back({AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, any_sub, std::move(handler)});
        return *this;
    }
    /// Of one.
    template<class Enum>
    Lowering& on(Enum sub, Handler handler) {
        table_.push_back({AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, int(sub), std::move(handler)});
        return *this;
    }
    /// False if no axiom of the table occurs.
    bool run();

protected:
    bool wants(const Def*) override;
    const Def* rewrite_imm(const Def*) override;

private:
    static constexpr int any_sub = -1;
    struct Row {
        uint64_t plugin;
        uint16_t tag;
        int sub;
        Handler handler;
    };
    friend class Lowered;
    const Handler* find(const Axiom&) const;
    const Def* lower(const Handler&, const Axiom&, const Def* app);

    std::vector<Row> table_;
    Culprit phase_; ///< that it belongs to, while it runs
};

} // namespace mim
