package dev.sluice.ffm;

import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.SystemCallNumbers;

/** {@link Linux} over {@code java.lang.foreign}. */
final class FfmLinux implements Linux {

    private static final CLibrary C = CLibrary.standard(Linux.class);

    private static final ForeignFunction EPOLL_CREATE1 = C.function("epoll_create1");
    private static final ForeignFunction EPOLL_CTL = C.function("epoll_ctl");
    private static final ForeignFunction EPOLL_WAIT = C.function("epoll_wait");
    private static final ForeignFunction EVENTFD = C.function("eventfd");
    private static final ForeignFunction ACCEPT4 = C.function("accept4");
    private static final ForeignFunction PIPE2 = C.function("pipe2");
    private static final ForeignFunction RECVMMSG = C.function("recvmmsg");
    private static final ForeignFunction SENDMMSG = C.function("sendmmsg");
    private static final ForeignFunction SENDFILE = C.function("sendfile");
    private static final ForeignFunction SETPRIORITY = C.function("setpriority");

    private static final ForeignFunction SYSCALL = CLibrary.standard(SystemCall.class).variadic("syscall", 1);

    /** Reaches system calls that have no function in the library. */
    private interface SystemCall {

        long syscall(long number, long a, long b, long c, long d, long e, long f);
    }

    @Override
    public int epoll_create1(int flags) {
        try {
            return Failure.unlessMinusOne((int) EPOLL_CREATE1.handle().invokeExact(CallState.current(), flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        try {
            return Failure.unlessMinusOne((int) EPOLL_CTL.handle().invokeExact(CallState.current(), epfd, operation,
                    fd, event));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        try {
            return Failure.unlessMinusOne((int) EPOLL_WAIT.handle().invokeExact(CallState.current(), epfd, events,
                    maximum, timeoutMillis));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int eventfd(int initial, int flags) {
        try {
            return Failure.unlessMinusOne((int) EVENTFD.handle().invokeExact(CallState.current(), initial, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        try {
            return Failure.unlessMinusOne((int) ACCEPT4.handle().invokeExact(CallState.current(), fd, address,
                    addressLength, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        try {
            return Failure.unlessMinusOne((int) PIPE2.handle().invokeExact(CallState.current(), descriptors, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int recvmmsg(int fd, long messages, int count, int flags, long timeout) {
        try {
            return Failure.unlessMinusOne((int) RECVMMSG.handle().invokeExact(CallState.current(), fd, messages, count,
                    flags, timeout));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int sendmmsg(int fd, long messages, int count, int flags) {
        try {
            return Failure.unlessMinusOne((int) SENDMMSG.handle().invokeExact(CallState.current(), fd, messages, count,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        try {
            return Failure.unlessMinusOne((long) SENDFILE.handle().invokeExact(CallState.current(), out, in, offset,
                    count));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int setpriority(int which, int who, int priority) {
        try {
            return Failure.unlessMinusOne((int) SETPRIORITY.handle().invokeExact(CallState.current(), which, who,
                    priority));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
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
        try {
            return (int) Failure.unlessMinusOne((long) SYSCALL.handle().invokeExact(CallState.current(), number, a, b,
                    c, d, e, f));
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }
}
