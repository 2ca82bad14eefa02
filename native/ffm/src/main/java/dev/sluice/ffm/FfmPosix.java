package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.calls.Posix;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@link Posix} over {@code java.lang.foreign}: one constant method handle per function, so that a call compiles to a
 * jump.
 */
final class FfmPosix implements Posix {

    private static final MethodHandle SOCKET = CFunctions.function("socket",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKETPAIR = CFunctions.function("socketpair",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle BIND = CFunctions.function("bind",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle LISTEN = CFunctions.function("listen",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT = CFunctions.function("accept",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle CONNECT = CFunctions.function("connect",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETSOCKNAME = CFunctions.function("getsockname",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle GETPEERNAME = CFunctions.function("getpeername",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle GETSOCKOPT = CFunctions.function("getsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SETSOCKOPT = CFunctions.function("setsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SHUTDOWN = CFunctions.function("shutdown",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle RECV = CFunctions.function("recv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SEND = CFunctions.function("send",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECVFROM = CFunctions.function("recvfrom",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SENDTO = CFunctions.function("sendto",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECVMSG = CFunctions.function("recvmsg",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SENDMSG = CFunctions.function("sendmsg",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle OPEN = CFunctions.variadic("open", 2,
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle CLOSE = CFunctions.function("close",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PIPE = CFunctions.function("pipe",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle FCNTL = CFunctions.variadic("fcntl", 2,
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle READ = CFunctions.function("read",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle WRITE = CFunctions.function("write",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READV = CFunctions.function("readv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITEV = CFunctions.function("writev",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PREAD = CFunctions.function("pread",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITE = CFunctions.function("pwrite",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PREADV = CFunctions.function("preadv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle PWRITEV = CFunctions.function("pwritev",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LSEEK = CFunctions.function("lseek",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FTRUNCATE = CFunctions.function("ftruncate",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle FSYNC = CFunctions.function("fsync",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MMAP = CFunctions.function("mmap",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = CFunctions.function("munmap",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MSYNC = CFunctions.function("msync",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SELECT = CFunctions.function("select",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL = CFunctions.function("poll",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    @Override
    public int socket(int domain, int type, int protocol) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SOCKET.invokeExact(state, domain, type, protocol);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SOCKETPAIR.invokeExact(state, domain, type, protocol, descriptors);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) BIND.invokeExact(state, fd, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int listen(int fd, int backlog) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) LISTEN.invokeExact(state, fd, backlog);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) ACCEPT.invokeExact(state, fd, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) CONNECT.invokeExact(state, fd, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) GETSOCKNAME.invokeExact(state, fd, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) GETPEERNAME.invokeExact(state, fd, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) GETSOCKOPT.invokeExact(state, fd, level, name, value, valueLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SETSOCKOPT.invokeExact(state, fd, level, name, value, valueLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SHUTDOWN.invokeExact(state, fd, how);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) RECV.invokeExact(state, fd, buffer, length, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) SEND.invokeExact(state, fd, buffer, length, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) RECVFROM.invokeExact(state, fd, buffer, length, flags, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) SENDTO.invokeExact(state, fd, buffer, length, flags, address, addressLength);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) RECVMSG.invokeExact(state, fd, message, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) SENDMSG.invokeExact(state, fd, message, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int open(long path, int flags, int mode) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) OPEN.invokeExact(state, path, flags, mode);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int close(int fd) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) CLOSE.invokeExact(state, fd);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int pipe(long descriptors) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) PIPE.invokeExact(state, descriptors);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) FCNTL.invokeExact(state, fd, command, argument);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long read(int fd, long buffer, long length) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) READ.invokeExact(state, fd, buffer, length);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long write(int fd, long buffer, long length) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) WRITE.invokeExact(state, fd, buffer, length);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long readv(int fd, long vector, int count) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) READV.invokeExact(state, fd, vector, count);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long writev(int fd, long vector, int count) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) WRITEV.invokeExact(state, fd, vector, count);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) PREAD.invokeExact(state, fd, buffer, length, offset);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) PWRITE.invokeExact(state, fd, buffer, length, offset);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) PREADV.invokeExact(state, fd, vector, count, offset);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) PWRITEV.invokeExact(state, fd, vector, count, offset);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) LSEEK.invokeExact(state, fd, offset, whence);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int ftruncate(int fd, long length) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) FTRUNCATE.invokeExact(state, fd, length);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int fsync(int fd) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) FSYNC.invokeExact(state, fd);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        try {
            MemorySegment state = CallState.current();
            long result = (long) MMAP.invokeExact(state, address, length, protection, flags, fd, offset);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int munmap(long address, long length) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) MUNMAP.invokeExact(state, address, length);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int msync(long address, long length, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) MSYNC.invokeExact(state, address, length, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SELECT.invokeExact(state, descriptors, readSet, writeSet, exceptSet, timeout);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) POLL.invokeExact(state, descriptors, count, timeoutMillis);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }
}
