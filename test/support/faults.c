/*
 * Faults of a disk, for tests: loaded with LD_PRELOAD, it makes system calls of SQLite fail. Bun makes its own calls
 * without libc, so that only SQLite's are affected.
 *
 * FAULT_CALLS   the calls that fail: any of read, write, sync, truncate, lock, separated by commas
 * FAULT_ERRNO   what they fail with: EIO, ENOSPC or EROFS; "lock" never fails but does nothing
 * FAULT_PATH    only files whose path contains this text are affected
 * FAULT_AFTER   so many of these calls succeed first
 * FAULT_ARMED   a file: the faults exist while it exists; without this variable they always do
 * FAULT_CLOCK   a file of 8 bytes: by how many seconds the clock is ahead, as a number of 64 bits
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_long left = -1;

static int is_armed(void) {
  const char *file = getenv("FAULT_ARMED");
  return file == NULL || access(file, F_OK) == 0;
}

static int is_ours(int fd) {
  const char *wanted = getenv("FAULT_PATH");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return wanted == NULL || strstr(path, wanted) != NULL;
}

static int is_listed(const char *call) {
  const char *calls = getenv("FAULT_CALLS");
  return calls != NULL && strstr(calls, call) != NULL;
}

static int error_number(void) {
  const char *name = getenv("FAULT_ERRNO");
  if (name != NULL && strcmp(name, "ENOSPC") == 0) return ENOSPC;
  if (name != NULL && strcmp(name, "EROFS") == 0) return EROFS;
  return EIO;
}

static int fails(int fd, const char *call) {
  if (!is_listed(call) || !is_armed() || !is_ours(fd)) return 0;
  if (atomic_load(&left) < 0) {
    const char *after = getenv("FAULT_AFTER");
    long unset = -1;
    atomic_compare_exchange_strong(&left, &unset, after == NULL ? 0 : atol(after));
  }
  if (atomic_load(&left) > 0) {
    atomic_fetch_sub(&left, 1);
    return 0;
  }
  errno = error_number();
  return 1;
}

#define NEXT(name) dlsym(RTLD_NEXT, name)

#define READS(name, offset_type) \
  ssize_t name(int fd, void *bytes, size_t count, offset_type at) { \
    static ssize_t (*next)(int, void *, size_t, offset_type); \
    if (next == NULL) next = NEXT(#name); \
    return fails(fd, "read") ? -1 : next(fd, bytes, count, at); \
  }
READS(pread, off_t)
READS(pread64, off64_t)

#define WRITES(name, offset_type) \
  ssize_t name(int fd, const void *bytes, size_t count, offset_type at) { \
    static ssize_t (*next)(int, const void *, size_t, offset_type); \
    if (next == NULL) next = NEXT(#name); \
    return fails(fd, "write") ? -1 : next(fd, bytes, count, at); \
  }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

#define SYNCS(name) \
  int name(int fd) { \
    static int (*next)(int); \
    if (next == NULL) next = NEXT(#name); \
    return fails(fd, "sync") ? -1 : next(fd); \
  }
SYNCS(fsync)
SYNCS(fdatasync)

#define TRUNCATES(name, offset_type) \
  int name(int fd, offset_type size) { \
    static int (*next)(int, offset_type); \
    if (next == NULL) next = NEXT(#name); \
    return fails(fd, "truncate") ? -1 : next(fd, size); \
  }
TRUNCATES(ftruncate, off_t)
TRUNCATES(ftruncate64, off64_t)

/* A file system without locks: every lock is granted, and none is ever seen. */
#define CONTROLS(name) \
  int name(int fd, int command, ...) { \
    static int (*next)(int, int, ...); \
    if (next == NULL) next = NEXT(#name); \
    va_list arguments; \
    va_start(arguments, command); \
    void *argument = va_arg(arguments, void *); \
    va_end(arguments); \
    int is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK; \
    if (is_lock && is_listed("lock") && is_armed() && is_ours(fd)) { \
      if (command == F_GETLK) ((struct flock *)argument)->l_type = F_UNLCK; \
      return 0; \
    } \
    return next(fd, command, argument); \
  }
CONTROLS(fcntl)
CONTROLS(fcntl64)

/* A clock that is ahead or behind, and can jump while the program runs. */
static long ahead(void) {
  static atomic_long *offset;
  static long none;
  if (offset == NULL) {
    const char *file = getenv("FAULT_CLOCK");
    int fd = file == NULL ? -1 : open(file, O_RDONLY);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, fd, 0);
    offset = mapped == MAP_FAILED ? (atomic_long *)&none : mapped;
  }
  return atomic_load(offset);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (next == NULL) next = NEXT("clock_gettime");
  int result = next(clock, time);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += ahead();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  static int (*next)(struct timeval *, void *);
  if (next == NULL) next = NEXT("gettimeofday");
  int result = next(time, zone);
  time->tv_sec += ahead();
  return result;
}
