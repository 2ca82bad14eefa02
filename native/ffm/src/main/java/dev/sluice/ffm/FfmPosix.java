package dev.sluice.ffm;

import dev.sluice.calls.Posix;

/** {@link Posix} over {@code java.lang.foreign}. */
final class FfmPosix implements Posix {

    private static final CLibrary C = CLibrary.standard(Posix.class);

    private static final ForeignFunction SOCKET = C.function("socket");
    private static final ForeignFunction SOCKETPAIR = C.function("socketpair");
    private static final ForeignFunction BIND = C.function("bind");
    private static final ForeignFunction LISTEN = C.function("listen");
    private static final ForeignFunction ACCEPT = C.function("accept");
    private static final ForeignFunction CONNECT = C.function("connect");
    private static final ForeignFunction GETSOCKNAME = C.function("getsockname");
    private static final ForeignFunction GETPEERNAME = C.function("getpeername");
    private static final ForeignFunction GETSOCKOPT = C.function("getsockopt");
    private static final ForeignFunction SETSOCKOPT = C.function("setsockopt");
    private static final ForeignFunction SHUTDOWN = C.function("shutdown");
    private static final ForeignFunction RECV = C.function("recv");
    private static final ForeignFunction SEND = C.function("send");
    private static final ForeignFunction RECVFROM = C.function("recvfrom");
    private static final ForeignFunction SENDTO = C.function("sendto");
    private static final ForeignFunction RECVMSG = C.function("recvmsg");
    private static final ForeignFunction SENDMSG = C.function("sendmsg");
    private static final ForeignFunction OPEN = C.variadic("open", 2);
    private static final ForeignFunction CLOSE = C.function("close");
    private static final ForeignFunction PIPE = C.function("pipe");
    private static final ForeignFunction FCNTL = C.variadic("fcntl", 2);
    private static final ForeignFunction READ = C.function("read");
    private static final ForeignFunction WRITE = C.function("write");
    private static final ForeignFunction READV = C.function("readv");
    private static final ForeignFunction WRITEV = C.function("writev");
    private static final ForeignFunction PREAD = C.function("pread");
    private static final ForeignFunction PWRITE = C.function("pwrite");
    private static final ForeignFunction PREADV = C.function("preadv");
    private static final ForeignFunction PWRITEV = C.function("pwritev");
    private static final ForeignFunction LSEEK = C.function("lseek");
    private static final ForeignFunction FTRUNCATE = C.function("ftruncate");
    private static final ForeignFunction FSYNC = C.function("fsync");
    private static final ForeignFunction MMAP = C.function("mmap");
    private static final ForeignFunction MUNMAP = C.function("munmap");
    private static final ForeignFunction MSYNC = C.function("msync");
    private static final ForeignFunction SELECT = C.function("select");
    private static final ForeignFunction POLL = C.function("poll");

    @Override
    public int socket(int domain, int type, int protocol) {
        try {
            return Failure.unlessMinusOne((int) SOCKET.handle().invokeExact(CallState.current(), domain, type,
                    protocol));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        try {
            return Failure.unlessMinusOne((int) SOCKETPAIR.handle().invokeExact(CallState.current(), domain, type,
                    protocol, descriptors));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((int) BIND.handle().invokeExact(CallState.current(), fd, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int listen(int fd, int backlog) {
        try {
            return Failure.unlessMinusOne((int) LISTEN.handle().invokeExact(CallState.current(), fd, backlog));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) ACCEPT.handle().invokeExact(CallState.current(), fd, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((int) CONNECT.handle().invokeExact(CallState.current(), fd, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) GETSOCKNAME.handle().invokeExact(CallState.current(), fd, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) GETPEERNAME.handle().invokeExact(CallState.current(), fd, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        try {
            return Failure.unlessMinusOne((int) GETSOCKOPT.handle().invokeExact(CallState.current(), fd, level, name,
                    value, valueLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        try {
            return Failure.unlessMinusOne((int) SETSOCKOPT.handle().invokeExact(CallState.current(), fd, level, name,
                    value, valueLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        try {
            return Failure.unlessMinusOne((int) SHUTDOWN.handle().invokeExact(CallState.current(), fd, how));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        try {
            return Failure.unlessMinusOne((long) RECV.handle().invokeExact(CallState.current(), fd, buffer, length,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        try {
            return Failure.unlessMinusOne((long) SEND.handle().invokeExact(CallState.current(), fd, buffer, length,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((long) RECVFROM.handle().invokeExact(CallState.current(), fd, buffer, length,
                    flags, address, addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((long) SENDTO.handle().invokeExact(CallState.current(), fd, buffer, length,
                    flags, address, addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        try {
            return Failure.unlessMinusOne((long) RECVMSG.handle().invokeExact(CallState.current(), fd, message, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        try {
            return Failure.unlessMinusOne((long) SENDMSG.handle().invokeExact(CallState.current(), fd, message, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int open(long path, int flags, int mode) {
        try {
            return Failure.unlessMinusOne((int) OPEN.handle().invokeExact(CallState.current(), path, flags, mode));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int close(int fd) {
        try {
            return Failure.unlessMinusOne((int) CLOSE.handle().invokeExact(CallState.current(), fd));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int pipe(long descriptors) {
        try {
            return Failure.unlessMinusOne((int) PIPE.handle().invokeExact(CallState.current(), descriptors));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        try {
            return Failure.unlessMinusOne((int) FCNTL.handle().invokeExact(CallState.current(), fd, command, argument));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long read(int fd, long buffer, long length) {
        try {
            return Failure.unlessMinusOne((long) READ.handle().invokeExact(CallState.current(), fd, buffer, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long write(int fd, long buffer, long length) {
        try {
            return Failure.unlessMinusOne((long) WRITE.handle().invokeExact(CallState.current(), fd, buffer, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long readv(int fd, long vector, int count) {
        try {
            return Failure.unlessMinusOne((long) READV.handle().invokeExact(CallState.current(), fd, vector, count));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long writev(int fd, long vector, int count) {
        try {
            return Failure.unlessMinusOne((long) WRITEV.handle().invokeExact(CallState.current(), fd, vector, count));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        try {
            return Failure.unlessMinusOne((long) PREAD.handle().invokeExact(CallState.current(), fd, buffer, length,
                    offset));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        try {
            return Failure.unlessMinusOne((long) PWRITE.handle().invokeExact(CallState.current(), fd, buffer, length,
                    offset));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        try {
            return Failure.unlessMinusOne((long) PREADV.handle().invokeExact(CallState.current(), fd, vector, count,
                    offset));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        try {
            return Failure.unlessMinusOne((long) PWRITEV.handle().invokeExact(CallState.current(), fd, vector, count,
                    offset));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        try {
            return Failure.unlessMinusOne((long) LSEEK.handle().invokeExact(CallState.current(), fd, offset, whence));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ftruncate(int fd, long length) {
        try {
            return Failure.unlessMinusOne((int) FTRUNCATE.handle().invokeExact(CallState.current(), fd, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int fsync(int fd) {
        try {
            return Failure.unlessMinusOne((int) FSYNC.handle().invokeExact(CallState.current(), fd));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        try {
            return Failure.unlessMinusOne((long) MMAP.handle().invokeExact(CallState.current(), address, length,
                    protection, flags, fd, offset));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int munmap(long address, long length) {
        try {
            return Failure.unlessMinusOne((int) MUNMAP.handle().invokeExact(CallState.current(), address, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int msync(long address, long length, int flags) {
        try {
            return Failure.unlessMinusOne((int) MSYNC.handle().invokeExact(CallState.current(), address, length,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        try {
            return Failure.unlessMinusOne((int) SELECT.handle().invokeExact(CallState.current(), descriptors, readSet,
                    writeSet, exceptSet, timeout));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        try {
            return Failure.unlessMinusOne((int) POLL.handle().invokeExact(CallState.current(), descriptors, count,
                    timeoutMillis));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }
}
