// SPDX-License-Identifier: MIT
// A bump arena for syntax trees: nodes are plain structs that are never destroyed one by one, so making one costs a pointer
// bump, and a whole module is freed at once. Blocks never move, so nodes and the text in them have stable addresses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mim::front {

/// A read-only view of an array in an arena.
template<class T>
class List {
public:
    List() = default;
    List(const T* data, size_t size)
        : data_(data)
        , size_(static_cast<uint32_t>(size)) {}

    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T& operator[](size_t i) const { return data_[i]; }
    const T& front() const { return data_[0]; }
    const T& back() const { return data_[size_ - 1]; }

private:
    const T* data_ = nullptr;
    uint32_t size_ = 0;
};

class Arena {
public:
    Arena() = default;
    Arena(Arena&& o) noexcept
        : blocks_(std::move(o.blocks_))
        , pos_(std::exchange(o.pos_, nullptr))
        , end_(std::exchange(o.end_, nullptr)) {}
    Arena& operator=(Arena&& o) noexcept {
        blocks_ = std::move(o.blocks_);
        pos_    = std::exchange(o.pos_, nullptr);
        end_    = std::exchange(o.end_, nullptr);
        return *this;
    }

    void* alloc(size_t bytes) {
        bytes = (bytes + 7) & ~size_t(7);
        if (static_cast<size_t>(end_ - pos_) < bytes) grow(bytes);
        void* p = pos_;
        pos_ += bytes;
        return p;
    }

    /// Makes a node with its fields in order; the node lives as long as the arena.
    template<class T, class... Args>
    T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
        return new (alloc(sizeof(T))) T{std::forward<Args>(args)...};
    }

    template<class T>
    List<T> list(const T* data, size_t size) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
        if (size == 0) return {};
        auto* p = static_cast<T*>(alloc(sizeof(T) * size));
        std::memcpy(static_cast<void*>(p), static_cast<const void*>(data), sizeof(T) * size);
        return {p, size};
    }
    template<class T>
    List<T> list(const std::vector<T>& v) {
        return list(v.data(), v.size());
    }

    std::string_view text(std::string_view s) {
        if (s.empty()) return {};
        auto* p = static_cast<char*>(alloc(s.size()));
        std::memcpy(p, s.data(), s.size());
        return {p, s.size()};
    }

    /// Blocks are numbered in the order in which they are filled; what is made next lies in this one, or in a later one.
    size_t block() const { return blocks_.empty() ? 0 : blocks_.size() - 1; }
    /// Ends the life of all that lies in this block.
    void free_block(size_t i) { blocks_[i].reset(); }

private:
    void grow(size_t bytes) {
        size_t size = bytes > kBlock ? bytes : kBlock;
        blocks_.emplace_back(new char[size]);
        pos_ = blocks_.back().get();
        end_ = pos_ + size;
    }

    static constexpr size_t kBlock = 64 * 1024;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* pos_ = nullptr;
    char* end_ = nullptr;
};

} // namespace mim::front
