package dev.sluice.ffm;

import static dev.sluice.ffm.ForeignFunction.unlessMinusOne;

import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.SystemCallNumbers;

/** {@link Linux} over {@code java.lang.foreign}. */
final class FfmLinux implements Linux {

    private static final CLibrary C = CLibrary.standard(Linux.class);

    private static final ForeignFunction EPOLL_CREATE1 = C.function("epoll_create1");
    private static final ForeignFunction EPOLL_CTL = C.function("epoll_ctl");
    private static final ForeignFunction EPOLL_WAIT = C.function("epoll_wait");
    private static final ForeignFunction EVENTFD = C.function("eventfd");
    private static final ForeignFunction INOTIFY_INIT1 = C.function("inotify_init1");
    private static final ForeignFunction INOTIFY_ADD_WATCH = C.function("inotify_add_watch");
    private static final ForeignFunction INOTIFY_RM_WATCH = C.function("inotify_rm_watch");
    private static final ForeignFunction ACCEPT4 = C.function("accept4");
    private static final ForeignFunction PIPE2 = C.function("pipe2");
    private static final ForeignFunction RECVMMSG = C.function("recvmmsg");
    private static final ForeignFunction SENDMMSG = C.function("sendmmsg");
    private static final ForeignFunction SENDFILE = C.function("sendfile");
    private static final ForeignFunction SETPRIORITY = C.function("setpriority");
    private static final ForeignFunction FALLOCATE = C.function("fallocate");
    private static final ForeignFunction POSIX_FADVISE = C.function("posix_fadvise");
    private static final ForeignFunction SYNC_FILE_RANGE = C.function("sync_file_range");
    private static final ForeignFunction COPY_FILE_RANGE = C.function("copy_file_range");

    private static final ForeignFunction SYSCALL = CLibrary.standard(SystemCall.class).variadic("syscall", 1);

    /** Calls system calls that have no function in the library. */
    private interface SystemCall {

        long syscall(long number, long a, long b, long c, long d, long e, long f);
    }

    @Override
    public int epoll_create1(int flags) {
        return unlessMinusOne((int) EPOLL_CREATE1.call(flags));
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        return unlessMinusOne((int) EPOLL_CTL.call(epfd, operation, fd, event));
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        return unlessMinusOne((int) EPOLL_WAIT.call(epfd, events, maximum, timeoutMillis));
    }

    @Override
    public int eventfd(int initial, int flags) {
        return unlessMinusOne((int) EVENTFD.call(initial, flags));
    }

    @Override
    public int inotify_init1(int flags) {
        return unlessMinusOne((int) INOTIFY_INIT1.call(flags));
    }

    @Override
    public int inotify_add_watch(int fd, long path, int mask) {
        return unlessMinusOne((int) INOTIFY_ADD_WATCH.call(fd, path, mask));
    }

    @Override
    public int inotify_rm_watch(int fd, int watch) {
        return unlessMinusOne((int) INOTIFY_RM_WATCH.call(fd, watch));
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        return unlessMinusOne((int) ACCEPT4.call(fd, address, addressLength, flags));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return unlessMinusOne((int) PIPE2.call(descriptors, flags));
    }

    @Override
    public int recvmmsg(int fd, long messages, int count, int flags, long timeout) {
        return unlessMinusOne((int) RECVMMSG.call(fd, messages, count, flags, timeout));
    }

    @Override
    public int sendmmsg(int fd, long messages, int count, int flags) {
        return unlessMinusOne((int) SENDMMSG.call(fd, messages, count, flags));
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        return unlessMinusOne(SENDFILE.call(out, in, offset, count));
    }

    @Override
    public int setpriority(int which, int who, int priority) {
        return unlessMinusOne((int) SETPRIORITY.call(which, who, priority));
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
        return unlessMinusOne(SYSCALL.call(SystemCallNumbers.SYS_preadv2, fd, vector, count, offset, 0, flags));
    }

    @Override
    public long pwritev2(int fd, long vector, int count, long offset, int flags) {
        return unlessMinusOne(SYSCALL.call(SystemCallNumbers.SYS_pwritev2, fd, vector, count, offset, 0, flags));
    }

    @Override
    public int statx(int directory, long path, int flags, int mask, long status) {
        return syscall(SystemCallNumbers.SYS_statx, directory, path, flags, mask, status, 0);
    }

    @Override
    public int fallocate(int fd, int mode, long offset, long length) {
        return unlessMinusOne((int) FALLOCATE.call(fd, mode, offset, length));
    }

    @Override
    public int posix_fadvise(int fd, long offset, long length, int advice) {
        // It returns its error number; what replaces a missing function returns that negated.
        return -Math.abs((int) POSIX_FADVISE.call(fd, offset, length, advice));
    }

    @Override
    public int sync_file_range(int fd, long offset, long length, int flags) {
        return unlessMinusOne((int) SYNC_FILE_RANGE.call(fd, offset, length, flags));
    }

    @Override
    public long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags) {
        return unlessMinusOne(COPY_FILE_RANGE.call(in, inOffset, out, outOffset, length, flags));
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
        return (int) unlessMinusOne(SYSCALL.call(number, a, b, c, d, e, f));
    }
}
