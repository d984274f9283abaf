/* Kills the process before the SHIM_K-th of its calls that change files, or with SHIM_NAMES folders; writes their number
 * to SHIM_LOG at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

static void count(int names)
{
  if (!names && getenv("SHIM_NAMES")) return;
  const char *k = getenv("SHIM_K");
  int n = __sync_add_and_fetch(&calls, 1);
  if (k && n == atoi(k)) syscall(SYS_kill, getpid(), SIGKILL);
}

__attribute__((destructor)) static void tell(void)
{
  const char *log = getenv("SHIM_LOG");
  char text[32];
  if (!log) return;
  int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  syscall(SYS_write, fd, text, snprintf(text, sizeof text, "%d\n", calls));
  syscall(SYS_close, fd);
}

#define REAL(type, name, args) static type (*real) args; if (!real) real = (type (*) args) dlsym(RTLD_NEXT, name)

int rename(const char *a, const char *b) { REAL(int, "rename", (const char *, const char *)); count(1); return real(a, b); }
int unlink(const char *a) { REAL(int, "unlink", (const char *)); count(1); return real(a); }
int link(const char *a, const char *b) { REAL(int, "link", (const char *, const char *)); count(1); return real(a, b); }
int linkat(int d, const char *a, int e, const char *b, int f)
{ REAL(int, "linkat", (int, const char *, int, const char *, int)); count(1); return real(d, a, e, b, f); }
int mkdir(const char *a, mode_t m) { REAL(int, "mkdir", (const char *, mode_t)); count(1); return real(a, m); }
int fsync(int d) { REAL(int, "fsync", (int)); count(0); return real(d); }
int ftruncate64(int d, off64_t n) { REAL(int, "ftruncate64", (int, off64_t)); count(0); return real(d, n); }
int ftruncate(int d, off_t n) { REAL(int, "ftruncate", (int, off_t)); count(0); return real(d, n); }
ssize_t write(int d, const void *b, size_t n)
{ REAL(ssize_t, "write", (int, const void *, size_t)); if (d > 2) count(0); return real(d, b, n); }
ssize_t pwrite(int d, const void *b, size_t n, off_t o)
{ REAL(ssize_t, "pwrite", (int, const void *, size_t, off_t)); count(0); return real(d, b, n, o); }
ssize_t pwrite64(int d, const void *b, size_t n, off64_t o)
{ REAL(ssize_t, "pwrite64", (int, const void *, size_t, off64_t)); count(0); return real(d, b, n, o); }
