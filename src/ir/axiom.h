// SPDX-License-Identifier: MIT
// What a plugin says of an axiom: the only way in which any layer of the compiler learns about it. Descriptors live in the
// session's registry, are complete before a program is read, and are shared and immutable afterwards.
// The back end and the evaluator define the classes that are only named here; this header stays below both.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/symbol.h"

namespace mim {

class Def;
class World;
struct Redex;
namespace eval {
class Machine;
struct Value;
} // namespace eval
namespace backend {
class Emit;
class Value;
class Type;
} // namespace backend
class PipelineBuilder;

/// FNV-1a, constexpr: a plugin's identity is the hash of its name, checked for collision at load.
constexpr uint64_t plugin_hash(std::string_view name) {
    uint64_t h = 0xcbf29ce484222325ull;
    for (char c : name) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3ull;
    return h;
}

/// %plugin.tag.sub; tags and subs are numbered in the order of declaration.
struct AnnexId {
    uint64_t plugin                       = 0;
    uint16_t tag                          = 0;
    uint16_t sub                          = 0;
    bool operator==(const AnnexId&) const = default;
};

/// Specialized by the generated headers for each enum of a plugin's axiom; lets C++ name axioms: match<core::wrap>(def).
/// Members: `static constexpr uint64_t plugin; static constexpr uint16_t tag; static constexpr uint16_t num_subs;`
template<class Enum>
struct AnnexTraits;

/// Builds a better expression of the same type (assignable to it) for the application of an axiom to all groups up to
/// the one that its curry counter names, or returns null if it knows none. Must be sound, terminating, idempotent. See
/// Redex in ir/world.h.
using NormalizerFn = const Def*(const Redex&);
using Normalizer   = NormalizerFn*;

/// The value of the saturated application `app` whose last argument is already reduced as far as the Machine does; written
/// independently of the normalizer. See eval/machine.h.
/// Several are declared at once: MeaningFn mean_add, mean_sub;
using MeaningFn = eval::Value(eval::Machine&, const Def* app);
using Meaning   = MeaningFn*;

/// Emits the saturated application `app` (an operation) or the type `app`. See backend/emit.h.
using OpEmitterFn = backend::Value(backend::Emit&, const Def* app);
using OpEmitter   = OpEmitterFn*;
using TypeEmitter = backend::Type (*)(backend::Emit&, const Def* app);

/// Conditions beyond the type: why the axiom must not be applied to `arg`, for a message; empty if it may be, or if
/// only more knowledge of the argument will tell. `callee` is as for a Normalizer. Asked of each application before it
/// is normalized, and of what is left after each phase.
using Verifier = std::string (*)(World&, const Def* callee, const Def* arg);

/// What the saturated application `app` adds to a pipeline, for axioms whose values are pipelines. See phase/pipeline.h.
using PipelineOp = void (*)(PipelineBuilder&, const Def* app);

/// For axioms whose applications are names of rewrite rules that no pattern can say. `rule` is such an application, with the parameters of the
/// rule: what it makes of the expression `at`, which is of the same type, or null where it does not apply, and `why` says the reason.
using RewriteOp = const Def* (*)(World&, const Def* rule, const Def* at, std::string& why);

/// Bytes and alignment of the values of the type `app`; false while that depends on something unknown. Types without this hook, that
/// are neither linear nor erased, are pointers. See ir/layout.h.
using LayoutOf = bool (*)(World&, const Def* app, uint64_t& size, uint64_t& align);

/// How values of the type `app` lie in memory, for the evaluator, if they are neither numbers of 64 bits nor pointers: `layout` says how
/// many bytes there are.
using ToBytes   = std::string (*)(eval::Machine&, const Def* app, const eval::Value&);
using FromBytes = eval::Value (*)(eval::Machine&, const Def* app, std::string_view bytes);

/// The value of the type `type`, which this axiom makes, that the text of a number (`1.5`, `23`; C99 syntax) stands for; null if it has
/// none. Such a value is a raw literal, and its bits are those that it has in memory.
using Literal = const Def* (*)(World&, const Def* type, std::string_view text);

/// The way back, for printing: a text with a `.` or an exponent that Literal reads as this very literal.
using LiteralText = std::string (*)(const Def* literal);

/// Such a hook, to be called like the function itself: what goes wrong in it is the fault of the plugin whose axiom makes the type.
class LiteralReader {
public:
    LiteralReader(Literal read = nullptr)
        : read_(read) {}
    explicit operator bool() const { return read_; }
    const Def* operator()(World&, const Def* type, std::string_view text) const;

private:
    Literal read_;
};
class LiteralPrinter {
public:
    LiteralPrinter(LiteralText print = nullptr)
        : print_(print) {}
    explicit operator bool() const { return print_; }
    std::string operator()(const Def* literal) const;

private:
    LiteralText print_;
};

/// How C spells the type `app`, where this depends on its arguments; empty if it cannot.
using CSpelling = std::string (*)(const Def* app);

/// A library that compiled programs need where they use an axiom of a plugin. `libNAME.a` is linked into them, and `mim
/// run` opens `libNAME.so`; both lie beside the plugin.
struct RuntimeLibrary {
    std::string name;
    std::vector<std::string> system_libraries; ///< linked behind it, without the `lib`: `gc`
    std::string advice;                        ///< how to get those, for `mim doctor` and messages
    std::string plugin, folder;                ///< whose it is, and where it lies; the loader fills them in
};

/// The functions of C, in a run-time library, that manage memory which is reclaimed when nobody refers to it: closures, and arrays of
/// run-time length.
struct CollectorRuntime {
    std::string attach;                        ///< `void ()`: called by each thread before it calls any other of these
    std::string record;                        ///< `void* (size_t)`: memory that is reclaimed when nobody refers to it
    std::string plain;                         ///< the same for memory that refers to no other such memory
    std::string malloc, calloc, realloc, free; ///< those of C, for memory that may hold closures
    /// `void (const void* at, const void* value, size_t)`: called before bytes are stored where nobody looks for
    /// closures.
    std::string keep;
    /// Memory of activations, which is given back from the last to the first. `void* ()`: how much there is, `void*
    /// (size_t)`: more of it, `void (void*)`: back to how much there was. Empty: there is none.
    std::string mark, take, release;
    /// Of an array that is made in memory that others may know: `void* (void*)`, before, and `void (void* to, const
    /// void* array, size_t)`, behind it, which copies the array if it lies elsewhere. Whoever compiles the program
    /// must not know what they do. Empty: none are made so.
    std::string begin_array, end_array;
    RuntimeLibrary library;
};

/// Comparisons of two values, of which one of several cases holds. The subtag of a comparison is the set of the cases
/// in which it is true.
struct Relations {
    uint8_t cases   = 0; ///< how many there are; 0: the axiom is no comparison
    uint32_t simple = 0; ///< bit k: the one with subtag k is a single operation of the machine
};

struct Axiom {
    enum Kind : uint8_t { Op, CFun, CCon };
    enum Property : uint32_t {
        LinearType   = 1,  ///< a type whose values are tokens: consumed exactly once on each path
        Effect       = 2,  ///< takes and returns tokens; never merged, moved past a branch or dropped on its own
        Speculatable = 4,  ///< may run on a path that does not need it: cheap, total, without effect
        Erased       = 8,  ///< has no run-time representation
        MayTrap      = 16, ///< undefined for some arguments, which --checked traps: not speculatable then
        Pointer = 32, ///< a type whose values refer to values of its arguments, but do not hold them: recursion may pass through
        Activation = 64, ///< what it returns belongs to the activation of the function around it, which must stay a function
        Closures =
            128, ///< returns functions with an environment: where a program has it, all its function values but C's are closures
        TokenFree =
            256, ///< neither takes nor makes tokens, whatever types it is instantiated with; if a value that a plugin's axiom makes may
                 ///< hold a function although its type does not show that, the axiom has this property
        Internal = 512, ///< made by phases only: the text of a program cannot name it
        ByNeed =
            1024, ///< evaluated wherever its value is asked for, and nowhere else; so are its operands, as far as it asks for them
        Jumps =
            2048, ///< where a program has it, calls are jumps, and get what follows them as values: no judgement says which of these is called
        Absurd    = 8192,  ///< `{T: *} [Idx 0] → T`: makes a value of any type of an index into nothing
        Unaliased = 16384, ///< `[token, p, …] → token`: what p points to is not reached through pointers that do not come from p
        ByLiteral = 4096,  ///< an operator that is declared as it wants a right operand that is written as a literal other than 0
        Local =
            32768, ///< what the function that it takes refers to may belong to the activation around it. Without Speculatable it may
                   ///< call that often; with it, what it makes remembers what the function gave, which is called once
        Stores    = 131072,  ///< `[token, p, value] → token`: copies the value to where p points, and does nothing else
        Constant  = 262144,  ///< applied to literals, and to tuples and packs of them, it makes a constant of the program
        Unwritten = 65536,   ///< `[T: *] → T`: a value that nobody has put anything into; each use of it may be another one
        Sum       = 524288,  ///< `[a b: Nat] → Nat`: the sum, where it does not overflow
        Product   = 1048576, ///< `[a b: Nat] → Nat`: the product, where it does not overflow
        Suspends =
            2097152, ///< the function that it takes may know tokens, and is called once, when somebody asks: no judgement follows these
        TakesApart = 4194304, ///< asks for the elements of the tuple or pack that it gets one by one, and never for the whole
    };

    Symbol name; ///< with the `%`; for C functions the symbol of the linker
    AnnexId id;
    Kind kind           = Op;
    uint32_t properties = 0;
    bool own            = false; ///< declared by the program itself, not by a plugin
    Relations relations;         ///< of a comparison: ir/relations.h
    uint8_t curry         = 0;   ///< argument groups after which the normalizer fires and match matches
    Normalizer normalizer = nullptr;
    Meaning meaning       = nullptr;
    PipelineOp pipeline   = nullptr;
    RewriteOp rewrite     = nullptr;
    LiteralReader literal;
    LiteralPrinter literal_text;
    LayoutOf layout      = nullptr;
    ToBytes to_bytes     = nullptr;
    FromBytes from_bytes = nullptr;
    struct Emitter {
        std::string target; ///< "llvm", "c", …
        OpEmitter op     = nullptr;
        TypeEmitter type = nullptr;
    };
    std::vector<Emitter> emitters;
    std::string c_spelling; ///< of a type, in the emitted header; may contain {0} for the spelling of its argument
    CSpelling c_spelling_of                      = nullptr;
    Verifier verifier                            = nullptr;
    const std::vector<RuntimeLibrary>* libraries = nullptr; ///< those of its plugin; null: none

    bool has(Property p) const { return properties & p; }
    bool is_speculatable(bool checked) const { return has(Speculatable) && !(checked && has(MayTrap)); }
    const Emitter* emitter(std::string_view target) const {
        for (auto& e : emitters)
            if (e.target == target) return &e;
        return nullptr;
    }
};

} // namespace mim
