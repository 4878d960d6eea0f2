// SPDX-License-Identifier: MIT
// Libraries stay open until the process ends: graph nodes, phases and emitters point into them, and opening one again is cheap.
#include "driver/loader.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <dlfcn.h>

#include "backend/backend.h"
#include "base/crash.h"
#include "diag/fault_text.h"
#include "driver/library.h"
#include "driver/manifest.h"
#include "driver/plugin.h"
#include "driver/recorder.h"
#include "driver/search.h"

namespace mim {

namespace {

/// Records what init registers; every mistake is reported at the place that asked for the plugin.
class Builder : public PluginBuilder {
public:
    Builder(LoaderContext& context, std::string name, std::string library, Span at)
        : c_(context)
        , name_(std::move(name))
        , library_(std::move(library))
        , at_(at)
        , recorder_(name_) {}

    void normalizer(std::string_view name, Normalizer n) override {
        bool is_new = normalizers_.emplace(name, n).second;
        if (!is_new) recorder_.faults.push_back("the normalizer `" + std::string(name) + "` is registered twice");
    }

    AxiomBuilder axiom(std::string_view name) override {
        AnnexName parts;
        bool own    = split_annex(name, parts) && parts.plugin == name_;
        auto axioms = own ? c_.registry.find(name) : std::vector<Axiom*>();
        if (axioms.empty()) c_.diags.report(Diag::unknown_registration, at_, {name_, std::string(name)});
        return AxiomBuilder(std::move(axioms), &recorder_.faults);
    }

    void phase(std::string_view name, std::string_view summary, std::function<void(PhaseContext&)> run, bool hides) override {
        auto old = c_.registry.phase(name);
        if (old) {
            c_.diags.report(Diag::phase_twice, at_,
                            {std::string(name), by(old->plugin), old->plugin == name_ ? "it again" : by(name_)});
            return;
        }
        recorder_.phase(name, summary, static_cast<bool>(run));
        c_.registry.add_phase({{std::string(name), std::string(summary), std::move(run), hides}, name_});
    }

    JoinBuilder join(std::string_view point, std::string_view phase) override {
        return JoinBuilder(recorder_.join(point, phase));
    }

    void extension_point(std::string_view name, std::string_view summary) override { recorder_.extension_point(name, summary); }

    void with_default_pipeline() override { recorder_.with_default_pipeline(); }

    void front_end(std::string_view extension, FrontEnd read) override {
        recorder_.front_end(extension, static_cast<bool>(read));
        if (auto old = c_.registry.front_end(extension)) return twice("the front end for `." + old->extension + "`", old->plugin);
        c_.registry.add_front_end({std::string(extension), std::move(read), name_});
    }

    void back_end(std::string_view name, std::string_view suffix, std::string_view summary, BackEnd make) override {
        recorder_.back_end(name, suffix, summary, static_cast<bool>(make));
        if (auto old = c_.registry.back_end(name)) return twice("the output `" + std::string(name) + "`", old->plugin);
        c_.registry.add_back_end({std::string(name), std::string(suffix), std::string(summary), std::move(make), name_});
    }

    void formatter(std::string_view extension, Formatter format) override {
        recorder_.formatter(extension, static_cast<bool>(format)); // `mim fmt` opens the library by itself
    }

    void library(RuntimeLibrary library) override {
        recorder_.library(library);
        library.plugin = name_;
        library.folder = dir_of(library_);
        libraries_.push_back(std::move(library));
    }
    void collector(CollectorRuntime runtime) override {
        recorder_.library(runtime.library);
        runtime.library.plugin = name_;
        runtime.library.folder = dir_of(library_);
        auto old               = c_.registry.collector();
        if (old && old->library.plugin == name_) recorder_.faults.push_back("the collector is registered twice");
        if (old) return twice("the collector", old->library.plugin);
        c_.registry.set_collector(std::move(runtime));
    }
    std::string folder() const override { return data_folder(library_, name_); }

    void operator_call(std::string_view op, std::string_view call) override { recorder_.operator_call(op, call); }

    void option(std::string_view key, SettingValue value, std::string_view summary) override {
        recorder_.option(key, value, summary);
        auto name = name_ + "." + std::string(key);
        for (auto& given : c_.given) {
            if (given.name != name || value.parse(given.value)) continue;
            c_.diags.report(Diag::bad_setting, {}, {name, std::string(value.kind()), given.value});
        }
        c_.settings.declare(name, std::move(value));
    }

    void command(const CommandSpec& spec, CommandFunction function) override {
        recorder_.command(spec, static_cast<bool>(function));
    }

    void diagnostics(std::span<const PluginDiag> all) override {
        for (auto& d : all)
            if (auto fault = fault_of(d); !fault.empty())
                c_.diags.report(Diag::bad_diagnostic, at_, {name_, std::string(d.info.code), std::move(fault)});
    }

    Normalizer find(std::string_view name) const {
        auto it = normalizers_.find(std::string(name));
        return it == normalizers_.end() ? nullptr : it->second;
    }

    /// Reports what is wrong with the names that were registered, or with the manifest of them. False if the plugin
    /// must not be used.
    bool check_manifest() {
        recorder_.check_joins();
        for (auto& fault : recorder_.faults) c_.diags.report(Diag::plugin_fault, at_, {name_, fault});
        if (!recorder_.faults.empty()) return false;
        auto problem = manifest_problem(library_, recorder_.manifest);
        if (!problem.empty()) c_.diags.report(Diag::bad_manifest, at_, {manifest_path(library_, name_), name_, problem});
        return problem.empty();
    }

    /// Registers the plugin's parts of pipelines, once all of them are known.
    void hand_out_joins() {
        for (auto& point : recorder_.manifest.extension_points) c_.registry.add_extension_point(point.name, name_);
        for (auto& join : recorder_.joins) {
            join.at = at_;
            c_.registry.join(std::move(join));
        }
    }

    /// The first of two emitters for one target would be used, whichever is meant.
    void check_emitters(const AnnexTable& annexes) {
        for (auto& tag : annexes.tags())
            for (auto axiom : c_.registry.find("%" + std::string(tag.plugin) + "." + std::string(tag.name)))
                check_emitters(*axiom);
    }

    /// Each axiom of the plugin knows the libraries.
    void hand_out_libraries(const AnnexTable& annexes) {
        if (libraries_.empty()) return;
        auto& libraries = c_.registry.add_libraries(std::move(libraries_));
        for (auto& tag : annexes.tags())
            for (auto axiom : c_.registry.find("%" + std::string(tag.plugin) + "." + std::string(tag.name)))
                axiom->libraries = &libraries;
    }

private:
    static std::string target_of_two(const Axiom& axiom) {
        for (auto& emitter : axiom.emitters)
            if (axiom.emitter(emitter.target) != &emitter) return emitter.target;
        return {};
    }
    void check_emitters(const Axiom& axiom) {
        auto fault = [&](const std::string& target, const char* what) {
            recorder_.faults.push_back("the emitter of `" + axiom.name.str() + "` for `" + target + "` " + what);
        };
        if (auto target = target_of_two(axiom); !target.empty()) fault(target, "is registered twice");
        for (auto& emitter : axiom.emitters) {
            if (emitter.target != backend::kTarget) fault(emitter.target, "is for no target that there is");
            else if (!emitter.op && !emitter.type) fault(emitter.target, "has no function");
        }
    }
    static std::string by(const std::string& plugin) { return plugin.empty() ? "Mim itself" : "the plugin `" + plugin + "`"; }
    /// Another plugin has it as well; what a plugin registers twice itself, the recorder finds.
    void twice(std::string what, const std::string& other) {
        if (other == name_) return;
        c_.diags.report(Diag::registered_twice, at_, {std::move(what), by(other), by(name_)});
    }

    /// The letter of its severity, the plugin's name and a number: `E-regex-07`.
    bool is_own_code(std::string_view code, Severity severity) const {
        auto letter = severity == Severity::Error ? "E" : severity == Severity::Warning ? "W" : "N";
        auto prefix = std::string(letter) + "-" + name_ + "-";
        if (!code.starts_with(prefix)) return false;
        auto number = code.substr(prefix.size());
        return number.size() >= 2 && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    }
    /// Empty if all is well.
    std::string fault_of(const PluginDiag& d) {
        if (!is_own_code(d.info.code, d.info.severity))
            return "is none of its codes: an error has one like `E-" + name_ + "-01`, a warning `W-" + name_ + "-01`, a note `N-"
                   + name_ + "-01`";
        if (!codes_.insert(d.info.code).second) return "is declared twice";
        if (d.page.empty()) return "has no page: write `doc/errors/" + std::string(d.info.code) + ".md`";
        return {};
    }

    LoaderContext& c_;
    std::string name_, library_;
    Span at_;
    Recorder recorder_;
    std::unordered_set<std::string_view> codes_;
    std::unordered_map<std::string, Normalizer> normalizers_;
    std::vector<RuntimeLibrary> libraries_;
};

/// Reads the texts of what a library exports as `mim_plugin`; false if it is something else.
bool read_info(const PluginInfo& info, std::string& name, std::string& stamp) {
    auto crash = guarded([&] {
        name  = info.name;
        stamp = info.stamp;
    });
    return !crash;
}

/// The stamp of a library, checked; null after a report.
const PluginInfo* open_library(LoaderContext& c, const std::string& name, const std::string& path, Span at) {
    if (is_cut_off(path)) {
        c.diags.report(Diag::plugin_library, at, {name, path + ": the file is cut off"});
        return nullptr;
    }
    void* handle = open_library_of(name, path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        auto error = ::dlerror();
        c.diags.report(Diag::plugin_library, at, {name, error ? error : "unknown error"});
        return nullptr;
    }
    auto plugin = static_cast<const PluginInfo*>(::dlsym(handle, "mim_plugin"));
    if (!plugin) {
        c.diags.report(Diag::plugin_no_stamp, at, {path});
        return nullptr;
    }
    std::string own_name, stamp;
    if (!read_info(*plugin, own_name, stamp)) {
        c.diags.report(Diag::plugin_library, at, {name, "its `mim_plugin` is not what `MIM_PLUGIN` makes"});
        return nullptr;
    }
    if (stamp != MIM_STAMP) {
        c.diags.report(Diag::plugin_version, at, {name, stamp, MIM_STAMP});
        return nullptr;
    }
    if (own_name != name) {
        c.diags.report(Diag::plugin_other_name, at, {path, own_name, name});
        return nullptr;
    }
    return plugin;
}

/// Returns the fault; empty if there is none.
std::string run_init(const LoaderContext& c, const PluginInfo& plugin, const std::string& name, PluginBuilder& builder) {
    auto init = [&] {
        Blame blame(name, "the function", "init");
        plugin.init(builder);
    };
    try {
        auto crash = guarded(init);
        return crash ? "crashed with signal " + std::to_string(crash->signal) : std::string();
    } catch (...) {
        return "failed: " + fault_text(&c.diags);
    }
}

bool connect_normalizers(LoaderContext& c, const std::string& name, const AnnexTable& annexes, const Builder* builder) {
    bool ok = true;
    for (auto& tag : annexes.tags()) {
        auto axioms = c.registry.find("%" + std::string(tag.plugin) + "." + std::string(tag.name)); // one for each subtag
        for (size_t axiom = 0; axiom < tag.axioms.size(); ++axiom) {
            auto& binder = tag.axioms[axiom].normalizer;
            if (binder.name.empty()) continue;
            auto wanted = std::string(binder.name.view());
            auto fn     = builder ? builder->find(wanted) : nullptr;
            if (!fn) c.diags.report(builder ? Diag::missing_normalizer : Diag::no_library, binder.span, {name, wanted});
            ok &= fn != nullptr;
            for (size_t i = 0; i < std::min(axioms.size(), tag.subs.size()); ++i)
                if (tag.subs[i].axiom == axiom) axioms[i]->normalizer = fn;
        }
    }
    return ok;
}

} // namespace

bool connect_plugin(LoaderContext& c, const std::string& name, const std::string& so_path, const AnnexTable& annexes, Span at) {
    for (auto& tag : annexes.tags())
        if (!tag.axioms.empty()) c.registry.declare(tag, c.symbols);
    if (so_path.empty()) return connect_normalizers(c, name, annexes, nullptr);
    auto plugin = open_library(c, name, so_path, at);
    if (!plugin) return false;
    Builder builder(c, name, so_path, at);
    if (auto fault = run_init(c, *plugin, name, builder); !fault.empty()) {
        c.diags.report(Diag::plugin_fault, at, {name, "the function `init` " + fault});
        return false;
    }
    builder.check_emitters(annexes);
    bool is_true = builder.check_manifest();
    builder.hand_out_joins();
    builder.hand_out_libraries(annexes);
    return connect_normalizers(c, name, annexes, &builder) && is_true;
}

} // namespace mim
