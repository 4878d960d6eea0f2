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
    /* names */ \
    X(unknown_name,         "E100", Error,   "unknown name `{0}`") \
    X(redefined,            "E101", Error,   "`{0}` is already defined in this block") \
    /* types */ \
    X(not_assignable,       "E200", Error,   "expected a value of type `{0}`, got `{1}` of type `{2}`") \
    X(not_a_function,       "E201", Error,   "`{0}` of type `{1}` is not a function") \
    /* notes */ \
    X(declared_here,        "N001", Note,    "`{0}` is declared here")
// clang-format on
