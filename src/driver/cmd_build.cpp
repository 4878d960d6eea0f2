// SPDX-License-Identifier: MIT
// `mim build FILE`: compiles to files. What needs no back end (Mim text, the graph for Graphviz) is written without opening one.
#include <algorithm>

#include "backend/backend.h"
#include "base/blame.h"
#include "diag/family.h"
#include "diag/fault_text.h"
#include "driver/commands.h"
#include "driver/compilation.h"
#include "driver/emission.h"
#include "driver/output.h"
#include "driver/start.h"
#include "ir/dot.h"
#include "sema/error_text.h"

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
    if (write_result(path, bytes, session.inputs(), error, executable)) return true;
    session.diags.report(Diag::cannot_write, {}, {path, error});
    return false;
}

/// All names of outputs, for a message.
std::string outputs(Session& session) {
    std::string all;
    for (auto& e : emits()) all += (all.empty() ? "`" : ", `") + std::string(e.name) + "`";
    for (auto& plugin : session.manifests().all())
        for (auto& e : plugin.outputs) all += ", `" + e.name + "` of the plugin `" + plugin.plugin + "`";
    return all;
}

/// The back ends of plugins that were asked for. False after a report.
bool find_back_ends(Session& session, const std::vector<std::string>& names, std::vector<const RegisteredBackEnd*>& found) {
    for (auto& name : names) {
        auto errors = session.diags.num_errors();
        auto end    = session.back_end(name);
        if (!end && session.diags.num_errors() == errors)
            session.diags.report(Diag::unknown_output, {}, {name, outputs(session)});
        if (!end) return false;
        found.push_back(end);
    }
    return true;
}

void back_end_fault(Diagnostics& diags, const RegisteredBackEnd& end, const std::string& what) {
    diags.report(Diag::plugin_fault, {}, {end.plugin, "the back end for `" + end.name + "` failed: " + what});
}

bool run_back_end(Compilation& c, const RegisteredBackEnd& end) {
    Profile::Scope scope(c.session.profile, "emit " + end.name, &c.session.world);
    auto& diags = c.session.diags;
    auto errors = diags.num_errors();
    BackEndContext context{c.session.world, diags, end.name, c.session.settings};
    std::optional<std::string> bytes;
    try {
        Blame blame(end.plugin, "the back end for", end.name);
        bytes = end.make(context);
        if (!bytes && diags.num_errors() == errors) back_end_fault(diags, end, "it made nothing, and reported no error");
    } catch (const Error& e) {
        Blame blame(end.plugin, "the back end for", end.name); // which is named where the error has no place
        bool says_whose = info(e.id).code.starts_with("E4");
        if (is_of_program(e.id) || says_whose) c.session.report(e);
        else back_end_fault(diags, end, message_of(c.session.world, e));
    } catch (...) {
        back_end_fault(diags, end, fault_text(&diags));
    }
    return bytes && diags.num_errors() == errors && write(c.session, output_path(c.options, end.suffix), *bytes, false);
}

bool emit(Compilation& c, const std::vector<const RegisteredBackEnd*>& back_ends) {
    auto& o      = c.options;
    auto kinds   = o.emit.empty() && back_ends.empty() ? std::vector{Emit::Exe} : o.emit;
    auto options = emit_options(o);
    bool ok      = true;
    for (auto kind : kinds) {
        auto path = output_path(o, kind);
        if (kind == Emit::Mim) ok &= write(c.session, path, print_program(c.session.world, c.options.names), false);
        else if (kind == Emit::Dot) ok &= write(c.session, path, dot(c.session.world), false);
        else options.files.push_back({output_kind(kind), path});
    }
    for (auto end : back_ends) ok &= run_back_end(c, *end);
    if (options.files.empty()) return ok;
    if (std::ranges::find(kinds, Emit::Exe) != kinds.end() && !check_main_exists(c.session)) return false;
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
        std::vector<const RegisteredBackEnd*> back_ends;
        if (!find_back_ends(c.session, o.plugin_emit, back_ends)) return static_cast<int>(kUsageError);
        if (auto outcome = c.optimize(); outcome != Outcome::Done) return status_of(outcome);
        return static_cast<int>(emit(c, back_ends) ? kDone : kInputError);
    });
}

} // namespace mim
