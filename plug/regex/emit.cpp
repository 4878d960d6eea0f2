// SPDX-License-Identifier: MIT
// Code for automata whose states are made while they run: calls of the library that programs are linked with
// (runtime/program.cpp), with the tables that it takes.
#include <array>
#include <bit>

#include "backend/emit.h"
#include "eval/machine.h"
#include "kit/match.h"
#include "regex.h"
#include "regex/annexes.h"
#include "regex/diagnostics.h"
#include "regex/runtime/subsets.h"

namespace mim::plug::regex {

namespace {

using backend::Emit;
using Emitted = backend::Value;

/// The numbers of an array, one word each; none if they are not known.
std::optional<std::vector<uint64_t>> words_of(World& w, const Def* array) {
    std::vector<uint64_t> result;
    auto size = lit_arity(w, array->type());
    for (int64_t i = 0; i < size; ++i) {
        auto number = value(w, array, uint64_t(i));
        if (!number) return {};
        result.push_back(*number);
    }
    return result;
}

/// Two numbers that tell these words from others.
std::array<uint64_t, 2> fingerprint(const std::vector<uint64_t>& words) {
    std::array<uint64_t, 2> result{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};
    for (auto word : words)
        for (auto& h : result) {
            h = (h ^ word) * 0xff51afd7ed558ccd + 0xc4ceb9fe1a85ec53;
            h = std::rotl(h, 29) ^ h >> 32;
        }
    return result;
}

/// A pointer to the tables, in the layout that runtime/program.cpp reads.
Emitted tables_of(Emit& e, const Def* app) {
    auto& w    = e.world();
    auto given = group(app, 1);
    auto nodes = words_of(w, elem(w, given, 1)), sets = words_of(w, elem(w, given, 2));
    auto order = value(w, given, 0);
    if (!nodes || !sets || !order) {
        e.error(app, diag::not_known("these tables are", "ask for a pattern, of which they are made"));
        return e.undef(e.ptr_type());
    }
    std::vector<uint64_t> words{nodes->size(), sets->size() / Graph::set_words, *order};
    words.insert(words.end(), nodes->begin(), nodes->end());
    words.insert(words.end(), sets->begin(), sets->end());
    auto head = fingerprint(words);
    words.insert(words.begin(), head.begin(), head.end());
    return e.bytes({reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint64_t)}, alignof(uint64_t));
}

Emitted emit_ends(Emit& e, const Def* app) {
    auto args                           = arg_of(app);
    auto word                           = e.int_type(64);
    auto [_, text, size, pos, no_empty] = e.elems<5>(args);
    auto end   = e.call("mim_regex_end", word, {tables_of(e, app), text, size, pos, e.resize(no_empty, word)});
    auto found = e.cmp(backend::Cmp::Ne, end, e.i64(~uint64_t(0)));
    return e.aggregate({found, e.select(found, end, pos)});
}

Emitted emit_begins(Emit& e, const Def* app) {
    auto [_, text, size, from, to] = e.elems<5>(arg_of(app));
    return e.call("mim_regex_begin", e.int_type(64), {tables_of(e, app), text, size, from, to});
}

/// Runs an automaton for the evaluator: one step after the other, and nothing is kept.
class LazyReader {
public:
    explicit LazyReader(eval::Machine& m)
        : m_(m) {
        auto given = m.elems<3>(m.group(1));
        ordered_   = m.flag(given[0]);
        nodes_     = numbers(given[1], 0);
        sets_      = numbers(given[2], 1);
    }

    /// The last place of a match from `from` on, or none.
    template<class Symbol>
    std::optional<uint64_t> run(unsigned before, bool again, uint64_t from, uint64_t last, bool forward, Symbol symbol) {
        Graph graph{nodes_.data(), nodes_.size(), sets_.data(), sets_.size() / Graph::set_words, ordered_};
        Subsets subsets(graph);
        Subsets::Key now, next;
        subsets.start(before, again, now);
        std::optional<uint64_t> found;
        for (auto pos = from;; pos = forward ? pos + 1 : pos - 1) {
            bool is_match = subsets.step(now, subsets.class_of[symbol(pos)], next);
            if (is_match) found = pos;
            if (Subsets::is_dead(next) || pos == last) return found;
            now.swap(next);
        }
    }

private:
    std::vector<uint64_t> numbers(const eval::Value& array, size_t which) {
        auto sizes = m_.nums<2>(m_.group(0));
        std::vector<uint64_t> result;
        for (uint64_t i = 0; i != sizes[which]; ++i) result.push_back(m_.num(m_.elem(array, i, sizes[which])));
        return result;
    }

    eval::Machine& m_;
    bool ordered_ = false;
    std::vector<uint64_t> nodes_, sets_;
};

eval::Value mean_ends(eval::Machine& m, const Def* app) {
    auto [mem, text, size, pos, after_empty] = m.elems<5>(m.group(2));
    m.token(mem);
    auto subject = m.force(text, app);
    auto from = m.num(pos), last = m.num(size);
    auto at     = [&](uint64_t i) { return unsigned(m.memory().load_byte(subject, i)); };
    auto before = from == 0 ? 0 : kind_before(at(from - 1));
    auto symbol = [&](uint64_t i) { return i == last ? Graph::end : at(i); };
    auto found  = LazyReader(m).run(before, m.flag(after_empty), from, last, true, symbol);
    return m.tuple({eval::Value::token(), eval::Value::num(found.has_value()), eval::Value::num(found.value_or(from))});
}

eval::Value mean_begins(eval::Machine& m, const Def* app) {
    auto [mem, text, size, from, to] = m.elems<5>(m.group(2));
    m.token(mem);
    auto subject = m.force(text, app);
    auto first = m.num(from), last = m.num(to);
    auto at     = [&](uint64_t i) { return unsigned(m.memory().load_byte(subject, i)); };
    auto before = last == m.num(size) ? 0 : kind_before(at(last));
    auto symbol = [&](uint64_t i) { return i == 0 ? Graph::end : at(i - 1); };
    auto found  = LazyReader(m).run(before, false, last, first, false, symbol);
    return m.tuple({eval::Value::token(), eval::Value::num(found.value_or(last))});
}

} // namespace

void register_lazy(PluginBuilder& p) {
    p.axiom("%regex.lazy_ends").effect().internal().meaning(mean_ends).emit("llvm", emit_ends);
    p.axiom("%regex.lazy_begins").effect().internal().meaning(mean_begins).emit("llvm", emit_begins);
    p.library({.name = "mim_regex_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
}

} // namespace mim::plug::regex
