// SPDX-License-Identifier: MIT
// The files of a new plugin, made from example/new-plugin; `@NAME@` stands for its name in paths and texts,
// `@CPP_NAME@` for that of its namespace.
#pragma once
#include <span>
#include <string_view>

namespace mim {

struct TemplateFile {
    std::string_view path, text;
};
std::span<const TemplateFile> plugin_templates();

} // namespace mim
