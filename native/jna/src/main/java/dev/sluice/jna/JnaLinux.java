package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.SystemCallNumbers;

/** {@link Linux} over JNA. */
final class JnaLinux implements Linux {

    /** The functions themselves, by direct mapping: JNA binds each native method to the C function of its name. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        static native int epoll_create1(int flags);

        static native int epoll_ctl(int epfd, int operation, int fd, long event);

        static native int epoll_wait(int epfd, long events, int maximum, int timeoutMillis);

        static native int eventfd(int initial, int flags);

        static native int accept4(int fd, long address, long addressLength, int flags);

        static native int pipe2(long descriptors, int flags);

        static native int recvmmsg(int fd, long messages, int count, int flags, long timeout);

        static native int sendmmsg(int fd, long messages, int count, int flags);

        static native long sendfile(int out, int in, long offset, long count);

        static native int setpriority(int which, int who, int priority);

        static native long syscall(long number, long a, long b, long c, long d, long e, long f);
    }

    @Override
    public int epoll_create1(int flags) {
        int result = C.epoll_create1(flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        int result = C.epoll_ctl(epfd, operation, fd, event);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        int result = C.epoll_wait(epfd, events, maximum, timeoutMillis);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int eventfd(int initial, int flags) {
        int result = C.eventfd(initial, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        int result = C.accept4(fd, address, addressLength, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        int result = C.pipe2(descriptors, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int recvmmsg(int fd, long messages, int count, int flags, long timeout) {
        int result = C.recvmmsg(fd, messages, count, flags, timeout);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int sendmmsg(int fd, long messages, int count, int flags) {
        int result = C.sendmmsg(fd, messages, count, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        long result = C.sendfile(out, in, offset, count);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int setpriority(int which, int who, int priority) {
        int result = C.setpriority(which, who, priority);
        return result != -1 ? result : -Native.getLastError();
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

    private static int syscall(long number, long a, long b, long c, long d, long e, long f) {
        long result = C.syscall(number, a, b, c, d, e, f);
        return result != -1 ? (int) result : -Native.getLastError();
    }
}
