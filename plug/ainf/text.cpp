// SPDX-License-Identifier: MIT
// Lists as text.
#include <cstdio>
#include <stdexcept>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/list/programs.h"
#include "ainf/list/types.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

std::string index_name(uint32_t index) { return "i" + std::to_string(index); }

std::string typed_frame(World& w, const Frame& f) {
    switch (f.kind) {
        case Kind::Fun: return "fun " + index_name(f.index) + ":" + type_text(w, f.type);
        case Kind::For: return "for " + index_name(f.index) + ":" + size_text(w, isa_idx(f.type));
        case Kind::Fold:
            return "fold " + index_name(f.index) + ":" + type_text(w, f.type) + " " + index_name(f.index + 1) + ":"
                   + size_text(w, isa_idx(f.turn));
        case Kind::Holds:
        case Kind::Fails: break;
    }
    return frame_text(f);
}

std::string literal_text(World& w, const Def* def) {
    if (match<index>(def)) def = arg_of(def);
    auto literal = def->as<Lit>();
    if (!is_float(w, def->type())) return std::to_string(literal->value());
    char text[400]; // the largest number has 309 digits before the point
    std::snprintf(text, sizeof text, "%.6f", float_value(literal));
    return text;
}

/// The sign of an operation between two operands; null if it has none.
const char* infix(Op op) {
    switch (op) {
        case Op::NatAdd:
        case Op::FltAdd:
        case Op::Plus: return " + ";
        case Op::NatSub:
        case Op::FltSub: return " - ";
        case Op::NatMul:
        case Op::FltMul: return " * ";
        case Op::NatDiv:
        case Op::FltDiv: return " / ";
        case Op::Less: return " < ";
        case Op::Equal: return " == ";
        case Op::App: return " ";
        default: return nullptr;
    }
}

/// The word before the operands; null if there is none.
const char* prefix(Op op) {
    switch (op) {
        case Op::FltMax: return "max";
        case Op::Exp: return "exp";
        case Op::Log: return "log";
        case Op::Sqrt: return "sqrt";
        case Op::NormCdf: return "normCdf";
        case Op::Val: return "val";
        case Op::Real: return "ofNat";
        case Op::Fst: return "fst";
        case Op::Snd: return "snd";
        case Op::Sum: return "sum";
        default: return nullptr;
    }
}

std::string primitive_text(World& w, const Primitive& p) {
    auto arg = [&](size_t i) { return operand_text(p.args[i]); };
    if (auto sign = infix(p.op)) return arg(0) + sign + arg(1);
    if (auto word = prefix(p.op)) {
        std::string text = word;
        for (auto& x : p.args) text += " " + operand_text(x);
        return text;
    }
    switch (p.op) {
        case Op::Literal: return literal_text(w, p.literal);
        case Op::Pair: return "(" + arg(0) + ", " + arg(1) + ")";
        case Op::Get: return arg(0) + "[" + arg(1) + "]";
        case Op::Ite: return "if " + arg(0) + " != 0 then " + arg(1) + " else " + arg(2);
        case Op::Fold: return typed_frame(w, p.body.front()) + " from " + arg(0) + ", " + arg(1);
        case Op::Scan: return "scan" + typed_frame(w, p.body.front()).substr(4) + " from " + arg(0) + ", " + arg(1);
        default: break;
    }
    return typed_frame(w, p.body.front()) + ", " + arg(0);
}

std::string binding_text(World& w, const Binding& b) {
    std::string text = "  let ";
    for (auto& frame : b.env) text += typed_frame(w, frame) + ", ";
    return text + "(x" + std::to_string(b.number) + " : " + type_text(w, b.p.type) + " := " + primitive_text(w, b.p) + ")\n";
}

} // namespace

std::string list_text(World& w, const List& list) {
    std::string text;
    for (auto& binding : list.bindings) text += binding_text(w, binding);
    return text + operand_text(list.result) + "\n";
}

std::optional<std::string> make_text(BackEndContext& c) {
    std::string text;
    auto& w        = c.world;
    size_t lists   = 0;
    auto& programs = w.externals.all();
    auto list_of   = [&](const auto& external) {
        auto body = body_of_program(w, external.lam);
        return body && match<list>(body) ? body : nullptr;
    };
    for (auto& external : programs) lists += list_of(external) != nullptr;
    for (auto& external : programs) {
        auto body = list_of(external);
        if (!body) continue;
        if (lists > 1) text += "-- " + std::string(external.name.view()) + "\n";
        try {
            text += list_text(w, read(w, body));
        } catch (const std::runtime_error& e) {
            c.error(e.what(), external.lam);
            return {};
        }
    }
    if (lists != 0) return text;
    c.error("no function of the program is a list; `--pipeline` says how far a program is compiled, such as `%polara.stage.raw`");
    return {};
}

} // namespace mim::plug::ainf
