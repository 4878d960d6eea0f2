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

std::string output_path(const Options& o, Emit kind) {
    if (!o.output.empty()) return o.emit.size() > 1 ? o.output + std::string(suffix(kind)) : o.output;
    auto& file = o.files.front();
    auto stem  = file == "-" ? std::string("a") : stem_of(file);
    // An input without `.mim` must not be overwritten by the program made from it.
    if (kind == Emit::Exe && !file.ends_with(".mim")) return stem + ".out";
    return stem + std::string(suffix(kind));
}

} // namespace mim
