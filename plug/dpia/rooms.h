// SPDX-License-Identifier: MIT
// Buffers whose lifetimes do not meet share storage. A buffer is needed from the first command of its scope that
// mentions it to the last one. Commands of a loop, or of an arm of a branch, are a level: storage is shared within one,
// so that no turn finds what another one left.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/world.h"

namespace mim::plug::dpia {

class Rooms {
public:
    /// Commands of a level of their own.
    template<class Commands>
    void in_level(const Commands& commands) {
        auto outer = std::exchange(level_, {});
        commands();
        level_ = std::move(outer);
    }
    /// Commands of this level behind which others come.
    template<class Commands>
    void followed(const Commands& commands) {
        ++level_.followed;
        commands();
        --level_.followed;
    }

    /// The storage of buffers of the same type in the same space, none of which is needed in the scope `body`. The new
    /// buffer shares it until that ends.
    std::optional<std::string> find(World&, const Def* space, const Def* type, const Lam* body);
    void add(const Def* space, const Def* type, const std::string& name, const Lam* body);
    /// The scope of the buffer ends.
    void release(const Lam* body);
    /// The command is done now.
    void note(World&, const Def* command);

private:
    struct Buffer {
        const Lam* scope;
        unsigned followed;       ///< where the scope begins
        bool is_written = false; ///< a command has mentioned it
    };
    struct Room {
        const Def *space, *type;
        std::string name;
        std::vector<Buffer> buffers; ///< whose scopes have not ended
    };
    struct Level {
        std::vector<Room> rooms;
        unsigned followed = 0; ///< so many commands around here are followed by others
    };
    Level level_;
};

} // namespace mim::plug::dpia
