// SPDX-License-Identifier: MIT
#include "signature.h"

#include <algorithm>

#include "cli/run/signature.h"

namespace mim::plug::rise {

namespace {

class Writer {
public:
    Writer(const Definition& def, Types& types, std::string& why)
        : def_(def)
        , types_(types)
        , why_(why) {}

    std::string run() {
        constexpr std::string_view kinds[] = {"", "a type", "an address space", "a function of sizes"};
        auto t                             = types_.resolve(def_.type);
        for (; t->kind == Type::Dep; t = types_.resolve(t->second)) {
            if (t->binder->sort != Sort::Nat) fail("it takes " + std::string(kinds[static_cast<size_t>(t->binder->sort)]));
            out_.add_size(t->binder->name, t->binder->nat);
            taken_.push_back(t->binder->nat);
        }
        for (size_t i = 0; i != def_.num_derived; ++i) derived(types_.derived()[def_.first_derived + i]);
        rules();
        text_ += "|";
        if (!def_.free.empty() && !def_.is_tied) fail("its type is not determined");
        auto body = def_.body;
        while (body->kind == Expr::DepFun) body = body->parts[0];
        for (size_t i = 0; t->kind == Type::Fun; t = types_.resolve(t->second), ++i) {
            bool is_named = body->kind == Expr::Fun;
            text_ += is_named ? std::string(body->binder->name) : std::to_string(i + 1);
            if (is_named) body = body->parts[0];
            text_ += ":";
            type(t->first);
        }
        text_ += ">";
        type(t);
        return text_;
    }

private:
    void fail(std::string why) {
        if (why_.empty()) why_ = std::move(why);
    }
    void derived(const Types::Derived& d) {
        text_ += d.is_quotient ? "?/" : "?-";
        size(d.left, false);
        size(d.right, false);
        out_.add_size(d.var);
    }
    void facts(const Expr* e) {
        for (auto& f : e->facts) {
            constexpr char kinds[] = {'d', 'l', 's', 'q'};
            text_ += "?";
            text_ += kinds[f.kind];
            size(f.left_size, false);
            size(f.right_size, false);
            text_ += f.text + ";";
        }
    }
    void rules() {
        for (auto e = static_cast<const Expr*>(def_.body); e->kind == Expr::DepFun; e = e->parts[0]) facts(e);
    }
    /// Lengths may have these, and facts not.
    std::optional<cli::Signature::Operation> operation(Polynomial::Var x) const {
        auto atom = types_.isa_atom(x);
        if (!atom) return {};
        constexpr std::pair<NatOp, char> kinds[] = {
            {NatOp::Pow, '^'}, {NatOp::Div, '/'}, {NatOp::Mod, '%'}, {NatOp::Min, '<'}, {NatOp::Max, '>'}};
        auto found = std::ranges::find(kinds, atom->op, [](auto& row) { return row.first; });
        if (found == std::end(kinds)) return {};
        return cli::Signature::Operation{found->second, atom->left, atom->right};
    }
    /// An expression in sizes that the program takes stays as it is: arguments give these sizes, also where a fact does.
    bool is_of_taken(const Polynomial& p) const {
        auto is_taken = [&](auto x) { return std::ranges::find(taken_, x) != taken_.end(); };
        return std::ranges::all_of(p.terms(), [&](auto& term) { return std::ranges::all_of(term.first, is_taken); });
    }
    void size(const Polynomial& p, bool is_known = true) {
        auto operations = [this](auto x) { return operation(x); };
        auto known      = is_known && !is_of_taken(p) ? types_.in_user_names(p) : p;
        bool is_written = is_known ? out_.write(known, operations) : out_.write(known);
        if (is_written) return;
        auto size = "`" + types_.text(p) + "`";
        fail(is_known ? "the length " + size + " is not made of sizes that it takes"
                      : "a fact speaks of " + size + ", which is no sum of products");
    }
    void type(Type* t) {
        t = types_.resolve(t);
        switch (t->kind) {
            case Type::Scalar: {
                constexpr std::string_view codes[] = {"b", "s1", "s2", "s4", "s8", "u1", "u2", "u4", "u8", "h", "e", "f", "n"};
                text_ += codes[static_cast<size_t>(t->scalar)];
                return;
            }
            case Type::Idx: text_ += "i"; return size(t->size);
            case Type::Array:
            case Type::Vec:
                text_ += "a";
                size(t->size);
                return type(t->first);
            case Type::Pair:
                text_ += "p";
                type(t->first);
                return type(t->second);
            case Type::Fun:
            case Type::Dep: return fail("a function is in its arguments or its result");
            default: return fail("its type is not determined");
        }
    }

    const Definition& def_;
    Types& types_;
    std::string& why_;
    std::vector<Polynomial::Var> taken_;
    cli::Signature out_;
    std::string& text_ = out_.text;
};

} // namespace

std::string signature_of(const Definition& def, Types& types, std::string& why) { return Writer(def, types, why).run(); }

} // namespace mim::plug::rise
