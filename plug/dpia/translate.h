// SPDX-License-Identifier: MIT
// Terms of RISE to commands: `write` is the acceptor translation, which writes the value of a term to an acceptor, `read`
// the continuation translation, which hands a term that can be read to the rest of the program. Terms that are written are
// those of access wr: a term whose result must be in memory is refused where it is read.
#pragma once
#include <vector>

#include "filled.h"
#include "terms.h"

namespace mim::plug::dpia {

class Translator : public Phrases {
public:
    using Rest = std::function<const Def*(const Def* term)>;
    /// The meanings of variables of functions whose bodies are taken as they are: `let`s inside of each other would be copied
    /// once for each of them.
    using Values = std::unordered_map<const Def*, const Def*>;
    using Phrases::Phrases;

    /// The program: a function of its inputs and an acceptor of its result. `sizes` are applied.
    const Def* program(const Def* term, const Def* whole);
    /// The body of a function for this argument.
    const Def* body_of(const Def* f, const Def* x);

private:
    /// @name acceptor translation
    ///@{
    const Def* write(const Def* term, const Def* out);
    const Def* write_term(const Def* term, const Def* out);
    /// The body of a function, which is to blame if the body is in memory already.
    const Def* write_body(const Def* f, const Def* body, const Def* out);
    [[noreturn]] void refuse_write(const Def* term);
    const Def* write_array(const Def* term, const Def* out);
    const Def* write_map(const Def* term, const Def* out);
    const Def* write_view(const Def* term, const Def* out);
    const Def* write_pair(const Def* first, const Def* second, const Def* out);
    const Def* write_make_array(const Def* term, const Def* out);
    const Def* write_scan(const Def* term, const Def* out);
    const Def* write_iterate(const Def* term, const Def* out);
    const Def* write_let(const Def* term, Values&, const Def* out);
    /// The same as `write`, of a term in which variables are not replaced.
    const Def* write_open(const Def* term, Values&, const Def* out);
    const Def* write_body_of(const Def* f, const Def* x, Values&, const Def* out);
    const Def* write_run(const Def* term, const Def* out);
    /// The buffers that other kernels fill, outside of functions.
    void buffers_of_kernels(const Def* term, std::vector<const Def*>&);
    /// The acceptor of the argument of a view that is written to `out`; null: the term is no view with an inverse.
    const Def* through(const Def* view, const Def* out);
    const Def* through_function(const Def* f, const Def* from, const Def* to);
    /// The body is a view of `x`, of a view of it, …
    bool is_view_of(const Def* body, const Def* x);
    bool is_view_function(const Def* f);
    const Def* inverse(const Def* body, const Def* x, const Def* out);
    ///@}

    /// @name continuation translation
    ///@{
    const Def* read(const Def* term, const Rest&);
    /// Reads it for this term.
    const Def* read_for(const Def* reader, const Def* term, const Rest&);
    /// Refuses a value for this loop if a part of it was never stored.
    void check_stored(const Def* value, const Def* reader);
    const Def* read_effect(const Def* term, const Rest&);
    const Def* read_parts(const Def* term, size_t first, const Rest&);
    const Def* read_changed_pair(const Def* term, const Rest&);
    [[noreturn]] void refuse_element(const Def* array);
    const Def* read_idx(const Def* term, const Rest&);
    const Def* read_projection(const Def* term, const Rest&);
    const Def* read_projection_of_read(const Def* term, const Rest&);
    const Def* read_select(const Def* term, const Rest&);
    const Def* read_to_mem(const Def* term, const Rest&);
    const Def* read_let(const Def* term, Values&, const Rest&);
    const Def* read_body_of(const Def* f, const Def* x, Values&, const Rest&);
    /// The term with the values of its variables.
    const Def* closed(const Def* term, const Values&);
    /// The value of a `toMem(Constant)`, which no command fills.
    const Def* table(const Def* to_mem);
    const Def* read_fold(const Def* term, const Rest&);
    /// The element of an array that has effects in its elements.
    const Def* element(const Def* i, const Def* array);
    const Def* element_of_view(const Def* i, const Def* array);
    ///@}

    const Def* with_new(const Def* space, const Def* type, std::string_view name,
                        const std::function<const Def*(const Def* value, const Def* out)>& body);
    const Def* loop(dpia::for_ how, const Def* n, std::string_view name, const std::function<const Def*(const Def* i)>& body);
    const Def* at(const Def* i, const Def* acc);
    const Def* placed(const Def* command, Span);
    const Def* lam(const Def* dom, const Def* codom, const std::function<const Def*(const Def*)>& body);
    const Def* private_space() { return w.annex(rise::as::private_); }

    Filled filled_;
    const Def* reader_   = nullptr; ///< the loop, or the view, whose input is read
    const Def* stored_   = nullptr; ///< the `toMem` whose argument is written
    const Def* writer_   = nullptr; ///< what is written, as far as it has a place
    const Def* function_ = nullptr; ///< of it, if what is written is the result of that
    const Lam* program_  = nullptr;
    const Def* whole_    = nullptr; ///< it has the place of the program
    Span place_;
};

} // namespace mim::plug::dpia
