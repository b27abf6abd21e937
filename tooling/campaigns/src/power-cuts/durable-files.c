/*
 * Preloaded into a process: after each successful fsync or fdatasync of a file below $DURABLE_FOLDER it keeps what the file then holds as
 * FILE.durable. After a kill, these copies are what a power cut would have left. Source: reliability, how power loss is simulated.
 * It reads through the descriptor that was synced: to open the file again and close it would drop the locks of SQLite.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void keep(int fd) {
  static __thread char block[1 << 16];
  const char *folder = getenv("DURABLE_FOLDER");
  char link[64], path[PATH_MAX], fresh[PATH_MAX + 16], kept[PATH_MAX + 16];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (folder == NULL || length <= 0) return;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return;
  snprintf(fresh, sizeof fresh, "%s.durable-new", path);
  snprintf(kept, sizeof kept, "%s.durable", path);
  int copy = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (copy < 0) return;
  off_t offset = 0;
  ssize_t read;
  while ((read = pread(fd, block, sizeof block, offset)) > 0) {
    if (write(copy, block, (size_t)read) != read) abort();
    offset += read;
  }
  close(copy);
  rename(fresh, kept);
}

static int synced(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
