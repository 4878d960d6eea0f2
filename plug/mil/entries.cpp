// SPDX-License-Identifier: MIT
// Functions for C. Each one is a block that takes all arguments at once and runs what is a `Proc`; code generation
// passes its values as C does.
#include "c_types.h"
#include "lower.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

class EntryPoints {
public:
    EntryPoints(FrontEndContext& c, Source& source)
        : diags_(c.diags)
        , source_(source)
        , p_(source.program)
        , types_(source.types)
        , b_(p_) {}

    void run() {
        for (auto& file : source_.files)
            for (auto& [name, place] : file->entries) entry(*file, name, place);
        b_.capture();
    }

private:
    using Signature = CSignature;

    void entry(const File&, const std::string& name, Span);
    std::optional<CPassing> passing(const Signature& s, Span place) {
        return c_passing(diags_, source_, s, std::vector(s.domain.size() + 1, place));
    }
    void wrap(Bind*, const Signature&, CPassing, Span);
    Tail call(Bind*, const Atoms&, size_t& used, bool runs, Span);
    Tail enter(Tail function, uint32_t con, Atoms args, Span);
    void claim(uint32_t block, const Signature&, CPassing);

    Diagnostics& diags_;
    Source& source_;
    Program& p_;
    Types& types_;
    CodeBuilder b_;
};

/// Its type stays as it is.
void EntryPoints::claim(uint32_t block, const Signature& s, CPassing e) {
    auto& def   = p_.blocks[block];
    auto type   = types_.apply(types_.con(">>="), {types_.tuple(s.domain), types_.tuple({s.result})});
    def.typing  = {{{}, type}, nullptr, true, false};
    def.is_kept = true;
    def.entry   = add(p_.entries, std::move(e));
}

/// The result of the function in a value.
Tail EntryPoints::enter(Tail function, uint32_t con, Atoms args, Span at) {
    auto f = b_.emit(std::move(function), "f");
    args.insert(args.begin(), b_.emit(Tail{Tail::Select, con, 0, {f}, at}, "g"));
    return tail(Tail::Enter, kNone, std::move(args), at);
}

/// A call with as many of the arguments as a block takes; `used` is how many that are.
Tail EntryPoints::call(Bind* bind, const Atoms& args, size_t& used, bool runs, Span at) {
    auto first    = [&](size_t n) { return Atoms(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(n)); };
    bool has_args = bind->arity <= args.size();
    bool runs_it  = runs && bind->runs != kNone && bind->arity == args.size();
    auto target   = runs_it ? bind->runs : has_args ? bind->block : kNone;
    used          = target == kNone ? 0 : bind->arity;
    if (target != kNone) return tail(Tail::Block, target, first(used), at);
    return tail(Tail::Return, kNone, {{Atom::Top, bind->top}}, at);
}

void EntryPoints::wrap(Bind* bind, const Signature& s, CPassing e, Span at) {
    std::vector<uint32_t> params;
    Atoms args;
    for (size_t i = 0; i != s.domain.size(); ++i) {
        params.push_back(p_.variable("x" + std::to_string(i)));
        args.push_back(variable(params.back()));
    }
    auto block  = b_.block(bind->name, params, at);
    b_.at       = block;
    size_t used = 0;
    auto result = call(bind, args, used, s.runs, at);
    bool is_run = result.op == Tail::Block && result.target == bind->runs;
    for (size_t i = used; i != args.size(); ++i) result = enter(std::move(result), p_.func, {args[i]}, at);
    if (s.runs && !is_run) result = enter(std::move(result), p_.proc, {}, at);
    b_.finish(std::move(result));
    claim(block, s, std::move(e));
}

/// In MIL it may be a block, which is the function itself.
void EntryPoints::entry(const File& file, const std::string& name, Span place) {
    auto block = file.blocks.find(name);
    auto bind  = find_value(file, name);
    if (!is_c_name(name)) return void(diags_.report(diag::no_c_name(name), place));
    if (block != file.blocks.end()) {
        std::vector<Type*> sides, domain, range;
        types_.is_apply(types_.closed(p_.blocks[block->second].typing.scheme.type), ">>=", sides);
        auto size = p_.blocks[block->second].params.size();
        types_.is_apply(sides[0], "[" + std::to_string(size) + "]", domain);
        bool is_one = types_.is_apply(sides[1], "[1]", range);
        if (!is_one) return void(diags_.report(diag::no_c_type(types_.text(sides[1])), place));
        Signature s{domain, range[0], true};
        if (auto e = passing(s, place)) claim(block->second, s, std::move(*e));
        return;
    }
    bool is_value = bind && bind->primitive == kNone;
    if (!is_value) return void(diags_.report(diag::unknown("value", name), place));
    if (!bind->scheme.variables.empty())
        return void(diags_.report(diag::no_c_type(types_.text(bind->scheme.variables[0])), place));
    auto own = bind->top == kNone ? nullptr : p_.tops[bind->top].typing.scheme.type;
    auto s   = c_signature(types_, types_.closed(own ? own : bind->scheme.type));
    if (auto e = passing(s, place)) wrap(bind, s, std::move(*e), place);
}

} // namespace

bool make_entries(FrontEndContext& c, Source& source) {
    EntryPoints(c, source).run();
    return c.diags.num_errors() == 0;
}

} // namespace mim::plug::mil
