package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.SystemCallNumbers;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@link Linux} over {@code java.lang.foreign}. */
final class FfmLinux implements Linux {

    private static final MethodHandle EPOLL_CREATE1 = CFunctions.function("epoll_create1",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL = CFunctions.function("epoll_ctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle EPOLL_WAIT = CFunctions.function("epoll_wait",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD = CFunctions.function("eventfd",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT4 = CFunctions.function("accept4",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PIPE2 = CFunctions.function("pipe2",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SENDFILE = CFunctions.function("sendfile",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private static final MethodHandle SYSCALL = CFunctions.variadic("syscall", 1,
            FunctionDescriptor.of(JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    @Override
    public int epoll_create1(int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) EPOLL_CREATE1.invokeExact(state, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) EPOLL_CTL.invokeExact(state, epfd, operation, fd, event);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) EPOLL_WAIT.invokeExact(state, epfd, events, maximum, timeoutMillis);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int eventfd(int initial, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) EVENTFD.invokeExact(state, initial, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) ACCEPT4.invokeExact(state, fd, address, addressLength, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) PIPE2.invokeExact(state, descriptors, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) SENDFILE.invokeExact(state, out, in, offset, count);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
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
            MemorySegment state = CallState.current();
            long result = (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
            return result != -1 ? (int) result : CallState.negatedErrno(state);
        } catch (Throwable thrown) {
            throw CFunctions.unexpected(thrown);
        }
    }
}
