// SPDX-License-Identifier: MIT
// Strategies from text to trees.
#include <algorithm>
#include <utility>

#include "front/parser.h"
#include "rise.h"
#include "rise/diagnostics.h"
#include "strategy.h"

namespace mim::plug::rise {

namespace {

class StrategyParser : front::ParserBase {
public:
    StrategyParser(FileId file, std::string_view text, Program& program, Diagnostics& diags)
        : ParserBase(file, text, lexicon(), {}, diags)
        , program_(program) {
        reading = "a strategy";
    }

    const StrategyTree* whole() {
        auto result = sequence();
        if (!at(front::End)) expected("the end of the strategy");
        return has_errors() ? nullptr : result;
    }

private:
    using Tree = const StrategyTree*;

    Tree make(StrategyTree tree) { return &program_.strategy_trees.emplace_back(std::move(tree)); }
    bool at_word(std::string_view word) const { return cursor_.word() == word; }
    /// Takes the operator, also in backquotes.
    bool accept_op(std::string_view op) {
        bool is_quoted = at_word("`") && cursor_.word(1) == op && cursor_.word(2) == "`";
        if (!is_quoted && !at_word(op)) return false;
        for (int i = is_quoted ? 3 : 1; i > 0; --i) next();
        return true;
    }
    Tree join(StrategyTree::Kind kind, Tree left, Tree right) {
        return make({.kind = kind, .span = left->span.join(right->span), .parts = {left, right}});
    }

    /// `s ;; t` is `s ; DFNF ; t`.
    Tree sequence() {
        front::Nesting::Level nest(nesting_);
        if (too_deep()) return make({.kind = StrategyTree::Name, .span = cursor_.span()});
        auto result = choice();
        while (true) {
            auto place = cursor_.span();
            if (accept_op(";;")) {
                auto form = make({.kind = StrategyTree::Name, .span = place, .text = "DFNF"});
                result    = join(StrategyTree::Sequence, result, form);
            } else if (!accept_op(";")) {
                return result;
            }
            result = join(StrategyTree::Sequence, result, choice());
        }
    }
    Tree choice() {
        auto result = application();
        while (accept_op("<+")) result = join(StrategyTree::Choice, result, application());
        return result;
    }
    /// `s @ f` is `f(s)`.
    Tree application() {
        auto result = comparison();
        while (accept_op("@")) {
            auto f = comparison();
            result = make({.kind = StrategyTree::Apply, .span = result->span.join(f->span), .parts = {f, result}});
        }
        return result;
    }
    // ---- sizes, which are arguments
    Tree comparison() {
        auto result = sum();
        auto op     = operator_of({"<", "<=", ">", ">=", "==", "!="});
        return op.empty() ? result : infix(op, result, sum());
    }
    Tree sum() {
        auto result = product();
        for (auto op = operator_of({"+", "-"}); !op.empty(); op = operator_of({"+", "-"})) result = infix(op, result, product());
        return result;
    }
    Tree product() {
        auto result = call();
        for (auto op = operator_of({"*", "/", "%"}); !op.empty(); op = operator_of({"*", "/", "%"}))
            result = infix(op, result, call());
        return result;
    }
    /// Takes one of these operators; empty if none is here.
    std::string_view operator_of(std::initializer_list<std::string_view> all) {
        for (auto op : all)
            if (accept_op(op)) return op;
        return {};
    }
    Tree infix(std::string_view op, Tree left, Tree right) {
        return make({.kind = StrategyTree::Infix, .span = left->span.join(right->span), .text = op, .parts = {left, right}});
    }

    Tree call() {
        auto begin  = cursor_.begin();
        auto result = atom();
        while (accept(LParen)) {
            std::vector<Tree> parts{result};
            if (at(RParen)) expected("an argument");
            bracketed(Comma, RParen, [&] { parts.push_back(sequence()); });
            result = make({.kind = StrategyTree::Apply, .span = cursor_.span_from(begin), .parts = std::move(parts)});
        }
        return result;
    }
    Tree atom() {
        auto place = cursor_.span();
        auto word  = cursor_.word();
        if (accept(front::Name) || accept(If)) return make({.kind = StrategyTree::Name, .span = place, .text = word});
        if (accept(front::Integer)) return make({.kind = StrategyTree::Number, .span = place, .text = word});
        if (accept(front::String)) {
            auto inside = word.substr(1, word.size() - 2);
            return make({.kind = StrategyTree::Text, .span = place, .text = inside});
        }
        auto opener = cursor_.pos();
        if (accept(LBracket)) {
            std::vector<Tree> parts;
            bracketed(Comma, RBracket, [&] { parts.push_back(sum()); });
            return make({.kind = StrategyTree::List, .span = place.join(cursor_.span()), .parts = std::move(parts)});
        }
        if (accept(LParen)) {
            auto result = sequence();
            close(opener, RParen);
            return result;
        }
        expected("a strategy");
        return make({.kind = StrategyTree::Name, .span = place});
    }

    Program& program_;
};

} // namespace

const StrategyTree* parse_strategy(Diagnostics& diags, Program& program, std::string_view text, Span span) {
    // Blanks in front keep the places.
    auto& padded = program.texts.emplace_back(std::string(span.begin, ' '));
    padded += text.substr(span.begin, span.end - span.begin);
    return StrategyParser(span.file, padded, program, diags).whole();
}

static bool read_library(FrontEndContext& c, Program& program, const std::string& path) {
    auto library = c.open(path);
    if (library) parse_library(c.diags, program, *library);
    else c.error(0, 0, "the library, `" + path + "`, cannot be read");
    return library.has_value();
}

/// Those of the library are in front of those of the file.
static bool add_library(FrontEndContext& c, Program& program, const std::string& folder) {
    auto strategies = std::exchange(program.strategies, {});
    auto defs       = std::exchange(program.defs, {});
    bool is_read    = read_library(c, program, folder + "/library.rise") && read_library(c, program, folder + "/functions.rise");
    for (auto& strategy : program.strategies) strategy.is_library = true;
    for (auto& def : program.defs) def.is_library = true;
    program.strategies.insert(program.strategies.end(), strategies.begin(), strategies.end());
    std::ranges::move(defs, std::back_inserter(program.defs));
    return is_read;
}

/// `rise.target` says it, or the output that is made. Nothing after an error.
static std::optional<Target> target_of(FrontEndContext& c) {
    auto chosen = c.settings.text("rise.target");
    auto makes  = [&](std::string_view output) { return std::ranges::find(c.outputs, output) != c.outputs.end(); };
    if (chosen == "opencl") return Target::OpenCL;
    if (chosen == "omp") return Target::Omp;
    if (chosen == "c") return Target::C;
    if (!chosen.empty()) {
        auto text = c.open("--set rise.target");
        auto size = static_cast<uint32_t>(chosen.size());
        c.diags.report(diag::bad_strategy(chosen, "is no target: `c`, `omp` or `opencl` is expected"), {*text, 0, size});
        return {};
    }
    if (makes("opencl") || makes("clhost")) return Target::OpenCL;
    return makes("omp") ? Target::Omp : Target::C;
}

/// There are no operations of `tensor` for that.
static bool has_any_number_of_steps(const Program& program) {
    return std::ranges::any_of(program.exprs, [](auto& e) {
        bool is_iterate = e.kind == Expr::Apply && e.parts[0]->kind == Expr::Name && e.parts[0]->text == "iterate";
        return is_iterate && e.parts[1]->kind != Expr::Integer;
    });
}

/// Whether `default` is applied to a program without a strategy. The outputs of the plugin `dpia` need it. Text in RISE must be read again and
/// print the same, so it gets `default` only if a target is asked for. All other outputs are made by operations of `tensor`, which choose themselves.
static bool is_completed(const FrontEndContext& c, const Program& program) {
    if (c.outputs.empty()) return has_any_number_of_steps(program);
    bool is_code = std::ranges::any_of(c.outputs, [](auto& output) { return output != "rise"; });
    bool is_text = !c.outputs.empty() && !is_code;
    return !c.is_imported && (is_code || (is_text && !c.settings.text("rise.target").empty()));
}

bool read_strategies(FrontEndContext& c, Program& program, const std::string& library) {
    auto chosen = c.settings.text("rise.strategy");
    auto target = target_of(c);
    if (!target) return false;
    program.target = *target;
    if (!add_library(c, program, library)) return false;
    auto read = [&](Span place) {
        bool is_empty = place.begin == place.end; // that is reported
        return is_empty ? nullptr : parse_strategy(c.diags, program, c.diags.sources().text(place.file), place);
    };
    for (auto& strategy : program.strategies) strategy.body = read(strategy.place);
    for (auto& def : program.defs) {
        if (!def.strategy || chosen == "none") continue;
        auto tree = read(*def.strategy);
        if (chosen.empty()) def.by = tree;
    }
    if (chosen.empty()) {
        StrategyTree name{.kind = StrategyTree::Name, .span = {}, .text = "default"};
        if (is_completed(c, program)) program.by_default = &program.strategy_trees.emplace_back(std::move(name));
    } else if (chosen != "none") {
        auto text       = c.open("--set rise.strategy");
        auto size       = static_cast<uint32_t>(chosen.size());
        program.by_flag = parse_strategy(c.diags, program, chosen, {*text, 0, size});
    }
    return c.diags.num_errors() == 0;
}

} // namespace mim::plug::rise
