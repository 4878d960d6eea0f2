// SPDX-License-Identifier: MIT
#include "common/front_end.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "base/stack.h"
#include "common/forked.h"
#include "driver/pipeline.h"

namespace fuzz {

using namespace mim;

namespace {

constexpr uint64_t max_steps  = 5000;
constexpr uint64_t max_memory = uint64_t(256) << 20;
constexpr size_t stack        = size_t(32) << 20; ///< endless evaluation fills it: a large one takes seconds to unwind

/// A file that holds this text while the object lives, and has no name that could change between runs.
class TextFile {
public:
    explicit TextFile(const std::string& text)
        : fd_(::memfd_create("fuzz", 0)) {
        for (size_t at = 0; at < text.size();) {
            auto n = ::write(fd_, text.data() + at, text.size() - at);
            if (n <= 0) break;
            at += static_cast<size_t>(n);
        }
        ::lseek(fd_, 0, SEEK_SET);
    }
    ~TextFile() { ::close(fd_); }
    TextFile(const TextFile&)            = delete;
    TextFile& operator=(const TextFile&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

private:
    int fd_;
};

std::vector<std::unique_ptr<Session>> prepared;

std::unique_ptr<Session> new_session() {
    auto s                     = std::make_unique<Session>();
    s->diags.max_errors        = 0;
    s->world.limits.budget     = max_steps;
    s->world.limits.max_memory = max_memory;
    return s;
}

} // namespace

/// A session that has loaded all plugins there are: their libraries stay, so that their coverage is seen whichever inputs use them.
static void open_libraries() {
    static const auto session = new_session();
    std::vector<std::string> names;
    for (auto& file : std::filesystem::directory_iterator(installed_plugin_dir()))
        if (file.path().extension() == ".mim") names.push_back(file.path().stem());
    std::ranges::sort(names);
    for (auto& name : names) session->load_plugin(name);
}

void prepare(size_t sessions, const std::vector<std::string_view>& plugins) {
    if (static bool first = true; std::exchange(first, false)) open_libraries();
    while (prepared.size() < sessions) {
        prepared.push_back(new_session());
        for (auto plugin : plugins)
            if (!prepared.back()->load_plugin(plugin)) fault("a plugin is missing", std::string(plugin));
    }
}

void check_phases(Session& s, const std::string& text) {
    PipelineOptions options;
    options.pipeline    = kDefaultPipeline;
    options.verify_each = true;
    if (run_pipeline(s, options) != Outcome::Fault) return;
    std::string errors;
    for (auto& d : s.diags.all()) errors += render_text(s.sources, d, false);
    fault(errors, text);
}

void fault(const std::string& what, const std::string& text) {
    std::fprintf(stderr, "%s\n%s\n", what.c_str(), text.c_str());
    std::abort();
}

static bool load(Session& s, const std::string& text, const std::string& extension) {
    if (!extension.empty()) return s.load_text(text, "fuzz." + extension);
    TextFile file(text);
    return s.load_program(file.path());
}

void with_program(const std::string& text, const std::function<void(Session&, bool)>& body, const std::string& extension) {
    auto session = prepared.empty() ? new_session() : std::move(prepared.back());
    if (!prepared.empty()) prepared.pop_back();
    auto work = [&] {
        auto& s = *session;
        try {
            bool ok = load(s, text, extension) && s.check_tokens() && s.diags.num_errors() == 0;
            for (auto& d : s.diags.all()) render_text(s.sources, d, false);
            body(s, ok);
        } catch (const Error& e) {
            if (!info(e.id).code.starts_with("E5")) fault(std::string("an error that no stage reports: ") + e.what(), text);
        }
    };
    run_on_big_stack(work, stack);
}

void with_accepted(const std::string& text, const std::vector<std::string_view>& plugins,
                   const std::function<void(Session&)>& body) {
    prepare(1, plugins);
    in_child([&] {
        with_program(text, [&](Session& s, bool ok) {
            if (ok) body(s);
        });
    });
}

} // namespace fuzz
