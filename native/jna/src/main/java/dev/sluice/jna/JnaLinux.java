package dev.sluice.jna;

import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.SystemCallNumbers;

/** {@link Linux} over JNA. */
final class JnaLinux implements Linux {

    /** The functions themselves, by direct mapping: JNA binds each native method to the C function of its name. */
    static final class C {

        static {
            CLibrary.register(C.class, "c");
        }

        static native int epoll_create1(int flags);

        static native int epoll_ctl(int epfd, int operation, int fd, long event);

        static native int epoll_wait(int epfd, long events, int maximum, int timeoutMillis);

        static native int eventfd(int initial, int flags);

        static native int inotify_init1(int flags);

        static native int inotify_add_watch(int fd, long path, int mask);

        static native int inotify_rm_watch(int fd, int watch);

        static native int accept4(int fd, long address, long addressLength, int flags);

        static native int pipe2(long descriptors, int flags);

        static native int recvmmsg(int fd, long messages, int count, int flags, long timeout);

        static native int sendmmsg(int fd, long messages, int count, int flags);

        static native long sendfile(int out, int in, long offset, long count);

        static native int setpriority(int which, int who, int priority);

        static native int fallocate(int fd, int mode, long offset, long length);

        static native int posix_fadvise(int fd, long offset, long length, int advice);

        static native int sync_file_range(int fd, long offset, long length, int flags);

        static native long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags);

        static native long syscall(long number, long a, long b, long c, long d, long e, long f);
    }

    @Override
    public int epoll_create1(int flags) {
        return Failure.unlessNegative(C.epoll_create1(flags));
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        return Failure.unlessNegative(C.epoll_ctl(epfd, operation, fd, event));
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        return Failure.unlessNegative(C.epoll_wait(epfd, events, maximum, timeoutMillis));
    }

    @Override
    public int eventfd(int initial, int flags) {
        return Failure.unlessNegative(C.eventfd(initial, flags));
    }

    @Override
    public int inotify_init1(int flags) {
        return Failure.unlessNegative(C.inotify_init1(flags));
    }

    @Override
    public int inotify_add_watch(int fd, long path, int mask) {
        return Failure.unlessNegative(C.inotify_add_watch(fd, path, mask));
    }

    @Override
    public int inotify_rm_watch(int fd, int watch) {
        return Failure.unlessNegative(C.inotify_rm_watch(fd, watch));
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        return Failure.unlessNegative(C.accept4(fd, address, addressLength, flags));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return Failure.unlessNegative(C.pipe2(descriptors, flags));
    }

    @Override
    public int recvmmsg(int fd, long messages, int count, int flags, long timeout) {
        return Failure.unlessNegative(C.recvmmsg(fd, messages, count, flags, timeout));
    }

    @Override
    public int sendmmsg(int fd, long messages, int count, int flags) {
        return Failure.unlessNegative(C.sendmmsg(fd, messages, count, flags));
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        return Failure.unlessNegative(C.sendfile(out, in, offset, count));
    }

    @Override
    public int setpriority(int which, int who, int priority) {
        return Failure.unlessNegative(C.setpriority(which, who, priority));
    }

    @Override
    public int io_uring_setup(int entries, long parameters) {
        return syscall(SystemCallNumbers.SYS_io_uring_setup, entries, parameters, 0, 0, 0, 0);
    }

    @Override
    public int io_uring_enter(int fd, int toSubmit, int minimumComplete, int flags, long argument, long argumentSize) {
        return syscall(SystemCallNumbers.SYS_io_uring_enter, fd, toSubmit, minimumComplete, flags, argument,
                argumentSize);
    }

    @Override
    public int io_uring_register(int fd, int opcode, long argument, int count) {
        return syscall(SystemCallNumbers.SYS_io_uring_register, fd, opcode, argument, count, 0, 0);
    }

    // The kernel takes the position in two halves, the lower of which has all bits of a 64-bit system.
    @Override
    public long preadv2(int fd, long vector, int count, long offset, int flags) {
        return Failure.unlessNegative(C.syscall(SystemCallNumbers.SYS_preadv2, fd, vector, count, offset, 0, flags));
    }

    @Override
    public long pwritev2(int fd, long vector, int count, long offset, int flags) {
        return Failure.unlessNegative(C.syscall(SystemCallNumbers.SYS_pwritev2, fd, vector, count, offset, 0, flags));
    }

    @Override
    public int statx(int directory, long path, int flags, int mask, long status) {
        return syscall(SystemCallNumbers.SYS_statx, directory, path, flags, mask, status, 0);
    }

    @Override
    public int fallocate(int fd, int mode, long offset, long length) {
        return Failure.unlessNegative(C.fallocate(fd, mode, offset, length));
    }

    @Override
    public int posix_fadvise(int fd, long offset, long length, int advice) {
        return Failure.unlessZero(C.posix_fadvise(fd, offset, length, advice));
    }

    @Override
    public int sync_file_range(int fd, long offset, long length, int flags) {
        return Failure.unlessNegative(C.sync_file_range(fd, offset, length, flags));
    }

    @Override
    public long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags) {
        return Failure.unlessNegative(C.copy_file_range(in, inOffset, out, outOffset, length, flags));
    }

    @Override
    public int renameat2(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags) {
        return syscall(SystemCallNumbers.SYS_renameat2, oldDirectory, oldPath, newDirectory, newPath, flags, 0);
    }

    @Override
    public int fcntl_lock(int fd, int command, long lock) {
        return syscall(SystemCallNumbers.SYS_fcntl, fd, command, lock, 0, 0, 0);
    }

    @Override
    public int openat2(int directory, long path, long how, long size) {
        return syscall(SystemCallNumbers.SYS_openat2, directory, path, how, size, 0, 0);
    }

    private static int syscall(long number, long a, long b, long c, long d, long e, long f) {
        return (int) Failure.unlessNegative(C.syscall(number, a, b, c, d, e, f));
    }
}
