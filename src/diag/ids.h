// SPDX-License-Identifier: MIT
// The names of Mim's own diagnostics. Almost everything includes this list, so it has nothing else of them: their texts are in
// diag/diagnostics.def.
#pragma once

// clang-format off
#define MIM_DIAGNOSTIC_IDS(X) \
    /* text and syntax */ \
    X(unexpected_char) X(expected_token) X(nested_too_deep) X(bad_utf8) X(unterminated_string) X(bad_char_literal) \
    X(unterminated_comment) X(unknown_escape) X(literal_too_big) X(literal_misfit) X(malformed_number) \
    X(malformed_annex) X(float_without_type) X(negative_integer) X(misplaced_and) X(only_at_top_level) \
    X(group_outside) X(unended) X(dotted_name) X(mixed_operators) \
    X(chained_comparison) X(bad_operator) X(prefix_operand) X(misplaced_labels) \
    /* names */ \
    X(unknown_name) X(redefined) X(unknown_field) X(not_ready) X(needs_result_type) X(needs_type) X(bound_twice) \
    X(unused) X(unreachable) \
    /* types */ \
    X(not_assignable) X(not_a_function) X(not_a_type) X(bad_index) X(literal_out_of_range) X(not_an_index) \
    X(mixed_sorts) X(filter_not_bool) X(bad_level) X(not_a_member) X(arms_mismatch) X(unsolved_hole) \
    X(infinite_type) X(arity_not_nat) X(bad_rule) X(unknown_annex) X(members_not_apart) X(ambiguous_member) \
    X(rec_in_domain) X(rec_in_function) X(rec_without_universe) X(rec_value) \
    X(no_operator) X(ambiguous_operator) X(literal_unsized) X(divisor_not_literal) X(operand_unknown) X(operator_not_told) \
    X(label_twice) X(ambiguous_label) X(nothing_left) \
    X(no_such_label) X(payload_misfit) X(unclear_arm) X(infinite_types) X(rec_is_no_type) X(group_differs) \
    X(name_for_label) \
    /* tokens */ \
    X(token_used_twice) X(token_dropped) X(token_escapes) X(token_in_loop) X(too_many_paths) X(token_hidden) \
    X(token_cast) X(token_in_filter) X(call_without_token) X(not_implicit) X(cannot_infer) X(index_range) X(pattern_arity) X(float_type) \
    X(bad_curry) X(not_a_return) X(size_only) X(annex_open) X(internal_annex) X(extern_polymorphic) \
    X(dependent_update) X(rule_cannot_fire) X(body_twice) X(external_twice) X(external_open) X(unknown_external) \
    /* plugins, files and the pipeline */ \
    X(cannot_read) X(import_not_found) X(import_cycle) X(plugin_not_found) X(plugin_library) X(plugin_version) \
    X(plugin_no_stamp) X(plugin_other_name) X(missing_normalizer) X(no_library) X(normalizer_outside) \
    X(unknown_registration) X(plugin_hash) X(annex_of_plugin) X(bad_plugin_name) X(unknown_phase) X(not_a_pipeline) \
    X(phase_twice) X(cannot_write) X(phase_broke) X(too_many_annexes) X(not_formatted) X(folder_exists) \
    X(normalizer_broke) X(normalizer_threw) X(unknown_extension_point) X(registered_twice) X(unknown_output) \
    X(front_end_failed) X(back_end_failed) X(bad_diagnostic) \
    X(bad_manifest) \
    X(plugin_fault) \
    X(unknown_setting) \
    X(bad_setting) \
    X(unread_setting) \
    X(no_formatter) \
    X(missing_library) \
    X(order_cycle) \
    X(phase_never_runs) \
    X(emitter_broke) \
    X(rejected) \
    /* evaluation */ \
    X(out_of_budget) X(out_of_memory) X(too_deep) X(needs_itself) X(endless_rule) \
    /* code generation */ \
    X(needs_closure) X(run_time_layout) X(no_emitter) X(direct_style_left) X(no_main) X(bad_main) X(no_c_type) \
    X(unknown_target) X(layout_differs) X(no_back_end) X(link_failed) X(llvm_failed) X(closure_for_c) \
    X(return_escapes) X(leaves_past_calls) X(memory_differs) X(symbol_clash) X(symbol_taken) \
    /* faults of phases and normalizers */ \
    X(broken_graph) \
    /* running a program */ \
    X(undefined_behaviour) X(eval_failed) \
    /* notes */ \
    X(declared_here) X(did_you_mean) X(evaluating) X(needs_plugin) X(declared_later) X(opened_here) X(no_operators) \
    X(value_of_block) X(is_keyword) X(extern_follows) X(result_after_colon) X(let_has_no_parameter) X(comment_start) \
    X(no_such_word) X(only_fun_returns) X(has_subtags) X(declared_below) X(without_comma) X(maybe_unended) \
    X(declarations_in_block) X(bind_in_block) X(residue) X(float_has_fraction) X(inferred) X(takes_a_tuple) \
    X(takes_one_by_one) X(argument_before) X(number_of_arguments) X(literal_of_type) X(needs_inj) X(call_with_ret) \
    X(pass_to_return) X(index_in_brackets) X(element_syntax) X(index_type) X(always_evaluated) X(groups_evaluated) \
    X(call_may_leave) X(call_may_repeat) X(call_with_token) X(call_by_need) \
    X(extern_of_one_type) \
    X(in_full) X(expected_here) X(found_here) X(update_in_cases) X(widen_by_hand) X(label_the_members) \
    X(token_first_use) X(token_second_use) X(token_made_here) X(token_missing) X(token_as_argument) X(token_there_once) \
    X(pointer_of_its_own) X(return_to_caller) X(rule_never_fired) X(kept_less) X(stated_order) X(place_in_text) \
    X(reproducer_written) X(code_of) X(c_function_called) X(read_as_mim) \
    X(part_of_expression) X(mentions_later) \
    X(annex_of_plugin_first) X(line_ends_block) X(still_takes) X(call_without_arguments) X(write_fn) X(write_lam) X(works_on) X(take_apart) \
    X(not_inferred) X(stays_call) X(lowered_by_phase) X(array_copied) \
    X(operand_decides) X(operator_takes) X(remainder_spaced) X(operator_call) \
    X(declare_labels) X(add_arm) X(covered_here)
// clang-format on
