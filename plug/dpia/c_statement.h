// SPDX-License-Identifier: MIT
// Expressions of one statement as text. One that is used twice is named before it, inside of the branch where it is
// computed: nothing is read outside of the condition that guards it.
#pragma once
#include <set>

#include "c_values.h"

namespace mim::plug::dpia {

/// How often `part` is in the text, which does not overlap itself.
size_t occurrences(std::string_view text, std::string_view part);
void replace_all(std::string& text, std::string_view part, std::string_view by);

/// Lines of C, and names that are taken.
class CText {
public:
    CText() = default;
    /// Text of its own beside `host`, which lives longer: names of the host are taken here, too.
    static CText beside(const CText& host) {
        CText result;
        result.host_ = &host;
        return result;
    }
    void line(const std::string& text) { body += std::string(4 * depth, ' ') + text + "\n"; }
    void open(const std::string& text) {
        line(text.empty() ? "{" : text + " {");
        ++depth;
    }
    void close(const std::string& text = "}") {
        --depth;
        line(text);
    }
    /// A name like this one that nothing else has.
    std::string unique(std::string_view base);
    void take_names(const CText& other) {
        taken_.insert(other.taken_.begin(), other.taken_.end());
        for (auto& [name, number] : other.last_) last_[name] = number;
    }
    bool is_taken(const std::string& name) const { return taken_.contains(name) || (host_ && host_->is_taken(name)); }

    std::string body;
    size_t depth = 1;

private:
    size_t last_number(const std::string& name) const;

    const CText* host_ = nullptr;
    std::set<std::string> taken_;
    std::map<std::string, size_t> last_; ///< the number at the end of the last name that was made of this one
};

class CStatement {
public:
    CStatement(CText& out, std::vector<CRef> roots);
    /// The root, as it is used in the statement.
    std::string text(CRef root) { return operand(root, 0); }

private:
    struct Branch {
        int parent;
        CRef select;
        int which;
    };
    int child(int branch, CRef select, int which);
    bool is_inside(int branch, int outer) const;
    void order(CRef, std::set<CRef>& seen);
    void place(CRef);
    std::set<int> smallest(std::set<int>) const;
    void choose_names();
    void write(int branch);
    std::string operand(CRef, int branch);
    std::string render(CRef, int branch);
    const std::string* name_of(CRef, int branch) const;

    CText& out_;
    std::vector<CRef> operands_first_;
    std::vector<Branch> branches_{{-1, nullptr, 0}};
    std::map<CRef, std::map<int, size_t>> uses_;
    std::map<CRef, std::set<int>> places_;
    std::map<std::pair<CRef, int>, std::string> names_;
};

} // namespace mim::plug::dpia
