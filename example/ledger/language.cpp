// SPDX-License-Identifier: MIT
// The language: what reads it, lays it out, and lists what a program has of it.
#include "driver/search.h"
#include "ledger.h"
#include "ledger/diagnostics.h"
#include "ledger/host/lines.h"

using namespace mim;

/// The sum of a line, as Mim.
static std::string sum_of(const ledger::Line& line, bool in_tens) {
    std::string sum = std::to_string(line.numbers[0]);
    for (size_t i = 1; i != line.numbers.size(); ++i) sum = "%ledger.sum (" + sum + ", " + std::to_string(line.numbers[i]) + ")";
    return in_tens ? "%ledger.tens (" + sum + ")" : sum;
}

/// The lines of the text, behind those of the prelude.
static std::optional<FrontEndProgram> read_ledger(FrontEndContext& c, const std::string& folder) {
    std::string prelude, error;
    std::vector<ledger::Line> lines;
    if (!read_file(folder + "/prelude.ledger", prelude, error))
        return c.error(0, 0, "there is no prelude: " + error), std::nullopt;
    if (ledger::read(prelude, lines)) return c.error(0, 0, "its prelude is none"), std::nullopt;
    auto own = lines.size();
    if (auto fault = ledger::read(c.text, lines)) return c.error(fault->begin, fault->end, fault->what), std::nullopt;
    if (lines.size() == own) {
        auto warning = plug::ledger::diag::empty_file(std::string(c.path));
        c.diags.report(warning.id, {c.file, 0, 0}, warning.texts());
    }
    front::MappedText mim(c.file);
    mim << "plugin ledger;\n";
    for (size_t i = 0; i != lines.size(); ++i) {
        auto& line  = lines[i];
        bool is_own = i >= own; // lines of the prelude have no place in the text
        if (is_own) mim.at(line.begin, line.end);
        mim << "fun extern " << line.name << " (): Nat = return (";
        if (is_own) mim.at(line.sum, line.end);
        mim << sum_of(line, c.settings.flag("ledger.tens"));
        if (is_own) mim.at(line.begin, line.end);
        mim << ");\n";
    }
    return mim;
}

static std::optional<std::string> lay_out(FormatContext& c) {
    std::vector<ledger::Line> lines;
    auto fault = ledger::read(c.text, lines);
    if (!fault) return ledger::lay_out(lines);
    c.error(fault->begin, fault->end, fault->what);
    return {};
}

/// The names of the functions of a program.
static std::optional<std::string> list(BackEndContext& c) {
    auto text = c.settings.text("ledger.title") + "\n";
    for (auto& e : c.world.externals) text += std::string(e.name.view()) + "\n";
    return text;
}

void add_language(PluginBuilder& p) {
    p.front_end("ledger", [folder = p.folder()](FrontEndContext& c) { return read_ledger(c, folder); });
    p.formatter("ledger", lay_out);
    p.back_end("names", ".txt", "the names of functions", list);
    p.option("tens", false, "round sums down to tens");
    p.option("title", "names:", "the first line of a list of names");
}
