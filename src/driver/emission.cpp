// SPDX-License-Identifier: MIT
#include "driver/emission.h"

#include "driver/search.h"
#include "sema/reflect.h"

namespace mim {

namespace {

std::string_view suffix(Emit kind) {
    for (auto& e : emits())
        if (e.id == kind) return e.suffix;
    return {};
}

} // namespace

backend::EmitOptions emit_options(const Options& o) {
    backend::EmitOptions e;
    e.opt     = static_cast<unsigned>(o.opt_level);
    e.triple  = o.target;
    e.cpu     = o.cpu;
    e.checked = o.checked;
    e.debug   = o.debug_info;
    e.verbose = o.verbose;
    e.show    = [](World& world, const Def* def) { return show(world, def); };
    return e;
}

std::string output_path(const Options& o, std::string_view suffix) {
    if (!o.output.empty()) return o.emit.size() + o.plugin_emit.size() > 1 ? o.output + std::string(suffix) : o.output;
    auto& file = o.files.front();
    return (file == "-" ? std::string("a") : stem_of(file)) + std::string(suffix);
}

std::string output_path(const Options& o, Emit kind) {
    // An input without `.mim` must not be overwritten by the program made from it.
    if (kind == Emit::Exe && o.output.empty() && o.files.front() != "-" && !o.files.front().ends_with(".mim"))
        return stem_of(o.files.front()) + ".out";
    return output_path(o, suffix(kind));
}

} // namespace mim
