// SPDX-License-Identifier: MIT
// The text of arguments and results is read and written by the same functions as in compiled programs.
#include "ainf/list/command.h"

#include <cstdio>

#include "ainf/runtime/program.h"
#include "mem/annexes.h"

namespace mim::plug::ainf {

using eval::Machine;
using eval::Value;

namespace run = mim::ainf;

/// All elements of an array.
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

} // namespace

std::string signature_of(Machine& m, const Value& signature, uint64_t n) {
    std::string text;
    for (auto& c : elements(m, signature, n)) text += static_cast<char>(m.num(c));
    return text;
}

std::vector<std::vector<uint64_t>> called(Machine& m, const Value& function, const run::Program& program) {
    eval::Values sizes;
    for (size_t i = 0; i != program.sizes.size; ++i) sizes.push_back(Value::num(program.sizes.data[i].value));
    auto value = m.call(m.force(function), m.tuple(std::move(sizes)));
    std::vector<size_t> places(program.leaves.size);
    for (size_t i = 0; i != program.parameters.size; ++i)
        value = m.call(value, take(m, program, *program.parameters.data[i].type, places));
    std::vector<std::vector<uint64_t>> leaves(program.leaves.size);
    put(m, program, *program.result, value, leaves);
    return leaves;
}

Value run_command(Machine& m, const Value& function, const std::string& signature, const Command& c, const Def* app) {
    auto words = texts(m, c.argv, c.argc, app);
    std::vector<const char*> args;
    for (auto& word : words) args.push_back(word.c_str());
    char message[256];
    auto program = run::read_program(static_cast<int>(args.size()), args.data(), signature.c_str(), message, sizeof message);
    if (!program) {
        std::fprintf(stderr, "error: %s\n", message);
        m.hosts().exit(1);
    }
    auto leaves = called(m, function, *program);
    for (size_t i = 0; i != leaves.size(); ++i)
        if (!leaves[i].empty()) program->leaves.data[i] = {leaves[i].data(), leaves[i].size(), leaves[i].size()};
    auto text = run::text_of(*program);
    m.hosts().print({text.data, text.size});
    return m.tuple({Value::token(), Value::num(0)});
}

} // namespace mim::plug::ainf
