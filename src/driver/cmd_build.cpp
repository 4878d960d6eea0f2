// SPDX-License-Identifier: MIT
// `mim build FILE`: compiles to files. What needs no back end (Mim text, the graph for Graphviz) is written without opening one.
#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/compilation.h"
#include "driver/emission.h"
#include "driver/output.h"
#include "ir/dot.h"

namespace mim {

namespace {

backend::Output output_kind(Emit kind) {
    switch (kind) {
        case Emit::Obj: return backend::Output::Obj;
        case Emit::Shared: return backend::Output::Shared;
        case Emit::Asm: return backend::Output::Asm;
        case Emit::Bc: return backend::Output::Bitcode;
        case Emit::Ll: return backend::Output::Text;
        case Emit::Header: return backend::Output::Header;
        case Emit::Exe:
        case Emit::Mim:
        case Emit::Dot: break;
    }
    return backend::Output::Exe;
}

bool write(Session& session, const std::string& path, std::string_view bytes, bool executable) {
    std::string error;
    if (write_output(path, bytes, error, executable)) return true;
    session.diags.report(Diag::cannot_write, {}, {path, error});
    return false;
}

bool emit(Compilation& c) {
    auto& o      = c.options;
    auto kinds   = o.emit.empty() ? std::vector{Emit::Exe} : o.emit;
    auto options = emit_options(o);
    bool ok      = true;
    for (auto kind : kinds) {
        auto path = output_path(o, kind);
        if (kind == Emit::Mim) ok &= write(c.session, path, print_program(c.session.world), false);
        else if (kind == Emit::Dot) ok &= write(c.session, path, dot(c.session.world), false);
        else options.files.push_back({output_kind(kind), path});
    }
    if (options.files.empty()) return ok;
    Profile::Scope scope(c.session.profile, "emit", &c.session.world);
    auto sink = [&](const backend::EmitOptions::File& file, std::string_view bytes) {
        return write(c.session, file.path, bytes, file.kind == backend::Output::Exe || file.kind == backend::Output::Shared);
    };
    return backend::emit(c.session.world, c.session.diags, options, sink) && ok;
}

} // namespace

int cmd_build(const Options& o) {
    return compile(o, o.files.front(), [&](Compilation& c) {
        if (!c.check()) return static_cast<int>(kInputError);
        if (auto outcome = c.optimize(); outcome != Outcome::Done) return status_of(outcome);
        return static_cast<int>(emit(c) ? kDone : kInputError);
    });
}

} // namespace mim
