// SPDX-License-Identifier: MIT
// Value numbering of parameters (after Alpern, Wegman and Zadeck): parameters of a function that have the same value in every call are
// one parameter, such as two counters of a loop that begin and step alike. Equal expressions are one node already, so only parameters
// need to be told to be equal.
//
// It is optimistic: parameters of one type are a class until a call tells them apart, by arguments that are not congruent: the same
// node, parameters of one class, or the same operation of congruent operands. Classes are split until no call splits any; each pass is
// linear, and what is not settled after MaxPasses is left alone.
//
// Tokens are never equal. Continuations are left to `constants`.
#include <algorithm>

#include "ir/token_types.h"
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

constexpr size_t MaxPasses = 16, MaxParams = 64, MaxSteps = 64;

class Congruence : public SignatureRewriter {
public:
    explicit Congruence(PhaseContext& c)
        : SignatureRewriter(c)
        , tokens_(c.world) {}

    void analyze() {
        for (auto def : program().nodes())
            if (auto lam = def->isa<Lam>()) begin(lam);
        bool settled = groups_.empty();
        for (size_t pass = 0; !settled && pass < MaxPasses; ++pass) {
            settled = true;
            for (auto& group : groups_) settled &= !split(group);
        }
        if (!settled) return;
        for (auto& group : groups_) plan(group);
    }

private:
    struct Group {
        const Lam* lam;
        Defs params;
        std::vector<size_t> leaders;   ///< of each parameter: the first one of its class; itself if it is alone
        std::vector<const App*> sites; ///< all calls
    };

    void begin(const Lam* lam) {
        auto n = num_parts(world(), lam->pi());
        if (n < 2 || n > MaxParams || lam->dom()->is_mut() || !has_equal_types(lam->dom()) || !is_only_called(program(), lam))
            return;
        Group group{lam, parts_of(lam), {}, {}};
        for (size_t i = 0; i < n; ++i) group.leaders.push_back(first_of_type(group, i));
        if (is_discrete(group)) return;
        for (auto user : program().users(lam)) group.sites.push_back(user->as<App>());
        for (size_t i = 0; i < n; ++i) class_of_.put(group.params[i], group.params[group.leaders[i]]);
        groups_.push_back(std::move(group));
    }

    /// Most functions have no two parameters that could be equal.
    static bool has_equal_types(const Def* dom) {
        if (dom->isa<Arr>()) return true;
        for (size_t i = 0; i < dom->num_ops(); ++i)
            if (!is_cn_type(dom->op(i)) && std::ranges::find(dom->ops().first(i), dom->op(i)) != dom->ops().begin() + i)
                return true;
        return false;
    }

    size_t first_of_type(const Group& group, size_t i) {
        auto param = group.params[i];
        if (is_cn_type(param->type()) || tokens_.is_token(param)) return i;
        for (size_t j = 0; j < i; ++j)
            if (group.params[j]->type() == param->type()) return j;
        return i;
    }

    static bool is_discrete(const Group& group) {
        for (size_t i = 0; i < group.leaders.size(); ++i)
            if (group.leaders[i] != i) return false;
        return true;
    }

    /// Tells apart what the calls tell apart; false if that is nothing.
    bool split(Group& group) {
        auto& old = group.leaders;
        std::vector<size_t> leaders(old.size());
        for (size_t i = 0; i < old.size(); ++i) {
            leaders[i] = i;
            for (size_t j = old[i]; j < i && leaders[i] == i; ++j)
                if (old[j] == old[i] && leaders[j] == j && get_the_same(group, i, j)) leaders[i] = j;
        }
        if (leaders == old) return false;
        old = std::move(leaders);
        for (size_t i = 0; i < old.size(); ++i) class_of_.put(group.params[i], group.params[old[i]]);
        return true;
    }

    bool get_the_same(const Group& group, size_t i, size_t j) {
        auto n = group.params.size();
        return std::ranges::all_of(group.sites, [&](auto app) {
            size_t steps = MaxSteps;
            return congruent(part_of(world(), app->arg(), n, i), part_of(world(), app->arg(), n, j), steps);
        });
    }

    bool congruent(const Def* a, const Def* b, size_t& steps) {
        if (a == b) return true;
        auto x = class_of_.find(a), y = class_of_.find(b);
        if (x && y) return *x == *y;
        if (steps == 0 || a->node() != b->node() || a->type() != b->type() || a->is_mut() || b->is_mut()) return false;
        if (a->num_ops() != b->num_ops() || a->num_ops() == 0) return false;
        --steps;
        for (size_t i = 0; i < a->num_ops(); ++i)
            if (!congruent(a->op(i), b->op(i), steps)) return false;
        return true;
    }

    void plan(const Group& group) {
        Part whole{Part::Split, nullptr, std::vector<Part>(group.params.size())};
        for (size_t i = 0; i < group.params.size(); ++i)
            if (auto leader = group.leaders[i]; leader != i) whole.parts[i] = {Part::Drop, group.params[leader], {}};
        if (!is_discrete(group) && keep_misfits(whole, group.lam->var())) plans_.emplace(group.lam, std::move(whole));
    }

    TokenTypes tokens_;
    IdTable<const Def*> class_of_; ///< parameter ↦ the first one of its class
    std::vector<Group> groups_;
};

} // namespace

void merge_congruent(PhaseContext& c) {
    Congruence congruence(c);
    congruence.analyze();
    congruence.run();
}

} // namespace mim::opt
