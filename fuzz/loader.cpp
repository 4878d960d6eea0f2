// SPDX-License-Identifier: MIT
// libFuzzer target for the plugin loader: a folder with a plugin whose text and whose library may be broken. The input is the text of
// NAME.mim behind four bytes: what becomes of the library (none, empty, another file, cut off, bytes changed, another plugin's) and
// where. Whatever lies there, loading ends with diagnostics.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "base/stack.h"
#include "common/mutate.h"
#include "driver/session.h"

using namespace mim;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
    constexpr size_t head = 4;
    if (size < head || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max);
    auto text = fuzz::mutate({reinterpret_cast<char*>(data) + head, size - head}, max - head, seed);
    text.copy(reinterpret_cast<char*>(data) + head, text.size());
    return head + text.size();
}

namespace {

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// A library as it should not be; a library that works is that of the plugin `mem`. Past its first bytes a whole file is not changed:
/// it is code, and the dynamic linker trusts it as well.
std::string library(const uint8_t* how) {
    static const std::string good = contents(installed_plugin_dir() + "/libmim_mem.so");
    auto where                    = static_cast<size_t>(how[1] | how[2] << 8);
    auto broken                   = good;
    switch (how[0] % 6) {
        case 0: return {};
        case 1: return "#!/bin/sh\nexit 1\n";
        case 2: return broken.substr(0, good.size() * where >> 16);
        case 3: return broken.substr(0, 64 + where % 4096);
        case 4: // format, machine, version
            broken[where % 24] = static_cast<char>(how[3]);
            return broken;
        default: return broken; // its name is another one
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 4 || size > 4096) return 0;
    static const std::string folder = [] {
        char name[] = "/tmp/mim-fuzz-XXXXXX";
        return std::string(::mkdtemp(name) ? name : "/tmp");
    }();
    static int count = 0; // a library that was opened under a name stays
    auto name        = "broken" + std::to_string(count++);
    auto mim = folder + "/" + name + ".mim", so = folder + "/libmim_" + name + ".so", main = folder + "/main.mim";
    std::ofstream(mim, std::ios::binary) << std::string(reinterpret_cast<const char*>(data) + 4, size - 4);
    std::ofstream(main) << "plugin " << name << ";\n";
    bool with_library = data[0] & 8;
    if (with_library) std::ofstream(so, std::ios::binary) << library(data);
    auto work = [&] {
        Session s({folder});
        s.diags.max_errors        = 0;
        s.world.limits.budget     = 20'000;
        s.world.limits.max_memory = uint64_t(256) << 20;
        try {
            s.load_program(main);
        } catch (const Error& e) {
            if (!info(e.id).code.starts_with("E5")) std::abort();
        }
        for (auto& d : s.diags.all()) render_text(s.sources, d, false);
    };
    run_on_big_stack(work, size_t(256) << 20);
    for (auto& path : {mim, so, main}) ::unlink(path.c_str());
    return 0;
}
