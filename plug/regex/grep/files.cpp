// SPDX-License-Identifier: MIT
#include "grep/files.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/crash.h"
#include "grep/bytes.h"

namespace mim::plug::regex {

namespace {

constexpr auto kShrank = "the file became shorter while it was searched";

/// Those that this process may use.
size_t count_processors() {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) return size_t(CPU_COUNT(&allowed));
    return std::thread::hardware_concurrency();
}

/// Each thread takes the next block of files. Results wait until those before them were taken.
class Workers {
public:
    Workers(const Regex& regex, const std::vector<std::string>& paths, size_t hidden, const GrepStyle& style)
        : regex_(regex)
        , paths_(paths)
        , hidden_(hidden)
        , style_(style)
        , blocks_((paths.size() + kBlock - 1) / kBlock) {}
    ~Workers() {
        stop();
        for (auto& t : threads_) t.join();
    }

    void run(const std::function<bool(size_t, FileResult)>& take) {
        start();
        for (size_t i = 0; i < blocks_.size(); ++i) {
            auto first   = i * kBlock;
            auto results = threads_.empty() ? search(i) : wait_for(i);
            for (auto& result : results)
                if (!take(first++, std::move(result))) return;
        }
    }

private:
    using Results = std::vector<FileResult>;
    /// Files that a thread searches before it gives their results away: waking another one takes as long as a small file.
    static constexpr size_t kBlock = 32;
    /// Blocks whose results may wait to be taken: what was found in many large files is not kept in memory.
    static constexpr size_t kWaiting = 8;

    void start() {
        size_t n = std::min(count_processors(), blocks_.size());
        try {
            for (size_t i = 0; n > 1 && i < n; ++i) threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {} // those that started do it, or this one
    }
    Results search(size_t block) const {
        Results results;
        auto end = std::min((block + 1) * kBlock, paths_.size());
        for (size_t i = block * kBlock; i < end; ++i) results.push_back(search_file(regex_, paths_[i], hidden_, style_));
        return results;
    }
    void work() {
        while (auto block = next()) {
            auto results = search(*block);
            std::lock_guard lock(mutex_);
            blocks_[*block] = std::move(results);
            changed_.notify_all();
        }
    }
    std::optional<size_t> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over_ || next_ == blocks_.size() || next_ < taken_ + kWaiting; });
        if (is_over_ || next_ == blocks_.size()) return {};
        return next_++;
    }
    Results wait_for(size_t block) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return blocks_[block].has_value(); });
        taken_ = block + 1;
        changed_.notify_all();
        return *std::exchange(blocks_[block], {});
    }
    void stop() {
        std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }

    const Regex& regex_;
    const std::vector<std::string>& paths_;
    size_t hidden_;
    const GrepStyle& style_;
    std::mutex mutex_; ///< of all that follows
    std::condition_variable changed_;
    std::vector<std::optional<Results>> blocks_;
    size_t next_ = 0, taken_ = 0;
    bool is_over_ = false;
    std::vector<std::thread> threads_;
};

} // namespace

FileResult search_file(const Regex& regex, const std::string& path, size_t hidden, const GrepStyle& style) {
    FileResult result;
    try {
        Bytes bytes;
        if (!bytes.open(path, result.trouble)) return result;
        result.trouble.clear();
        auto name   = path == "-" ? std::string_view("(standard input)") : std::string_view(path).substr(hidden);
        auto search = [&] { result.found = grep(regex, bytes.text(), name, style, result.output); };
        if (!bytes.is_mapped()) return search(), result;
        auto crash = guarded(search);
        if (crash && crash->signal != SIGBUS) std::abort(); // a fault of ours, for the handler of such
        // of what is mapped behind the end of a file that is shorter by now, nothing can be read
        if (crash) result = {.output = {}, .found = false, .trouble = kShrank};
    } catch (const std::bad_alloc&) {
        result = {.output = {}, .found = false, .trouble = "out of memory"};
    } catch (const std::exception& e) { // no exception leaves a thread
        result = {.output = {}, .found = false, .trouble = e.what()};
    }
    return result;
}

void search_files(const Regex& regex, const std::vector<std::string>& paths, size_t hidden, const GrepStyle& style,
                  const std::function<bool(size_t, FileResult)>& take) {
    Workers(regex, paths, hidden, style).run(take);
}

} // namespace mim::plug::regex
