// SPDX-License-Identifier: MIT
#include "sessions.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace agree {

using mim::Session;

namespace {

using Pool = std::vector<std::unique_ptr<Session>>;

constexpr std::array<size_t, 4> needed = {3, 1, 1, 1}; // compiled, read again twice; as written; with checks; for debuggers

Pool& pool(Kind kind) {
    static std::array<Pool, needed.size()> pools;
    return pools[static_cast<size_t>(kind)];
}

std::unique_ptr<Session> make(Kind kind) {
    auto s                     = std::make_unique<Session>();
    s->world.limits.budget     = 2'000'000;
    s->world.limits.max_memory = uint64_t(1) << 30;
    s->world.normalizers       = kind != Kind::Reference;
    s->world.checked           = kind == Kind::Checked;
    s->world.keeps_traps       = kind == Kind::Checked;
    s->world.debug             = kind == Kind::Debug;
    for (auto plugin : {"core", "mem"}) s->load_plugin(plugin);
    if (kind != Kind::Reference) s->load_plugin("opt");
    if (s->diags.num_errors() != 0) { // else each mutant would be refused
        std::fputs("agree: cannot load the plugins: build all of them\n", stderr);
        std::exit(2);
    }
    return s;
}

} // namespace

void prepare_sessions() {
    for (size_t kind = 0; kind != needed.size(); ++kind)
        for (auto& p = pool(Kind(kind)); p.size() < needed[kind];) p.push_back(make(Kind(kind)));
}

Session& take_session(Kind kind) {
    auto& p = pool(kind);
    if (p.empty()) return *make(kind).release();
    auto s = std::move(p.back());
    p.pop_back();
    return *s.release();
}

} // namespace agree
