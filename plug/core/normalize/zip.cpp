// SPDX-License-Identifier: MIT
// %core.zip is lowered where it is built, as soon as its rank and the numbers of its inputs and outputs are known:
//
//     zip (r, s) (n_i, Is, n_o, Os, f) is  =  (…, ‹x1: s#0; … ‹xr: s#(r-1); f (…, is#i#x1…#xr, …)#o››, …)
//
// The extents of s need not be known. Being pure and by need, an element costs one call of f.
#include "kit/build.h"
#include "normalize/common.h"

namespace mim::plug::core {

namespace {

constexpr int64_t MaxRank = 64, MaxTensors = 1024;

struct Zip {
    World& w;
    const Def *shape, *f, *inputs;
    uint64_t rank, num_inputs, num_outputs;

    /// f applied to the elements at `place`; of the results the o-th. One input or output alone stands for itself.
    const Def* element(const DefVec& place, uint64_t o) const {
        auto input = [&](size_t i) {
            auto x = num_inputs == 1 ? inputs : w.extract(inputs, i);
            for (auto p : place) x = w.extract(x, p);
            return x;
        };
        auto results = w.app(f, w.tuple(def_vec(num_inputs, input)));
        return num_outputs == 1 ? results : w.extract(results, o);
    }

    const Def* output(DefVec& place, uint64_t o) const {
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

const Def* normalize_zip(const Redex& redex) {
    auto& w                   = redex.w;
    auto [dims, tensors, arg] = redex.groups<3>();
    auto rank = value(w, dims, 0), n_i = value(w, tensors, 0), n_o = value(w, tensors, 2);
    if (!rank || !n_i || !n_o || *rank > MaxRank || *n_i > MaxTensors || *n_o > MaxTensors) return nullptr;
    if (redex.is_unstable()) return nullptr;
    Zip zip{w, w.extract(dims, 1), w.extract(tensors, 4), arg, *rank, *n_i, *n_o};
    DefVec place;
    return w.tuple(def_vec(*n_o, [&](size_t o) { return zip.output(place, o); }));
}

} // namespace mim::plug::core
