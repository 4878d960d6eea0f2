// SPDX-License-Identifier: MIT
// The text of MIL to definitions of a program.
#pragma once
#include "mil/diagnostics.h"
#include "reader.h"

namespace mim::plug::mil {

class MilParser final : Reader {
public:
    MilParser(Reading& r, File& file, std::string_view text)
        : Reader(r, file, text)
        , p_(r.source.program)
        , is_root_(r.open.size() == 1) {
        is_kept_ = is_root_;
    }

    void file();

private:
    using Table = std::map<std::string, uint32_t>;
    using Vars  = std::vector<uint32_t>;

    void definition();
    void primitive();
    bool primitive_head(mil::Primitive&, size_t arguments, size_t results);
    void library_primitive(const Word&, const char* block);
    void library_function(const Word&, uint32_t block, const mil::Primitive&);
    Tail curry(const Word&, uint32_t block, const Vars& params, bool runs);
    void block_definition(const Word&);
    void closure_definition(const Word&);
    void top_definition(const Word&);
    void area_definition(const Word&, uint32_t top);
    void string_definition(uint32_t top);
    void several_definition();
    uint32_t add_block(const std::string& name, Span at, Vars params, Code body);
    Expr* external_meaning() override;
    void add_alias(const Foreign&) override;
    void curried(const Word&, uint32_t top);
    void signature(const Word&);
    TypeExpr* stored_types();
    TypeExpr* quantified(const std::function<TypeExpr*()>& type);
    TypeExpr* quantified_variable();
    void annotate(uint32_t variable);
    Atom typed_atom();
    TypeExpr* arrow(TypeExpr* domain, TypeExpr* range);
    void take_signatures();
    void check_defined();
    void find_in_lc();
    void export_tops();

    Code code();
    bool statement(Code&, bool& is_over);
    void branches(Code&);
    void cases(Code&);
    Tail tail();
    Tail con_tail(Tail t);
    Jump jump();
    Atom atom();
    Atoms atoms(front::Kind closer);
    Atoms one_or_more();
    Vars bindings(front::Kind closer, bool may_discard);
    Vars left_side();
    void enter(const Vars&);
    uint32_t con(const Word&);

    /// The index of what has this name; a definition without content if it comes later.
    template<class Def>
    uint32_t reference(Table File::* table, std::vector<Def>& defs, const Word& w) {
        if (auto found = find_mil(file_, table, w.text)) return *found;
        Def def;
        def.name                      = w.text;
        def.at                        = w.at;
        return (file_.*table)[w.text] = add(defs, std::move(def));
    }
    /// The same, which gets its content now.
    template<class Def>
    uint32_t defined(Table File::* table, std::vector<Def>& defs, const Word& w, Program::Kind kind) {
        auto own   = (file_.*table).find(w.text);
        auto index = own == (file_.*table).end() ? uint32_t(defs.size()) : own->second;
        if (own == (file_.*table).end()) {
            defs.emplace_back();
            (file_.*table)[w.text] = index;
        }
        auto& def = defs[index];
        if (def.is_defined) report_twice(diags_, w.text, w.at, def.at);
        def.name       = w.text;
        def.at         = w.at;
        def.is_defined = true;
        def.is_kept    = is_root_;
        p_.order.push_back({kind, index});
        scope_.clear();
        return index;
    }
    bool at_word(std::string_view word) const { return at(front::Name) && cursor_.word() == word; }
    bool at_name() const { return at(front::Name) || at_variable(); }
    Word name();
    /// `C` or `T.C`
    Word con_word();

    Program& p_;
    bool is_root_;
    std::map<std::string, uint32_t> scope_; ///< variables of the definition that is read
    Code* code_ = nullptr;                  ///< that is read
    Atoms same_;                            ///< the values of externals that are read
};

} // namespace mim::plug::mil
