package dev.sluice.jna;

import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Platform.Os;

/** {@link Bsd} over JNA. */
final class JnaBsd implements Bsd {

    private static final Os OS = Platform.CURRENT.os();

    /** The functions that may be in another library, by direct mapping. */
    private static final class Kqueue {

        static final boolean LINKED = link();

        private static boolean link() {
            try {
                CLibrary.register(Kqueue.class, KqueueLibrary.file().orElse("c"));
                return true;
            } catch (UnsatisfiedLinkError e) {
                // If the system lacks the library, all its functions are missing.
                return false;
            }
        }

        static native int kqueue();

        static native int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout);
    }

    /** The functions that have variants, by direct mapping. */
    private static final class Status {

        private static final String WIDE_INODES =
                OS == Os.MACOS && Platform.CURRENT.cpu() == Platform.Cpu.X86_64 ? "$INODE64" : "";

        static {
            CLibrary.register(Status.class, "c",
                    (handle, name, next) -> next.getSymbolAddress(handle, name + WIDE_INODES, null));
        }

        static native int fstat(int fd, long status);

        static native int fstatat(int directory, long path, long status, int flags);
    }

    /** Functions on files that only one of the systems has, by direct mapping. */
    private static final class Files {

        static {
            CLibrary.register(Files.class, "c");
        }

        static native int renameatx_np(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags);

        static native int posix_fallocate(int fd, long offset, long length);

        static native int posix_fadvise(int fd, long offset, long length, int advice);

        static native long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags);

        static native int fspacectl(int fd, int command, long range, int flags, long rest);
    }

    /** The functions that macOS does not have, by direct mapping. */
    private static final class Flags {

        static {
            CLibrary.register(Flags.class, "c");
        }

        static native int accept4(int fd, long address, long addressLength, int flags);

        static native int pipe2(long descriptors, int flags);
    }

    /** The prototype of macOS, by direct mapping. */
    private static final class Macos {

        static {
            CLibrary.register(Macos.class, "c");
        }

        static native int sendfile(int file, int socket, long offset, long length, long header, int flags);
    }

    /** The prototype of FreeBSD, by direct mapping. */
    private static final class FreeBsd {

        static {
            CLibrary.register(FreeBsd.class, "c");
        }

        static native int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags);
    }

    @Override
    public int kqueue() {
        if (!Kqueue.LINKED) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(Kqueue.kqueue());
    }

    @Override
    public int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout) {
        if (!Kqueue.LINKED) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(Kqueue.kevent(kq, changes, changeCount, events, eventCount, timeout));
    }

    @Override
    public int fstat(int fd, long status) {
        return Failure.unlessNegative(Status.fstat(fd, status));
    }

    @Override
    public int fstatat(int directory, long path, long status, int flags) {
        return Failure.unlessNegative(Status.fstatat(directory, path, status, flags));
    }

    @Override
    public int fcntl_pointer(int fd, int command, long argument) {
        return JnaVariadicPosix.fcntl(fd, command, argument);
    }

    @Override
    public int renameatx_np(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags) {
        return Failure.unlessNegative(Files.renameatx_np(oldDirectory, oldPath, newDirectory, newPath, flags));
    }

    @Override
    public int posix_fallocate(int fd, long offset, long length) {
        return Failure.unlessZero(Files.posix_fallocate(fd, offset, length));
    }

    @Override
    public int posix_fadvise(int fd, long offset, long length, int advice) {
        return Failure.unlessZero(Files.posix_fadvise(fd, offset, length, advice));
    }

    @Override
    public long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags) {
        return Failure.unlessNegative(Files.copy_file_range(in, inOffset, out, outOffset, length, flags));
    }

    @Override
    public int fspacectl(int fd, int command, long range, int flags, long rest) {
        return Failure.unlessNegative(Files.fspacectl(fd, command, range, flags, rest));
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        if (OS == Os.MACOS) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(Flags.accept4(fd, address, addressLength, flags));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        if (OS == Os.MACOS) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(Flags.pipe2(descriptors, flags));
    }

    @Override
    public int sendfile(int file, int socket, long offset, long length, long header, int flags) {
        if (OS != Os.MACOS) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(Macos.sendfile(file, socket, offset, length, header, flags));
    }

    @Override
    public int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags) {
        if (OS != Os.FREEBSD) {
            return -Errno.ENOSYS.number();
        }
        return Failure.unlessNegative(FreeBsd.sendfile(file, socket, offset, count, header, sent, flags));
    }
}
