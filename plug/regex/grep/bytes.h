// SPDX-License-Identifier: MIT
// The bytes of a file that is searched.
#pragma once
#include <string>
#include <string_view>

namespace mim::plug::regex {

/// Large files are mapped. Small ones are read, for which the kernel takes less time, as is what is no file, such as a
/// pipe.
class Bytes {
public:
    Bytes() = default;
    ~Bytes();
    Bytes(const Bytes&)            = delete;
    Bytes& operator=(const Bytes&) = delete;

    /// Opens a file, or standard input for `-`. False with the reason in `error`.
    bool open(const std::string& path, std::string& error);
    /// Whether another program may cut the text off meanwhile.
    bool is_mapped() const { return map_; }
    std::string_view text() const { return map_ ? std::string_view(static_cast<const char*>(map_), size_) : text_; }

private:
    void* map_   = nullptr;
    size_t size_ = 0;
    std::string text_;
};

} // namespace mim::plug::regex
