// SPDX-License-Identifier: MIT
// usage: search MEGABYTES PATTERN SECONDS
// The text is made of words, names, numbers, dates and addresses, the same in each run: of the generator only the numbers themselves are used, which the
// standard fixes.
#include <cstdlib>
#include <random>

#include "search.h"

namespace {

class Text {
public:
    std::string make(size_t size) {
        for (int i = 0; i != 3000; ++i) words_.push_back(word());
        for (auto common :
             {"the", "of", "and", "to", "in", "is", "was", "that", "father", "monday", "friday", "application", "merlin"})
            words_.push_back(common);
        std::string text;
        text.reserve(size + 200);
        size_t column = 0;
        while (text.size() < size) {
            auto part = next();
            column += part.size() + 1;
            text += part;
            text += column > 90 ? '\n' : ' ';
            if (column > 90) column = 0;
        }
        text.resize(size);
        return text;
    }

private:
    size_t below(size_t n) { return size_t(dice_() % n); }
    std::string word() {
        static const std::string start[]  = {"b", "c", "d", "f", "g",  "h",  "l",  "m",  "n", "p",
                                             "r", "s", "t", "w", "st", "tr", "ch", "th", ""};
        static const std::string middle[] = {"a", "e", "i", "o", "u", "ea", "ou", "ai"};
        static const std::string end[]    = {"n", "r", "s", "t", "l", "d", "ng", "rt", "st", "", "", "m", "ck"};
        std::string result;
        for (size_t i = 0, n = 1 + below(3); i != n; ++i) result += start[below(19)] + middle[below(8)] + end[below(13)];
        return result;
    }
    /// Words early in the list are more common.
    const std::string& pick() { return words_[below(1 + below(words_.size()))]; }
    std::string digits(size_t n) {
        std::string result;
        while (n-- != 0) result += char('0' + below(10));
        return result;
    }
    std::string next() {
        auto kind = below(2000);
        if (kind == 0) return "xylophone";
        if (kind < 4) return pick() + "." + pick() + "@" + pick() + ".com";
        if (kind < 8) return "19" + digits(2) + "-" + digits(2) + "-" + digits(2);
        if (kind < 10) return "https://" + pick() + ".org/" + pick() + "?" + digits(3);
        if (kind < 12) return "error";
        if (kind < 16) return "MERLIN";
        if (kind < 20) return words_[3008 + below(5)]; // the last five
        if (kind < 60) return digits(1 + below(5));
        auto result = pick();
        if (kind < 160) result[0] = char(result[0] >= 'a' ? result[0] - 32 : result[0]);
        if (kind > 1850) result += kind % 2 ? ',' : '.';
        return result;
    }

    std::mt19937_64 dice_{20260101};
    std::vector<std::string> words_;
};

} // namespace

int main(int, char** argv) {
    Search search{argv[2], Text().make(size_t(std::atoi(argv[1])) * 1000000), std::atof(argv[3])};
    for (auto run : Searcher::all()) run(search);
}
