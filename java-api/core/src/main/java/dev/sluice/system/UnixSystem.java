package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Linger;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.deadline.Deadline;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** What is the same on all Unix systems, and what Windows has not: names that are looked up in an open directory. */
public abstract class UnixSystem extends OperatingSystem {

    /** No system has longer paths (PATH_MAX). */
    private static final int LONGEST_LINK = 4096;

    final Posix posix;

    UnixSystem(Binding binding) {
        super(binding);
        this.posix = binding.posix();
    }

    @Override
    public final UnixSystem unix() {
        return this;
    }

    @Override
    public int inet6() {
        return SocketConstants.AF_INET6;
    }

    @Override
    public int bind(long socket, long address, int addressLength) {
        return posix.bind((int) socket, address, addressLength);
    }

    @Override
    public int listen(long socket, int backlog) {
        return posix.listen((int) socket, backlog);
    }

    @Override
    public int connect(long socket, long address, int addressLength) {
        int result = posix.connect((int) socket, address, addressLength);
        // If interrupted, the attempt still goes on (connect(2)).
        return Errno.EINTR.is(result) ? -Errno.EINPROGRESS.number() : result;
    }

    @Override
    public int takeError(long socket, Scratch scratch) {
        scratch.memory().putInt(Scratch.VALUE, 0).putInt(Scratch.LENGTH, Integer.BYTES);
        int result = posix.getsockopt((int) socket, SocketConstants.SOL_SOCKET, SocketConstants.SO_ERROR,
                scratch.address(Scratch.VALUE), scratch.address(Scratch.LENGTH));
        return result < 0 ? result : -scratch.memory().getInt(Scratch.VALUE);
    }

    @Override
    public int getsockname(long socket, int family, Scratch scratch) {
        return posix.getsockname((int) socket, scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
    }

    @Override
    public int getpeername(long socket, Scratch scratch) {
        return posix.getpeername((int) socket, scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
    }

    @Override
    public SocketOption<Boolean> acceptorOption() {
        return StandardSocketOptions.SO_REUSEADDR;
    }

    @Override
    public int getsockopt(long socket, SystemSocketOption<?> option, long value, long valueLength) {
        return posix.getsockopt((int) socket, option.level(), option.number(), value, valueLength);
    }

    @Override
    public int setsockopt(long socket, SystemSocketOption<?> option, long value, int valueLength) {
        return posix.setsockopt((int) socket, option.level(), option.number(), value, valueLength);
    }

    /** Sets an option whose value is a number. */
    final int setsockopt(int socket, int level, int option, int value) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            scratch.memory().putInt(Scratch.VALUE, value);
            return posix.setsockopt(socket, level, option, scratch.address(Scratch.VALUE), Integer.BYTES);
        }
    }

    @Override
    public int writeLinger(ByteBuffer at, int offset, int seconds) {
        Linger.set(at, offset, seconds);
        return Linger.SIZE;
    }

    @Override
    public int readLinger(ByteBuffer at, int offset) {
        return Linger.seconds(at, offset);
    }

    @Override
    public int shutdown(long socket, int how) {
        return posix.shutdown((int) socket, how);
    }

    @Override
    public long receive(long socket, long address, long length) {
        return posix.recv((int) socket, address, length, 0);
    }

    @Override
    public long send(long socket, long address, long length) {
        return posix.send((int) socket, address, length, SocketConstants.MSG_NOSIGNAL);
    }

    @Override
    public void element(Scratch scratch, int index, long address, int length) {
        Iovec.set(scratch.memory(), Scratch.VECTOR + index * Iovec.SIZE, address, length);
    }

    @Override
    public long receive(long socket, Scratch scratch, int elements) {
        return posix.recvmsg((int) socket, message(scratch, 0, 0, elements), 0);
    }

    @Override
    public long send(long socket, Scratch scratch, int elements) {
        return posix.sendmsg((int) socket, message(scratch, 0, 0, elements), SocketConstants.MSG_NOSIGNAL);
    }

    @Override
    public long sendTo(long socket, long address, long length, Scratch scratch, int addressLength) {
        return posix.sendto((int) socket, address, length, SocketConstants.MSG_NOSIGNAL,
                addressLength == 0 ? 0 : scratch.address(Scratch.ADDRESS), addressLength);
    }

    static long message(Scratch scratch, long name, int nameLength, int elements) {
        Msghdr.set(scratch.memory(), Scratch.MESSAGE, name, nameLength, scratch.address(Scratch.VECTOR), elements);
        return scratch.address(Scratch.MESSAGE);
    }

    /**
     * {@return the longest that a wait may fail to notice that its handle has been closed; on Linux the close ends the
     * wait}
     */
    int patienceMillis() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int await(long socket, boolean reading, Deadline deadline, BooleanSupplier isOpen) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            int result;
            do {
                Pollfd.set(scratch.memory(), Scratch.VALUE, (int) socket,
                        reading ? PollConstants.POLLIN : PollConstants.POLLOUT);
                result = posix.poll(scratch.address(Scratch.VALUE), 1, deadline.pollMillis(patienceMillis()));
            } while (Errno.EINTR.is(result) || result == 0 && !deadline.isOver() && isOpen.getAsBoolean());
            return result;
        }
    }

    @Override
    int closeOnce(long descriptor, boolean isSocket) {
        int result = posix.close((int) descriptor);
        // After EINTR the descriptor is gone nevertheless (close(2)); closing it again would hit a stranger's.
        return Errno.EINTR.is(result) ? 0 : result;
    }

    /**
     * Opens a pipe with ends that do not block and that child processes do not inherit: two {@code int} at
     * {@link Scratch#VALUE}.
     */
    abstract int pipe(Scratch scratch);

    @Override
    public final int openPipe(Scratch scratch) {
        int result = pipe(scratch);
        int source = scratch.memory().getInt(Scratch.VALUE);
        int sink = scratch.memory().getInt(Scratch.VALUE + Integer.BYTES);
        scratch.memory().putLong(Scratch.VALUE, source).putLong(Scratch.VALUE + Long.BYTES, sink);
        return result;
    }

    @Override
    public long read(long descriptor, long address, long length) {
        return posix.read((int) descriptor, address, length);
    }

    @Override
    public long write(long descriptor, long address, long length) {
        return posix.write((int) descriptor, address, length);
    }

    @Override
    public long open(Path path, OpenOption... options) {
        try (Scratch scratch = Scratch.withPath(binding, path)) {
            return posix.open(scratch.address(Scratch.COPY), OpenFlags.of(options), OpenFlags.MODE);
        }
    }

    /**
     * Opens a directory, to look names up in it.
     *
     * @param path the directory; symbolic links are followed
     * @return the directory, or a negated error number
     */
    public final long openDirectory(Path path) {
        try (Scratch scratch = Scratch.withPath(binding, path)) {
            return posix.open(scratch.address(Scratch.COPY), OpenFlags.DIRECTORY, 0);
        }
    }

    /** As {@link #openDirectory(Path)}, for a name in an open directory that is not a symbolic link. */
    public final long openDirectory(long directory, Path name) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.openat((int) directory, scratch.address(Scratch.COPY),
                    OpenFlags.DIRECTORY | FileConstants.O_NOFOLLOW, 0);
        }
    }

    /** Opens what a name in an open directory stands for, unless that is a symbolic link; does not wait for a FIFO. */
    public final long open(long directory, Path name, OpenOption... options) {
        int flags = OpenFlags.of(options);
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            int fd = posix.openat((int) directory, scratch.address(Scratch.COPY),
                    flags | FileConstants.O_NOFOLLOW | FileConstants.O_NOCTTY | FileConstants.O_NONBLOCK,
                    OpenFlags.MODE);
            // io_uring would not read a file that must not block, unless its content is in memory.
            return fd < 0 ? fd : prepared(fd, opened -> posix.fcntl((int) opened, FileConstants.F_SETFL, flags));
        }
    }

    /**
     * Stores the status of a file at {@link Scratch#STATUS_MODE} and the places behind it.
     *
     * @param file    the file, or the directory in which the path begins
     * @param scratch has the path, whose last symbolic link is not followed; an empty one is the file itself
     * @return 0, or a negated error number
     */
    public abstract int status(long file, Scratch scratch);

    /**
     * Stores where a symbolic link leads at {@link Scratch#COPY}.
     *
     * @param directory the directory in which the path begins
     * @param scratch   has the path
     * @return the number of bytes, or a negated error number
     */
    public final int readLink(long directory, Scratch scratch) {
        long path = scratch.address(Scratch.COPY);
        long length = posix.readlinkat((int) directory, path, path, LONGEST_LINK);
        return (int) (length == LONGEST_LINK ? -Errno.ENAMETOOLONG.number() : length);
    }

    public final int rename(long directory, Path name, Path newName) {
        try (Scratch before = Scratch.withPath(binding, name); Scratch after = Scratch.withPath(binding, newName)) {
            return posix.renameat((int) directory, before.address(Scratch.COPY), (int) directory,
                    after.address(Scratch.COPY));
        }
    }

    /** Removes a name that is not a directory's. */
    public final int delete(long directory, Path name) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.unlinkat((int) directory, scratch.address(Scratch.COPY), 0);
        }
    }

    // A range that ends beyond the largest number is refused, although no file gets there.
    @Override
    public long read(long file, long address, long length, long position) {
        return posix.pread((int) file, address, Math.min(length, Long.MAX_VALUE - position), position);
    }

    @Override
    public long write(long file, long address, long length, long position) {
        return posix.pwrite((int) file, address, length, position);
    }

    @Override
    public long read(long file, Scratch scratch, int elements, long position) {
        return posix.preadv((int) file, scratch.address(Scratch.VECTOR), elements, position);
    }

    @Override
    public long write(long file, Scratch scratch, int elements, long position) {
        return posix.pwritev((int) file, scratch.address(Scratch.VECTOR), elements, position);
    }

    // That pwrite appends is peculiar to Linux, and not all C libraries there preserve it (pwrite(2), "BUGS").
    @Override
    public long append(long file, long address, long length) {
        return posix.write((int) file, address, length);
    }

    @Override
    public long append(long file, Scratch scratch, int elements) {
        return posix.writev((int) file, scratch.address(Scratch.VECTOR), elements);
    }

    @Override
    public long size(long file) {
        // Nothing here uses the descriptor's own position, so moving it does no harm.
        long end = posix.lseek((int) file, 0, FileConstants.SEEK_END);
        // What the kernel makes up while it is read, as below /proc, has no end, and 0 for its length (stat(2)).
        return Errno.EINVAL.is(end) ? 0 : end;
    }

    @Override
    public int truncate(long file, long size) {
        return posix.ftruncate((int) file, size);
    }

    @Override
    public int force(long file) {
        return posix.fsync((int) file);
    }

    @Override
    public int forceData(long file) {
        return posix.fdatasync((int) file);
    }

    @Override
    public long map(long file, boolean writable, boolean shared, long position, long length) {
        int protection = FileConstants.PROT_READ | (writable ? FileConstants.PROT_WRITE : 0);
        int flags = shared ? FileConstants.MAP_SHARED : FileConstants.MAP_PRIVATE;
        return posix.mmap(0, length, protection, flags, (int) file, position);
    }

    @Override
    public int forceMapping(long address, long length) {
        return posix.msync(address, length, FileConstants.MS_SYNC);
    }

    @Override
    public int unmap(long address, long length) {
        return posix.munmap(address, length);
    }
}
