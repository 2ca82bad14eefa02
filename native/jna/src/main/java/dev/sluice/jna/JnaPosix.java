package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Posix;

/** {@link Posix} over JNA. */
class JnaPosix implements Posix {

    /** The functions themselves, by direct mapping: JNA binds each native method to the C function of its name. */
    private static final class C {

        static {
            Native.register(C.class, "c");
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

        static native int ftruncate(int fd, long length);

        static native int fsync(int fd);

        static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

        static native int munmap(long address, long length);

        static native int msync(long address, long length, int flags);

        static native int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout);

        static native int poll(long descriptors, long count, int timeoutMillis);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        int result = C.socket(domain, type, protocol);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int socketpair(int domain, int type, int protocol, long descriptors) {
        int result = C.socketpair(domain, type, protocol, descriptors);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int bind(int fd, long address, int addressLength) {
        int result = C.bind(fd, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int listen(int fd, int backlog) {
        int result = C.listen(fd, backlog);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int accept(int fd, long address, long addressLength) {
        int result = C.accept(fd, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int connect(int fd, long address, int addressLength) {
        int result = C.connect(fd, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int getsockname(int fd, long address, long addressLength) {
        int result = C.getsockname(fd, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int getpeername(int fd, long address, long addressLength) {
        int result = C.getpeername(fd, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long valueLength) {
        int result = C.getsockopt(fd, level, name, value, valueLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int valueLength) {
        int result = C.setsockopt(fd, level, name, value, valueLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int shutdown(int fd, int how) {
        int result = C.shutdown(fd, how);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long recv(int fd, long buffer, long length, int flags) {
        long result = C.recv(fd, buffer, length, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long send(int fd, long buffer, long length, int flags) {
        long result = C.send(fd, buffer, length, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength) {
        long result = C.recvfrom(fd, buffer, length, flags, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long sendto(int fd, long buffer, long length, int flags, long address, int addressLength) {
        long result = C.sendto(fd, buffer, length, flags, address, addressLength);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long recvmsg(int fd, long message, int flags) {
        long result = C.recvmsg(fd, message, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        long result = C.sendmsg(fd, message, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int open(long path, int flags, int mode) {
        int result = C.open(path, flags, mode);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int close(int fd) {
        int result = C.close(fd);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int pipe(long descriptors) {
        int result = C.pipe(descriptors);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        int result = C.fcntl(fd, command, argument);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long read(int fd, long buffer, long length) {
        long result = C.read(fd, buffer, length);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long write(int fd, long buffer, long length) {
        long result = C.write(fd, buffer, length);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long readv(int fd, long vector, int count) {
        long result = C.readv(fd, vector, count);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long writev(int fd, long vector, int count) {
        long result = C.writev(fd, vector, count);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long pread(int fd, long buffer, long length, long offset) {
        long result = C.pread(fd, buffer, length, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long pwrite(int fd, long buffer, long length, long offset) {
        long result = C.pwrite(fd, buffer, length, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long preadv(int fd, long vector, int count, long offset) {
        long result = C.preadv(fd, vector, count, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long pwritev(int fd, long vector, int count, long offset) {
        long result = C.pwritev(fd, vector, count, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        long result = C.lseek(fd, offset, whence);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int ftruncate(int fd, long length) {
        int result = C.ftruncate(fd, length);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int fsync(int fd) {
        int result = C.fsync(fd);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        long result = C.mmap(address, length, protection, flags, fd, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int munmap(long address, long length) {
        int result = C.munmap(address, length);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int msync(long address, long length, int flags) {
        int result = C.msync(address, length, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int select(int descriptors, long readSet, long writeSet, long exceptSet, long timeout) {
        int result = C.select(descriptors, readSet, writeSet, exceptSet, timeout);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int poll(long descriptors, long count, int timeoutMillis) {
        int result = C.poll(descriptors, count, timeoutMillis);
        return result != -1 ? result : -Native.getLastError();
    }
}
