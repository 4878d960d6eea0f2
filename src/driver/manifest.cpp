// SPDX-License-Identifier: MIT
#include "driver/manifest.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "driver/search.h"

namespace mim {

namespace {

using Fields = std::vector<std::string>;

constexpr std::string_view kHead   = "mim-plugin"; // with the number of the format and the name of the plugin
constexpr std::string_view kFormat = "1";
constexpr std::string_view kEnd    = "end"; // with the number of lines before: a file that is cut off lacks it

std::string line(const Fields& fields) {
    std::string out;
    for (auto& field : fields) out += (out.empty() ? "" : "\t") + field;
    return out + '\n';
}

std::string command_lines(const CommandSpec& c) {
    auto text = line({"command", c.name, c.operands, c.summary, std::to_string(c.min_operands), std::to_string(c.max_operands),
                      c.status, std::to_string(c.failure)});
    for (auto& o : c.options) text += line({"command-option", c.name, o.name, o.short_name, o.value, o.summary});
    return text;
}

std::string library_line(const RuntimeLibrary& library) {
    Fields fields{"library", library.name, library.advice};
    fields.insert(fields.end(), library.system_libraries.begin(), library.system_libraries.end());
    return line(fields);
}

Fields split(std::string_view text, char separator) {
    Fields fields;
    for (size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? text.size() : end + 1)) {
        end = text.find(separator);
        fields.emplace_back(text.substr(0, end));
    }
    return fields;
}

template<class Number>
bool parse_number(const std::string& text, Number& out) {
    auto last         = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), last, out);
    return error == std::errc() && end == last && !text.empty();
}

/// A kind of records, and how one is read into a manifest; false if its fields are wrong.
struct Kind {
    std::string_view name;
    size_t num_fields; ///< with the name
    bool (*read)(Manifest&, const Fields&);
    bool more = false; ///< there may be more fields
};

/// Reads records into a manifest.
class Reader {
public:
    /// False if the fields are not those of their kind.
    bool record(const Fields& fields) {
        auto kind = std::ranges::find(kKinds, std::string_view(fields.front()), &Kind::name);
        if (kind == std::end(kKinds)) return false;
        bool is_complete = kind->more ? fields.size() >= kind->num_fields : fields.size() == kind->num_fields;
        return is_complete && kind->read(manifest, fields);
    }

    Manifest manifest;

private:
    static bool command(Manifest& m, const Fields& f) {
        CommandSpec spec{.name = f[1], .operands = f[2], .summary = f[3], .status = f[6]};
        bool ok = parse_number(f[4], spec.min_operands) && parse_number(f[5], spec.max_operands)
                  && parse_number(f[7], spec.failure);
        if (ok) m.commands.push_back(std::move(spec));
        return ok;
    }
    static bool command_option(Manifest& m, const Fields& f) {
        auto command = std::ranges::find(m.commands, f[1], &CommandSpec::name);
        if (command == m.commands.end()) return false;
        command->options.push_back({f[2], f[3], f[4], f[5]});
        return true;
    }

    static constexpr Kind kKinds[] = {
        {"with-default-pipeline", 1, [](Manifest& m, const Fields&) { return m.with_default_pipeline = true; }},
        {"extension", 2, [](Manifest& m, const Fields& f) { return m.extensions.push_back(f[1]), true; }},
        {"formatter", 2, [](Manifest& m, const Fields& f) { return m.formatters.push_back(f[1]), true; }},
        {"output", 4, [](Manifest& m, const Fields& f) { return m.outputs.push_back({f[1], f[2], f[3]}), true; }},
        {"extension-point", 3, [](Manifest& m, const Fields& f) { return m.extension_points.push_back({f[1], f[2]}), true; }},
        {"operator", 3, [](Manifest& m, const Fields& f) { return m.operators.push_back({f[1], f[2]}), true; }},
        {"option", 5, [](Manifest& m, const Fields& f) { return m.options.push_back({f[1], f[2], f[3], f[4]}), true; }},
        {"command", 8, command},
        {"command-option", 6, command_option},
        {"library", 3,
         [](Manifest& m, const Fields& f) { return m.libraries.push_back({f[1], {f.begin() + 3, f.end()}, f[2], {}, {}}), true; },
         true},
        {"file", 2, [](Manifest& m, const Fields& f) { return m.files.push_back(f[1]), true; }}};
};

} // namespace

const CommandSpec* Manifest::command(std::string_view name) const {
    auto found = std::ranges::find(commands, name, &CommandSpec::name);
    return found == commands.end() ? nullptr : &*found;
}

const Manifest::Option* Manifest::option(std::string_view key) const {
    auto found = std::ranges::find(options, key, &Option::key);
    return found == options.end() ? nullptr : &*found;
}

bool Manifest::has_extension_point(std::string_view name) const {
    return std::ranges::find(extension_points, name, &ExtensionPoint::name) != extension_points.end();
}

std::string to_text(const Manifest& m) {
    auto text = line({std::string(kHead), std::string(kFormat), m.plugin});
    if (m.with_default_pipeline) text += line({"with-default-pipeline"});
    for (auto& e : m.extensions) text += line({"extension", e});
    for (auto& e : m.formatters) text += line({"formatter", e});
    for (auto& o : m.outputs) text += line({"output", o.name, o.suffix, o.summary});
    for (auto& p : m.extension_points) text += line({"extension-point", p.name, p.summary});
    for (auto& o : m.operators) text += line({"operator", o.text, o.call});
    for (auto& o : m.options) text += line({"option", o.key, o.kind, o.value, o.summary});
    for (auto& c : m.commands) text += command_lines(c);
    for (auto& l : m.libraries) text += library_line(l);
    for (auto& f : m.files) text += line({"file", f});
    auto lines = std::ranges::count(text, '\n');
    return text + line({std::string(kEnd), std::to_string(lines)});
}

std::optional<Manifest> parse_manifest(std::string_view text, std::string& problem) {
    Reader reader;
    size_t number = 0;
    for (auto& one : split(text, '\n')) {
        auto fields = split(one, '\t');
        ++number;
        bool is_head = fields.size() == 3 && fields[0] == kHead;
        if (number == 1 && (!is_head || fields[1] != kFormat))
            return problem = "is no manifest that this Mim reads", std::nullopt;
        if (number == 1) {
            reader.manifest.plugin = fields[2];
        } else if (fields.front() == kEnd) {
            bool is_whole = fields.size() == 2 && fields[1] == std::to_string(number - 1);
            if (is_whole) return std::move(reader.manifest);
            return problem = "is damaged: it ends in line " + std::to_string(number) + ", which does not count the lines before",
                   std::nullopt;
        } else if (one.empty()) {
            break;
        } else if (!reader.record(fields)) {
            return problem = "is damaged in line " + std::to_string(number), std::nullopt;
        }
    }
    return problem = "is damaged: its end is missing", std::nullopt;
}

std::string manifest_path(const std::string& beside, std::string_view plugin) {
    return dir_of(beside) + "/" + std::string(plugin) + ".plugin";
}

std::string manifest_problem(const std::string& library, Manifest recorded) {
    std::string problem, text;
    auto path    = manifest_path(library, recorded.plugin);
    bool is_same = read_file(path, text, problem) && text == to_text(recorded);
    if (is_same) return {}; // most plugins have no files
    auto written = read_manifest(path, recorded.plugin, problem);
    if (!written) return problem;
    recorded.files = written->files;
    if (to_text(*written) != to_text(recorded)) return std::string(kStale);
    for (auto& file : written->files)
        if (!is_file(data_folder(library, recorded.plugin) + "/" + file))
            return "names the file `" + file + "`, which is missing";
    return {};
}

std::vector<std::string> data_files(const std::string& library, std::string_view plugin) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    std::error_code failed;
    fs::path folder = data_folder(library, plugin);
    for (auto it = fs::recursive_directory_iterator(folder, failed); !failed && it != fs::recursive_directory_iterator();
         it.increment(failed))
        if (it->is_regular_file()) files.push_back(fs::relative(it->path(), folder).string());
    std::ranges::sort(files);
    return files;
}

std::string data_folder(const std::string& beside, std::string_view plugin) { return dir_of(beside) + "/" + std::string(plugin); }

std::optional<Manifest> read_manifest(const std::string& path, std::string_view plugin, std::string& problem) {
    std::string text, error;
    if (!read_file(path, text, error)) {
        problem = "cannot be read: " + error;
        if (!is_file(path)) problem = "is missing: `mim bootstrap libmim_" + std::string(plugin) + ".so` makes it";
        return {};
    }
    auto manifest = parse_manifest(text, problem);
    if (!manifest) return {};
    if (manifest->plugin != plugin) return problem = "is that of the plugin `" + manifest->plugin + "`", std::nullopt;
    manifest->path = path;
    return manifest;
}

} // namespace mim
