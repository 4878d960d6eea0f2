// SPDX-License-Identifier: MIT
// The C header of the externals: one prototype a function, one struct a distinct Σ that is passed or returned. Needs no LLVM: plugins
// say how their types are spelled (Axiom::c_spelling, `{0}` stands for the spelling of the argument).
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "analysis/cps.h"
#include "analysis/snapshot.h"
#include "backend/backend.h"
#include "ir/hook.h"

namespace mim::backend {

namespace {

struct NoCType : Passing {
    explicit NoCType(std::string why)
        : why(std::move(why)) {}
    std::string why;
};

constexpr std::string_view kWords[] = {
    "auto",   "bool",    "break",    "case",     "catch",    "char",  "class",  "const",  "continue", "default", "delete", "do",
    "double", "else",    "enum",     "extern",   "false",    "float", "for",    "goto",   "if",       "inline",  "int",    "long",
    "new",    "private", "register", "restrict", "return",   "short", "signed", "sizeof", "static",   "struct",  "switch", "this",
    "throw",  "true",    "try",      "typedef",  "unsigned", "union", "using",  "void",   "volatile", "while"};

/// A name of C, and of C++, which may read the header, too.
bool is_c_name(std::string_view name) {
    auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    return std::ranges::all_of(name, is_part) && std::ranges::find(kWords, name) == std::end(kWords);
}

class HeaderWriter {
public:
    HeaderWriter(World& world, Diagnostics& diags)
        : world_(world)
        , diags_(diags) {}

    std::string run() {
        find_unaliased();
        for (auto& ext : world_.externals) {
            if (ext.name == "main") continue; // C declares it by itself, with other types
            try {
                prototypes_ += prototype(ext) + ";\n";
            } catch (const NoCType& e) {
                diags_.report(Diag::no_c_type, world_.notes.span(ext.lam), {std::string(ext.name.view()), e.why});
            }
        }
        return "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
               + structs_ + (structs_.empty() ? "" : "\n") + prototypes_ + "\n#ifdef __cplusplus\n}\n#endif\n";
    }

private:
    /// The pointers of which programs promise that nothing else leads to what they point to.
    void find_unaliased() {
        Snapshot program(world_);
        for (auto def : program.nodes()) {
            auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr;
            if (axm && axm->axiom().has(Axiom::Unaliased)) unaliased_.insert(elem(world_, def->as<App>()->arg(), 1));
        }
    }
    bool is_unaliased(const Lam* lam, const CnView& view, const CnView::Param& p) {
        return unaliased_.contains(param_of(world_, view, p, lam->var()));
    }

    std::string prototype(const External& ext) {
        if (!is_c_name(ext.name.view())) throw NoCType("C has no such name");
        auto view   = view_pi(world_, ext.lam->pi());
        auto result = view.result ? spell(view.result) : "";
        std::string params;
        std::set<std::string> names;
        for (auto& p : c_params(world_, view)) {
            auto type = spell(p.type);
            if (type.empty()) continue;
            params += params.empty() ? "" : ", ";
            auto name = param_name(ext.lam, view, p);
            if (!names.insert(name).second) name = ""; // C wants each only once
            if (is_unaliased(ext.lam, view, p)) name = "__restrict" + (name.empty() ? name : " " + name);
            params += join(type, name);
        }
        std::string text = view.result ? "" : "__attribute__((noreturn)) ";
        return text + join(result.empty() ? "void" : result, std::string(ext.name.view())) + "("
               + (params.empty() ? "void" : params) + ")";
    }

    static std::string join(const std::string& type, const std::string& name) {
        return name.empty() || type.ends_with('*') ? type + name : type + " " + name;
    }

    /// The variable of a function with a return continuation has the names of the parameters beside it, which are its first element.
    std::string param_name(const Lam* lam, const CnView& view, const CnView::Param& p) {
        auto group    = view.has_ret() && p.outer == 0 ? world_.notes.fields(lam->var()) : nullptr;
        auto fields   = group ? group : world_.notes.fields(lam);
        bool is_inner = p.inner >= 0 && (group ? group->size() > 1 : !view.has_ret());
        bool is_part  = p.inner >= 0 && !is_inner; // of a parameter that is a tuple
        auto i        = size_t(is_inner ? p.inner : p.outer);
        if (!fields || is_part || i >= fields->size()) return {};
        auto name    = std::string((*fields)[i].view());
        bool is_type = name.ends_with("_t") || name.starts_with("mim_"); // may be one that follows in the list
        bool is_name = !name.empty() && !isdigit(static_cast<unsigned char>(name[0])) && is_c_name(name);
        return is_name && !is_type ? name : std::string();
    }

    /// Empty for types without run-time value.
    std::string spell(const Def* type) {
        switch (type->node()) {
            case Node::Nat: return "uint64_t";
            case Node::Pi: return "void*";
            case Node::Sort:
            case Node::Sing:
            case Node::Bot:
            case Node::Top: return {};
            case Node::Sigma: return spell_struct(type);
            case Node::Arr: {
                auto lit = isa_lit(type->as<Arr>()->arity());
                if (lit && lit->value() == 0) return {};
                if (spell(type->as<Arr>()->body()).empty()) return {};
                if (lit && lit->value() <= uint64_t(max_flat_params)) return spell_struct(type);
                throw NoCType{"C passes no arrays by value"};
            }
            case Node::App:
            case Node::Axm: return spell_app(type);
            default: throw NoCType{"its type is no scalar, pointer or struct of these"};
        }
    }

    std::string spell_app(const Def* type) {
        if (auto size = isa_idx(type)) {
            auto lit = isa_lit(size);
            if (!lit) return "uint64_t";
            auto n = lit->value();
            if (n <= 1) return {};
            if (n == 2) return "bool";
            return n - 1 <= 0xff ? "uint8_t" : n - 1 <= 0xffff ? "uint16_t" : n - 1 <= 0xffff'ffff ? "uint32_t" : "uint64_t";
        }
        auto axm = head_axiom(type);
        if (!axm) throw NoCType{"its type depends on a value"};
        auto& axiom = axm->axiom();
        if (axiom.has(Axiom::LinearType) || axiom.has(Axiom::Erased)) return {};
        auto spell    = [&] { return axiom.c_spelling_of(type); };
        auto spelling = axiom.c_spelling_of ? call_hook(axiom, "the spelling in C of", type, spell) : axiom.c_spelling;
        bool is_line  = spelling.find_first_of("\r\n") == spelling.npos;
        if (!is_line) hook_broke(axiom, "the spelling in C of", type, "has a line break");
        if (spelling.empty()) throw NoCType{"`" + std::string(axiom.name.view()) + "` has no spelling in C"};
        if (auto at = spelling.find("{0}"); at != std::string::npos) spelling.replace(at, 3, pointee(type->as<App>()->arg()));
        return spelling;
    }

    /// What a pointer points to: unknown things are void.
    std::string pointee(const Def* type) {
        try {
            if (auto arr = type->isa<Arr>()) return pointee(arr->body());
            if (type->isa<Tuple>() && type->num_ops()) return pointee(type->op(0));
            auto text = spell(type);
            return text.empty() ? "void" : text;
        } catch (const NoCType&) {
            return "void";
        }
    }

    std::string spell_struct(const Def* type) {
        if (auto i = names_.find(type); i != names_.end()) return i->second;
        names_[type] = "void"; // a recursive type refers to itself through a pointer
        std::string body, only;
        size_t count = 0;
        auto fields  = world_.notes.fields(type);
        auto n       = size_t(lit_arity(world_, type));
        for (size_t i = 0; i != n; ++i) {
            auto text = spell(elem_decl(world_, type, i));
            if (text.empty()) continue;
            auto name = fields && i < fields->size() && (*fields)[i] ? std::string((*fields)[i].view()) : "e" + std::to_string(i);
            body += " " + join(text, name) + ";";
            only = text;
            ++count;
        }
        if (count < 2) return names_[type] = only;
        auto name = "mim_struct_" + std::to_string(++num_structs_);
        structs_ += "typedef struct {" + body + " } " + name + ";\n";
        return names_[type] = name;
    }

    World& world_;
    Diagnostics& diags_;
    std::unordered_map<const Def*, std::string> names_;
    std::unordered_set<const Def*> unaliased_;
    std::string structs_, prototypes_;
    size_t num_structs_ = 0;
};

} // namespace

std::string c_header(World& world, Diagnostics& diags) { return HeaderWriter(world, diags).run(); }

} // namespace mim::backend
