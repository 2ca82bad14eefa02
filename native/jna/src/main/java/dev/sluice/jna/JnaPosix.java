package dev.sluice.jna;

import dev.sluice.calls.Posix;

/** {@link Posix} over JNA. */
class JnaPosix implements Posix {

    /** The functions themselves, by direct mapping: JNA binds each native method to the C function of its name. */
    static final class C {

        static {
            CLibrary.register(C.class, "c");
        }

        static native int socket(int domain, int type, int protocol);

        static native int socketpair(int domain, int type, int protocol, long descriptors);

        static native int bind(int fd, long address, int addressLength);

        static native int listen(int fd, int backlog);

        static native int accept(int fd, long address, long addressLength);

        static native int connect(int fd, long address, int addressLength);

        static native int getsockname(int fd, long address, long addressLength);

        static native int getpeername(int fd, long address, long addressLength);

        static native int getsockopt(int fd, int level, int name, long value, long valueLength);

        static native int setsockopt(int fd, int level, int name, long value, int valueLength);

        static native int shutdown(int fd, int how);

        static native long recv(int fd, long buffer, long length, int flags);

        static native long send(int fd, long buffer, long length, int flags);

        static native long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength);

        static native long sendto(int fd, long buffer, long length, int flags, long address, int addressLength);

        static native long recvmsg(int fd, long message, int flags);

        static native long sendmsg(int fd, long message, int flags);

        static native int open(long path, int flags, int mode);

        static native int openat(int directory, long path, int flags, int mode);

        static native int close(int fd);

        static native int pipe(long descriptors);

        static native int fcntl(int fd, int command, int argument);

        static native long read(int fd, long buffer, long length);

        static native long write(int fd, long buffer, long length);

        static native long readv(int fd, long vector, int count);

        static native long writev(int fd, long vector, int count);

        static native long pread(int fd, long buffer, long length, long offset);

        static native long pwrite(int fd, long buffer, long length, long offset);

        static native long preadv(int fd, long vector, int count, long offset);

        static native long pwritev(int fd, long vector, int count, long offset);

        static native long lseek(int fd, long offset, int whence);

        static native int isatty(int fd);

        static native long readlinkat(int directory, long path, long buffer, long length);

        static native int renameat(int oldDirectory, long oldPath, int newDirectory, long newPath);

        static native int unlinkat(int directory, long path, int flags);

        static native int linkat(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags);

        static native int mkdirat(int directory, long path, int mode);

        static native int ftruncate(int fd, long length);

        static native int fsync(int fd);

        static native int fdatasync(int fd);

        static native int flock(int fd, int operation);

        static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

        static native int munmap(long address, long length);

        static native int msync(long address, long length, int flags);

        static native int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout);

        static native int poll(long descriptors, long count, int timeoutMillis);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return Failure.unlessNegative(C.socket(domain, type, protocol));
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        return Failure.unlessNegative(C.socketpair(domain, type, protocol, descriptors));
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        return Failure.unlessNegative(C.bind(fd, address, addressLength));
    }

    @Override
    public int listen(int fd, int backlog) {
        return Failure.unlessNegative(C.listen(fd, backlog));
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        return Failure.unlessNegative(C.accept(fd, address, addressLength));
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        return Failure.unlessNegative(C.connect(fd, address, addressLength));
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        return Failure.unlessNegative(C.getsockname(fd, address, addressLength));
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        return Failure.unlessNegative(C.getpeername(fd, address, addressLength));
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        return Failure.unlessNegative(C.getsockopt(fd, level, name, value, valueLength));
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        return Failure.unlessNegative(C.setsockopt(fd, level, name, value, valueLength));
    }

    @Override
    public int shutdown(int fd, int how) {
        return Failure.unlessNegative(C.shutdown(fd, how));
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        return Failure.unlessNegative(C.recv(fd, buffer, length, flags));
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        return Failure.unlessNegative(C.send(fd, buffer, length, flags));
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        return Failure.unlessNegative(C.recvfrom(fd, buffer, length, flags, address, addressLength));
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        return Failure.unlessNegative(C.sendto(fd, buffer, length, flags, address, addressLength));
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        return Failure.unlessNegative(C.recvmsg(fd, message, flags));
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        return Failure.unlessNegative(C.sendmsg(fd, message, flags));
    }

    @Override
    public int open(long path, int flags, int mode) {
        return Failure.unlessNegative(C.open(path, flags, mode));
    }

    @Override
    public int openat(int directory, long path, int flags, int mode) {
        return Failure.unlessNegative(C.openat(directory, path, flags, mode));
    }

    @Override
    public int close(int fd) {
        return Failure.unlessNegative(C.close(fd));
    }

    @Override
    public int pipe(long descriptors) {
        return Failure.unlessNegative(C.pipe(descriptors));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return Failure.unlessNegative(C.fcntl(fd, command, argument));
    }

    @Override
    public long read(int fd, long buffer, long length) {
        return Failure.unlessNegative(C.read(fd, buffer, length));
    }

    @Override
    public long write(int fd, long buffer, long length) {
        return Failure.unlessNegative(C.write(fd, buffer, length));
    }

    @Override
    public long readv(int fd, long vector, int count) {
        return Failure.unlessNegative(C.readv(fd, vector, count));
    }

    @Override
    public long writev(int fd, long vector, int count) {
        return Failure.unlessNegative(C.writev(fd, vector, count));
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        return Failure.unlessNegative(C.pread(fd, buffer, length, offset));
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        return Failure.unlessNegative(C.pwrite(fd, buffer, length, offset));
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        return Failure.unlessNegative(C.preadv(fd, vector, count, offset));
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        return Failure.unlessNegative(C.pwritev(fd, vector, count, offset));
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        return Failure.unlessNegative(C.lseek(fd, offset, whence));
    }

    @Override
    public int isatty(int fd) {
        return Failure.unlessNegative(C.isatty(fd));
    }

    @Override
    public long readlinkat(int directory, long path, long buffer, long length) {
        return Failure.unlessNegative(C.readlinkat(directory, path, buffer, length));
    }

    @Override
    public int renameat(int oldDirectory, long oldPath, int newDirectory, long newPath) {
        return Failure.unlessNegative(C.renameat(oldDirectory, oldPath, newDirectory, newPath));
    }

    @Override
    public int unlinkat(int directory, long path, int flags) {
        return Failure.unlessNegative(C.unlinkat(directory, path, flags));
    }

    @Override
    public int linkat(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags) {
        return Failure.unlessNegative(C.linkat(oldDirectory, oldPath, newDirectory, newPath, flags));
    }

    @Override
    public int mkdirat(int directory, long path, int mode) {
        return Failure.unlessNegative(C.mkdirat(directory, path, mode));
    }

    @Override
    public int ftruncate(int fd, long length) {
        return Failure.unlessNegative(C.ftruncate(fd, length));
    }

    @Override
    public int fsync(int fd) {
        return Failure.unlessNegative(C.fsync(fd));
    }

    @Override
    public int fdatasync(int fd) {
        return Failure.unlessNegative(C.fdatasync(fd));
    }

    @Override
    public int flock(int fd, int operation) {
        return Failure.unlessNegative(C.flock(fd, operation));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return Failure.unlessNegative(C.mmap(address, length, protection, flags, fd, offset));
    }

    @Override
    public int munmap(long address, long length) {
        return Failure.unlessNegative(C.munmap(address, length));
    }

    @Override
    public int msync(long address, long length, int flags) {
        return Failure.unlessNegative(C.msync(address, length, flags));
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        return Failure.unlessNegative(C.select(descriptors, readSet, writeSet, exceptSet, timeout));
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        return Failure.unlessNegative(C.poll(descriptors, count, timeoutMillis));
    }
}
