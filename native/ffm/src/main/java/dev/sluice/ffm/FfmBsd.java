package dev.sluice.ffm;

import static dev.sluice.ffm.ForeignFunction.unlessMinusOne;

import dev.sluice.calls.Bsd;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Platform.Os;
import java.lang.foreign.Linker;
import java.util.Optional;

/** {@link Bsd} over {@code java.lang.foreign}. */
final class FfmBsd implements Bsd {

    private static final CLibrary C = CLibrary.standard(Bsd.class);
    private static final CLibrary WITH_KQUEUE =
            KqueueLibrary.file().map(file -> CLibrary.named(file, Bsd.class)).orElse(C);

    private static final String WIDE_INODES =
            Platform.CURRENT.os() == Os.MACOS && Platform.CURRENT.cpu() == Platform.Cpu.X86_64 ? "$INODE64" : "";
    private static final CLibrary WITH_WIDE_INODES =
            new CLibrary(name -> Linker.nativeLinker().defaultLookup().find(name + WIDE_INODES), Bsd.class);

    private static final ForeignFunction KQUEUE = WITH_KQUEUE.function("kqueue");
    private static final ForeignFunction KEVENT = WITH_KQUEUE.function("kevent");
    private static final ForeignFunction FSTAT = WITH_WIDE_INODES.function("fstat");
    private static final ForeignFunction FSTATAT = WITH_WIDE_INODES.function("fstatat");
    private static final ForeignFunction ACCEPT4 = C.function("accept4");
    private static final ForeignFunction PIPE2 = C.function("pipe2");
    private static final ForeignFunction FCNTL_POINTER = CLibrary.standard(Pointers.class).variadic("fcntl", 2);
    private static final ForeignFunction RENAMEATX_NP = C.function("renameatx_np");
    private static final ForeignFunction POSIX_FALLOCATE = C.function("posix_fallocate");
    private static final ForeignFunction POSIX_FADVISE = C.function("posix_fadvise");
    private static final ForeignFunction COPY_FILE_RANGE = C.function("copy_file_range");
    private static final ForeignFunction FSPACECTL = C.function("fspacectl");
    private static final ForeignFunction SENDFILE_OF_MACOS = only(Os.MACOS, Macos.class).function("sendfile");
    private static final ForeignFunction SENDFILE_OF_FREEBSD = only(Os.FREEBSD, FreeBsd.class).function("sendfile");

    /** The prototypes with a pointer in the place of {@code ...}. */
    private interface Pointers {

        int fcntl(int fd, int command, long argument);
    }

    /** The prototype of macOS. */
    private interface Macos {

        int sendfile(int file, int socket, long offset, long length, long header, int flags);
    }

    /** The prototype of FreeBSD. */
    private interface FreeBsd {

        int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags);
    }

    // Another system's function of the same name would be called with the wrong arguments.
    private static CLibrary only(Os os, Class<?> family) {
        return Platform.CURRENT.os() == os
                ? CLibrary.standard(family)
                : new CLibrary(absent -> Optional.empty(), family);
    }

    @Override
    public int kqueue() {
        return unlessMinusOne((int) KQUEUE.call());
    }

    @Override
    public int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout) {
        return unlessMinusOne((int) KEVENT.call(kq, changes, changeCount, events, eventCount, timeout));
    }

    @Override
    public int fstat(int fd, long status) {
        return unlessMinusOne((int) FSTAT.call(fd, status));
    }

    @Override
    public int fstatat(int directory, long path, long status, int flags) {
        return unlessMinusOne((int) FSTATAT.call(directory, path, status, flags));
    }

    @Override
    public int fcntl_pointer(int fd, int command, long argument) {
        return unlessMinusOne((int) FCNTL_POINTER.call(fd, command, argument));
    }

    @Override
    public int renameatx_np(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags) {
        return unlessMinusOne((int) RENAMEATX_NP.call(oldDirectory, oldPath, newDirectory, newPath, flags));
    }

    // These two return their error numbers; what replaces a missing function returns one negated.

    @Override
    public int posix_fallocate(int fd, long offset, long length) {
        return -Math.abs((int) POSIX_FALLOCATE.call(fd, offset, length));
    }

    @Override
    public int posix_fadvise(int fd, long offset, long length, int advice) {
        return -Math.abs((int) POSIX_FADVISE.call(fd, offset, length, advice));
    }

    @Override
    public long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags) {
        return unlessMinusOne(COPY_FILE_RANGE.call(in, inOffset, out, outOffset, length, flags));
    }

    @Override
    public int fspacectl(int fd, int command, long range, int flags, long rest) {
        return unlessMinusOne((int) FSPACECTL.call(fd, command, range, flags, rest));
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        return unlessMinusOne((int) ACCEPT4.call(fd, address, addressLength, flags));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return unlessMinusOne((int) PIPE2.call(descriptors, flags));
    }

    @Override
    public int sendfile(int file, int socket, long offset, long length, long header, int flags) {
        return unlessMinusOne((int) SENDFILE_OF_MACOS.call(file, socket, offset, length, header, flags));
    }

    @Override
    public int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags) {
        return unlessMinusOne((int) SENDFILE_OF_FREEBSD.call(file, socket, offset, count, header, sent, flags));
    }
}
