// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include <functional>
#include <map>

namespace mim::plug::refly::test {

namespace {

/// What the plugin registers, by name.
struct Registry : PluginBuilder {
    std::map<std::string, Normalizer> normalizers;
    std::map<std::string, Axiom> axioms;

    void normalizer(std::string_view name, Normalizer n) override { normalizers[std::string(name)] = n; }
    AxiomBuilder axiom(std::string_view name) override { return AxiomBuilder({&axioms[std::string(name)]}); }
    void phase(std::string_view, std::string_view, std::function<void(PhaseContext&)>, bool) override {}
    Join joined; // the last one
    JoinBuilder join(std::string_view, std::string_view) override { return JoinBuilder(joined); }
    void extension_point(std::string_view, std::string_view) override {}
    void with_default_pipeline() override {}
    void front_end(std::string_view, FrontEnd) override {}
    void formatter(std::string_view, Formatter) override {}
    void back_end(std::string_view, std::string_view, std::string_view, BackEnd) override {}
    void library(RuntimeLibrary) override {}
    void collector(CollectorRuntime) override {}
    std::string folder() const override { return {}; }
    void operator_call(std::string_view, std::string_view) override {}
    void option(std::string_view, SettingValue, std::string_view) override {}
    void command(const CommandSpec&, CommandFunction) override {}
    void diagnostics(std::span<const PluginDiag>) override {}
};

Registry& registered() {
    static Registry r = [] {
        Registry fresh;
        register_normalizers(fresh);
        register_meanings(fresh);
        return fresh;
    }();
    return r;
}

Normalizer normalizer(const std::string& tag) { return registered().normalizers.at("normalize_" + tag); }
Meaning meaning(const std::string& tag) { return registered().axioms.at("%refly." + tag).meaning; }

} // namespace

Refly::Refly() {
    term_type = add("%refly.Term", w.star(), 0);
    next      = add("%demo.next", w.pi(w.nat(), w.nat()), 0);
    add_code();
    add_terms();
}

void Refly::add_code() {
    add(Code(0), "%refly.Code", {0, 1}, w.pi(w.star(), w.star()), 1, nullptr, nullptr);
    auto of = [&](auto codom) { // {T: *} …
        auto pi = w.mut_pi(w.star(), true);
        return w.seal(pi, codom(pi->var()));
    };
    auto same = of([&](const Def* t) { return w.pi(t, t); });
    add(reify(0), "%refly.reify", {0, 1}, of([&](const Def* t) { return w.pi(t, code_type(t)); }), 2, normalizer("reify"),
        meaning("reify"));
    add(reflect(0), "%refly.reflect", {0, 1}, of([&](const Def* t) { return w.pi(code_type(t), t); }), 2, normalizer("reflect"),
        meaning("reflect"));
    add(dbg(0), "%refly.dbg", {0, 2}, same, 2, normalizer("dbg"), meaning("dbg"));
    auto text  = w.mut_pi(w.nat(), true);
    auto type  = w.mut_pi(w.star(), true);
    auto group = w.sigma({w.bool_type(), type->var(), w.arr(text->var(), w.idx(256))});
    add(check(0), "%refly.check", {0, 2}, w.seal(type, w.seal(text, w.pi(group, type->var()))), 3, normalizer("check"),
        meaning("check"));
    add(untyped(0), "%refly.untyped", {0, 1}, of([&](const Def* t) { return w.pi(code_type(t), term_type); }), 2,
        normalizer("untyped"), nullptr);
    auto as = w.mut_pi(w.star());
    add(typed(0), "%refly.typed", {0, 1}, w.seal(as, w.pi(term_type, code_type(as->var()))), 2, normalizer("typed"), nullptr);
}

void Refly::add_terms() {
    auto quoted = [&](unsigned level) {
        auto pi = w.mut_pi(w.sort(level), true);
        return w.seal(pi, w.pi(pi->var(), term_type));
    };
    add(term(0), "%refly.term", {0, 1}, quoted(0), 2, nullptr, nullptr);
    add(term_of_type(0), "%refly.term_of_type", {0, 1}, quoted(1), 2, nullptr, nullptr);
    add(term_of_kind(0), "%refly.term_of_kind", {0, 1}, quoted(2), 2, nullptr, nullptr);
    auto name = [&](unsigned level) {
        auto pi = w.mut_pi(w.sort(level));
        return w.seal(pi, w.pi(w.nat(), pi->var()));
    };
    add(var(0), "%refly.var", {0, 1}, name(0), 2, nullptr, nullptr);
    add(type_var(0), "%refly.type_var", {0, 1}, name(1), 2, nullptr, nullptr);
    add(is(0), "%refly.is", {0, 21}, w.pi(term_type, w.bool_type()), 1, normalizer("is"), nullptr);
    add(arity(0), "%refly.arity", {0, 1}, w.pi(term_type, w.nat()), 1, normalizer("arity"), nullptr);
    auto at = w.sigma({term_type, w.nat()}), put = w.sigma({term_type, w.nat(), term_type});
    add(op(0), "%refly.op", {0, 1}, w.pi(at, term_type), 1, normalizer("op"), nullptr);
    add(replace(0), "%refly.replace", {0, 1}, w.pi(put, term_type), 1, normalizer("replace"), nullptr);
    add(equal(0), "%refly.equal", {0, 1}, w.pi(w.sigma({term_type, term_type}), w.bool_type()), 1, normalizer("equal"), nullptr);
}

} // namespace mim::plug::refly::test
