// SPDX-License-Identifier: MIT
// libFuzzer target for the languages of plugins: the first line of an input is the extension of a file, the rest is its text. No text
// crashes its front end or goes on for ever, and what is accepted keeps all invariants, as it is read and after each phase.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/forked.h"
#include "common/front_end.h"
#include "common/mutate.h"
#include "driver/pipeline.h"

using namespace mim;

namespace {

struct Languages {
    std::vector<std::string> extensions;
    std::vector<std::string> plugins;

    Languages() {
        Session session;
        for (auto& manifest : session.manifests().all()) {
            if (manifest.extensions.empty()) continue;
            plugins.push_back(manifest.plugin);
            extensions.insert(extensions.end(), manifest.extensions.begin(), manifest.extensions.end());
        }
    }
};

void run(Session& s, const std::string& text) {
    if (auto wrong = verify_text(s.world); !wrong.empty()) fuzz::fault("elaborated: " + wrong, text);
    fuzz::check_phases(s, text);
}

} // namespace

static void languages(const std::string& input) {
    static const Languages all;
    auto end       = input.find('\n');
    auto extension = input.substr(0, end);
    if (end == input.npos || std::ranges::find(all.extensions, extension) == all.extensions.end()) return;
    fuzz::prepare(1, {all.plugins.begin(), all.plugins.end()});
    auto text = input.substr(end + 1);
    fuzz::in_child([&] {
        fuzz::with_program(
            text,
            [&](Session& s, bool ok) {
                if (ok) run(s, text);
            },
            extension);
    });
}

FUZZ_TEXT_TARGET(languages)
