// SPDX-License-Identifier: MIT
#include "common/front_end.h"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

#include "base/stack.h"

namespace fuzz {

using namespace mim;

namespace {

constexpr uint64_t max_steps  = 20'000;
constexpr uint64_t max_memory = uint64_t(256) << 20;
constexpr size_t stack        = size_t(256) << 20;

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

} // namespace

void fault(const std::string& what, const std::string& text) {
    std::fprintf(stderr, "%s\n%s\n", what.c_str(), text.c_str());
    std::abort();
}

void with_program(const std::string& text, const std::function<void(Session&, bool)>& body) {
    auto work = [&] {
        TextFile file(text);
        Session s;
        s.diags.max_errors        = 0;
        s.world.limits.budget     = max_steps;
        s.world.limits.max_memory = max_memory;
        try {
            bool ok = s.load_program(file.path()) && s.check_tokens() && s.diags.num_errors() == 0;
            for (auto& d : s.diags.all()) render_text(s.sources, d, false);
            body(s, ok);
        } catch (const Error& e) {
            if (!info(e.id).code.starts_with("E5")) fault(std::string("an error that no stage reports: ") + e.what(), text);
        }
    };
    run_on_big_stack(work, stack);
}

void with_accepted(const uint8_t* data, size_t size, const std::function<void(Session&, const std::string&)>& body) {
    if (size > 4096) return;
    std::string text(reinterpret_cast<const char*>(data), size);
    with_program(text, [&](Session& s, bool ok) {
        if (ok) body(s, text);
    });
}

} // namespace fuzz
