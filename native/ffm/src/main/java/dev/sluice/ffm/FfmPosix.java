package dev.sluice.ffm;

import dev.sluice.calls.Posix;
import java.lang.invoke.MethodHandle;

/**
 * {@link Posix} over {@code java.lang.foreign}: one constant method handle per function, so that a call compiles to a
 * jump.
 */
final class FfmPosix implements Posix {

    private static final CLibrary C = CLibrary.standard(Posix.class);

    private static final MethodHandle SOCKET = C.function("socket");
    private static final MethodHandle SOCKETPAIR = C.function("socketpair");
    private static final MethodHandle BIND = C.function("bind");
    private static final MethodHandle LISTEN = C.function("listen");
    private static final MethodHandle ACCEPT = C.function("accept");
    private static final MethodHandle CONNECT = C.function("connect");
    private static final MethodHandle GETSOCKNAME = C.function("getsockname");
    private static final MethodHandle GETPEERNAME = C.function("getpeername");
    private static final MethodHandle GETSOCKOPT = C.function("getsockopt");
    private static final MethodHandle SETSOCKOPT = C.function("setsockopt");
    private static final MethodHandle SHUTDOWN = C.function("shutdown");
    private static final MethodHandle RECV = C.function("recv");
    private static final MethodHandle SEND = C.function("send");
    private static final MethodHandle RECVFROM = C.function("recvfrom");
    private static final MethodHandle SENDTO = C.function("sendto");
    private static final MethodHandle RECVMSG = C.function("recvmsg");
    private static final MethodHandle SENDMSG = C.function("sendmsg");
    private static final MethodHandle OPEN = C.variadic("open", 2);
    private static final MethodHandle CLOSE = C.function("close");
    private static final MethodHandle PIPE = C.function("pipe");
    private static final MethodHandle FCNTL = C.variadic("fcntl", 2);
    private static final MethodHandle READ = C.function("read");
    private static final MethodHandle WRITE = C.function("write");
    private static final MethodHandle READV = C.function("readv");
    private static final MethodHandle WRITEV = C.function("writev");
    private static final MethodHandle PREAD = C.function("pread");
    private static final MethodHandle PWRITE = C.function("pwrite");
    private static final MethodHandle PREADV = C.function("preadv");
    private static final MethodHandle PWRITEV = C.function("pwritev");
    private static final MethodHandle LSEEK = C.function("lseek");
    private static final MethodHandle FTRUNCATE = C.function("ftruncate");
    private static final MethodHandle FSYNC = C.function("fsync");
    private static final MethodHandle MMAP = C.function("mmap");
    private static final MethodHandle MUNMAP = C.function("munmap");
    private static final MethodHandle MSYNC = C.function("msync");
    private static final MethodHandle SELECT = C.function("select");
    private static final MethodHandle POLL = C.function("poll");

    @Override
    public int socket(int domain, int type, int protocol) {
        try {
            return (int) SOCKET.invokeExact(domain, type, protocol);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        try {
            return (int) SOCKETPAIR.invokeExact(domain, type, protocol, descriptors);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        try {
            return (int) BIND.invokeExact(fd, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int listen(int fd, int backlog) {
        try {
            return (int) LISTEN.invokeExact(fd, backlog);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        try {
            return (int) ACCEPT.invokeExact(fd, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        try {
            return (int) CONNECT.invokeExact(fd, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        try {
            return (int) GETSOCKNAME.invokeExact(fd, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        try {
            return (int) GETPEERNAME.invokeExact(fd, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        try {
            return (int) GETSOCKOPT.invokeExact(fd, level, name, value, valueLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        try {
            return (int) SETSOCKOPT.invokeExact(fd, level, name, value, valueLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        try {
            return (int) SHUTDOWN.invokeExact(fd, how);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        try {
            return (long) RECV.invokeExact(fd, buffer, length, flags);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        try {
            return (long) SEND.invokeExact(fd, buffer, length, flags);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        try {
            return (long) RECVFROM.invokeExact(fd, buffer, length, flags, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        try {
            return (long) SENDTO.invokeExact(fd, buffer, length, flags, address, addressLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        try {
            return (long) RECVMSG.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        try {
            return (long) SENDMSG.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int open(long path, int flags, int mode) {
        try {
            return (int) OPEN.invokeExact(path, flags, mode);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int close(int fd) {
        try {
            return (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int pipe(long descriptors) {
        try {
            return (int) PIPE.invokeExact(descriptors);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        try {
            return (int) FCNTL.invokeExact(fd, command, argument);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long read(int fd, long buffer, long length) {
        try {
            return (long) READ.invokeExact(fd, buffer, length);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long write(int fd, long buffer, long length) {
        try {
            return (long) WRITE.invokeExact(fd, buffer, length);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long readv(int fd, long vector, int count) {
        try {
            return (long) READV.invokeExact(fd, vector, count);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long writev(int fd, long vector, int count) {
        try {
            return (long) WRITEV.invokeExact(fd, vector, count);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        try {
            return (long) PREAD.invokeExact(fd, buffer, length, offset);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        try {
            return (long) PWRITE.invokeExact(fd, buffer, length, offset);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        try {
            return (long) PREADV.invokeExact(fd, vector, count, offset);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        try {
            return (long) PWRITEV.invokeExact(fd, vector, count, offset);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        try {
            return (long) LSEEK.invokeExact(fd, offset, whence);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ftruncate(int fd, long length) {
        try {
            return (int) FTRUNCATE.invokeExact(fd, length);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int fsync(int fd) {
        try {
            return (int) FSYNC.invokeExact(fd);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        try {
            return (long) MMAP.invokeExact(address, length, protection, flags, fd, offset);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int munmap(long address, long length) {
        try {
            return (int) MUNMAP.invokeExact(address, length);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int msync(long address, long length, int flags) {
        try {
            return (int) MSYNC.invokeExact(address, length, flags);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        try {
            return (int) SELECT.invokeExact(descriptors, readSet, writeSet, exceptSet, timeout);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        try {
            return (int) POLL.invokeExact(descriptors, count, timeoutMillis);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }
}
