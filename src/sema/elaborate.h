// SPDX-License-Identifier: MIT
// Syntax tree → graph. Resolves names, removes the sugar of the surface language, infers implicit arguments and reports what is
// wrong at the user's line; all typing is the World's. One Elaborator serves one World: the host calls it for each file, also
// while another file is being elaborated (`import`, `plugin`).
//
//     Elaborator sema(world, diags, host);
//     const Scope* names = sema.elaborate(parse(file, …));
//
// Recovery: a broken expression poisons what is built on it, silently, so each mistake is reported once and one run shows many.
// After errors the World holds incomplete functions: nothing may run on it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/span.h"
#include "base/symbol.h"
#include "diag/diag.h"
#include "ir/world.h"
#include "syntax/ast.h"

namespace mim {

struct Constructor;
struct View;

/// The names that a file declares at top level (annexes are in one global name space and not listed), for those who import it.
struct Scope {
    struct Name {
        Symbol name;
        const Def* def   = nullptr; ///< null: its declaration had an error
        const View* view = nullptr; ///< field names beside its type
        Span span;
        Constructor* constructor = nullptr; ///< of a label, which makes the value when it is used
    };
    std::vector<Name> names; ///< in order of declaration; of several with one name the last one counts
};

/// A call that an operator would make as well: `%core.nat.add (a, b)` is `a + b`.
struct OperatorCall {
    struct Operand {
        Span span; ///< empty: the operator stands in front of the other operand
        bool is_literal;
    };
    Span call;
    Symbol op;
    Operand left, right;
    bool has_one_type; ///< a literal beside the other operand would get its type from that
};

/// What elaboration needs to know of the world of files and plugins. Every function that returns null has reported why.
class SemaHost {
public:
    virtual ~SemaHost() = default;
    /// `import f;`: finds, parses and elaborates the file unless that was done before, and returns what it declares.
    virtual const Scope* import(const ast::Import&) = 0;
    /// `plugin p;`: likewise, with the plugin's library loaded before its file is elaborated.
    virtual const Scope* plugin(const ast::Plugin&) = 0;
    /// The descriptor of `annex`, which is `%p.tag` or one canonical `%p.tag.sub` of the declaration. If the declaration names
    /// no curry counter, elaboration sets it to the number of argument groups in the axiom's type.
    virtual Axiom* axiom(const ast::Axm&, Symbol annex) = 0;
    /// A descriptor for a C function of this kind and name; one for each name, owned by the host.
    virtual Axiom* c_function(const ast::CDecl&) = 0;
    /// The number of an annex that `let`, `rec` or a function defines.
    virtual const AnnexId* annex_id(const ast::Binder& annex) = 0;
    /// Whether this plugin is not there and one that was asked for could not be loaded, maybe this one under a wrong name: that its
    /// annexes are missing needs no further report.
    virtual bool is_missing(std::string_view plugin) const = 0;
    /// Whether there is a plugin of this name to load.
    virtual bool can_load(std::string_view plugin) const = 0;
    /// A plugin that is not loaded and offers operations for an operator; empty if none does.
    virtual std::string plugin_with_operator(std::string_view) { return {}; }
    /// The plugin whose file is being elaborated; empty: the program's.
    virtual std::string_view owner() const = 0;
    /// Whether this text may name axioms that only phases make: that of a plugin, or one that phases made.
    virtual bool may_name_internals() const = 0;
};

class Elaborator {
public:
    Elaborator(World&, Diagnostics&, SemaHost&);
    ~Elaborator();

    /// Elaborates all declarations of the file, and frees the tree of each but the axioms as it goes: `m.decls` must not be read
    /// afterwards. The result lives as long as the Elaborator.
    const Scope* elaborate(ast::Module&);
    /// Elaborates what parse_expr made; `scope` is visible in it (may be null). Null after a report.
    const Def* elaborate_expr(const ast::Module&, const Scope* scope = nullptr);
    /// The outermost groups of all functions that the program's files declare, inner ones and those whose calls were all evaluated too.
    const std::vector<const Lam*>& functions() const;
    /// Those of them that make memory of their activation in a block, as they were read: there the block makes it. For the check of tokens.
    const std::vector<const Lam*>& functions_as_read() const;

    /// From now on, calls that operators would make as well are kept.
    void keep_operator_calls();
    /// Those that were kept, of all files. Each stands behind those inside of it.
    const std::vector<OperatorCall>& operator_calls() const;

    struct Shared;

private:
    std::unique_ptr<Shared> shared_;
};

/// Reports an error of the graph at a place of the text, its expressions printed as the user would write them.
/// `name_of`: see show().
Diagnostic& report(Diagnostics&, World&, const Error&, Span, const std::function<std::string(const Def*)>& name_of = {});

} // namespace mim
