// SPDX-License-Identifier: MIT
// All diagnostics, one line each: X(name, code, severity, message). Messages are lower case without a full stop; {0}, {1}, …
// stand for the arguments, which the reporter writes as the user would (code in backticks). Codes never change meaning.
// E0xx text and syntax · E1xx names · E2xx types · E3xx tokens and effects · E4xx plugins, files, options · E5xx evaluation
// and code generation · W warnings · N notes that accompany another diagnostic.
#pragma once

// clang-format off
#define MIM_DIAGNOSTICS(X) \
    /* text and syntax */ \
    X(unexpected_char,      "E001", Error,   "unexpected character {0}") \
    X(expected_token,       "E002", Error,   "expected {0}, got {1} while parsing {2}") \
    X(nested_too_deep,      "E003", Error,   "nested too deeply: the limit is {0} levels") \
    X(bad_utf8,             "E004", Error,   "malformed UTF-8: byte {0}") \
    X(unterminated_string,  "E005", Error,   "unterminated string: expected `\"` before the end of the line") \
    X(bad_char_literal,     "E006", Error,   "a character literal is one byte between single quotes, got {0}") \
    X(unterminated_comment, "E007", Error,   "unterminated comment: expected `*/` before the end of the file") \
    X(unknown_escape,       "E008", Error,   "unknown escape {0}") \
    X(literal_too_big,      "E009", Error,   "literal `{0}` does not fit in 64 bits") \
    X(literal_misfit,       "E010", Error,   "literal `{0}` does not fit its type `{1}`: {2}") \
    X(malformed_number,     "E011", Error,   "malformed number `{0}`") \
    X(malformed_annex,      "E012", Error,   "malformed annex `{0}`: write `%plugin.tag` or `%plugin.tag.sub`") \
    X(float_without_type,   "E013", Error,   "float `{0}` has no type: write `{0}:T`, as in `1.5:%math.F64`") \
    X(negative_integer,     "E014", Error,   "negative integer `{0}`: integers are modular, so write the residue or subtract from 0") \
    X(misplaced_and,        "E015", Error,   "`and` has no group to join: no `rec`, `lam`, `con` or `fun` comes before it in this block") \
    X(only_at_top_level,    "E016", Error,   "`{0}` is only allowed at the top level of a file") \
    X(group_outside,        "E017", Error,   "`{0}` names several elements at once, which only works inside brackets") \
    X(unended,              "E018", Error,   "expected `;` to end {0}") \
    X(dotted_name,          "E019", Error,   "`{0}` is no name: a field is written `{1}`, an annex starts with `%`") \
    /* names */ \
    X(unknown_name,         "E100", Error,   "unknown name `{0}`") \
    X(redefined,            "E101", Error,   "`{0}` is already defined in this block") \
    X(unknown_field,        "E102", Error,   "`{0}` has no field `{1}`{2}") \
    X(not_ready,            "E103", Error,   "`{0}` is used before it is declared: {1}") \
    X(needs_result_type,    "E104", Error,   "`{0}` needs a result type: {1}") \
    X(needs_type,           "E105", Error,   "the parameter `{0}` needs a type") \
    X(bound_twice,          "E106", Error,   "`{0}` is bound twice in one pattern") \
    X(unused,               "W100", Warning, "`{0}` is never used: remove it or let its name start with `_`") \
    X(unreachable,          "W101", Warning, "`{0}` is unreachable: only functions that nobody calls mention it") \
    /* types */ \
    X(not_assignable,       "E200", Error,   "expected a value of type `{0}`, got `{1}` of type `{2}`") \
    X(not_a_function,       "E201", Error,   "`{0}` of type `{1}` is not a function") \
    X(not_a_type,           "E202", Error,   "expected a type, got `{0}` of type `{1}`") \
    X(bad_index,            "E203", Error,   "an index of type `{0}` does not fit `{1}`, which has {2} elements") \
    X(literal_out_of_range, "E204", Error,   "the literal {0} does not fit `{1}`") \
    X(not_an_index,         "E205", Error,   "expected an index of type `Idx n`, got `{0}` of type `{1}`") \
    X(mixed_sorts,          "E206", Error,   "cannot index `{0}` with an unknown index: its element types live in different sorts") \
    X(filter_not_bool,      "E207", Error,   "a filter must be a `Bool`, got `{0}` of type `{1}`") \
    X(bad_level,            "E208", Error,   "`{0}` is no universe level: expected a literal below {1}") \
    X(not_a_member,         "E209", Error,   "`{0}` is not a member of the union `{1}`") \
    X(arms_mismatch,        "E211", Error,   "the arms of `match` must cover each member of `{0}` once: {1} `{2}`") \
    X(unsolved_hole,        "E213", Error,   "cannot infer the implicit argument of type `{0}`: give it with `@`") \
    X(infinite_type,        "E214", Error,   "this recursive type has infinite size: go through a pointer or a function") \
    X(arity_not_nat,        "E215", Error,   "an arity must be a `Nat`, got `{0}` of type `{1}`") \
    X(bad_rule,             "E216", Error,   "this rule cannot be used: {0}") \
    X(unknown_annex,        "E217", Error,   "no loaded plugin defines the annex {0}") \
    X(members_not_apart,    "E219", Error,   "this `match` cannot tell `{0}` from `{1}`: the members of a union must be apart") \
    X(ambiguous_member,     "E220", Error,   "a value of type `{0}` fits more than one member of `{1}`: name it, as in `inj @{2}`") \
    X(rec_needs_tuple,      "E218", Error,   "this recursive type comes back to itself without a tuple or a function on the way: wrap a tuple around it") \
    X(rec_in_domain,        "E221", Error,   "this recursive type is in the domain of a function type whose result mentions its argument: write `Cn [x: T, Cn U]` for `[x: T] → U`") \
    X(rec_value,            "E222", Error,   "the value of `{0}` contains itself: only a type or a function can be recursive") \
    /* tokens */ \
    X(token_used_twice,     "E300", Error,   "the token `{0}` is used twice: each effect consumes the token of the one before it") \
    X(token_dropped,        "E301", Error,   "the token `{0}` is not used on every path: pass it on") \
    X(token_escapes,        "E302", Error,   "the function `{0}` captures the token `{1}` and is used as a value: pass the token as an argument") \
    X(token_in_loop,        "E303", Error,   "the token `{0}` is used again each time around a loop: pass it as an argument of the loop") \
    X(too_many_paths,       "E304", Error,   "the branches of `{0}` have too many combinations to follow its tokens: split it into several functions") \
    X(token_hidden,         "E305", Error,   "the token `{1}` of type `{2}` would be hidden in a `{0}`, which does not show that this element is one: take it in a group behind that of its type") \
    X(token_cast,           "E306", Error,   "`{0}` neither takes nor makes tokens, but the values of `{1}` are tokens") \
    X(token_in_filter,      "E307", Error,   "the filter of `{0}` uses the token `{1}`: a filter is evaluated while compiling, when no effect has happened") \
    X(not_implicit,         "E230", Error,   "`@` gives an implicit argument, but `{0}` of type `{1}` takes an explicit one") \
    X(cannot_infer,         "E231", Error,   "cannot infer the implicit argument `{0}` of type `{1}`: give it with `@`") \
    X(index_range,          "E232", Error,   "the index {0} does not fit a value of type `{1}`, which has {2}") \
    X(pattern_arity,        "E233", Error,   "this pattern has {0} elements, but a value of type `{1}` has {2}") \
    X(float_type,           "E234", Error,   "the type `{0}` has no float literals") \
    X(bad_curry,            "E235", Error,   "the curry counter of `{0}` is {1}, but its type has only {2} argument groups") \
    X(not_a_return,         "E237", Error,   "`ret` needs a function that takes an argument and a continuation, got `{0}` of type `{1}`") \
    X(size_only,            "E238", Error,   "expected a value of type `{0}`, got `{1}`: `i64` = 2^64 is a size only, as in `Idx i64`") \
    X(annex_open,           "E240", Error,   "`{0}` exists once in the program, but depends on `{1}` of the function around it") \
    X(internal_annex,       "E241", Error,   "`{0}` is made by phases of the compiler: a program cannot name it") \
    X(extern_polymorphic,   "E242", Error,   "`{0}` is extern, but takes a type (`{1}`): C functions have no type parameters") \
    X(dependent_update,     "E243", Error,   "cannot update `{0}` at an unknown index: in `{1}`, the type of a later element depends on an earlier one") \
    X(float_format,         "E239", Error,   "`{0}` is not known to be one of `%math.F16`, `%math.F32`, `%math.F64`, `%math.BF16`: only these have literals and code") \
    X(rule_cannot_fire,     "W238", Warning, "the rule `{0}` cannot fire: its left side becomes `{1}` before rules are tried") \
    /* plugins, files and the pipeline */ \
    X(cannot_read,          "E400", Error,   "cannot read `{0}`: {1}") \
    X(import_not_found,     "E401", Error,   "cannot find the file `{0}`: looked in {1}") \
    X(import_cycle,         "E402", Error,   "`{0}` needs itself: {1}") \
    X(plugin_not_found,     "E403", Error,   "cannot find the plugin `{0}`: looked for `{0}.mim` in {1}") \
    X(plugin_library,       "E404", Error,   "cannot open the library of the plugin `{0}`: {1}") \
    X(plugin_version,       "E405", Error,   "the library of the plugin `{0}` was built for Mim {1}, this is Mim {2}: build it again") \
    X(plugin_no_stamp,      "E406", Error,   "`{0}` is no library of a Mim plugin: it exports no `mim_plugin`") \
    X(plugin_other_name,    "E407", Error,   "`{0}` is the library of the plugin `{1}`, not of `{2}`") \
    X(missing_normalizer,   "E408", Error,   "the library of the plugin `{0}` registers no normalizer `{1}`") \
    X(no_library,           "E409", Error,   "the normalizer `{1}` needs the library `libmim_{0}.so`, which does not lie next to `{0}.mim`") \
    X(normalizer_outside,   "E410", Error,   "`{0}` names the normalizer `{1}`, but only a plugin has normalizers") \
    X(unknown_registration, "E411", Error,   "the plugin `{0}` registers something for `{1}`, which `{0}.mim` does not declare") \
    X(plugin_hash,          "E412", Error,   "the plugins `{0}` and `{1}` have the same hash: rename one of them") \
    X(annex_of_plugin,      "E413", Error,   "`{0}` cannot be declared here: the plugin `{1}` is loaded") \
    X(bad_plugin_name,      "E414", Error,   "`{0}` cannot name a plugin: use letters, digits and `_`") \
    X(unknown_phase,        "E415", Error,   "no loaded plugin has the phase `{0}`") \
    X(not_a_pipeline,       "E416", Error,   "`{0}` of type `{1}` is no pipeline: build one from the axioms of the plugin `compile`") \
    X(phase_twice,          "E417", Error,   "the phase `{0}` is registered twice: by {1} and by {2}") \
    X(cannot_write,         "E418", Error,   "cannot write `{0}`: {1}") \
    X(phase_broke,          "E419", Error,   "fault of {0}: the phase `{1}` broke the program: {2}") \
    X(too_many_annexes,     "E420", Error,   "`{0}` has more than 65535 tags or subtags") \
    X(not_formatted,        "E421", Error,   "`{0}` is not in the canonical layout: run `mim fmt {0}`") \
    X(folder_exists,        "E422", Error,   "`{0}` exists already") \
    X(normalizer_broke,     "E423", Error,   "fault of the plugin `{0}`: the normalizer of `{1}` turned `{2} {3}` of type `{4}` into `{5}` of type `{6}`") \
    X(normalizer_threw,     "E424", Error,   "fault of the plugin `{0}`: the normalizer of `{1}` failed at `{2} {3}`: {4}") \
    X(unknown_place,        "E425", Error,   "there is no place `{0}`, {1}: the places are {2}") \
    X(registered_twice,     "E426", Error,   "{0} is registered twice: by {1} and by {2}") \
    X(unknown_output,       "E427", Error,   "nothing makes the output `{0}`: there are {1}") \
    X(front_end_failed,     "E428", Error,   "not a `.{0}`: {1}") \
    X(back_end_failed,      "E429", Error,   "cannot make the output `{0}`: {1}") \
    /* evaluation */ \
    X(out_of_budget,        "E500", Error,   "evaluation did not end within {0} steps") \
    X(out_of_memory,        "E501", Error,   "the program grew beyond {0} MiB of nodes") \
    X(too_deep,             "E502", Error,   "evaluation or nesting is too deep") \
    X(needs_itself,         "E503", Error,   "evaluation of `{0}` needs its own result") \
    X(endless_rule,         "E504", Error,   "rules do not come to an end: {1} are firing, each in the result of the one before; the last ones rewrite `{2}`, `{3}` and, by the rule `{0}`, `{4}`") \
    /* code generation */ \
    X(needs_closure,        "E510", Error,   "`{0}` is used as a value but refers to variables around it; that needs a closure: the pipeline lacks a phase like `clos.convert`") \
    X(run_time_layout,      "E511", Error,   "the layout of `{0}` depends on a value that is only known at run time: specialize it (a filter `@tt`) or keep it behind a pointer") \
    X(no_emitter,           "E512", Error,   "the axiom `{0}` of the plugin `{1}` cannot be emitted for the target `{2}`") \
    X(direct_style_left,    "E513", Error,   "a call of `{0}` in direct style is left: the pipeline lacks a phase like `direct.ds2cps`") \
    X(no_main,              "E514", Error,   "there is no function `main`: declare `fun extern main(): I32`") \
    X(bad_main,             "E515", Error,   "`main` must be `(): I32` or `(argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): I32`, or these with a token first") \
    X(no_c_type,            "E516", Error,   "`{0}` cannot be seen from C: {1}") \
    X(unknown_target,       "E517", Error,   "cannot generate code for the target `{0}`: {1}") \
    X(layout_differs,       "E518", Error,   "the data layout of the program (`{0}`) is not that of the target (`{1}`)") \
    X(no_back_end,          "E519", Error,   "cannot open the back end `{0}`: {1}") \
    X(link_failed,          "E520", Error,   "linking `{0}` failed: {1}") \
    X(llvm_failed,          "E521", Error,   "LLVM rejects the generated code: {0}") \
    X(closure_for_c,        "E523", Error,   "C may get the function `{0}`, which refers to variables around it; a function pointer of C carries none: pass them as arguments") \
    X(return_escapes,       "E524", Error,   "the function `{0}` is used as a value but leaves through the return of `{1}`, which may be over by then: pass on what it returns to instead") \
    X(leaves_past_calls,    "E525", Error,   "the function `{0}` leaves through the return of `{1}`, past calls that still wait for a result") \
    X(memory_differs,       "E526", Error,   "a `{0}` cannot stand for a `{1}`: the memory behind it has another layout, since only one of them knows the size of an index") \
    X(never_a_value,        "E527", Error,   "a call of `{0}` never returns, so its value cannot be passed: pass a function that makes the call, as in `λ (): ⊥ = …`") \
    X(axiom_of_functions,   "E528", Error,   "the axiom `{0}` takes a function that computes a value, and there is no code for that: a `rule` or a phase must replace it") \
    X(symbol_clash,         "E522", Error,   "`{0}` is declared with two different types for C") \
    /* reflection */ \
    X(check_failed,         "E550", Error,   "check failed: {0}") \
    X(check_unknown,        "E551", Error,   "this check must be decided at compile time, but `{0}` is not known: {1}") \
    X(term_type,            "E552", Error,   "`{0}` of type `{1}` is no code of type `{2}`") \
    X(term_part,            "E553", Error,   "`{0}` has no {1}") \
    X(term_replace,         "E554", Error,   "`{0}` cannot become operand {1} of `{2}`: {3}") \
    X(term_left,            "E555", Error,   "`{0}` is known at compile time only, and must be known there: call this with arguments that are known") \
    /* patterns of the plugin regex */ \
    X(pattern_unclosed,     "E560", Error,   "there is no `{0}` for this `{1}`") \
    X(pattern_no_repeat,    "E561", Error,   "there is nothing to repeat: a quantifier follows one character, set or group, and no other quantifier") \
    X(pattern_unsupported,  "E562", Error,   "patterns have no {0}: {1}") \
    X(pattern_character,    "E563", Error,   "this is no character: {0}") \
    X(pattern_name,         "E564", Error,   "there is no {0}: there are {1}") \
    X(pattern_order,        "E565", Error,   "nothing is from {0} to {1}: the smaller one comes first") \
    X(pattern_not_one,      "E566", Error,   "`%regex.not` takes a pattern of one character, this is another") \
    X(pattern_too_large,    "E567", Error,   "this pattern is too large: {0}") \
    X(pattern_not_known,    "E568", Error,   "{0} not known while the program is compiled: {1}") \
    /* faults of phases and normalizers */ \
    X(broken_graph,         "E580", Error,   "the graph is broken at {1}: {0}") \
    /* memory */ \
    X(unknown_address_space, "E590", Error,  "the address space `{0}` of `{1}` is not known when code is emitted: specialize the function (a filter `@tt`)") \
    X(no_memory_in_space,   "E591", Error,   "only address space 0 has memory to allocate, this is address space {0}") \
    X(undefined_behaviour,  "E540", Error,   "undefined behaviour: {0}") \
    X(eval_failed,          "E541", Error,   "the evaluator cannot run this: {0}") \
    X(bad_bitcast,          "E530", Error,   "cannot reinterpret a `{0}` as a `{1}`: their sizes differ, and not both are integers, `Nat` or pointers") \
    X(no_vector,            "E531", Error,   "`{0}` has no code: {1}") \
    X(nat_overflow,         "W530", Warning, "`{0} ({1}, {2})` leaves 64 bits and stays unfolded; its result is undefined") \
    /* notes */ \
    X(declared_here,        "N001", Note,    "`{0}` is declared here") \
    X(did_you_mean,         "N003", Note,    "did you mean `{0}`?") \
    X(evaluating,           "N004", Note,    "while evaluating a call of `{0}`") \
    X(needs_plugin,         "N005", Note,    "`plugin {0};` would load it") \
    X(declared_later,       "N006", Note,    "`{0}` is declared here, after a `let`: join it to the function before the `let` with `and`") \
    X(opened_here,          "N002", Note,    "to close the {0} that was opened here") \
    X(no_operators,         "N007", Note,    "there is no operator `{0}`: write a call, as in `{1}`") \
    X(value_of_block,       "N008", Note,    "the value of a block comes last, and no `;` follows it") \
    X(is_keyword,           "N009", Note,    "`{0}` is a keyword: choose another name, such as `{0}_`") \
    X(extern_follows,       "N010", Note,    "`extern` comes after `lam`, `con` or `fun`, as in `fun extern main`") \
    X(result_after_colon,   "N011", Note,    "the type of the result comes after `:`") \
    X(let_has_no_parameter, "N012", Note,    "a `let` has no parameters: declare a function with `lam`, `con` or `fun`") \
    X(comment_start,        "N013", Note,    "a comment starts with `//`") \
    X(no_such_word,         "N014", Note,    "Mim has no `{0}`: {1}") \
    X(only_fun_returns,     "N015", Note,    "only a `fun` has `return`; the value of a `lam` is its body") \
    X(has_subtags,          "N016", Note,    "`{0}` has the subtags {1}") \
    X(declared_below,       "N017", Note,    "`{0}` is declared here, but a `let` is only visible behind it") \
    X(without_comma,        "N018", Note,    "parameters of one type stand without a comma between them: `{0}`") \
    X(maybe_unended,        "N019", Note,    "is a `;` missing behind this?") \
    X(declarations_in_block, "N020", Note,   "declarations stand in a block, before its value: `{ let x = e; x }`") \
    X(bind_in_block,        "N021", Note,    "what is computed before the value of a block is bound by a declaration: `let p = {0};`") \
    X(residue,              "N022", Note,    "the residue of `{0}` is `{1}`") \
    X(float_has_fraction,   "N023", Note,    "a negative float has a fraction or an exponent: `{0}`") \
    X(inferred,             "N200", Note,    "`{0}` infers its implicit argument: leave `{1}` out, or write `@{1}`") \
    X(takes_a_tuple,        "N201", Note,    "`{0}` takes its arguments in one tuple: `{1}`") \
    X(takes_one_by_one,     "N202", Note,    "`{0}` takes its arguments one after the other: `{1}`") \
    X(argument_before,      "N203", Note,    "`{0}` takes an argument of type `{1}` before this one") \
    X(number_of_arguments,  "N204", Note,    "`{0}` takes {1} arguments, this has {2}") \
    X(literal_of_type,      "N205", Note,    "a literal of this type is written `{0}`") \
    X(needs_inj,            "N206", Note,    "a value becomes one of the union by `inj`: `{0}`") \
    X(call_with_ret,        "N207", Note,    "`{0}` returns through a continuation: call it with `ret p = {0} $ {1};`") \
    X(pass_to_return,       "N208", Note,    "a `fun` passes its result to `return`: `return {0}`") \
    X(index_in_brackets,    "N209", Note,    "`#` binds stronger than application: write brackets around the index") \
    X(element_syntax,       "N210", Note,    "an element is written `{0}#i`") \
    X(index_type,           "N211", Note,    "an index of `{0}` has the type `Idx {1}`") \
    X(always_evaluated,     "N212", Note,    "the filter of `{0}` is `tt`, so each call is evaluated; write another one after its parameters, as in `@%core.pe.known n`") \
    X(extern_of_one_type,   "N214", Note,    "declare one for each type that C needs, which calls it: `fun extern {0}_i32 (x: I32): I32 = …`") \
    X(in_full,              "N215", Note,    "in full, `{0}` is expected, and `{1}` was found") \
    X(expected_here,        "N216", Note,    "the `{0}` that is expected is declared here") \
    X(found_here,           "N217", Note,    "the `{0}` that was found is declared here") \
    X(update_in_cases,      "N218", Note,    "write the index as a literal, or choose between whole values, as in `(x, y)#{0}`") \
    X(widen_by_hand,        "N219", Note,    "a union becomes a larger one where its type is given: `{0}`") \
    X(label_the_members,    "N213", Note,    "a label in front of each keeps them apart: `{0}`") \
    X(token_first_use,      "N300", Note,    "used here first") \
    X(token_second_use,     "N301", Note,    "used here again") \
    X(token_made_here,      "N302", Note,    "the token comes from here") \
    X(token_missing,        "N303", Note,    "the token is missing: a value of type `{0}` comes first") \
    X(token_as_argument,    "N304", Note,    "let it take the token as an argument: `{0}` in place of `{1}`") \
    X(element_by_element,   "N510", Note,    "behind a pointer `p`, an array of unknown length is read and written element by element, where `i` is an index of it: `%mem.load (mem, %mem.lea (p, i))`, `%mem.store (mem, %mem.lea (p, i), e)`") \
    X(return_to_caller,     "N305", Note,    "a continuation that is kept, or passed down a recursion, returns a result to its caller: `T → R` in place of `Cn T`, and its caller returns that result") \
    X(shown,                "N500", Note,    "`{0}` has the type `{1}`") \
    X(rule_never_fired,     "N403", Note,    "the rule `{0}` never fired") \
    X(kept_less,            "N404", Note,    "`{0}` keeps less of this program, which does not become code otherwise: {1}") \
    X(place_in_text,        "N501", Note,    "the place is {0}") \
    X(pattern_way,          "N502", Note,    "this pattern is {0}, {1}: {2}") \
    X(reproducer_written,   "N402", Note,    "the program before this phase was written to `{0}`")

/// Operators of other languages, the longer ones first, and the call that a note offers instead.
#define MIM_OPERATORS(X) \
    X("==", "%core.ncmp.e (a, b)")  X("!=", "%core.ncmp.ne (a, b)")        X("<=", "%core.ncmp.le (a, b)") \
    X(">=", "%core.ncmp.ge (a, b)") X("&&", "%core.bit2.and_ 0 (a, b)")    X("||", "%core.bit2.or_ 0 (a, b)") \
    X("<", "%core.ncmp.l (a, b)")   X(">", "%core.ncmp.g (a, b)")          X("+", "%core.nat.add (a, b)") \
    X("-", "%core.nat.sub (a, b)")  X("*", "%core.nat.mul (a, b)")         X("/", "%core.div.udiv (mem, (a, b))") \
    X("%", "%core.div.urem (mem, (a, b))") X("&", "%core.bit2.and_ 0 (a, b)") X("^", "%core.bit2.xor_ 0 (a, b)") \
    X("!", "%core.bit1.neg 0 a")    X("~", "%core.bit1.neg 0 a")
// clang-format on
