// SPDX-License-Identifier: MIT
// The files of a program, and what all of them know.
#include <algorithm>
#include <filesystem>

#include "driver/search.h"
#include "mil/diagnostics.h"
#include "reader.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

uint32_t add_data(Source& s, std::string_view name, std::vector<std::string> parameters) {
    DataType data{std::string(name), {}, std::move(parameters), {}};
    data.is_builtin                     = true;
    data.type                           = s.types.con(name);
    auto index                          = add(s.program.datas, std::move(data));
    s.builtin->types[std::string(name)] = index;
    return index;
}

uint32_t add_con(Source& s, uint32_t data, std::string_view name, std::vector<Type*> fields, Scheme scheme) {
    auto& tags = s.program.datas[data].cons;
    Con con{std::string(name), {}, data, static_cast<uint32_t>(tags.size()), {}, std::move(fields), std::move(scheme)};
    con.fields.resize(con.types.size());
    auto index = add(s.program.cons, std::move(con));
    s.program.datas[data].cons.push_back(index);
    s.builtin->cons[std::string(name)] = index;
    return index;
}

/// `data d -> r = Func ([d] ->> [r])`
void add_function(Source& s) {
    auto& t     = s.types;
    auto data   = add_data(s, "->", {"d", "r"});
    t.level     = 1;
    auto d      = t.fresh();
    auto r      = t.fresh();
    t.level     = 0;
    auto inside = t.apply(t.con("->>"), {t.tuple({d}), t.tuple({r})});

    s.program.func = add_con(s, data, "Func", {inside}, {{d, r}, t.function(inside, t.function(d, r))});
}

/// `data Proc t = Proc ([] ->> [t])`
void add_procedure(Source& s) {
    auto& t     = s.types;
    auto data   = add_data(s, "Proc", {"t"});
    t.level     = 1;
    auto result = t.fresh();
    t.level     = 0;
    auto inside = t.apply(t.con("->>"), {t.tuple({}), t.tuple({result})});

    s.program.proc = add_con(s, data, "Proc", {inside}, {{result}, t.function(inside, t.apply(t.con("Proc"), result))});
}

/// The kinds of memory, and references to it. `data Init a = Init ([Ref a] ->> [Unit])`
void add_areas(Source& s) {
    auto& t   = s.types;
    auto area = [&](const char* name, std::vector<std::string> parameters, std::vector<Kind> kinds) {
        auto index                    = add_data(s, name, std::move(parameters));
        s.program.datas[index].kinds  = std::move(kinds);
        s.program.datas[index].result = Kind::Area;
    };
    area("String", {}, {});
    area("Stored", {"t"}, {Kind::Type});
    area("Array", {"n", "a"}, {Kind::Number, Kind::Area});
    area("Pad", {"n", "a"}, {Kind::Number, Kind::Area});
    auto reference                   = add_data(s, "Ref", {"a"});
    s.program.datas[reference].kinds = {Kind::Area};
    auto data                        = add_data(s, "Init", {"a"});
    s.program.datas[data].kinds      = {Kind::Area};

    t.level     = 1;
    auto a      = t.fresh();
    t.level     = 0;
    auto inside = t.apply(t.con("->>"), {t.tuple({t.apply(t.con("Ref"), a)}), t.tuple({t.con("Unit")})});

    s.program.init = add_con(s, data, "Init", {inside}, {{a}, t.function(inside, t.apply(t.con("Init"), a))});
}

/// `data Ptr a = Null | Ref (Ref a)`, whose values are addresses: 0, and all others.
void add_pointers(Source& s) {
    auto& t                    = s.types;
    auto data                  = add_data(s, "Ptr", {"a"});
    s.program.datas[data].form = DataType::Bitdata;

    t.level        = 1;
    auto a         = t.fresh();
    t.level        = 0;
    auto whole     = t.apply(t.con("Ptr"), a);
    auto reference = t.apply(t.con("Ref"), a);
    auto null      = add_con(s, data, "Null", {}, {{a}, whole});
    auto refers    = add_con(s, data, "Ref", {reference}, {{a}, t.function(reference, whole)});
    for (auto c : {null, refers}) {
        auto& con    = s.program.cons[c];
        con.mask     = ones(64);
        con.is_other = c == refers;
        Region address;
        address.content = c == null ? Region::Fixed : Region::NonZero;
        address.width   = 64;
        con.regions     = {address};
    }
    auto physical                   = add_data(s, "Phys", {"a"});
    s.program.datas[data].kinds     = {Kind::Area};
    s.program.datas[physical].kinds = {Kind::Area};
}

/// Types of numbers. `WordBits`, `Word`, `NZWord` and `Flag` stand for others.
void add_numbers(Source& s) {
    for (auto name : {"Bit", "NZBit", "Ix", "Inx", "ProxyNat"}) {
        auto index                   = add_data(s, name, {"n"});
        s.program.datas[index].kinds = {Kind::Number};
    }
    auto labels                   = add_data(s, "ProxyLab", {"l"});
    s.program.datas[labels].kinds = {Kind::Label};

    auto stands_for = [&](const char* name, TypeExpr* meaning) { s.builtin->synonyms[name] = meaning; };
    auto number     = [&](uint64_t n) { return s.type_expr({TypeExpr::Number, {}, std::to_string(n)}); };
    auto row        = [&](const char* head, uint64_t n) {
        return s.type_expr({TypeExpr::Apply, {}, {}, {s.type_expr({TypeExpr::Con, {}, head}), number(n)}});
    };
    auto width = s.program.word_bits;
    stands_for("WordBits", number(width));
    stands_for("Word", row("Bit", width));
    stands_for("NZWord", row("NZBit", width));
    stands_for("Flag", row("Bit", 1));
    s.types.set_word(width);
}

void add_builtins(Source& s) {
    s.builtin = s.files.emplace_back(std::make_unique<File>()).get();
    add_function(s);
    add_procedure(s);
    for (auto arrow : {"->>", ">>="}) add_data(s, arrow, {"d", "r"});
    add_numbers(s);
    add_data(s, "Addr", {});
    add_areas(s);
    add_pointers(s);
    auto boolean       = add_data(s, "Bool", {});
    auto unit          = add_data(s, "Unit", {});
    s.program.no       = add_con(s, boolean, "False", {}, {{}, s.types.con("Bool")});
    s.program.yes      = add_con(s, boolean, "True", {}, {{}, s.types.con("Bool")});
    s.program.unit     = add_con(s, unit, "Unit", {}, {{}, s.types.con("Unit")});
    s.builtin->is_done = true;
}

bool is_mil(std::string_view path) { return path.ends_with(".mil") || path.ends_with(".lmil"); }
bool is_literate(std::string_view path) { return path.ends_with(".llc") || path.ends_with(".lmil"); }

File* read_text(Reading& r, const std::string& path, FileId id) {
    auto& source   = r.source;
    auto file      = std::make_unique<File>();
    auto result    = file.get();
    file->id       = id;
    file->path     = path;
    file->required = {source.builtin};
    r.open.push_back(std::move(file));
    auto text = r.context.diags.sources().text(id);
    if (is_literate(path)) text = r.made.emplace_back(literate_code(r.context.diags, id, text));
    if (is_mil(path)) read_mil(r, *result, text);
    else read_lc(r, *result, text);
    result->is_done = true;
    source.files.push_back(std::move(r.open.back()));
    r.open.pop_back();
    return result;
}

} // namespace

std::string canonical_path(const std::string& path) {
    std::error_code error;
    auto result = std::filesystem::weakly_canonical(path, error);
    return error ? path : result.string();
}

std::string find_file(const Reading& r, const std::string& name, const std::string& from) {
    if (name.starts_with("/")) return is_file(name) ? name : std::string();
    for (auto& folder : {dir_of(from), r.library}) {
        auto path = folder + "/" + name;
        if (is_file(path)) return path;
    }
    return {};
}

File* require_file(Reading& r, const std::string& path, Span at) {
    auto name     = canonical_path(path);
    auto has_name = [&](auto& file) { return file && !file->path.empty() && canonical_path(file->path) == name; };
    if (auto known = std::ranges::find_if(r.source.files, has_name); known != r.source.files.end()) return known->get();
    auto fail = [&](std::string why) -> File* {
        r.context.diags.report(diag::no_file(path, std::move(why)), at);
        return nullptr;
    };
    if (std::ranges::any_of(r.open, has_name)) return fail("it requires this file itself");
    auto id = r.context.open(path);
    return id ? read_text(r, path, *id) : fail("it cannot be read");
}

File* require_generators(Reading& r, Span at) {
    if (!r.source.generators) r.source.generators = require_file(r, r.library + "/generators.mil", at);
    return r.source.generators;
}

bool read(FrontEndContext& c, const std::string& library, Source& source) {
    Reading r{c, source, library, {}};
    add_builtins(source);
    source.main = read_text(r, std::string(c.path), c.file);
    return !r.is_cut;
}

} // namespace mim::plug::mil
