// SPDX-License-Identifier: MIT
// Where the fields of `bitdata` are, and how its constructors are told from each other: widths, the rows of bits that
// each constructor can be, confusion, masks and junk.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "bit_sets.h"
#include "diag/diag.h"
#include "program.h"

namespace mim::plug::mil {

class Layouts {
public:
    Layouts(Diagnostics& diags, Program& p, Types& types)
        : diags_(diags)
        , p_(p)
        , types_(types)
        , states_(p_.datas.size()) {
        for (uint32_t i = 0; i != p_.datas.size(); ++i) datas_[p_.datas[i].type] = i;
    }

    void run() {
        for (uint32_t i = 0; i != p_.datas.size(); ++i)
            if (p_.datas[i].form == DataType::Bitdata && !p_.datas[i].is_builtin) lay_out(i);
        for (auto i : done_) tell_apart(p_.datas[i]);
    }
    /// Finds what a field of this type has in it, and how wide it is. False if its values are no rows of bits.
    bool classify(Region&, Type*);
    /// A row that is no value of the field.
    std::optional<Row> free_row(const Region&);
    /// Finds the places of the fields of one that a pass has made, whose constructors are told apart already.
    void add(uint32_t data);

private:
    enum State : uint8_t { New, Open, Done, Failed };

    bool lay_out(uint32_t data);
    bool find_widths(uint32_t data);
    bool numbers(Region&, const std::string& name, Type* size);
    bool complete(DataType&, Con&);
    bool fits(const Con&, const Region&);
    BitSets::Set rows(const Region&, uint32_t place);
    BitSets::Set rows(const Con&, uint32_t place);
    BitSets::Set rows(const DataType&, uint32_t place);
    using Rows = std::vector<BitSets::Set>; ///< of each constructor
    bool is_confused(const DataType&, const Rows&);
    void tell_apart(DataType&);
    bool find_mask(Con&, BitSets::Set own, BitSets::Set others, uint32_t width);

    Diagnostics& diags_;
    Program& p_;
    Types& types_;
    std::vector<State> states_;
    std::vector<uint32_t> done_;
    std::unordered_map<Type*, uint32_t> datas_;
    BitSets sets_;
};

} // namespace mim::plug::mil
