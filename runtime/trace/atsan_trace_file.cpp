//===-- atsan_trace_file.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is allocated on the disk before it is mapped, so that a full disk is
// an error of a system call and not a fatal signal. Its header is written from
// the back: a block with its magic number is complete.
//
// Several processes may be told the same name: a forked child, or a program
// that was started by the traced one. The first one has it; others add their
// process number. A lock on the file says that somebody is using it.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/atsan_trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/options/atsan_output_file.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {

using format::BlockHeader;
using format::BlockState;
using format::Ending;
using format::FileHeader;

TraceFile *trace_file;

namespace {

// The path that was asked for, made absolute.
const char *base_path;
u64 size_limit;
uptr page_size;
// The identity of the file: a program may close descriptors that are not its
// own, and get their numbers for its files. Also used by a child that inherited
// it.
struct Opened {
  fd_t fd;
  dev_t device;
  ino_t number;
  char *path;
} opened = {kInvalidFd, 0, 0, nullptr};

// A system call that is no cancellation point and leaves errno alone. Returns
// the negated error number if it fails.
template <class... Args>
sptr Call(long number, Args... args) {
  int saved = errno;
  sptr result = syscall(number, args...);
  if (result < 0)
    result = -errno;
  errno = saved;
  return result;
}

int OpenAt(const char *path, int flags, int mode = 0) {
  return static_cast<int>(
      Call(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode));
}

void CloseFile(int fd) { Call(SYS_close, fd); }

void *MapShared(int fd, u64 begin, uptr size, int *error) {
  sptr mapped = Call(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_SHARED, fd, begin);
  // The last page of addresses is nobody's.
  if (mapped < 0 && mapped > -4096) {
    *error = static_cast<int>(-mapped);
    return nullptr;
  }
  Call(SYS_madvise, mapped, size, MADV_DONTFORK);
  return reinterpret_cast<void *>(mapped);
}

// --- Making the file. --------------------------------------------------------

// When this process started, in the kernel's ticks since boot: with its number,
// that identifies a process, also after exec.
u64 StartTime() {
  static char buffer[1024];
  int fd = OpenAt("/proc/self/stat", O_RDONLY);
  if (fd < 0)
    return 0;
  sptr size = Call(SYS_read, fd, buffer, sizeof(buffer) - 1);
  CloseFile(fd);
  if (size < 0)
    return 0;
  buffer[size] = '\0';
  // The name of the program, in parentheses, may contain anything.
  const char *p = internal_strrchr(buffer, ')');
  constexpr u32 kFieldsAfterName = 20;
  for (u32 i = 0; p && i < kFieldsAfterName; i++)
    p = internal_strchr(p + 1, ' ');
  return p ? internal_simple_strtoll(p + 1, nullptr, 10) : 0;
}

enum class Taken { kYes, kNo, kError };

// Is the file at `path` one that may not be replaced? That is one which is
// being written, or which this very process wrote before exec.
Taken IsTaken(const char *path, const FileHeader &own, const char **why) {
  int fd = OpenAt(path, O_RDONLY | O_NONBLOCK);
  if (fd == -ENOENT)
    return Taken::kNo;
  if (fd < 0) {
    *why = strerror(-fd);
    return Taken::kError;
  }
  struct stat status;
  FileHeader other = {};
  bool regular =
      !internal_iserror(internal_fstat(fd, &status)) && S_ISREG(status.st_mode);
  bool is_trace = regular &&
                  Call(SYS_read, fd, &other, sizeof(other)) == sizeof(other) &&
                  !internal_memcmp(other.Magic, own.Magic, sizeof(own.Magic));
  bool in_use = Call(SYS_flock, fd, LOCK_SH | LOCK_NB) < 0;
  CloseFile(fd);
  if (in_use)
    return Taken::kYes;
  if (!is_trace && (!regular || status.st_size)) {
    *why = "it is there, and is no trace; remove it or name another file";
    return Taken::kError;
  }
  return other.Process == own.Process && other.StartTime == own.StartTime
             ? Taken::kYes
             : Taken::kNo;
}

FileHeader MakeHeader() {
  FileHeader header = {};
  internal_memcpy(header.Magic, format::FileMagic, sizeof(header.Magic));
  header.ByteOrder = format::ByteOrderMark;
  header.FormatVersion = format::Version;
  header.Process = internal_getpid();
  header.StartTime = StartTime();
  header.Checksum =
      format::checksum(&header, __builtin_offsetof(FileHeader, Checksum));
  header.End = format::FileHeaderSize;
  return header;
}

bool IsOurs(int fd) {
  struct stat status;
  return fd >= 0 && !internal_iserror(internal_fstat(fd, &status)) &&
         status.st_dev == opened.device && status.st_ino == opened.number;
}

// A new file takes the place of an old trace, which somebody may be reading.
// Returns the descriptor, or a negated error number.
int Create(const char *path) {
  internal_unlink(path);
  int fd = OpenAt(path, O_RDWR | O_CREAT | O_EXCL, 0666);
  if (fd < 0)
    return fd;
  // The descriptor is none that programs expect to get for their own files.
  constexpr int kHighEnough = 256;
  int high =
      static_cast<int>(Call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kHighEnough));
  if (high >= 0) {
    CloseFile(fd);
    fd = high;
  }
  Call(SYS_flock, fd, LOCK_EX | LOCK_NB);
  struct stat status = {};
  internal_fstat(fd, &status);
  InternalFree(opened.path);
  opened = {fd, status.st_dev, status.st_ino, internal_strdup(path)};
  return fd;
}

// Makes the file. False, and the reason in *why, if it cannot be made.
bool OpenTrace(TraceFile *file, bool is_child, const char **why) {
  FileHeader header = MakeHeader();
  InternalScopedString path;
  path.Append(base_path);
  if (is_child)
    path.AppendF(".%d", static_cast<int>(internal_getpid()));
  for (u32 attempt = 0;; attempt++) {
    Taken taken = IsTaken(path.data(), header, why);
    if (taken == Taken::kError)
      return false;
    if (taken == Taken::kNo)
      break;
    path.clear();
    path.AppendF("%s.%d", base_path, static_cast<int>(internal_getpid()));
    if (attempt)
      path.AppendF(".%u", attempt);
  }
  // The child closes the parent's file, with its lock, which would otherwise
  // outlive the parent.
  if (is_child && IsOurs(opened.fd))
    CloseFile(opened.fd);
  int fd = Create(path.data()), error = -fd;
  void *mapped = nullptr;
  if (fd >= 0) {
    error =
        static_cast<int>(-Call(SYS_pwrite64, fd, &header, sizeof(header), 0ul));
    if (error < 0)
      error =
          static_cast<int>(-Call(SYS_ftruncate, fd, format::FileHeaderSize));
    if (!error)
      mapped = MapShared(fd, 0, format::FileHeaderSize, &error);
  }
  if (!mapped) {
    *why = strerror(error);
    return false;
  }
  file->header = static_cast<FileHeader *>(mapped);
  file->limit = size_limit;
  // Beyond the system's limit there is a signal, not an error.
  rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
      (!file->limit || most.rlim_cur < file->limit))
    file->limit = most.rlim_cur;
  file->status = TraceFile::Status::kOpen;
  return true;
}

// The file's descriptor, or a negated error number.
int Descriptor() {
  if (LIKELY(IsOurs(opened.fd)))
    return opened.fd;
  int fd = OpenAt(opened.path, O_RDWR);
  if (fd >= 0 && !IsOurs(fd)) {
    CloseFile(fd);
    fd = -ENOENT;
  }
  opened.fd = fd;
  return fd;
}

// --- Blocks. -----------------------------------------------------------------

// Ends recording, with the file locked. The events of other threads up to their
// next run are kept.
void Stop(TraceFile *file, Ending how, const char *why) {
  if (file->status == TraceFile::Status::kStopped)
    return;
  file->status = TraceFile::Status::kStopped;
  atomic_fetch_add(&file->run, kTraceStopped, memory_order_relaxed);
  if (file->header)
    file->header->How = how;
  ScopedLog log;
  Report(
      "WARNING: %s: recording of the trace %s has stopped: %s. What happens "
      "later is not in it\n",
      SanitizerToolName, base_path, why);
}

// Makes the disk ready to hold these bytes. Returns an error number.
int Allocate(int fd, u64 begin, u64 size) {
  for (;;) {
    sptr error = -Call(SYS_fallocate, fd, 0, begin, size);
    if (error == EOPNOTSUPP || error == ENOSYS)
      break;
    if (error != EINTR)
      return static_cast<int>(error);
  }
  static const char zeros[512] = {};
  for (u64 done = 0; done < size; done += sizeof(zeros)) {
    sptr written = Call(SYS_pwrite64, fd, zeros, sizeof(zeros), begin + done);
    if (written != sizeof(zeros))
      return written < 0 ? static_cast<int>(-written) : ENOSPC;
  }
  return 0;
}

BlockHeader *MapBlock(TraceFile *file, uptr size) {
  u64 begin = file->header->End;
  int fd = Descriptor();
  int error = fd < 0 ? -fd : Allocate(fd, begin, size);
  void *mapped = error ? nullptr : MapShared(fd, begin, size, &error);
  if (!mapped)
    Stop(file, Ending::NoSpace, strerror(error));
  return static_cast<BlockHeader *>(mapped);
}

void InitHeader(BlockHeader *header, u32 thread, u64 run, uptr size) {
  BlockHeader fresh = {};
  fresh.Magic = format::BlockMagic;
  fresh.Size = size;
  fresh.Thread = thread;
  fresh.Checksum =
      format::checksum(&fresh, __builtin_offsetof(BlockHeader, Checksum));
  header->State = BlockState::Open;
  header->FirstRun = run;
  header->Checksum = fresh.Checksum;
  header->Thread = fresh.Thread;
  header->Size = fresh.Size;
  __atomic_store_n(&header->Magic, fresh.Magic, __ATOMIC_RELEASE);
}

// Gives the block its checksum and its state.
void Finish(TraceBlock *block, BlockState state) {
  BlockHeader *header = block->header;
  BlockHeader closed = *header;
  closed.State = state;
  header->RecordsChecksum = format::recordsChecksum(closed, block->Records());
  // Until now the block is open, whatever the checksum.
  __atomic_store(&header->State, &state, __ATOMIC_RELEASE);
}

// Finishes the block and unmaps it.
void Close(TraceBlock *block, BlockState state) {
  if (!block->header)
    return;
  Finish(block, state);
  Call(SYS_munmap, block->header, block->header->Size);
  *block = {};
}

}  // namespace

bool TraceNewBlock(TraceBlock *block, u32 thread, u64 run, uptr size,
                   uptr need) {
  TraceFile *file = trace_file;
  TraceBlock fresh = {};
  {
    SpinMutexLock lock(&file->mutex);
    if (file->status == TraceFile::Status::kUnopened) {
      const char *why = nullptr;
      if (!OpenTrace(file, /*is_child=*/true, &why))
        Stop(file, Ending::NoSpace, why);
    }
    need = RoundUpTo(need + sizeof(BlockHeader), page_size);
    size = Max(size, need);
    if (file->status == TraceFile::Status::kOpen && file->limit) {
      u64 left = file->limit - Min<u64>(file->limit, file->header->End);
      size = Min<u64>(size, RoundDownTo(left, page_size));
      if (size < need)
        Stop(file, Ending::SizeLimit, "the size limit is reached");
    }
    if (file->status == TraceFile::Status::kOpen)
      fresh.header = MapBlock(file, size);
    if (fresh.header) {
      InitHeader(fresh.header, thread, run, size);
      __atomic_store_n(&file->header->End, file->header->End + size,
                       __ATOMIC_RELEASE);
    }
  }
  if (!fresh.header) {
    TraceCloseBlock(block);
    return false;
  }
  Close(block, BlockState::Full);
  fresh.out = fresh.Records();
  fresh.end = reinterpret_cast<u8 *>(fresh.header) + size;
  *block = fresh;
  return true;
}

void TraceCloseBlock(TraceBlock *block) { Close(block, BlockState::Last); }

void TraceSealBlock(TraceBlock *block) {
  if (!block->header)
    return;
  Finish(block, BlockState::Last);
  block->end = block->out;
}

void TraceUnsealBlock(TraceBlock *block) {
  BlockHeader *header = block->header;
  if (!header || header->State != BlockState::Last)
    return;
  BlockState state = BlockState::Open;
  __atomic_store(&header->State, &state, __ATOMIC_RELEASE);
  header->RecordsChecksum = 0;
  block->end = reinterpret_cast<u8 *>(header) + header->Size;
}

// --- Start. ------------------------------------------------------------------

void TraceFileInit(const char *path, u64 limit) {
  InternalScopedString absolute;
  base_path =
      internal_strdup(AppendAbsolute(&absolute, path) ? absolute.data() : path);
  size_limit = limit;
  page_size = GetPageSizeCached();
  trace_file = static_cast<TraceFile *>(
      MapWipedOnFork(sizeof(TraceFile), "atsan trace"));
  const char *why = nullptr;
  if (OpenTrace(trace_file, /*is_child=*/false, &why))
    return;
  Report("ERROR: %s: cannot write the trace %s: %s\n", SanitizerToolName, path,
         why);
  ExitForBadSetup();
}

void *MapWipedOnFork(uptr size, const char *what) {
  size = RoundUpTo(size, GetPageSizeCached());
  void *memory = MmapOrDie(size, what);
  Call(SYS_madvise, memory, size, MADV_WIPEONFORK);
  return memory;
}

void TraceFileAfterFork() {
  internal_memset(trace_file, 0, sizeof(*trace_file));
}

}  // namespace __atsan
