// SPDX-License-Identifier: MIT
// A program as a flat list of single operations, as passes see it; `read` and `write` are the way from the graph and
// back. Types are those of the graph. A list is made by a World, and lives as long as it does.
//
//     a ::= let C[x = p]; a | x      p ::= c x̄ | fun i. x | for i. x | ite x x x | fold/scan a i from x, x
//     C ::= [] | C[fun i] | C[for i] | C[fold a i] | C[if x] | C[if! x]
//
// Each list keeps these rules, which `verify` checks:
// - numbers ascend; an operand is a binding before this one, or an index that a frame around it binds;
// - each frame of the environment of an operand is a frame of the binding that uses it, where a body of a `fun`, `for`,
//   `fold` or a branch of an `ite` has one frame more;
// - the environment of a condition is around it, frames have names of their own, and the result has no environment.
// Types are the checker's, which sees them when a list is written.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/world.h"

namespace mim::plug::ainf {

/// A binding by its number, or an index by its name.
struct Operand {
    bool is_index                          = false;
    uint32_t number                        = 0;
    auto operator<=>(const Operand&) const = default;
};

/// `x3` or `i0`.
std::string operand_text(const Operand&);

enum class Kind : uint8_t { Fun, For, Fold, Holds, Fails };

struct Frame {
    Kind kind;
    uint32_t index                  = 0;       ///< the name that it binds; a fold also binds the next one
    const Def* type                 = nullptr; ///< of the index, or of the value that a fold carries
    const Def* turn                 = nullptr; ///< of a fold's index
    Operand condition               = {};
    uint32_t fold                   = 0;
    std::vector<uint32_t> functions = {}; ///< that a Fun stands for, in order

    bool is_condition() const { return kind == Kind::Holds || kind == Kind::Fails; }
    bool binds(uint32_t name) const { return !is_condition() && (index == name || (kind == Kind::Fold && index + 1 == name)); }
};
/// Whatever functions they stand for.
bool is_same(const Frame&, const Frame&);
/// For messages: `for i1`, `if x3!=0`.
std::string frame_text(const Frame&);

/// From the outermost frame in.
using Environment           = std::vector<Frame>;
constexpr size_t kMaxFrames = 256;
/// The first frame of `needed` that neither of the two has; null if all are there.
const Frame* missing(const Environment& needed, std::span<const Frame> outer, std::span<const Frame> own);

enum class Op : uint8_t {
    Literal,
    NatAdd,
    NatSub,
    NatMul,
    NatDiv,
    FltAdd,
    FltSub,
    FltMul,
    FltDiv,
    FltMax,
    Exp,
    Log,
    Sqrt,
    NormCdf,
    Less,
    Equal,
    Plus,
    Val,
    Real,
    Pair,
    Fst,
    Snd,
    Get,
    Sum,
    App,
    Fun,
    For,
    Ite,
    Fold,
    Scan,
};

/// An operation. A binder has the frame that stands around its body.
struct Primitive {
    Op op;
    const Def* type           = nullptr; ///< of the result
    std::vector<Operand> args = {};
    const Def* literal        = nullptr;
    uint64_t mode             = 0;  ///< of floats
    Environment body          = {}; ///< one frame if it is a binder, else none

    bool is_binder() const { return !body.empty(); }
};

struct Binding {
    uint32_t number;
    Environment env;
    Primitive p;
};

struct List {
    std::vector<Binding> bindings;
    Operand result;
};

/// The environment that an operand needs when it stands in this place of an operation: for each operand, the frames
/// that the operation puts around it.
Environment frames_around(const Primitive&, size_t arg);

/// Throws std::runtime_error, which names the binding and the frame, if the list breaks a rule.
void verify(const List&);

/// The program `%ainf.list …`. The list must keep the rules.
const Def* write(World&, const List&);
/// The list that the program is. It must be one that `write` could have made; else throws std::runtime_error, which
/// names the binding.
List read(World&, const Def* program);
/// The fault of `callee arg`, a list that is built; empty if it has none, or if its bindings are not known.
std::string verify_list(World&, const Def* callee, const Def* arg);

} // namespace mim::plug::ainf
