package dev.sluice.ffm;

import static dev.sluice.ffm.ForeignFunction.unlessMinusOne;

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
    private static final ForeignFunction OPENAT = C.variadic("openat", 3);
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
    private static final ForeignFunction ISATTY = C.function("isatty");
    private static final ForeignFunction READLINKAT = C.function("readlinkat");
    private static final ForeignFunction RENAMEAT = C.function("renameat");
    private static final ForeignFunction UNLINKAT = C.function("unlinkat");
    private static final ForeignFunction LINKAT = C.function("linkat");
    private static final ForeignFunction MKDIRAT = C.function("mkdirat");
    private static final ForeignFunction FTRUNCATE = C.function("ftruncate");
    private static final ForeignFunction FSYNC = C.function("fsync");
    private static final ForeignFunction FDATASYNC = C.function("fdatasync");
    private static final ForeignFunction FLOCK = C.function("flock");
    private static final ForeignFunction MMAP = C.function("mmap");
    private static final ForeignFunction MUNMAP = C.function("munmap");
    private static final ForeignFunction MSYNC = C.function("msync");
    private static final ForeignFunction SELECT = C.function("select");
    private static final ForeignFunction POLL = C.function("poll");

    @Override
    public int socket(int domain, int type, int protocol) {
        return unlessMinusOne((int) SOCKET.call(domain, type, protocol));
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        return unlessMinusOne((int) SOCKETPAIR.call(domain, type, protocol, descriptors));
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        return unlessMinusOne((int) BIND.call(fd, address, addressLength));
    }

    @Override
    public int listen(int fd, int backlog) {
        return unlessMinusOne((int) LISTEN.call(fd, backlog));
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        return unlessMinusOne((int) ACCEPT.call(fd, address, addressLength));
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        return unlessMinusOne((int) CONNECT.call(fd, address, addressLength));
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        return unlessMinusOne((int) GETSOCKNAME.call(fd, address, addressLength));
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        return unlessMinusOne((int) GETPEERNAME.call(fd, address, addressLength));
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        return unlessMinusOne((int) GETSOCKOPT.call(fd, level, name, value, valueLength));
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        return unlessMinusOne((int) SETSOCKOPT.call(fd, level, name, value, valueLength));
    }

    @Override
    public int shutdown(int fd, int how) {
        return unlessMinusOne((int) SHUTDOWN.call(fd, how));
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        return unlessMinusOne(RECV.call(fd, buffer, length, flags));
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        return unlessMinusOne(SEND.call(fd, buffer, length, flags));
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        return unlessMinusOne(RECVFROM.call(fd, buffer, length, flags, address, addressLength));
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        return unlessMinusOne(SENDTO.call(fd, buffer, length, flags, address, addressLength));
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        return unlessMinusOne(RECVMSG.call(fd, message, flags));
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        return unlessMinusOne(SENDMSG.call(fd, message, flags));
    }

    @Override
    public int open(long path, int flags, int mode) {
        return unlessMinusOne((int) OPEN.call(path, flags, mode));
    }

    @Override
    public int openat(int directory, long path, int flags, int mode) {
        return unlessMinusOne((int) OPENAT.call(directory, path, flags, mode));
    }

    @Override
    public int close(int fd) {
        return unlessMinusOne((int) CLOSE.call(fd));
    }

    @Override
    public int pipe(long descriptors) {
        return unlessMinusOne((int) PIPE.call(descriptors));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return unlessMinusOne((int) FCNTL.call(fd, command, argument));
    }

    @Override
    public long read(int fd, long buffer, long length) {
        return unlessMinusOne(READ.call(fd, buffer, length));
    }

    @Override
    public long write(int fd, long buffer, long length) {
        return unlessMinusOne(WRITE.call(fd, buffer, length));
    }

    @Override
    public long readv(int fd, long vector, int count) {
        return unlessMinusOne(READV.call(fd, vector, count));
    }

    @Override
    public long writev(int fd, long vector, int count) {
        return unlessMinusOne(WRITEV.call(fd, vector, count));
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        return unlessMinusOne(PREAD.call(fd, buffer, length, offset));
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        return unlessMinusOne(PWRITE.call(fd, buffer, length, offset));
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        return unlessMinusOne(PREADV.call(fd, vector, count, offset));
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        return unlessMinusOne(PWRITEV.call(fd, vector, count, offset));
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        return unlessMinusOne(LSEEK.call(fd, offset, whence));
    }

    @Override
    public int isatty(int fd) {
        return (int) unlessMinusOne(ISATTY.call(fd));
    }

    @Override
    public long readlinkat(int directory, long path, long buffer, long length) {
        return unlessMinusOne(READLINKAT.call(directory, path, buffer, length));
    }

    @Override
    public int renameat(int oldDirectory, long oldPath, int newDirectory, long newPath) {
        return unlessMinusOne((int) RENAMEAT.call(oldDirectory, oldPath, newDirectory, newPath));
    }

    @Override
    public int unlinkat(int directory, long path, int flags) {
        return unlessMinusOne((int) UNLINKAT.call(directory, path, flags));
    }

    @Override
    public int linkat(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags) {
        return unlessMinusOne((int) LINKAT.call(oldDirectory, oldPath, newDirectory, newPath, flags));
    }

    @Override
    public int mkdirat(int directory, long path, int mode) {
        return unlessMinusOne((int) MKDIRAT.call(directory, path, mode));
    }

    @Override
    public int ftruncate(int fd, long length) {
        return unlessMinusOne((int) FTRUNCATE.call(fd, length));
    }

    @Override
    public int fsync(int fd) {
        return unlessMinusOne((int) FSYNC.call(fd));
    }

    @Override
    public int fdatasync(int fd) {
        return unlessMinusOne((int) FDATASYNC.call(fd));
    }

    @Override
    public int flock(int fd, int operation) {
        return unlessMinusOne((int) FLOCK.call(fd, operation));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return unlessMinusOne(MMAP.call(address, length, protection, flags, fd, offset));
    }

    @Override
    public int munmap(long address, long length) {
        return unlessMinusOne((int) MUNMAP.call(address, length));
    }

    @Override
    public int msync(long address, long length, int flags) {
        return unlessMinusOne((int) MSYNC.call(address, length, flags));
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        return unlessMinusOne((int) SELECT.call(descriptors, readSet, writeSet, exceptSet, timeout));
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        return unlessMinusOne((int) POLL.call(descriptors, count, timeoutMillis));
    }
}
