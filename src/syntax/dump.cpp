// SPDX-License-Identifier: MIT
// A work list of texts and nodes, so that depth does not matter.
#include "syntax/dump.h"

#include <vector>

namespace mim {

using namespace ast;

namespace {

class Dumper {
public:
    template<class T>
    std::string run(const T* node) {
        put(node);
        flush();
        while (!work_.empty()) {
            Item item = std::move(work_.back());
            work_.pop_back();
            if (item.expr) expand(item.expr);
            else if (item.pattern) expand(item.pattern);
            else if (item.decl) expand(item.decl);
            else out_ += item.text;
            flush();
        }
        return std::move(out_);
    }

private:
    struct Item {
        std::string text;
        const Expr* expr       = nullptr;
        const Pattern* pattern = nullptr;
        const Decl* decl       = nullptr;
    };

    void flush() {
        for (size_t i = seq_.size(); i-- > 0;) work_.push_back(std::move(seq_[i]));
        seq_.clear();
    }
    void put(std::string s) { seq_.push_back({std::move(s)}); }
    void put(const Expr* e) { e ? seq_.push_back({" ", nullptr, nullptr, nullptr}), seq_.push_back({"", e}) : put(" -"); }
    void put(const Pattern* p) { p ? seq_.push_back({" "}), seq_.push_back({"", nullptr, p}) : put(" -"); }
    void put(const Decl* d) { seq_.push_back({" "}), seq_.push_back({"", nullptr, nullptr, d}); }
    void put(const Binder& b) { put(" '" + std::string(b.name.view()) + "'"); }
    void put(uint64_t n) { put(" " + std::to_string(n)); }
    void put(const List<Group>& groups) {
        for (auto& g : groups) {
            put(g.implicit ? " {" : " (");
            put(g.pattern);
            put(g.implicit ? "}" : ")");
        }
    }
    template<class T>
    void put(const List<T>& list) {
        put(" (");
        for (auto& x : list) put(x);
        put(")");
    }
    void put(const Dim& d) { put(d.name), put(d.arity); }
    void put(const Label& l) { put(l.name), put(l.payload); }
    void put(const Arm& a) { put(a.pattern), put(a.body); }
    void put(const SubTag& s) { put(s.names); }
    void put(const Function& f) {
        put(" " + std::to_string(static_cast<int>(f.form)));
        put(f.groups), put(f.filter), put(f.codomain), put(f.body);
    }
    template<class... Args>
    void node(const char* name, const Args&... args) {
        put(std::string("(") + name);
        (put(args), ...);
        put(")");
    }

    void expand(const Expr* e);
    void expand(const Pattern* p);
    void expand(const Decl* d);

    std::string out_;
    std::vector<Item> work_, seq_;
};

void Dumper::expand(const Expr* e) {
    switch (e->kind) {
        case ExprKind::Name: return put(std::string(as<Name>(e)->sym.view()));
        case ExprKind::Annex: return put(std::string(as<Annex>(e)->sym.view()));
        case ExprKind::Prim: return node("prim", static_cast<uint64_t>(as<Prim>(e)->prim));
        case ExprKind::NatLit: return put(std::to_string(as<NatLit>(e)->value));
        case ExprKind::IdxLit: {
            auto* l = as<IdxLit>(e);
            return node("idx", static_cast<uint64_t>(l->form), l->value, l->size);
        }
        case ExprKind::AscribedLit: return node("lit", as<AscribedLit>(e)->value, as<AscribedLit>(e)->type);
        case ExprKind::FloatLit: return node("float", " " + as<FloatLit>(e)->text.str(), as<FloatLit>(e)->type);
        case ExprKind::StrLit: return node("str", " " + std::string(as<StrLit>(e)->bytes));
        case ExprKind::Sort: return node("sort", as<Sort>(e)->level);
        case ExprKind::Sigma: return node("sigma", static_cast<const Pattern*>(as<Sigma>(e)->elems));
        case ExprKind::Tuple: return node("tuple", as<Tuple>(e)->elems);
        case ExprKind::Array: return node("array", as<Array>(e)->dims, as<Array>(e)->body);
        case ExprKind::Pack: return node("pack", as<Pack>(e)->dims, as<Pack>(e)->body);
        case ExprKind::App: return node(as<App>(e)->explicit_implicit ? "app@" : "app", as<App>(e)->callee, as<App>(e)->arg);
        case ExprKind::Operation: {
            auto* o = as<Operation>(e);
            return node("op", o->op, o->left, o->right);
        }
        case ExprKind::Extract: return node("#", as<Extract>(e)->tuple, as<Extract>(e)->index);
        case ExprKind::Insert: return node("ins", as<Insert>(e)->tuple, as<Insert>(e)->index, as<Insert>(e)->value);
        case ExprKind::Pi: return node("pi", static_cast<uint64_t>(as<Pi>(e)->form), as<Pi>(e)->domains, as<Pi>(e)->codomain);
        case ExprKind::Lam: return node("lam", as<Lam>(e)->fun);
        case ExprKind::Block: return node("block", as<Block>(e)->decls, as<Block>(e)->body);
        case ExprKind::Where: {
            auto* w = as<Where>(e);
            return w->num_before ? node("where", static_cast<uint64_t>(w->num_before), w->body, w->decls)
                                 : node("where", w->body, w->decls);
        }
        case ExprKind::Union: return node("union", as<Union>(e)->members);
        case ExprKind::Labels: return node("labels", as<Labels>(e)->labels);
        case ExprKind::Inj: {
            auto* i = as<Inj>(e);
            return i->member ? node("inj@", i->value, i->member, i->type) : node("inj", i->value, i->type);
        }
        case ExprKind::Match: return node("match", as<Match>(e)->value, as<Match>(e)->arms);
        case ExprKind::Singleton: return node("single", as<Singleton>(e)->value);
        case ExprKind::Hole: return put("_");
        case ExprKind::Error: return put("error");
    }
}

void Dumper::expand(const Pattern* p) {
    switch (p->kind) {
        case PatternKind::NamePattern: return node("name", as<NamePattern>(p)->name, as<NamePattern>(p)->type);
        case PatternKind::GroupPattern: return node("group", as<GroupPattern>(p)->names, as<GroupPattern>(p)->type);
        case PatternKind::TuplePattern: {
            auto* t = as<TuplePattern>(p);
            return node(t->square ? "[]" : "()", t->elems, t->type);
        }
        case PatternKind::AsPattern: return node("as", as<AsPattern>(p)->pattern, as<AsPattern>(p)->name);
        case PatternKind::TypePattern: return node("type", as<TypePattern>(p)->type);
        case PatternKind::LabelPattern: return node("label", as<LabelPattern>(p)->label, as<LabelPattern>(p)->payload);
    }
}

void Dumper::expand(const Decl* d) {
    if (!d->doc.empty()) put("///" + std::string(d->doc) + "\n");
    if (d->is_and) put("and ");
    switch (d->kind) {
        case DeclKind::Let: return node("let", as<Let>(d)->pattern, as<Let>(d)->value);
        case DeclKind::Rec: {
            auto* r = as<Rec>(d);
            return r->groups.empty() ? node("rec", r->name, r->type, r->value)
                                     : node("rec", r->name, r->groups, r->type, r->value);
        }
        case DeclKind::Fun: return node(as<Fun>(d)->is_extern ? "extern" : "fun", as<Fun>(d)->name, as<Fun>(d)->fun);
        case DeclKind::Axm: {
            auto* a = as<Axm>(d);
            return node(a->has_curry ? "axm," : "axm", a->name, a->subs, a->type, a->normalizer, static_cast<uint64_t>(a->curry));
        }
        case DeclKind::CDecl: {
            auto* c = as<CDecl>(d);
            return node(c->is_con ? "ccon" : "cfun", c->name, c->domain, c->type);
        }
        case DeclKind::Rule: {
            auto* r = as<Rule>(d);
            return node(r->is_norm ? "norm" : "rule", r->name, r->groups, r->lhs, r->cond, r->rhs);
        }
        case DeclKind::Op: return node("op", as<Op>(d)->op, static_cast<const Expr*>(as<Op>(d)->fun));
        case DeclKind::Import: return node(as<Import>(d)->quoted ? "import\"" : "import", as<Import>(d)->path);
        case DeclKind::Plugin: return node("plugin", as<Plugin>(d)->name);
        case DeclKind::Ret: return node("ret", as<Ret>(d)->pattern, as<Ret>(d)->callee, as<Ret>(d)->arg);
    }
}

} // namespace

std::string dump(const Expr* e) { return Dumper().run(e).substr(1); }
std::string dump(const Pattern* p) { return Dumper().run(p).substr(1); }
std::string dump(const Decl* d) { return Dumper().run(d).substr(1); }

std::string dump(const Module& m) {
    std::string s = m.doc.empty() ? "" : "//! " + std::string(m.doc) + "\n";
    for (auto* d : m.decls) (s += dump(d)) += '\n';
    return s;
}

bool equal(const Module& a, const Module& b) {
    if (a.decls.size() != b.decls.size() || a.doc != b.doc) return false;
    for (size_t i = 0; i < a.decls.size(); ++i)
        if (dump(a.decls[i]) != dump(b.decls[i])) return false;
    return true;
}

} // namespace mim
