// SPDX-License-Identifier: MIT
// Random Mim programs, well typed by construction: for each type there are ways to make an expression of it from variables in scope
// and smaller expressions. A program is an external function of four 64-bit numbers and what it calls; it depends on its seed
// alone. It ends on every input. Most are defined on every input; with `risk`, some operations may be undefined on some.
//
// One file per kind of thing: expressions (gen_expr.cpp), the operations of %core (gen_core.cpp) and %vec
// (gen_vector.cpp), functions (gen_function.cpp) and such that escape (gen_escape.cpp), sizes that others depend on
// (gen_sized.cpp), unions (gen_union.cpp), existential packages (gen_package.cpp), recursive types
// (gen_recursive.cpp), functions that compute types (gen_types.cpp), functions over long arrays (gen_long.cpp) and
// over ones whose length nobody knows (gen_open.cpp), loops that carry such arrays (gen_carried.cpp), continuations
// (gen_cps.cpp), exits through recursion (gen_exit.cpp), counted loops (gen_affine.cpp), memory (gen_memory.cpp),
// tokens in aggregates (gen_token.cpp); and, in programs of their own, effects in direct style (gen_direct.cpp) and
// calls in direct style that may leave (gen_leaving.cpp).
#pragma once
#include <array>
#include <set>
#include <string>
#include <vector>

#include "random.h"
#include "tree.h"
#include "type.h"

namespace agree {

/// The features that can be left out of programs.
inline const std::array all_features = {
    "union",       "mem",    "poly",   "rec",  "loop",        "affine",  "fn",     "array",    "big",
    "div",         "zip",    "dep",    "sing", "pe",          "trace",   "ptr",    "bytes",    "lengths",
    "higher",      "escape", "vec",    "risk", "tags",        "closure", "size",   "sizecall", "package",
    "packagecall", "object", "stream", "list", "closurelist", "types",   "curry",  "exit",     "exitfunction",
    "slots",       "token",  "long",   "open", "carried",     "equal",   "between"};

/// Features that are left out by default, since something is wrong with them.
inline const std::set<std::string> pending = {"keep", "equal"};

struct GenOptions {
    unsigned depth                = 5;       ///< of expressions
    unsigned budget               = 90;      ///< about this many nodes in a program at most
    unsigned carried              = 4;       ///< percent of programs that are loops over arrays
    std::set<std::string> without = pending; ///< features that are left out, see Gen::has
};

using Input = std::array<uint64_t, 4>;

struct Program {
    std::string name; ///< of the external function
    Tree tree;        ///< its declarations
    std::vector<Input> inputs;
    std::set<std::string> uses; ///< of all_uses
};

/// The uses of features that the table counts.
inline const std::array all_uses = {"sizes",
                                    "calls in types",
                                    "types",
                                    "unions",
                                    "existentials",
                                    "recursive types",
                                    "functions as values",
                                    "closures in memory",
                                    "tokens in aggregates",
                                    "exits",
                                    "slots in loops",
                                    "arrays in loops",
                                    "effects between loops"};

/// `index` + `offset`, as an index of an array of `n` elements, in a program.
std::string index_at(const std::string& n, const std::string& index, unsigned offset = 0);

/// The length of the arrays of a program, 1 to 4, which its first input says.
inline constexpr const char* length_from_input = "%core.nat.add (1, %core.bitcast Nat (%core.conv.u 4 x0))";

/// The program of these choices, or of this seed; `name` is a prefix that no other program of the module has.
Program generate(Random, const std::string& name, const GenOptions&);
Program generate(uint64_t seed, const std::string& name, const GenOptions&);
/// A module of its own, of effects in direct style (gen_direct.cpp). The checker may refuse it for its tokens.
Program generate_direct_style(uint64_t seed, const std::string& name, const GenOptions&);

/// A module of its own, of calls that may leave while tokens are open (gen_leaving.cpp). The checker may refuse it as
/// well.
Program generate_leaving(uint64_t seed, const std::string& name);

/// What every module begins with: plugins, functions that programs share.
extern const char* const prelude;

struct Var {
    std::string name;
    Type type;
};
using Scope = std::vector<Var>;

class Gen {
public:
    Gen(Random, std::string prefix, const GenOptions&);
    Program make();

private:
    struct Pointer {
        std::string name;
        Type type;
        unsigned root; ///< of the allocation it points into
        bool heap = false, freed = false;
    };

    /// Features: see `all_features`.
    bool has(const char* feature) const { return !options_.without.count(feature); }
    std::string fresh(const char* stem) { return "_" + (stem + std::to_string(counter_++)); }
    std::string helper(const char* stem) { return prefix_ + "_" + (stem + std::to_string(helpers_++)); }
    void use(const char* what) { uses_.insert(what); }
    /// One more thing that may be undefined.
    bool risky() { return risk_ != 0 && random_.chance(risk_); }
    bool coin() { return random_.chance(50); }
    unsigned half(unsigned depth) { return depth / 2; }

    Program finish(Tree run);

    // types
    uint64_t idx_size();
    Type scalar();
    Type type(unsigned depth);
    Type union_of(unsigned depth);
    Type tagged_union(uint64_t members, unsigned depth);
    Type recursive();

    // expressions
    std::string literal(const Type&);
    Tree leaf(const Type&, const Scope&);
    Tree expr(const Type&, unsigned depth, const Scope&);
    Tree expr_of(const Type&, unsigned depth, const Scope&);
    Tree args(const std::vector<Type>&, unsigned depth, const Scope&);
    Tree aggregate(const Type&, unsigned depth, const Scope&);
    Tree compound(const Type&, unsigned depth, const Scope&);
    Tree choice(const Type&, unsigned depth, const Scope&);
    Tree binding(const Type&, unsigned depth, const Scope&);
    Tree match(const Type&, unsigned depth, const Scope&);
    Tree pattern(const Type& member, Scope&);
    Tree wide(const Type&, unsigned depth, const Scope&);
    Tree zip(const Type&, unsigned depth, const Scope&);
    Tree hash(Tree value, const Type&);
    Tree hash_of(Tree value, const Type&);
    Tree from_input(const std::string& word, const Type&);

    // operations of %core
    Tree number(const Type&, unsigned depth, const Scope&);
    Tree conversion(const Type&, unsigned depth, const Scope&);
    Tree truth(unsigned depth, const Scope&);
    Tree natural(unsigned depth, const Scope&);
    Tree count(unsigned depth, const Scope&);
    std::string mode();

    // vectors: of n lanes of type t
    Tree vector(uint64_t n, const Type& t, unsigned depth, const Scope&);
    Tree vector_of(uint64_t n, const Type& t, unsigned depth, const Scope&);
    Tree from_vector(const Type&, unsigned depth, const Scope&);

    // functions
    std::string filter(const std::vector<Var>& params);
    Tree params(const std::vector<Var>&);
    std::vector<Var> fresh_params(size_t n, unsigned depth);
    Tree lambda(const Type& dom, const Type& codom, unsigned depth, const Scope&);
    Tree call(const Type&, unsigned depth, const Scope&);
    Tree recursion(const Type&, unsigned depth, const Scope&);
    Tree fold(const Type&, unsigned depth, const Scope&);
    Tree range(unsigned depth, const Scope&);
    Tree mutual(const Type&, unsigned depth, const Scope&);
    Tree polymorphic(const Type&, unsigned depth, const Scope&);
    Tree own_polymorphic(const Type&, unsigned depth, const Scope&);
    Tree higher_order(const Type&, unsigned depth, const Scope&);
    Tree dependent(const Type&, unsigned depth, const Scope&);
    Tree evaluation(const Type&, unsigned depth, const Scope&);

    // sizes that types depend on
    Tree size(unsigned depth, const Scope&);
    Tree index(const Type&, unsigned depth, const Scope&);
    Tree opened(const Type&, unsigned depth, const Scope&);
    Tree sized_call(const Type&, unsigned depth, const Scope&);
    Tree size_by_call(const Type&, unsigned depth, const Scope&);
    Tree sized_array(Scope&);

    // existential packages
    Tree package(const Type&, unsigned depth, const Scope&);
    Tree object(Scope&);

    // recursive types
    Tree unfolded(const Type&, unsigned depth, const Scope&);
    Tree linked_list(Scope&);
    Tree linked_tree(Scope&);
    Tree linked_pair(Scope&);

    // types that are computed
    Tree chosen_type(const Type&, unsigned depth, const Scope&);
    Tree curried(const Type&, unsigned depth, const Scope&);

    // long arrays
    Tree long_pack(const Type& array, unsigned depth, Scope, const std::vector<std::string>& arrays);
    Tree long_argument(const Type& array, unsigned calls, const std::string& f, const Type& u, unsigned depth, const Scope&);
    Tree long_arrays(const Type&, unsigned depth, const Scope&);

    // arrays of run-time length; `n` is the length, `a` and `b` are two of them
    Tree open_index(unsigned depth, const Scope&);
    Tree open_pack(const Type& elem, unsigned depth, Scope, const std::vector<std::string>& arrays);
    Tree open_array(const Type& elem, unsigned depth, const Scope&);
    Tree open_arrays(const Type&, unsigned depth, const Scope&);

    // loops that carry several arrays of `n` elements, or of n rows
    struct Carried {
        Type elem     = i64();
        unsigned rank = 1;
        std::string width;                 ///< the elements of a row
        std::string keep, loop;            ///< a function that returns its array; the loop
        std::vector<std::string> arrays;   ///< in scope
        std::vector<std::string> indices;  ///< in scope, as Nat
        std::vector<std::string> pointers; ///< to such arrays; empty: there is no token
        Scope scalars;                     ///< in scope; the first one is carried as well
        std::string type() const;
        /// The length of an array that has `dims` dimensions.
        std::string extent(unsigned dims) const { return rank == 2 && dims == 1 ? width : "n"; }
    };
    std::string carried_index(const Carried&, unsigned rank);
    std::string carried_part(const Carried&, unsigned rank);
    Tree carried_element(const Carried&, unsigned depth);
    Tree carried_truth(const Carried&);
    Tree carried_value(const Carried&, unsigned rank, unsigned depth);
    Tree carried_statement(Carried&);
    Tree carried_block(Carried, const std::string& target, size_t num_arrays);
    Tree carried_end(Carried);
    Tree carried_first(const Carried&, const std::vector<std::string>& places);
    Tree carried_pack(const Carried&);
    Tree carried_memory(const Carried&);
    Tree carried_start(const Carried&, size_t num_arrays);
    Tree carried_keep(const Carried&);
    Tree carried_function(const std::string& f, const Carried&);
    Tree carried_arrays();

    /// Functions of several loops, with memory for arrays.
    struct Between {
        Carried c;
        std::string total, fill; ///< functions that have a loop
    };
    Tree between_total(const Between&);
    Tree between_fill(const Between&);
    Tree between_load(const Between&, const std::string& v);
    Tree between_count(const Between&);
    Tree between_sum(Between&);
    Tree between_update(Between&);
    Tree between_statement(Between&);
    Tree between_end(Between&);
    Tree between_function(const std::string& f, Between);
    Tree effects_between_loops();

    // functions that escape
    Tree escaping(const Type&, unsigned depth, const Scope&);
    Tree stored_closure(const Scope&);

    // continuations: bodies of functions that return a T, with a token if `mem`. The token is called `mem` everywhere, so that a
    // statement may go without anyone missing it.
    struct Body {
        Type result;
        bool mem;
    };
    struct Fun {
        std::string name;
        std::vector<Var> params;
        Body body;
    };
    Tree returns(const Body&, Tree value);
    Tree body(const Body&, unsigned steps, Scope);
    Tree block(std::vector<Tree> statements, Tree last);
    Tree arm(const std::string& head, const Body&, uint64_t statements, const Scope&, const std::string& target, const Type&);
    Tree diamond(const Body&, unsigned steps, Scope);
    Tree loop(const Body&, unsigned steps, Scope);
    Tree counted_loop(const Body&, unsigned steps, Scope);
    Tree dispatch(const Body&, unsigned steps, const Scope&);
    Tree with_inner_fun(const Body&, unsigned steps, Scope);
    std::vector<Tree> statements(uint64_t n, bool mem, Scope&);
    Tree fun_call(bool mem, Scope&);
    const Fun& new_fun(bool mem);
    Tree fun_decl(const Fun&, Tree body);
    Tree recursive_body(const Fun&);

    // exits through recursion, and a slot for each activation
    Tree exit(bool mem, Scope&);
    Tree slots_in_loop(Scope&);

    // tokens in aggregates: one statement each
    Tree token_statement(Scope&);
    Tree nested_token(Scope&);
    Tree curried_token(Scope&);
    Tree polymorphic_token(Scope&);
    Tree token_in_union(Scope&);
    Tree chosen_token(Scope&);
    Tree wide_effect(bool cps, Scope&);

    // memory: one statement each; empty if it has no use here
    Tree effect(bool cps, Scope&);
    Tree allocate(Scope&);
    Tree run_time_array(bool cps, Scope&);
    Tree load(Scope&);
    Tree store(Scope&);
    Tree element(Scope&);
    Tree release();
    Tree divide(Scope&);
    Tree trace(Scope&);
    Tree cast_pointer();
    Tree pun(Scope&);
    Tree stored_pointer();
    Tree stored_function(Scope&);
    Tree memory_function(Scope&);
    const Pointer* pointer();

    Random random_;
    std::string prefix_;
    const GenOptions& options_;
    unsigned risk_    = 0;
    long budget_      = 0;
    unsigned counter_ = 0, helpers_ = 0;
    std::vector<Tree> decls_;
    std::vector<Type> recs_; ///< recursive types of this program
    bool in_rec_ = false;    ///< while one is made
    std::set<std::string> uses_;
    std::vector<Pointer> pointers_;
    size_t arm_base_ = 0;   ///< pointers from here on are this arm's own
    std::vector<Fun> funs_; ///< functions in continuation-passing style that may be called here
};

} // namespace agree
