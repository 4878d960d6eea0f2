// SPDX-License-Identifier: MIT
// Functions of Mim that a program calls: `external f = "%p.g" :: T`. Rows of bits and indices are `Idx`, truth values
// `Bool`, `Unit` is `[]`, and what a `Proc` does goes with the memory. Mim reads text with a function for each of them,
// which finds out whether there is such a one and which type it has.
#include <algorithm>
#include <set>

#include "c_types.h"
#include "code_maker.h"
#include "front/chars.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

// ---- types
// ------------------------------------------------------------------------------------------------------------------

bool is_annex(std::string_view name) {
    if (!name.starts_with('%')) return false;
    size_t parts = 1;
    for (size_t i = 1; i != name.size(); ++i) {
        bool is_first = name[i - 1] == '%' || name[i - 1] == '.';
        bool is_end   = name[i] == '.' && !is_first;
        parts += is_end;
        if (!is_end && !(is_first ? front::is_letter(name[i]) : front::is_word(name[i]))) return false;
    }
    return parts > 1 && name.back() != '.';
}

bool has_mim_types(Diagnostics& diags, Source& source, const CSignature& s, const std::vector<Span>& places) {
    bool is_fine = true;
    auto look    = [&](Type* t, Span at) {
        std::vector<Type*> parts;
        for (auto name : {"Bit", "Ix", "Bool", "Unit"})
            if (source.types.is_apply(t, name, parts)) return;
        diags.report(diag::no_mim_type(source.types.text(t)), at);
        is_fine = false;
    };
    for (size_t i = 0; i != s.domain.size(); ++i) look(s.domain[i], places[i]);
    look(s.result, places.back());
    return is_fine;
}

namespace {

/// Of the `Idx` that the value is in Mim; 0 is 2^64.
uint64_t limit_of(const CValue& v) {
    if (v.form == CValue::Truth) return 2;
    if (v.limit != 0) return v.limit;
    return v.width == 64 ? 0 : uint64_t(1) << v.width;
}

std::string mim_type_text(const CValue& v) {
    if (is_nothing_in_mim(v)) return "[]";
    if (v.form == CValue::Truth) return "Bool";
    auto limit = limit_of(v);
    return limit == 0 ? "I64" : "Idx " + std::to_string(limit);
}

/// `fun extern NAME (mem: %mem.M, a0: Idx 10): [%mem.M, Bool] = %p.f ((mem, a0), return);`
std::string function_text(const std::string& name, const CFunction& f) {
    std::string params, args;
    size_t count = 0;
    auto add     = [&](const std::string& own, const std::string& type) {
        auto comma = count++ == 0 ? "" : ", ";
        params += comma + own + ": " + type;
        args += comma + own;
    };
    if (f.runs) add("mem", "%mem.M");
    for (auto& v : f.passing.arguments) add("a" + std::to_string(count), mim_type_text(v));
    auto result = mim_type_text(f.passing.result);
    if (f.runs) result = is_nothing_in_mim(f.passing.result) ? "%mem.M" : "[%mem.M, " + result + "]";
    if (count != 1) args = "(" + args + ")";
    return "fun extern " + name + " (" + params + "): " + result + " = " + f.mim_name + " (" + args + ", return);\n";
}

/// Functions `%p.…` are those of a required file `p.mim`, else of the plugin p.
bool has_file(const Program& p, const std::string& name) {
    return std::ranges::any_of(p.mim_files, [&](auto& file) { return file.path.ends_with("/" + name + ".mim"); });
}

} // namespace

std::string mim_function_name(const Program& p, size_t index) {
    return "mim_mil_function_" + std::to_string(p.first_function + index);
}

MimText mim_functions(const Program& p) {
    std::string text;
    front::SourceMap places;
    auto write = [&](Span at, const std::string& line) {
        places.add(static_cast<uint32_t>(text.size()), at);
        text += line;
    };
    std::set<std::string> plugins;
    auto first = std::ranges::find_if(p.c_functions, [](auto& f) { return !f.mim_name.empty(); });
    if (first == p.c_functions.end()) return MimText("");
    write(first->mim_name_at, "plugin mem;\n");
    for (auto& file : p.mim_files) write(file.at, "import \"" + file.path + "\";\n");
    for (auto& f : p.c_functions) {
        if (f.mim_name.empty()) continue;
        auto name   = f.mim_name.substr(1, f.mim_name.find('.') - 1);
        bool is_new = !has_file(p, name) && plugins.insert(name).second;
        if (is_new) write(f.mim_name_at, "plugin " + name + ";\n");
    }
    for (size_t i = 0; i != p.c_functions.size(); ++i) {
        auto& f = p.c_functions[i];
        if (!f.mim_name.empty()) write(f.mim_name_at, function_text(mim_function_name(p, i), f));
    }
    return {std::move(text), std::move(places)};
}

// ---- calls
// ------------------------------------------------------------------------------------------------------------------

const mim::Def* WordMaker::mim_type(const CValue& v) {
    if (is_nothing_in_mim(v)) return w.sigma(DefVec{});
    auto limit = limit_of(v);
    return limit == 0 ? word_ : w.idx(limit);
}

const mim::Def* WordMaker::from_mim(const CValue& v, const mim::Def* value) {
    if (v.form == CValue::Nothing) return number(v.value);
    if (v.form == CValue::Truth) return w.select(value, truth(true), truth(false));
    return limit_of(v) == 0 ? value : w.call(core::conv::u, w.lit_2_64(), value);
}

const mim::Def* WordMaker::to_mim(const CValue& v, const mim::Def* value) {
    if (is_nothing_in_mim(v)) return w.tuple(DefVec{});
    if (v.form == CValue::Truth) return w.call(core::icmp::e, {value, truth(true)});
    auto limit = limit_of(v);
    return limit == 0 ? value : w.call(core::conv::u, w.lit_nat(limit), value);
}

Values CodeMaker::mim_function(uint32_t index, const Values& args) {
    auto& f     = p_.c_functions[index];
    auto result = mim_type(f.passing.result);
    bool is_run = f.runs && is_nothing_in_mim(f.passing.result);
    DefVec domain, values;
    if (f.runs) {
        domain.push_back(memory_);
        values.push_back(mem_);
        result = is_run ? memory_ : w.sigma({memory_, result});
    }
    for (size_t i = 0; i != args.size(); ++i) {
        domain.push_back(mim_type(f.passing.arguments[i]));
        values.push_back(to_mim(f.passing.arguments[i], args[i]));
    }
    auto type   = w.fn(w.sigma(domain), result);
    auto callee = w.app(w.app(w.annex(foreign(0)), type), w.lit_nat(p_.first_function + index));
    auto next   = functions_.lam(w.cn(result), "next");
    finish(w.app(callee, {w.tuple(values), next}));
    now_ = next;
    if (is_run) {
        mem_ = next->var();
        return {};
    }
    if (!f.runs) return {from_mim(f.passing.result, next->var())};
    mem_ = w.extract(next->var(), 0);
    return {from_mim(f.passing.result, w.extract(next->var(), 1))};
}

/// The phase `mil.foreign`.
void link_mim_functions(PhaseContext& c) {
    std::set<std::string> names;
    auto link = [&](const Lowered& l) -> const mim::Def* {
        auto number = value(l.arg());
        auto name   = "mim_mil_function_" + std::to_string(number.value_or(0));
        auto lam    = l.world().externals.find(name);
        if (lam) names.insert(name);
        return lam ? l.rewrite(lam) : nullptr;
    };
    Lowering(c).on<foreign>(link).run();
    for (auto& name : names) c.world.externals.remove(c.world.sym(name));
}

} // namespace mim::plug::mil
