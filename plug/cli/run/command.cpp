// SPDX-License-Identifier: MIT
// The text of arguments and results is read and written by the same functions as in compiled programs.
#include "cli/run/command.h"

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/runtime/program.h"
#include "mem/annexes.h"

namespace mim::plug::cli {

using eval::Machine;
using eval::Value;

namespace run = mim::cli;

eval::Values elements(Machine& m, const Value& array, uint64_t n) {
    eval::Values result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(m.elem(array, i, n));
    return result;
}

namespace {

/// Up to the byte 0.
std::string text_at(Machine& m, const Value& bytes) {
    std::string text;
    while (true) {
        auto c = m.memory().load_byte(bytes, text.size());
        if (c == 0) return text;
        text += static_cast<char>(c);
    }
}

/// The arguments of a program in C.
std::vector<std::string> texts(Machine& m, const Value& argv, uint64_t n, const Def* where) {
    auto& w   = m.world();
    auto text = m.eval(w.app(w.annex(mem::PtrAS(0)), {w.idx(256), w.lit_nat(0)}));
    std::vector<std::string> result;
    for (uint64_t i = 0; i != n; ++i) {
        auto at = m.memory().lea(argv, Value::num(n), m.tuple(eval::Values(n, text)), i, where);
        result.push_back(text_at(m, m.memory().load(at, text, where)));
    }
    return result;
}

/// Takes a value out of the leaves of a program, whose places are next.
Value take(Machine& m, const run::Program& program, const run::Type& t, std::vector<size_t>& places) {
    if (t.kind == run::Type::Pair) {
        auto first = take(m, program, *t.first, places);
        return m.tuple({first, take(m, program, *t.second, places)});
    }
    if (t.kind != run::Type::Array) return Value::num(program.leaves[t.leaf].data[places[t.leaf]++]);
    eval::Values all;
    for (uint64_t i = 0, n = run::value_of(program, t.size); i != n; ++i) all.push_back(take(m, program, *t.first, places));
    return m.tuple(std::move(all));
}

void put(Machine& m, const run::Program& program, const run::Type& t, const Value& v,
         std::vector<std::vector<uint64_t>>& leaves) {
    if (t.kind == run::Type::Pair) {
        put(m, program, *t.first, m.elem(v, 0), leaves);
        put(m, program, *t.second, m.elem(v, 1), leaves);
    } else if (t.kind == run::Type::Array) {
        auto n = run::value_of(program, t.size);
        for (uint64_t i = 0; i != n; ++i) put(m, program, *t.first, m.elem(v, i, n), leaves);
    } else {
        leaves[t.leaf].push_back(m.num(v));
    }
}

/// The text that an array of bytes is.
std::string signature_of(Machine& m, const Value& signature, uint64_t n) {
    std::string text;
    for (auto& c : elements(m, signature, n)) text += static_cast<char>(m.num(c));
    return text;
}

using Leaves = std::vector<std::vector<uint64_t>>;

void set_leaf(run::Program& program, size_t i, std::vector<uint64_t>& words) {
    program.leaves.data[i] = {words.data(), words.size(), words.size()};
}

/// Calls the program with its sizes and the words of its arguments; the leaves of its result.
Leaves called(Machine& m, const Value& function, const run::Program& program) {
    eval::Values sizes;
    for (size_t i = 0; i != program.sizes.size; ++i) sizes.push_back(Value::num(program.sizes.data[i].value));
    auto value = m.call(m.force(function), m.tuple(std::move(sizes)));
    std::vector<size_t> places(program.leaves.size);
    for (size_t i = 0; i != program.parameters.size; ++i)
        value = m.call(value, take(m, program, *program.parameters.data[i].type, places));
    Leaves leaves(program.leaves.size);
    put(m, program, *program.result, value, leaves);
    return leaves;
}

/// The lengths of the leaves of a value, in words.
void add_lengths(const run::Program& program, const run::Type& t, uint64_t times, std::map<uint32_t, uint64_t>& lengths) {
    if (t.kind == run::Type::Array) {
        add_lengths(program, *t.first, times * run::value_of(program, t.size), lengths);
    } else if (t.kind == run::Type::Pair) {
        add_lengths(program, *t.first, times, lengths);
        add_lengths(program, *t.second, times, lengths);
    } else {
        lengths[t.leaf] += times;
    }
}

/// Leaves that are arguments of their own, not pointers to elements.
void add_scalars(const run::Type& t, std::set<uint32_t>& scalars) {
    if (t.kind == run::Type::Array) return;
    if (t.kind != run::Type::Pair) scalars.insert(t.leaf);
    for (auto part : {t.first, t.second})
        if (part) add_scalars(*part, scalars);
}

Value words_type(Machine& m, uint64_t n) {
    auto& w = m.world();
    return m.eval(w.arr(n, w.i64_type()));
}

} // namespace

Value run_main(Machine& m, const Def* app) {
    auto s                     = m.num(m.elem(m.group(0), 1));
    auto [function, signature] = m.elems<2>(m.group(1));
    auto [token, argc, argv]   = m.elems<3>(m.group(2));
    m.token(token);
    auto words = texts(m, m.force(argv), m.num(argc), app);
    std::vector<const char*> args;
    for (auto& word : words) args.push_back(word.c_str());
    char message[256];
    auto text    = signature_of(m, signature, s);
    auto program = run::read_program(static_cast<int>(args.size()), args.data(), text.c_str(), message, sizeof message);
    if (!program) {
        std::fprintf(stderr, "error: %s\n", message);
        m.hosts().exit(1);
    }
    auto leaves = called(m, function, *program);
    for (size_t i = 0; i != leaves.size(); ++i)
        if (!leaves[i].empty()) set_leaf(*program, i, leaves[i]);
    auto shown = run::text_of(*program);
    m.hosts().print({shown.data, shown.size});
    return m.tuple({Value::token(), Value::num(0)});
}

Value run_call(Machine& m, const Def* app) {
    auto s                     = m.num(m.elem(m.group(0), 1, 4));
    auto [function, signature] = m.elems<2>(m.group(1));
    auto program               = run::make_program(signature_of(m, signature, s).c_str());
    auto num_results           = std::map<uint32_t, uint64_t>();
    auto lengths               = std::map<uint32_t, uint64_t>();
    auto scalars               = std::set<uint32_t>();
    auto& result               = *program->result;
    for (size_t i = 0; i != program->parameters.size; ++i) add_scalars(*program->parameters.data[i].type, scalars);
    add_lengths(*program, result, 0, num_results);
    bool is_returned = num_results.size() == 1 && result.kind != run::Type::Array;
    auto num_args    = 1 + program->sizes.size + program->leaves.size - (is_returned ? 1 : 0);
    uint64_t next    = 0;
    auto argument    = [&] { return m.elem(m.group(2), next++, num_args); };
    m.token(argument());
    for (size_t i = 0; i != program->sizes.size; ++i) program->sizes.data[i].value = m.num(argument());
    for (size_t i = 0; i != program->parameters.size; ++i) add_lengths(*program, *program->parameters.data[i].type, 1, lengths);
    std::map<uint32_t, std::vector<uint64_t>> words;
    for (auto& [leaf, n] : lengths) {
        auto arg = m.force(argument());
        if (scalars.contains(leaf)) words[leaf] = {m.num(arg)};
        else
            for (auto& word : elements(m, m.memory().load(arg, words_type(m, n), app), n)) words[leaf].push_back(m.num(word));
        set_leaf(*program, leaf, words[leaf]);
    }
    auto leaves = called(m, function, *program);
    if (is_returned) return m.tuple({Value::token(), Value::num(leaves.back()[0])});
    for (auto& [leaf, unused] : num_results) {
        eval::Values all;
        for (auto word : leaves[leaf]) all.push_back(Value::num(word));
        m.memory().store(m.force(argument()), words_type(m, all.size()), m.tuple(all), app);
    }
    return Value::token();
}

} // namespace mim::plug::cli
