// SPDX-License-Identifier: MIT
// Text that stands for other text.
#include "front/source_map.h"

#include <doctest/doctest.h>

using namespace mim;
using namespace mim::front;

TEST_CASE("source map: a part of the written text has the place of what it stands for") {
    MappedText text(7);
    text << "// head\n";
    text.at(10, 12) << "let x = ";
    text.at(20, 25) << "1";
    text.at(10, 26) << ";";
    CHECK(text.text() == "// head\nlet x = 1;");
    auto& map = text.map();
    CHECK(map({3, 0, 4}) == Span{3, 0, 4}); // in front of what stands for something
    CHECK(map({3, 8, 11}) == Span{7, 10, 12});
    CHECK(map({3, 16, 17}) == Span{7, 20, 25});
    CHECK(map({3, 8, 17}) == Span{7, 10, 25});
    CHECK(map({3, 8, 18}) == Span{7, 10, 26});
    CHECK(map({3, 18, 18}) == Span{7, 10, 26});
    CHECK(SourceMap().empty());
}
