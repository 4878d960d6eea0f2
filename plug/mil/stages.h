// SPDX-License-Identifier: MIT
// From text to code: each stage takes what the one before it made. Up to the types, a stage goes on where the one
// before it reported errors.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>

#include "driver/ends.h"
#include "ir/axiom.h"
#include "phase/phase.h"
#include "tree.h"

namespace mim::plug::mil {

/// Reads a file and all that it requires. False if a part of it is missing.
bool read(FrontEndContext&, const std::string& library, Source&);
/// Makes types of those that data types, constructors and primitives are declared with.
void declare_types(FrontEndContext&, Source&);
/// Finds the places of fields of `bitdata`, and how its constructors differ.
void lay_out(Diagnostics&, Source&);
/// Finds the places of fields of a `struct`, and how large it is.
void lay_out_structs(Diagnostics&, Source&);
/// Finds what names mean, and the order of definitions.
void resolve(FrontEndContext&, Source&);
/// Finds the types of definitions in LC.
void infer(FrontEndContext&, Source&);
/// Puts the top-level definitions from this place of the order on behind those that they need. The initializers of areas stay.
void order_tops(Diagnostics&, Program&, size_t first);
/// Makes MIL of definitions in LC.
void lower(Source&);
/// The types of a program in MIL, for a pass that comes next. Those of the code of a definition mention the variables of
/// its own type.
struct ProgramTypes {
    std::vector<Type*> variables, blocks, closures, tops;
    std::unordered_map<const void*, Type*> uses; ///< of definitions, where a Tail, a Jump or an Atom names them
};
/// Finds the types of definitions in MIL, and how many values each computation returns.
ProgramTypes check_types(FrontEndContext&, Source&);
/// Reports externals of MIL that are represented otherwise than what they are.
void check_aliases(Diagnostics&, Source&);
/// The same of a program that the compiler has made: the user cannot be at fault.
ProgramTypes check_again(FrontEndContext&, Source&, Program&);
/// The same of one whose signatures in LC say which numbers definitions are used with.
ProgramTypes check_claims(FrontEndContext&, Source&, Program&);
/// Nothing, without a report, if it has no types.
std::optional<ProgramTypes> try_types(FrontEndContext&, Source&, Program&);
/// The program with a definition for each type that a definition is used at; nothing if there is no end of types.
std::optional<Program> specialize(const Program&, Types&, const ProgramTypes&);
/// The program in which values that fit a word are rows of bits.
Program pack_data(FrontEndContext&, Source&, const ProgramTypes&);
/// Makes blocks of what C calls, with types that C has. False after a report.
bool make_entries(FrontEndContext&, Source&);
/// Finds how a function of C or Mim of this type passes its values, and its type as a primitive.
void declare_c_function(Diagnostics&, Source&, const Scheme&, uint32_t primitive);
/// The way in which C has values of the type; nothing if it has none.
std::optional<CValue> c_value(Source&, Type*);
/// Makes code of externals: with variables in their types, of a program that has one definition for each type. False after
/// a report.
bool generate(FrontEndContext&, Source&);
/// Makes objects of words of rows that have more bits than the limit.
void widen(Source&, Program&, const ProgramTypes&, uint32_t limit);
/// Code makes a row of more bits than the limit.
bool has_wide_rows(const Program&, uint32_t limit);
/// Top-level definitions may have effects, but not those that only allocate.
bool is_root(const Program&, Program::Entry);
/// Removes what the program does not need.
void shake(Program&);
/// Primitives that a pass has begun to use are part of the text.
void declare_primitives(Program&);
/// The primitive `halt`, which the program gets if it has none.
uint32_t find_halt(Program&, Types&);
/// The result of a program that the abstract machine has run. The world has the functions of Mim that it calls.
Evaluation run_machine(const Program&, World&);
/// The user has not asked for passes.
bool has_default_passes(const FrontEndContext&);
/// Runs the passes that `--set mil.passes` names.
bool run_passes(FrontEndContext&, Source&);
/// Puts those functions where the program calls them: a phase.
void link_mim_functions(PhaseContext&);
struct CountedProgram;
/// Adds to a program what code generation needs beyond those passes.
CountedProgram prepare(FrontEndContext&, Source&);
/// The function of the World that this one of Program::c_functions is.
std::string mim_function_name(const Program&, size_t index);
/// Mim passes nothing there: `[]`.
inline bool is_nothing_in_mim(const CValue& v) { return v.form == CValue::Nothing && v.limit == 0; }
/// The text in Mim of the functions of Mim that a program calls: there is one for each, of the type that the program has
/// for it. The program knows it by its number (`%mil.foreign`).
MimText mim_functions(const Program&);
/// The functions of C that programs of a session call; those of the World point to them.
using CFunctions = std::map<std::string, std::unique_ptr<Axiom>>;
/// Makes functions of the World of a program that has a `main`.
void make_code(FrontEndContext&, const CountedProgram&, CFunctions&);

} // namespace mim::plug::mil
