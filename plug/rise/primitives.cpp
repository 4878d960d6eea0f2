// SPDX-License-Identifier: MIT
#include "primitives.h"

#include "rise/annexes.h"

namespace mim::plug::rise {

namespace {

template<auto Axiom>
const mim::Def* annex(World& w) {
    return w.annex(Axiom);
}

#define RISE_T "{t: DataType} -> "
#define RISE_ST "{s: DataType} -> {t: DataType} -> "
#define RISE_MAP "{n: Nat} -> " RISE_ST "(s -> t) -> n.s -> n.t"
#define RISE_REDUCE "{n: Nat} -> {s: DataType} -> {t: DataType} -> (t -> s -> t) -> t -> n.s -> t"

constexpr auto kUnary    = RISE_T "t -> t";
constexpr auto kBinary   = RISE_T "t -> t -> t";
constexpr auto kTest     = RISE_T "{u: DataType} -> t -> t -> u";
constexpr auto kAsVector = "(n: Nat) -> {m: Nat} -> " RISE_T "(m*n).t -> m.Vec[n, t]";
constexpr auto kFold     = "(a: AddrSp) -> " RISE_REDUCE;

constexpr Primitive kPrimitives[] = {
    {"add", kBinary, annex<number::add>, Optional::None, Class::Number},
    {"sub", kBinary, annex<number::sub>, Optional::None, Class::Number},
    {"mul", kBinary, annex<number::mul>, Optional::None, Class::Number},
    {"div", kBinary, annex<number::div>, Optional::None, Class::Number},
    {"mod", kBinary, annex<number::mod>, Optional::None, Class::Whole},
    {"min", kBinary, annex<number::min>, Optional::None, Class::Number},
    {"max", kBinary, annex<number::max>, Optional::None, Class::Number},
    {"neg", kUnary, annex<unary::neg>, Optional::None, Class::Number},
    {"abs", kUnary, annex<unary::abs>, Optional::None, Class::Number},
    {"floor", kUnary, annex<unary::floor>, Optional::None, Class::Float},
    {"sqrt", kUnary, annex<unary::sqrt>, Optional::None, Class::Float},
    {"exp", kUnary, annex<unary::exp>, Optional::None, Class::Float},
    {"log", kUnary, annex<unary::log>, Optional::None, Class::Float},
    {"sin", kUnary, annex<unary::sin>, Optional::None, Class::Float},
    {"cos", kUnary, annex<unary::cos>, Optional::None, Class::Float},
    {"tan", kUnary, annex<unary::tan>, Optional::None, Class::Float},
    {"tanh", kUnary, annex<unary::tanh>, Optional::None, Class::Float},
    {"lt", kTest, annex<compare::lt>, Optional::None, Class::Comparable, Lifted::Compare},
    {"le", kTest, annex<compare::le>, Optional::None, Class::Comparable, Lifted::Compare},
    {"gt", kTest, annex<compare::gt>, Optional::None, Class::Comparable, Lifted::Compare},
    {"ge", kTest, annex<compare::ge>, Optional::None, Class::Comparable, Lifted::Compare},
    {"eq", kTest, annex<compare::eq>, Optional::None, Class::Comparable, Lifted::Compare},
    {"ne", kTest, annex<compare::ne>, Optional::None, Class::Comparable, Lifted::Compare},
    {"fma", RISE_T "t -> t -> t -> t", annex<fma(0)>, Optional::None, Class::Float},
    {"rsqrt", kUnary, annex<unary::rsqrt>, Optional::None, Class::Float},
    {"and", kBinary, annex<logic::conj>, Optional::None, Class::Truth, Lifted::Logic},
    {"or", kBinary, annex<logic::disj>, Optional::None, Class::Truth, Lifted::Logic},
    {"not", kUnary, annex<not_(0)>, Optional::None, Class::Truth, Lifted::Logic},
    {"select", "{c: DataType} -> " RISE_T "c -> t -> t -> t", annex<select(0)>, Optional::None, Class::Truth, Lifted::Select},
    {"cast", RISE_ST "s -> t", annex<cast(0)>, Optional::None, Class::Any, Lifted::Cast},
    {"indexAsNat", "{n: Nat} -> Idx[n] -> nat", annex<index_as_nat(0)>},
    {"natAsIndex", "(n: Nat) -> nat -> Idx[n]", annex<nat_as_index(0)>},
    {"lidx", "(i: Nat) -> (n: Nat) -> Idx[n]", annex<lidx(0)>},

    {"id", kUnary, annex<id(0)>},
    {"pair", RISE_ST "s -> t -> (s, t)", annex<pair(0)>},
    {"fst", RISE_ST "(s, t) -> s", annex<fst(0)>},
    {"snd", RISE_ST "(s, t) -> t", annex<snd(0)>},
    {"mapFst", "{s: DataType} -> {t: DataType} -> {u: DataType} -> (s -> u) -> (s, t) -> (u, t)", annex<map_fst(0)>},
    {"mapSnd", "{s: DataType} -> {t: DataType} -> {u: DataType} -> (t -> u) -> (s, t) -> (s, u)", annex<map_snd(0)>},

    {"map", RISE_MAP, annex<map::high>},
    {"mapSeq", RISE_MAP, annex<map::seq>},
    {"mapSeqUnroll", RISE_MAP, annex<map::unroll>},
    {"mapPar", RISE_MAP, annex<map::par>},
    {"mapVec", RISE_MAP, annex<map::vec>},
    {"mapGlobal", RISE_MAP, annex<map_level::global>, Optional::Dimension},
    {"mapWorkGroup", RISE_MAP, annex<map_level::group>, Optional::Dimension},
    {"mapLocal", RISE_MAP, annex<map_level::local>, Optional::Dimension},
    {"reduce", "{n: Nat} -> " RISE_T "(t -> t -> t) -> t -> n.t -> t", annex<reduce(0)>},
    {"reduceSeq", kFold, annex<reduce_seq::loop>, Optional::Space},
    {"reduceSeqUnroll", kFold, annex<reduce_seq::unroll>, Optional::Space},
    {"scanSeq", "{n: Nat} -> " RISE_ST "(s -> t -> t) -> t -> n.s -> n.t", annex<scan_seq(0)>},
    {"iterate", "(k: Nat) -> {m: Nat} -> {n: Nat} -> " RISE_T "((l: Nat) -> (l*n).t -> l.t) -> (m*n^k).t -> m.t",
     annex<iterate(0)>},
    {"generate", "{n: Nat} -> " RISE_T "(Idx[n] -> t) -> n.t", annex<generate(0)>},
    {"toMem", "(a: AddrSp) -> " RISE_T "t -> t", annex<to_mem(0)>},
    {"oclRun", "(l0: Nat) -> (l1: Nat) -> (l2: Nat) -> (g0: Nat) -> (g1: Nat) -> (g2: Nat) -> " RISE_T "t -> t",
     annex<ocl_run(0)>},

    {"idx", "{n: Nat} -> " RISE_T "Idx[n] -> n.t -> t", annex<idx(0)>},
    {"zip", "{n: Nat} -> " RISE_ST "n.s -> n.t -> n.(s, t)", annex<zip(0)>},
    {"unzip", "{n: Nat} -> " RISE_ST "n.(s, t) -> (n.s, n.t)", annex<unzip(0)>},
    {"transpose", "{n: Nat} -> {m: Nat} -> " RISE_T "n.m.t -> m.n.t", annex<transpose(0)>},
    {"split", "(n: Nat) -> {m: Nat} -> " RISE_T "(m*n).t -> m.n.t", annex<split(0)>},
    {"join", "{n: Nat} -> {m: Nat} -> " RISE_T "n.m.t -> (n*m).t", annex<join(0)>},
    {"take", "(n: Nat) -> {m: Nat} -> " RISE_T "(n + m).t -> n.t", annex<take(0)>},
    {"drop", "(n: Nat) -> {m: Nat} -> " RISE_T "(n + m).t -> m.t", annex<drop(0)>},
    {"concat", "{n: Nat} -> {m: Nat} -> " RISE_T "n.t -> m.t -> (n + m).t", annex<concat(0)>},
    {"slide", "(sz: Nat) -> (sp: Nat) -> {n: Nat} -> " RISE_T "(sp*n + sz).t -> (n + 1).sz.t", annex<slide(0)>},
    {"gather", "{n: Nat} -> {m: Nat} -> " RISE_T "m.Idx[n] -> n.t -> m.t", annex<gather(0)>},
    {"scatter", "{n: Nat} -> {m: Nat} -> " RISE_T "n.Idx[m] -> n.t -> m.t", annex<scatter(0)>},
    {"reorder", "(n: Nat) -> (f: Nat -> Nat) -> (g: Nat -> Nat) -> " RISE_T "n.t -> n.t", annex<reorder(0)>},
    {"padEmpty", "(r: Nat) -> {n: Nat} -> " RISE_T "n.t -> (n + r).t", annex<pad_empty(0)>},
    {"padCst", "(l: Nat) -> (r: Nat) -> {n: Nat} -> " RISE_T "t -> n.t -> (l + n + r).t", annex<pad_cst(0)>},
    {"padClamp", "(l: Nat) -> (r: Nat) -> {n: Nat} -> " RISE_T "(n + 1).t -> (l + (n + 1) + r).t", annex<pad_clamp(0)>},

    {"vectorFromScalar", "{t: DataType} -> {n: Nat} -> t -> Vec[n, t]", annex<vector_from_scalar(0)>, Optional::None,
     Class::Lane},
    {"asVector", kAsVector, annex<as_vector::unaligned>},
    {"asVectorAligned", kAsVector, annex<as_vector::aligned>},
    {"asScalar", "{n: Nat} -> {m: Nat} -> " RISE_T "n.Vec[m, t] -> (n*m).t", annex<as_scalar(0)>},
};

/// The axioms of vectors.
constexpr std::pair<std::string_view, const mim::Def* (*)(World&)> kLifted[] = {
    {"lt", annex<vec_compare::lt>},   {"le", annex<vec_compare::le>}, {"gt", annex<vec_compare::gt>},
    {"ge", annex<vec_compare::ge>},   {"eq", annex<vec_compare::eq>}, {"ne", annex<vec_compare::ne>},
    {"and", annex<vec_logic::conj>},  {"or", annex<vec_logic::disj>}, {"not", annex<vec_not(0)>},
    {"select", annex<vec_select(0)>},
};

} // namespace

const Primitive* find_primitive(std::string_view name) {
    for (auto& row : kPrimitives)
        if (row.name == name) return &row;
    return nullptr;
}

const Primitive* primitive_of(World& w, const mim::Def* axiom) {
    for (auto& row : kPrimitives)
        if (row.axiom(w) == axiom) return &row;
    for (auto& [name, lifted] : kLifted)
        if (lifted(w) == axiom) return find_primitive(name);
    return nullptr;
}

const mim::Def* lifted_axiom(World& w, const Primitive& primitive) {
    for (auto& [name, lifted] : kLifted)
        if (name == primitive.name) return lifted(w);
    return primitive.axiom(w);
}

bool is_width(uint64_t n) { return n >= 2 && n <= kMostLanes && (n & (n - 1)) == 0; }

std::string_view text(Class c) {
    switch (c) {
        case Class::Number: return "numbers";
        case Class::Float: return "floating-point numbers";
        case Class::Whole: return "integers";
        case Class::Comparable:
        case Class::Lane: return "numbers or truth values";
        case Class::Truth: return "truth values";
        default: return "anything";
    }
}

bool is_in(Class c, Scalar s) {
    bool is_float = s == Scalar::F16 || s == Scalar::F32 || s == Scalar::F64;
    switch (c) {
        case Class::Number: return s != Scalar::Bool;
        case Class::Float: return is_float;
        case Class::Whole: return !is_float && s != Scalar::Bool;
        case Class::Truth: return s == Scalar::Bool;
        case Class::Lane: return s != Scalar::Nat;
        default: return true;
    }
}

} // namespace mim::plug::rise
