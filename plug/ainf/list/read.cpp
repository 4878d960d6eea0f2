// SPDX-License-Identifier: MIT
// Lists out of the graph.
#include <stdexcept>
#include <unordered_map>

#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

class Reader {
public:
    explicit Reader(World& w)
        : w(w) {}

    /// Of `%ainf.list bindings result`, in two parts.
    List run(const Def* callee, const Def* arg) {
        auto bindings = arg_of(callee);
        List result;
        auto add = [&](const Def* def) {
            result.bindings.push_back(binding(def));
            if (!read_.emplace(def, &result.bindings.back()).second) fail("stands there twice");
        };
        result.bindings.reserve(2);
        if (auto tuple = bindings->isa<Tuple>()) {
            result.bindings.reserve(tuple->num_ops());
            read_.reserve(tuple->num_ops());
            for (auto def : tuple->ops()) add(def);
        } else if (match<bind>(bindings)) {
            add(bindings);
        } else if (auto pack = bindings->isa<Pack>()) { // equal bindings
            add(pack->body()), add(pack->body());
        } else if (bindings != w.unit()) {
            throw std::runtime_error("a list has bindings that are no tuple of `%ainf.bind`");
        }
        result.result = operand(arg);
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("in the list, x" + std::to_string(number_) + " " + what);
    }
    uint32_t number(const Def* def) const {
        auto n = value(def);
        if (!n || *n > UINT32_MAX) fail("has a number that is not known, or too large");
        return static_cast<uint32_t>(*n);
    }
    Binding binding(const Def*);
    const std::optional<Frame>& binder(const Def* kind);
    std::optional<Frame> make_binder(const Def* kind);
    Frame frame(const Def* kind, const Def*& family);
    Frame inner_frame(const Def* inner, Kind);
    void of_functions(Frame&, const Def* functions);
    const Def* variable(const Def*& family);
    const Def* enter(const Def*& family, uint32_t index);
    Operand condition(const Def*);
    std::optional<Frame> proof(const Def* type);
    Operand operand(const Def*);
    void applied(const Binding&, const std::vector<const Def*>& args);
    Primitive primitive(const Def*, const Def* inner);
    Primitive simple(const Operation&, const Def*);
    Primitive plain(Op op, const Def* def, std::vector<Operand> args) {
        return {.op = op, .type = def->type(), .args = std::move(args)};
    }
    Primitive function(const Lam*, const Def* inner);
    Primitive table(const Def*, const Def* inner);
    Primitive choice(const Def*);
    Primitive fold(const Def*, Op, const Def* z, const Def* step, const Def* inner);
    Operand branch(const Def*, const Operand& condition, Kind);

    World& w;
    uint32_t number_ = 0; ///< of the binding that is read
    std::unordered_map<const Def*, const Binding*> read_;
    std::unordered_map<const Def*, std::optional<Frame>> binders_; ///< most bindings stand under frames of others
    std::unordered_map<const Def*, uint32_t> indices_;             ///< the names of variables of the binding that is read
    std::unordered_map<const Def*, std::pair<Kind, Operand>> proofs_;
};

/// The variable of a function, whose body is left.
const Def* Reader::variable(const Def*& family) {
    auto lam = family->isa<Lam>();
    if (!lam || !lam->is_set()) fail("is no function of what its frames bind");
    family = lam->body();
    return lam->var();
}

/// The type of that variable, which is an index.
const Def* Reader::enter(const Def*& family, uint32_t index) {
    auto var = variable(family);
    indices_.insert_or_assign(var, index);
    return var->type();
}

void Reader::of_functions(Frame& f, const Def* functions) {
    auto type  = functions->type();
    auto arity = type == w.nat()         ? std::optional<uint64_t>(1)
                 : type->isa<mim::Arr>() ? value(type->as<mim::Arr>()->arity())
                                         : std::nullopt;
    if (!arity) fail("is under a frame whose functions are not known");
    for (uint64_t i = 0; i != *arity; ++i) f.functions.push_back(number(elem(w, functions, i)));
    std::ranges::sort(f.functions);
    auto twice = std::ranges::unique(f.functions);
    f.functions.erase(twice.begin(), twice.end());
}

/// A frame that binds indices, without their types; nothing if it is a condition's.
const std::optional<Frame>& Reader::binder(const Def* kind) {
    auto [known, is_new] = binders_.try_emplace(kind);
    if (is_new) known->second = make_binder(kind);
    return known->second;
}

std::optional<Frame> Reader::make_binder(const Def* kind) {
    if (auto def = match<of>(kind)) {
        auto [index, functions] = elems<2>(w, def.arg());
        Frame f{.kind = Kind::Fun, .index = number(index)};
        of_functions(f, functions);
        return f;
    }
    if (auto def = match<each>(kind)) return Frame{.kind = Kind::For, .index = number(def.arg())};
    if (auto def = match<turn>(kind)) {
        auto [index, fold] = elems<2>(w, def.arg());
        return Frame{.kind = Kind::Fold, .index = number(index), .fold = number(fold)};
    }
    return {};
}

Frame Reader::frame(const Def* kind, const Def*& family) {
    if (auto& known = binder(kind)) {
        auto f = *known;
        f.type = enter(family, f.index);
        if (f.kind == Kind::Fold) f.turn = enter(family, f.index + 1);
        return f;
    }
    auto def = match<ainf::branch>(kind);
    if (!def) fail("is under a frame that is none");
    auto var = variable(family);
    auto f   = proof(var->type());
    if (!f) fail("is under a condition that it takes no proof of");
    bool is_it = (f->kind == Kind::Holds) == (def.sub() == ainf::branch::holds);
    if (!is_it) fail("is under `" + frame_text(*f) + "`, and its frame is the other branch");
    proofs_.insert_or_assign(var, std::pair{f->kind, f->condition});
    return *f;
}

/// The frame that an operation puts around its body.
Frame Reader::inner_frame(const Def* inner, Kind kind) {
    auto& f = binder(inner);
    if (!f || f->kind != kind) fail("does not say what its body stands under");
    return *f;
}

/// A binding is applied to the variables of its own frames, where it is used: those that have the names of its indices,
/// and proofs of its conditions.
void Reader::applied(const Binding& used, const std::vector<const Def*>& args) {
    Operand x{false, used.number};
    size_t next  = args.size(); // the first one is the innermost argument
    auto differs = [&](const Frame& f) { fail("uses " + operand_text(x) + " with something else for `" + frame_text(f) + "`"); };
    auto take    = [&](const Frame& f) {
        if (next == 0) fail("uses " + operand_text(x) + " without its frame `" + frame_text(f) + "`");
        return args[--next];
    };
    auto take_index = [&](const Frame& f, uint32_t name) {
        auto found = indices_.find(take(f));
        if (found == indices_.end() || found->second != name) differs(f);
    };
    for (auto& f : used.env) {
        if (f.is_condition()) {
            auto found = proofs_.find(take(f));
            if (found == proofs_.end() || found->second != std::pair{f.kind, f.condition}) differs(f);
            continue;
        }
        take_index(f, f.index);
        if (f.kind == Kind::Fold) take_index(f, f.index + 1);
    }
    if (next != 0) fail("has an operand that is a call, and no single operation");
}

Operand Reader::operand(const Def* def) {
    if (auto index = indices_.find(def); index != indices_.end()) return {true, index->second};
    std::vector<const Def*> args;
    while (true) {
        if (auto found = read_.find(def); found != read_.end()) {
            applied(*found->second, args);
            return {false, found->second->number};
        }
        auto app = def->isa<App>();
        if (!app) fail("has an operand that is neither a binding before it nor an index");
        args.push_back(app->arg());
        def = app->callee();
    }
}

/// A condition is a whole binding, or an index.
Operand Reader::condition(const Def* def) {
    if (auto index = indices_.find(def); index != indices_.end()) return {true, index->second};
    auto found = read_.find(def);
    if (found == read_.end()) fail("is under a condition that is neither a binding before it nor an index");
    return {false, found->second->number};
}

/// The condition that a proof is of.
std::optional<Frame> Reader::proof(const Def* type) {
    auto holds = match<Holds>(type);
    auto fails = match<Fails>(type);
    if (!holds && !fails) return {};
    return Frame{.kind = holds ? Kind::Holds : Kind::Fails, .condition = condition(arg_of(type))};
}

Binding Reader::binding(const Def* def) {
    auto bind = match<ainf::bind>(def);
    if (!bind) throw std::runtime_error("a list has a part that is no `%ainf.bind`");
    auto [number, frames, inner] = elems<3>(w, bind.group(1));
    auto count                   = value(elem(w, bind.group(0), 0));
    number_                      = this->number(number);
    indices_.clear(), proofs_.clear(); // a binding is closed
    if (!count || *count > kMaxFrames) fail("has frames that are not known, or too many");
    Binding b{.number = number_, .env = {}, .p = {}};
    auto family = bind.arg();
    b.env.reserve(*count);
    for (uint64_t i = 0; i != *count; ++i) b.env.push_back(frame(elem(w, frames, i), family));
    b.p = primitive(family, inner);
    return b;
}

Primitive Reader::simple(const Operation& op, const Def* def) {
    std::vector<Operand> args;
    for (auto arg : op.args) args.push_back(operand(arg));
    auto p    = plain(op.op, def, std::move(args));
    auto mode = op.mode ? value(op.mode) : 0;
    if (!mode) fail("has a mode that is not known");
    p.mode = *mode;
    return p;
}

Primitive Reader::function(const Lam* lam, const Def* inner) {
    auto f          = inner_frame(inner, Kind::Fun);
    const Def* body = lam;
    f.type          = enter(body, f.index);
    auto p          = plain(Op::Fun, lam, {operand(body)});
    p.body          = {f};
    return p;
}

Primitive Reader::table(const Def* def, const Def* inner) {
    auto f    = inner_frame(inner, Kind::For);
    auto body = arg_of(def);
    f.type    = enter(body, f.index);
    auto p    = plain(Op::For, def, {operand(body)});
    p.body    = {f};
    return p;
}

Operand Reader::branch(const Def* def, const Operand& condition, Kind kind) {
    auto var = variable(def);
    auto f   = proof(var->type());
    if (!f || f->kind != kind || f->condition != condition) fail("has a branch that takes no proof of its condition");
    proofs_.insert_or_assign(var, std::pair{kind, condition});
    return operand(def);
}

Primitive Reader::choice(const Def* def) {
    auto c              = operand(group(def, 1));
    auto [holds, fails] = elems<2>(w, arg_of(def));
    auto first          = branch(holds, c, Kind::Holds);
    return plain(Op::Ite, def, {c, first, branch(fails, c, Kind::Fails)});
}

Primitive Reader::fold(const Def* def, Op op, const Def* z, const Def* step, const Def* inner) {
    auto f     = inner_frame(inner, Kind::Fold);
    auto start = operand(z);
    f.type     = enter(step, f.index);
    f.turn     = enter(step, f.index + 1);
    auto p     = plain(op, def, {start, operand(step)});
    p.body     = {f};
    return p;
}

Primitive Reader::primitive(const Def* def, const Def* inner) {
    if (is_literal(def)) return {.op = Op::Literal, .type = def->type(), .literal = def};
    if (auto lam = def->isa<Lam>()) return function(lam, inner);
    if (match<tab>(def)) return table(def, inner);
    if (match<ite>(def)) return choice(def);
    if (auto m = match<ainf::fold>(def)) return fold(def, Op::Fold, m.group(1), m.arg(), inner);
    if (auto m = match<scan>(def)) return fold(def, Op::Scan, m.group(1), m.arg(), inner);
    auto op = isa_operation(w, def);
    if (!op) fail("is no operation of lists");
    return simple(*op, def);
}

} // namespace

List read(World& w, const Def* program) { return Reader(w).run(callee_of(program), arg_of(program)); }

std::string verify_list(World& w, const Def* callee, const Def* arg) {
    auto bindings = arg_of(callee);
    bool is_known = bindings->isa<Tuple>() || bindings->isa<Pack>() || bindings->isa<Lit>() || match<bind>(bindings);
    if (!is_known) return {};
    try {
        verify(Reader(w).run(callee, arg));
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return {};
}

} // namespace mim::plug::ainf
