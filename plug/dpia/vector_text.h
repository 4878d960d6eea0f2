// SPDX-License-Identifier: MIT
// Vectors in the text of a language: of C compilers, and of OpenCL. In the text of an expression, `$0$` is its first
// operand.
#pragma once
#include <map>
#include <set>

#include "c_values.h"

namespace mim::plug::dpia {

struct CScalar {
    enum Kind : uint8_t { Bool, Signed, Unsigned, Float, Size, Vector } kind;
    unsigned bits;
    std::string name;      ///< of the type in C
    unsigned lanes   = 0;  ///< of a vector
    std::string lane = {}; ///< the type of one of them
    const std::string& in_memory() const { return kind == Vector ? lane : name; }
};

/// The type of numbers of 16 bits in kernels: their bits, since few devices compute with them.
inline constexpr const char* kHalfBits = "f16";

/// That of gcc and clang, where an operator does the same in each lane.
class VectorText {
public:
    virtual ~VectorText() = default;

    CScalar vector(const CScalar& lane, unsigned lanes);
    /// Unsigned integers that are as wide as the lanes.
    CScalar bits_of(const CScalar&);
    /// The types that were asked for, and what is called.
    virtual std::string declarations() const;

    /// @name expressions
    ///@{
    /// Zeros, in operations.
    virtual std::string zero(const CScalar&) const;
    /// Any lanes.
    virtual std::string any(const CScalar& t) const { return zero(t); }
    /// The operands are the lanes, or one number that is in each.
    virtual std::string made(const CScalar&, bool is_same) const;
    virtual std::string lane(const CScalar&, unsigned i) const;
    /// The second operand says which.
    virtual std::string any_lane(const CScalar&);
    /// Lanes in memory that begin at `place`.
    virtual std::string load(const CScalar&, const std::string& place, bool is_aligned) const;
    /// The text has `$=$` where the value stands, else the value stands at the end of the assignment.
    virtual std::string store(const CScalar&, const std::string& place) const;
    /// A lane of a variable; `i` is an operand, or a number.
    virtual std::string lane_of_variable(const CScalar&, const std::string& name, const std::string& i) const;
    ///@}

    /// @name operations, which are the same in each lane
    ///@{
    /// The bits of `text` as such a vector.
    virtual std::string bits_as(const CScalar&, const std::string& text) const;
    virtual std::string converted(const CScalar&, const std::string& text) const;
    /// The first operand has all bits of a lane where the second one is taken, and none where the third one is.
    virtual std::string blended(const CScalar&) const;
    /// This text of C's operators and of what is above.
    virtual CRef operation(Sizes&, const CScalar& result, const std::string& text, const std::vector<CRef>& args, CNode::Kind);
    /// Functions of numbers are functions of vectors.
    virtual bool has_functions() const { return false; }
    ///@}

protected:
    virtual std::string name(const CScalar& lane, unsigned lanes) const;

    std::map<std::string, CScalar> types_;
};

/// Vectors wider than 16 lanes are pieces of 16.
class OpenClVectors : public VectorText {
public:
    std::string declarations() const override;
    std::string zero(const CScalar&) const override;
    std::string any(const CScalar&) const override;
    std::string made(const CScalar&, bool is_same) const override;
    std::string lane(const CScalar&, unsigned i) const override;
    std::string any_lane(const CScalar&) override;
    std::string load(const CScalar&, const std::string& place, bool is_aligned) const override;
    std::string store(const CScalar&, const std::string& place) const override;
    std::string lane_of_variable(const CScalar&, const std::string& name, const std::string& i) const override;
    std::string bits_as(const CScalar&, const std::string& text) const override;
    std::string converted(const CScalar&, const std::string& text) const override;
    std::string blended(const CScalar&) const override { return "select($2$, $1$, $0$)"; }
    CRef operation(Sizes&, const CScalar& result, const std::string& text, const std::vector<CRef>& args, CNode::Kind) override;
    bool has_functions() const override { return true; }

protected:
    std::string name(const CScalar& lane, unsigned lanes) const override;

private:
    std::map<std::string, std::string> functions_; ///< names, by what follows them
    std::string function(const std::string& base, const std::string& result, const std::string& rest);
};

/// Operations on lanes that are true or false. A mask has all bits of a lane where it is true, and none where it is
/// false; a truth value is a byte.
class LaneMasks {
public:
    LaneMasks(Sizes& sizes, std::shared_ptr<VectorText> text)
        : sizes_(sizes)
        , text_(std::move(text)) {}

    CRef operation(const CScalar& result, const std::string& text, const std::vector<CRef>& args,
                   CNode::Kind kind = CNode::Call) {
        return text_->operation(sizes_, result, text, args, kind);
    }
    /// Where the comparison of such vectors holds.
    CRef mask(const CScalar&, const std::string& test, const std::vector<CRef>& args);
    /// The lanes of `a` where the mask is true, else those of `b`.
    CRef blended(const CScalar&, CRef mask, CRef a, CRef b);
    CRef truth_of(const CScalar&, CRef mask);
    /// For lanes of this width.
    CRef mask_of(const CScalar&, CRef truth);

private:
    Sizes& sizes_;
    std::shared_ptr<VectorText> text_;
    std::map<CRef, CRef> masks_; ///< of truth values that are those of a comparison
};

} // namespace mim::plug::dpia
