// SPDX-License-Identifier: MIT
// %core.zip is lowered where it is built, as soon as its rank and the numbers of its inputs and outputs are known:
//
//     zip (r, s) (n_i, Is, n_o, Os, f) is  =  (…, ‹x1: s#0; … ‹xr: s#(r-1); f (…, is#i#x1…#xr, …)#o››, …)
//
// The extents of s need not be known. Being pure and by need, an element costs one call of f.
#include <vector>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

constexpr int64_t MaxRank = 64, MaxTensors = 1024;

struct Zip {
    World& w;
    const Def *shape, *f, *inputs;
    uint64_t rank, num_inputs, num_outputs;

    /// f applied to the elements at `place`; of the results the o-th. One input or output alone stands for itself.
    const Def* element(const std::vector<const Def*>& place, uint64_t o) const {
        std::vector<const Def*> args;
        for (uint64_t i = 0; i < num_inputs; ++i) {
            auto x = num_inputs == 1 ? inputs : w.extract(inputs, i);
            for (auto p : place) x = w.extract(x, p);
            args.push_back(x);
        }
        auto results = w.app(f, w.tuple(args));
        return num_outputs == 1 ? results : w.extract(results, o);
    }

    const Def* output(std::vector<const Def*>& place, uint64_t o) const {
        if (place.size() == rank) return element(place, o);
        auto extent = rank == 1 ? shape : w.extract(shape, place.size());
        auto pack   = w.mut_pack(extent);
        place.push_back(pack->var());
        auto body = output(place, o);
        place.pop_back();
        return w.seal(pack, body);
    }
};

} // namespace

const Def* normalize_zip(World& w, const Def*, const Def* callee, const Def* arg) {
    auto dims = group(callee, 1), tensors = group(callee);
    auto rank = value(w.extract(dims, 0));
    auto n_i = value(w.extract(tensors, 0)), n_o = value(w.extract(tensors, 2));
    if (!rank || !n_i || !n_o || *rank > MaxRank || *n_i > MaxTensors || *n_o > MaxTensors) return nullptr;
    if (callee->is_unstable() || arg->is_unstable()) return nullptr;
    Zip zip{w, w.extract(dims, 1), w.extract(tensors, 4), arg, *rank, *n_i, *n_o};
    std::vector<const Def*> outputs;
    for (uint64_t o = 0; o < *n_o; ++o) {
        std::vector<const Def*> place;
        outputs.push_back(zip.output(place, o));
    }
    return w.tuple(outputs);
}

} // namespace mim::plug::core
