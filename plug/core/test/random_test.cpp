// SPDX-License-Identifier: MIT
// Random terms over variables, twice: built with the normalizers and called with some values, and built without them from the same
// values. Where the second is defined, both evaluate to the same: normalizers may define what was undefined, never change what was
// defined. Single operations on all values are in fold_test.cpp; here they meet each other's normal forms.
#include <doctest/doctest.h>

#include <random>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::core;
using test::Core;

namespace {

using Wide = unsigned __int128;

/// Makes terms; the same seed makes the same term from other leaves.
class Terms {
public:
    Terms(Core& c, uint64_t seed, Wide size, std::vector<const Def*> ints, std::vector<const Def*> nats)
        : c_(c)
        , random_(seed)
        , size_(size)
        , ints_(std::move(ints))
        , nats_(std::move(nats)) {}

    const Def* integer(unsigned depth) {
        if (depth == 0) return leaf();
        auto s = c_.size(size_);
        auto a = integer(depth - 1);
        auto b = below(6) == 0 ? a : integer(depth - 1);
        auto m = c_.nat(below(8) ? 0 : below(4)), ab = c_.w.tuple({a, b});
        switch (below(10)) {
            case 0:
            case 1: return c_.app(wrap(below(4)), {s, m, ab});
            case 2: return c_.app(bit2(below(16)), {s, m, ab});
            case 3: return c_.app(bit1(below(4)), {s, m, a});
            case 4: return c_.app(shr(below(2)), {s, ab});
            case 5: return c_.app(extrema(below(4)), {s, ab});
            case 6: return c_.w.extract(ab, truth(depth - 1));
            case 7: return c_.app(rotate(below(2)), {s, ab});
            case 8: return c_.app(plug::core::reverse(below(2)), {s, a});
            default: {
                auto other = c_.size(below(2) ? Wide(1 + below(300)) : Wide(1) << below(65));
                return c_.app(conv(below(2)), {other, s, c_.app(conv(below(2)), {s, other, a})});
            }
        }
    }

private:
    uint64_t below(uint64_t n) { return random_() % n; }
    const Def* leaf() {
        auto pick = below(ints_.size() + 2); // drawn in any case: the other term has other leaves, not other choices
        auto v    = below(4) ? below(5) : random_();
        if (pick < ints_.size()) return ints_[pick];
        return c_.w.lit_idx(c_.size(size_), size_ >> 64 ? v : pick & 1 ? uint64_t(size_ - 1) : uint64_t(v % size_));
    }
    const Def* natural(unsigned depth) {
        auto pick = below(nats_.size() + 1), v = below(4);
        if (depth == 0) return pick < nats_.size() ? nats_[pick] : c_.nat(v);
        return c_.app(plug::core::nat(below(3)), {c_.w.tuple({natural(depth - 1), natural(depth - 1)})});
    }
    const Def* truth(unsigned depth) {
        if (below(3) == 0) return c_.app(ncmp(below(8)), {c_.w.tuple({natural(depth), natural(0)})});
        auto a = integer(depth), b = integer(depth);
        return c_.app(icmp(below(32)), {c_.size(size_), c_.w.tuple({a, b})});
    }

    Core& c_;
    std::mt19937_64 random_;
    Wide size_;
    std::vector<const Def*> ints_, nats_;
};

} // namespace

TEST_CASE("core: random terms mean the same with and without normalizers") {
    Core c;
    auto& w     = c.w;
    auto result = eval::run(w,
                            [&](eval::Machine& m) {
                                std::mt19937_64 random(42);
                                const Wide sizes[] = {2,
                                                      3,
                                                      4,
                                                      5,
                                                      7,
                                                      8,
                                                      10,
                                                      16,
                                                      23,
                                                      255,
                                                      256,
                                                      257,
                                                      Wide(1) << 16,
                                                      (Wide(1) << 32) + 1,
                                                      Wide(1) << 32,
                                                      Wide(1) << 63,
                                                      (Wide(1) << 63) + 5,
                                                      Wide(1) << 64};
                                unsigned defined   = 0;
                                for (unsigned round = 0; round != 1500; ++round) {
                                    auto size = sizes[round % std::size(sizes)];
                                    auto seed = random();
                                    auto type = w.idx(c.size(size));
                                    auto lam  = w.mut_lam(w.pi(w.sigma({type, type, type, w.nat(), w.nat()}), type));
                                    w.set_filter(lam, w.ff());
                                    auto var = [&](uint64_t i) { return w.extract(lam->var(), i); };
                                    w.set_body(lam, Terms(c, seed, size, {var(0), var(1), var(2)}, {var(3), var(4)}).integer(3));
                                    w.close(std::span<Lam* const>(&lam, 1));
                                    for (unsigned i = 0; i != 4; ++i) {
                                        std::vector<const Def*> ints, nats;
                                        for (int j = 0; j != 3; ++j) {
                                            auto v = random() % 3 ? random() : random() % 4;
                                            ints.push_back(w.lit_idx(c.size(size), size >> 64 ? v : uint64_t(v % size)));
                                        }
                                        for (int j = 0; j != 2; ++j)
                                            nats.push_back(w.lit_nat(random() % 3 ? random() % 10 : random()));
                                        std::optional<uint64_t> expected;
                                        {
                                            World::Frozen frozen(w);
                                            expected = test::evaluate(m, Terms(c, seed, size, ints, nats).integer(3));
                                        }
                                        if (!expected) continue;
                                        ++defined;
                                        auto actual = test::evaluate(m,
                                                                     w.app(lam, {ints[0], ints[1], ints[2], nats[0], nats[1]}));
                                        INFO("round " << round << ", size " << uint64_t(size));
                                        REQUIRE(bool(actual));
                                        REQUIRE(*actual == *expected);
                                    }
                                }
                                CHECK(defined > 3000);
                                return 0;
                            },
                            {});
    CHECK(result.message == "");
}
