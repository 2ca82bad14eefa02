package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
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
import java.util.function.BooleanSupplier;

/**
 * The part that is the same on all Unix systems, and operations that Windows lacks: those on names in an open
 * directory.
 */
public abstract class UnixSystem extends UnixFiles {

    UnixSystem(Binding binding) {
        super(binding);
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
    public final long duplicate(long socket) {
        return posix.fcntl((int) socket, FileConstants.F_DUPFD_CLOEXEC, 0);
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
        // After an interrupt, the attempt is still in progress (connect(2)).
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
     * {@return the interval in milliseconds at which a wait checks whether its handle has been closed} By default there
     * are no checks, because the close ends the wait on Linux.
     */
    int closeCheckMillis() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int await(long socket, boolean reading, Deadline deadline, BooleanSupplier isOpen) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            int result;
            do {
                Pollfd.set(scratch.memory(), Scratch.VALUE, (int) socket,
                        reading ? PollConstants.POLLIN : PollConstants.POLLOUT);
                result = posix.poll(scratch.address(Scratch.VALUE), 1, deadline.pollMillis(closeCheckMillis()));
            } while (Errno.EINTR.is(result) || result == 0 && !deadline.isOver() && isOpen.getAsBoolean());
            return result;
        }
    }

    @Override
    int closeOnce(long descriptor, boolean isSocket) {
        int result = posix.close((int) descriptor);
        // After EINTR the descriptor is closed nevertheless (close(2)); closing it again could close one of another
        // thread.
        return Errno.EINTR.is(result) ? 0 : result;
    }

    /**
     * Opens a pipe with ends that do not block and that child processes do not inherit. Stores both, as {@code int}, at
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
}
