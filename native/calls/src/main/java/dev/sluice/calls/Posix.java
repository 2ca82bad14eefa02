package dev.sluice.calls;

import dev.sluice.calls.layout.CFunctions;

/**
 * The calls that every Unix system has, under their C names (sections 2 and 3 of the manual).
 *
 * <p>Pointers are addresses in {@link Memory} of the same binding, 0 for {@code NULL}. Each method returns what the C
 * function returns, or the negated error number where that would be -1 with {@code errno} set; {@link Errno#of} gives
 * its name. A blocking call blocks the calling thread, and pins the carrier of a virtual thread.
 */
@CFunctions(headers = {"sys/socket.h", "unistd.h", "fcntl.h", "sys/uio.h", "sys/mman.h", "sys/select.h", "poll.h",
        "stdio.h", "sys/stat.h", "sys/file.h"})
public interface Posix {

    // sockets

    int socket(int domain, int type, int protocol);

    int socketpair(int domain, int type, int protocol, long descriptors);

    int bind(int fd, long address, int addressLength);

    int listen(int fd, int backlog);

    int accept(int fd, long address, long addressLength);

    int connect(int fd, long address, int addressLength);

    int getsockname(int fd, long address, long addressLength);

    int getpeername(int fd, long address, long addressLength);

    int getsockopt(int fd, int level, int name, long value, long valueLength);

    int setsockopt(int fd, int level, int name, long value, int valueLength);

    int shutdown(int fd, int how);

    long recv(int fd, long buffer, long length, int flags);

    long send(int fd, long buffer, long length, int flags);

    long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength);

    long sendto(int fd, long buffer, long length, int flags, long address, int addressLength);

    long recvmsg(int fd, long message, int flags);

    long sendmsg(int fd, long message, int flags);

    // files and pipes

    int open(long path, int flags, int mode);

    int openat(int directory, long path, int flags, int mode);

    int close(int fd);

    int pipe(long descriptors);

    int fcntl(int fd, int command, int argument);

    long read(int fd, long buffer, long length);

    long write(int fd, long buffer, long length);

    long readv(int fd, long vector, int count);

    long writev(int fd, long vector, int count);

    long pread(int fd, long buffer, long length, long offset);

    long pwrite(int fd, long buffer, long length, long offset);

    long preadv(int fd, long vector, int count, long offset);

    long pwritev(int fd, long vector, int count, long offset);

    long lseek(int fd, long offset, int whence);

    /**
     * Returns whether a descriptor is a terminal.
     *
     * @param fd any descriptor
     * @return 1 for a terminal; 0 for anything else, including a number that is not an open descriptor
     */
    int isatty(int fd);

    /**
     * Reads the target of a symbolic link.
     *
     * @param directory the directory that a relative path starts from
     * @param path the path of the link
     * @param buffer    receives the target, without a terminating zero
     * @param length    the size of the buffer, in bytes; a longer target is truncated
     * @return the number of bytes written
     */
    long readlinkat(int directory, long path, long buffer, long length);

    int renameat(int oldDirectory, long oldPath, int newDirectory, long newPath);

    int unlinkat(int directory, long path, int flags);

    int linkat(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags);

    int mkdirat(int directory, long path, int mode);

    int ftruncate(int fd, long length);

    int fsync(int fd);

    int fdatasync(int fd);

    /** Locks the whole file for the open file that the descriptor refers to, or unlocks it. */
    int flock(int fd, int operation);

    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    int munmap(long address, long length);

    int msync(long address, long length, int flags);

    // waiting for readiness

    int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout);

    int poll(long descriptors, long count, int timeoutMillis);
}
