package dev.sluice.calls;

import dev.sluice.calls.layout.CFunctions;
import dev.sluice.calls.layout.On;
import dev.sluice.calls.layout.Undeclared;

/**
 * The calls that only Linux has, under their C names; conventions as in {@link Posix}. A function that the C library
 * does not export returns {@code -ENOSYS}.
 */
@CFunctions(headers = {"sys/epoll.h", "sys/eventfd.h", "sys/socket.h", "unistd.h", "fcntl.h", "sys/sendfile.h",
        "sys/resource.h", "sys/inotify.h"}, on = On.LINUX)
public interface Linux {

    int epoll_create1(int flags);

    int epoll_ctl(int epfd, int operation, int fd, long event);

    int epoll_wait(int epfd, long events, int maximum, int timeoutMillis);

    int eventfd(int initial, int flags);

    int inotify_init1(int flags);

    int inotify_add_watch(int fd, long path, int mask);

    int inotify_rm_watch(int fd, int watch);

    int accept4(int fd, long address, long addressLength, int flags);

    int pipe2(long descriptors, int flags);

    int recvmmsg(int fd, long messages, int count, int flags, long timeout);

    int sendmmsg(int fd, long messages, int count, int flags);

    long sendfile(int out, int in, long offset, long count);

    /**
     * Sets nice values. In POSIX a process has a nice value; on Linux each thread has its own, and {@code PRIO_PROCESS}
     * with {@code who} 0 means the calling thread (setpriority(2), BUGS).
     */
    int setpriority(int which, int who, int priority);

    int fallocate(int fd, int mode, long offset, long length);

    /** {@return 0, or the negated error number, which this function returns directly instead of setting it} */
    int posix_fadvise(int fd, long offset, long length, int advice);

    int sync_file_range(int fd, long offset, long length, int flags);

    long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags);

    // Without a function in the C library: by syscall(2)

    @Undeclared
    int io_uring_setup(int entries, long parameters);

    @Undeclared
    int io_uring_enter(int fd, int toSubmit, int minimumComplete, int flags, long argument, long argumentSize);

    @Undeclared
    int io_uring_register(int fd, int opcode, long argument, int count);

    /**
     * {@code preadv} with flags, since Linux 4.6. Not all C libraries have a function for it.
     *
     * @param fd     the file
     * @param vector address of an array of {@link dev.sluice.calls.layout.Iovec}
     * @param count  the number of its elements
     * @param offset the position in the file
     * @param flags  the {@code RWF_} flags
     * @return the number of bytes read, or a negated error number
     */
    @Undeclared
    long preadv2(int fd, long vector, int count, long offset, int flags);

    /** {@code pwritev} with flags, as {@link #preadv2}. */
    @Undeclared
    long pwritev2(int fd, long vector, int count, long offset, int flags);

    /** The structure is the same on every processor. Only recent C libraries have a function for this call. */
    @Undeclared
    int statx(int directory, long path, int flags, int mask, long status);

    /**
     * Opens a file with limits for the way to it, since Linux 5.6.
     *
     * @param directory the directory that a relative path starts from
     * @param path      the path
     * @param how       address of an {@link dev.sluice.calls.layout.OpenHow}
     * @param size      its size
     * @return the descriptor, or a negated error number
     */
    @Undeclared
    int openat2(int directory, long path, long how, long size);

    /** Not all C libraries have a function for it. */
    @Undeclared
    int renameat2(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags);

    /**
     * {@code fcntl} with a pointer.
     *
     * @param fd      the file
     * @param command a command about locks
     * @param lock    address of a {@link dev.sluice.calls.layout.Flock}
     * @return 0, or a negated error number
     */
    @Undeclared
    int fcntl_lock(int fd, int command, long lock);
}
