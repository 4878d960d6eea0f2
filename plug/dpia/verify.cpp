// SPDX-License-Identifier: MIT
// Parallel loops of programs in Mim and RISE: the turns of one write to nothing that they share, and those of OpenCL stand
// in each other as its work groups and work items do.
#include <array>
#include <set>

#include "dpia.h"
#include "dpia/diagnostics.h"

namespace mim::plug::dpia {

namespace {

std::string map_name(dpia::par_for how) {
    constexpr std::array names = {"mapPar", "mapGlobal", "mapWorkGroup", "mapLocal", "mapVec"};
    return names[static_cast<size_t>(how)];
}

class Verifier : public Phrases {
public:
    explicit Verifier(PhaseContext& c)
        : Phrases(c.world)
        , c_(c) {}

    void program(const Def* def) {
        auto lam = isa_known(def);
        if (!lam) return;
        bool is_command = lam->body()->type() == comm();
        if (is_command) command(lam->body());
        else program(lam->body());
    }

private:
    struct Loop {
        const Def* command;
        std::set<const Def*> own; ///< acceptors that are bound in it
    };
    struct Level {
        dpia::par_for how;
        uint64_t dim;
    };

    void command(const Def*);
    void body(const Def* function);
    void bind(const Lam*);
    void par_loop(const Def*);
    void acceptor(const Def* acc, const Def* command);
    void level(const Def* command);
    void kernel(const Def* command);
    bool is_inside(dpia::par_for how) const {
        return std::ranges::any_of(levels_, [&](auto& outer) { return outer.how == how; });
    }
    void refuse(const Def* command, dpia::par_for how, const std::string& why) {
        is_refused_ = true;
        c_.diags.report(diag::no_place(map_name(how), why), w.notes.span(command));
    }

    PhaseContext& c_;
    std::vector<Loop> loops_;
    std::vector<Level> levels_;
    std::set<const Def*> reported_;
    bool is_refused_   = false; ///< a loop around this one has no place
    bool is_in_kernel_ = false;
};

void Verifier::bind(const Lam* lam) {
    if (loops_.empty()) return;
    auto& own = loops_.back().own;
    own.insert(lam->var());
    bool is_tuple = lam->dom()->isa<Sigma>() || lam->dom()->isa<mim::Arr>();
    if (!is_tuple) return;
    auto sigma = lam->dom()->isa<Sigma>();
    for (size_t i = 0, n = sigma ? sigma->num_ops() : 2; i != n; ++i) own.insert(w.extract(lam->var(), i));
}

void Verifier::body(const Def* function) {
    auto lam = isa_known(function);
    if (!lam) return;
    bind(lam);
    if (lam->body()->type() == comm()) command(lam->body());
    else body(lam->body());
}

/// The acceptor that is written to in the end.
void Verifier::acceptor(const Def* acc, const Def* command) {
    if (loops_.empty()) return;
    while (acc->isa<App>()) {
        bool has_function = match<dpia::map_acc>(acc) || match<dpia::map_fst_acc>(acc) || match<dpia::map_snd_acc>(acc);
        auto f            = has_function ? isa_known(group(acc, 1)) : nullptr;
        if (f) {
            bind(f);
            acceptor(f->body(), command);
        }
        acc = arg_of(acc);
    }
    auto& loop = loops_.back();
    if (loop.own.contains(acc) || !reported_.insert(loop.command).second) return;
    auto name = std::string(w.notes.name(acc).view());
    c_.diags.report(diag::shared(name.empty() ? "an acceptor" : "`" + name + "`"), w.notes.span(command));
}

void Verifier::command(const Def* c) {
    if (match<dpia::seq>(c)) {
        auto [first, second] = elems<2>(w, arg_of(c));
        command(first);
        return command(second);
    }
    if (match<dpia::assign>(c)) return acceptor(group(c, 1), c);
    if (match<dpia::if_>(c)) {
        auto [holds, others] = elems<2>(w, arg_of(c));
        command(holds);
        return command(others);
    }
    if (match<dpia::par_for>(c)) return par_loop(c);
    if (match<dpia::run>(c)) return kernel(c);
    if (match<dpia::dbl_buf>(c)) {
        acceptor(arg_of(c), c);
        return body(group(c, 2));
    }
    bool has_body = match<dpia::new_>(c) || match<dpia::for_>(c);
    if (has_body) body(arg_of(c));
}

void Verifier::par_loop(const Def* c) {
    auto how = match<dpia::par_for>(c).sub();
    acceptor(group(c, 2), c);
    auto is_refused = is_refused_;
    if (!is_refused) level(c);
    levels_.push_back({how, value(group(c, 1)).value_or(0)});
    loops_.push_back({c, {}});
    body(arg_of(c));
    loops_.pop_back();
    levels_.pop_back();
    is_refused_ = is_refused;
}

void Verifier::kernel(const Def* c) {
    auto outer = std::ranges::find_if(levels_,
                                      [](auto& l) { return l.how != dpia::par_for::par && l.how != dpia::par_for::vec; });
    auto why   = is_in_kernel_ ? "it is inside of another one" : "";
    if (outer != levels_.end()) why = "it is inside of a map of OpenCL, and starts a kernel";
    if (*why) {
        c_.diags.report(diag::no_place("oclRun", why), w.notes.span(c));
        return;
    }
    is_in_kernel_ = true;
    command(arg_of(c));
    is_in_kernel_ = false;
}

void Verifier::level(const Def* c) {
    auto how   = match<dpia::par_for>(c).sub();
    auto dim   = value(group(c, 1)).value_or(0);
    auto where = [&](dpia::par_for outer) { return "it is inside of `" + map_name(outer) + "`"; };
    if (how == dpia::par_for::par) return;
    if (how == dpia::par_for::vec) {
        bool has_lanes = !has_array(elem(w, group(c, 0), 1));
        return has_lanes ? void() : refuse(c, how, "its elements are arrays, and lanes of vectors are numbers: take `mapSeq`");
    }
    if (how == dpia::par_for::local && !is_inside(dpia::par_for::group))
        return refuse(c, how, "it is not inside of `mapWorkGroup`, whose work items do its turns");
    if (how == dpia::par_for::global && is_inside(dpia::par_for::group)) return refuse(c, how, where(dpia::par_for::group));
    bool is_swapped = how == dpia::par_for::group && is_inside(dpia::par_for::local);
    if (is_swapped) return refuse(c, how, where(dpia::par_for::local));
    if (how != dpia::par_for::global && is_inside(dpia::par_for::global)) return refuse(c, how, where(dpia::par_for::global));
    for (auto& outer : levels_)
        if (outer.how == how && outer.dim == dim)
            return refuse(c, how,
                          "one around it has dimension " + std::to_string(dim) + ", too: give it another, as `" + map_name(how)
                              + "(" + std::to_string(dim + 1) + ")`");
}

} // namespace

void verify(PhaseContext& c) {
    for (auto& external : c.world.externals) Verifier(c).program(external.lam);
}

} // namespace mim::plug::dpia
