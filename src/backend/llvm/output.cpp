// SPDX-License-Identifier: MIT
// A module as text, bitcode, assembly, object, executable or shared library. The last two are linked by the system's C compiler, which
// knows where its start files and libraries are.
#include <dlfcn.h>
#include <fcntl.h>
#include <llvm-c/BitWriter.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "backend/llvm/compile.h"

extern char** environ;

namespace mim::backend::llvm {

namespace {

std::string temporary_folder() {
    auto folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/// A file in the temporary folder that goes with the object. Whatever fails throws std::system_error, which names the folder.
class Temporary {
public:
    explicit Temporary(std::string_view suffix) {
        path_ = temporary_folder() + "/mim-XXXXXX" + std::string(suffix);
        fd_   = mkstemps(path_.data(), int(suffix.size()));
        if (fd_ < 0) fail("write");
    }
    ~Temporary() {
        close(fd_);
        unlink(path_.c_str());
    }
    Temporary(const Temporary&)            = delete;
    Temporary& operator=(const Temporary&) = delete;

    const std::string& path() const { return path_; }
    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            auto n = ::write(fd_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail("write");
            bytes.remove_prefix(size_t(n));
        }
    }
    /// The content that another program wrote under the same name.
    std::string read() const {
        std::string bytes;
        int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0) fail("read");
        char buffer[1 << 16];
        ssize_t n;
        while ((n = ::read(fd, buffer, sizeof buffer)) > 0) bytes.append(buffer, size_t(n));
        auto error = errno;
        close(fd);
        errno = error;
        if (n < 0) fail("read");
        return bytes;
    }

private:
    [[noreturn]] static void fail(const char* what) {
        auto text = std::string("cannot ") + what + " a temporary file in `" + temporary_folder() + "`";
        throw std::system_error(errno, std::generic_category(), text);
    }

    std::string path_;
    int fd_;
};

std::string bytes_of(LLVMMemoryBufferRef buffer) {
    std::string bytes(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return bytes;
}

/// For a command that failed in silence, perhaps because there was no room for its message.
std::string silent_end(const std::string& program, int status) {
    auto how = WIFSIGNALED(status) ? "because of signal " + std::to_string(WTERMSIG(status))
                                   : "with status " + std::to_string(WEXITSTATUS(status));
    return "`" + program + "` ended " + how + " without a message; its temporary files are in `" + temporary_folder() + "`";
}

/// Runs the command; its exit status, or -1 if it could not be started. What it writes to stderr ends in `log`.
int run(const std::vector<std::string>& command, std::string& log) {
    Temporary errors(".log");
    std::vector<char*> argv;
    for (auto& arg : command) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, errors.path().c_str(), O_WRONLY | O_TRUNC, 0600);
    pid_t pid;
    int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return -1;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    log = errors.read();
    if (status != 0 && log.empty()) log = silent_end(command[0], status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

class Writer {
public:
    Writer(World& world, Diagnostics& diags, const EmitOptions& options, const Sink& sink)
        : world_(world)
        , diags_(diags)
        , options_(options)
        , sink_(sink) {}

    bool run() {
        for (auto& file : options_.files)
            if (file.kind == Output::Exe && !world_.externals.find("main"))
                return diags_.report(Diag::no_main, {}, {kMainOfMim}), false;
        Target target;
        if (!target.create(diags_, options_, false)) return false;
        target_      = &target;
        auto context = LLVMContextCreate();
        module_      = compile(world_, diags_, options_, target, context, outside_);
        bool ok      = module_ != nullptr;
        auto is_ours = [](const EmitOptions::File& file) { return file.kind != Output::Header; };
        left_        = std::count_if(options_.files.begin(), options_.files.end(), is_ours);
        for (auto& file : options_.files)
            if (ok && is_ours(file)) ok = write(file), --left_;
        if (module_) LLVMDisposeModule(module_);
        LLVMContextDispose(context);
        return ok;
    }

private:
    bool write(const EmitOptions::File& file) {
        switch (file.kind) {
            case Output::Text: return sink_(file, take(LLVMPrintModuleToString(module_)));
            case Output::Bitcode: return sink_(file, bytes_of(LLVMWriteBitcodeToMemoryBuffer(module_)));
            case Output::Asm:
            case Output::Obj: {
                std::string bytes;
                return generate(file.kind == Output::Asm ? LLVMAssemblyFile : LLVMObjectFile, bytes) && sink_(file, bytes);
            }
            case Output::Exe:
            case Output::Shared: return link(file);
            case Output::Header: break;
        }
        return true;
    }

    /// Code generation changes the module, so it works on a copy if another file is made of it.
    bool generate(LLVMCodeGenFileType kind, std::string& bytes) {
        auto copy                  = left_ > 1 ? LLVMCloneModule(module_) : nullptr;
        auto module                = copy ? copy : module_;
        char* why                  = nullptr;
        LLVMMemoryBufferRef buffer = nullptr;
        bool failed                = LLVMTargetMachineEmitToMemoryBuffer(target_->machine(), module, kind, &why, &buffer);
        if (copy) LLVMDisposeModule(copy);
        if (failed) return diags_.report(Diag::llvm_failed, {}, {take(why)}), false;
        bytes = bytes_of(buffer);
        return true;
    }

    bool link(const EmitOptions::File& file) {
        std::string object, result;
        if (!generate(LLVMObjectFile, object)) return false;
        try {
            if (!link(file, object, result)) return false;
        } catch (const std::system_error& e) {
            outside_.report(diags_, file.path, e.what());
            return false;
        }
        return sink_(file, result);
    }

    /// Leaves in `bytes` what the linker makes of the object.
    bool link(const EmitOptions::File& file, std::string_view code, std::string& bytes) {
        Temporary object(".o"), result(".out");
        object.write(code);
        std::vector<std::string> tail{object.path(), "-o", result.path(), "-lm"};
        if (file.kind == Output::Shared) tail.push_back("-shared");
        else if (options_.debug || options_.checked) add_runtime(tail);
        if (!add_libraries(tail)) return false;
        std::string log = "no C compiler (cc, gcc, clang) is installed";
        for (auto& driver : drivers()) {
            auto command = driver;
            command.insert(command.end(), tail.begin(), tail.end());
            if (options_.verbose) {
                for (auto& word : command) std::fprintf(stderr, "%s ", word.c_str());
                std::fputc('\n', stderr);
            }
            int status = llvm::run(command, log);
            if (status == 0) return bytes = result.read(), true;
            if (status > 0 && status != 127) break;
        }
        outside_.report(diags_, file.path, log);
        return false;
    }

    /// What says which functions were running when a signal ended the program, and what --checked asks.
    void add_runtime(std::vector<std::string>& command) const {
        auto library = options_.triple.empty() ? runtime_library() : std::string();
        if (library.empty()) return;
        for (auto word : {"-Wl,-u,mim_report_crashes", library.c_str()}) command.emplace_back(word);
    }

    /// Those of plugins. For another machine, the linker says what is missing. False after a report.
    bool add_libraries(std::vector<std::string>& command) const {
        if (!options_.triple.empty()) return true;
        for (auto library : outside_.libraries) {
            auto path = find_library(diags_, *library, ".a");
            if (path.empty()) return false;
            command.push_back(path);
            for (auto& system : library->system_libraries) command.push_back("-l" + system);
        }
        return true;
    }

    std::vector<std::vector<std::string>> drivers() const {
        if (options_.triple.empty()) return {{"cc"}, {"gcc"}, {"clang"}, {"clang-19"}};
        auto target = "--target=" + target_->triple();
        return {{"clang", target, "-fuse-ld=lld"}, {"clang-19", target, "-fuse-ld=lld"}};
    }

    World& world_;
    Diagnostics& diags_;
    const EmitOptions& options_;
    const Sink& sink_;
    const Target* target_ = nullptr;
    LLVMModuleRef module_ = nullptr;
    Outside outside_;
    std::ptrdiff_t left_ = 0; ///< files to make of the module, this one included
};

} // namespace

/// A library of Mim's own, beside this one; empty if it is missing.
static std::string our_library(const char* name) {
    Dl_info here;
    std::error_code ignored;
    if (!dladdr(reinterpret_cast<void*>(our_library), &here)) return {};
    auto library = std::filesystem::path(here.dli_fname).parent_path() / name;
    return std::filesystem::exists(library, ignored) ? library.string() : std::string();
}

std::string runtime_library() { return our_library("libmim_crash.a"); }

std::string find_library(Diagnostics& diags, const RuntimeLibrary& library, std::string_view suffix) {
    std::error_code ignored;
    auto path = library.folder + "/lib" + library.name + std::string(suffix);
    if (std::filesystem::exists(path, ignored)) return path;
    diags.report(Diag::missing_library, {}, {library.name, library.plugin, "there is no `" + path + "`"});
    return {};
}

bool emit_files(World& world, Diagnostics& diags, const EmitOptions& options, const Sink& sink) {
    return Writer(world, diags, options, sink).run();
}

} // namespace mim::backend::llvm
