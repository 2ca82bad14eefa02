package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SfHdtr;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Stat;
import dev.sluice.calls.layout.Timespec;
import java.nio.ByteBuffer;
import java.util.function.LongToIntFunction;

/** OpenBSD, and the base class for FreeBSD and macOS. */
class BsdSystem extends UnixSystem {

    private static final int CLOSE_CHECK_MILLIS = 20;
    private static final int SECTOR = 512;
    private static final int SOCKET_FLAGS = SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC;

    final Bsd bsd;
    private final LongToIntFunction acceptingIpv4 = this::acceptIpv4Peers;

    BsdSystem(Binding binding) {
        super(binding);
        this.bsd = binding.bsd();
    }

    @Override
    public long openSocket(int family, int type) {
        int socket = posix.socket(family, type | SOCKET_FLAGS, 0);
        if (socket >= 0 && family == SocketConstants.AF_INET6 && binding.os() == Platform.Os.FREEBSD) {
            // An IPv6 socket accepts IPv4 peers too, as is the default on Linux and macOS. On OpenBSD it never does
            // (ip6(4)).
            return prepared(socket, acceptingIpv4);
        }
        return socket;
    }

    private int acceptIpv4Peers(long socket) {
        return setsockopt((int) socket, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY, 0);
    }

    @Override
    final int fcntl(int file, int command, long argument) {
        return bsd.fcntl_pointer(file, command, argument);
    }

    @Override
    boolean canLock(long position, long length) {
        return position == 0 && length == 0;
    }

    // Locks of ranges belong to the process here; flock(2) locks the whole file for the open file.
    @Override
    public int lock(long file, long position, long length, boolean shared, boolean waits) {
        requireLock(position, length);
        return posix.flock((int) file, (shared ? FileConstants.LOCK_SH : FileConstants.LOCK_EX)
                | (waits ? 0 : FileConstants.LOCK_NB));
    }

    @Override
    public int unlock(long file, long position, long length) {
        return posix.flock((int) file, FileConstants.LOCK_UN);
    }

    @Override
    public int status(long file, Scratch scratch) {
        ByteBuffer memory = scratch.memory();
        int status = Scratch.VECTOR;
        int result = memory.get(Scratch.COPY) == 0
                ? bsd.fstat((int) file, scratch.address(status))
                : bsd.fstatat((int) file, scratch.address(Scratch.COPY), scratch.address(status),
                        FileConstants.AT_SYMLINK_NOFOLLOW);
        long device = binding.os() == Platform.Os.FREEBSD ? memory.getLong(status + Stat.DEV)
                : memory.getInt(status + Stat.DEV);
        int links = binding.os() == Platform.Os.MACOS ? Short.toUnsignedInt(memory.getShort(status + Stat.NLINK))
                : memory.getInt(status + Stat.NLINK);
        scratch.identity(device, memory.getLong(status + Stat.INO), memory.getShort(status + Stat.MODE), links);
        scratch.owners(memory.getInt(status + Stat.UID), memory.getInt(status + Stat.GID));
        scratch.sizes(memory.getLong(status + Stat.FILE_SIZE), memory.getLong(status + Stat.BLOCKS));
        time(scratch, Scratch.STATUS_MODIFIED, status + Stat.MTIME);
        time(scratch, Scratch.STATUS_ACCESSED, status + Stat.ATIME);
        time(scratch, Scratch.STATUS_CREATED, status + Stat.MTIME);
        return result;
    }

    private static void time(Scratch scratch, int to, int from) {
        scratch.time(to, Timespec.seconds(scratch.memory(), from), Timespec.nanos(scratch.memory(), from));
    }

    // Called only on FreeBSD, because other systems do not support the option.
    @Override
    long openBeneath(int directory, Scratch scratch, int flags, int mode) {
        return posix.openat(directory, scratch.address(Scratch.COPY), flags | BsdConstants.O_RESOLVE_BENEATH, mode);
    }

    // Transfers not aligned to sectors use the cache; no disk has smaller sectors.
    @Override
    public int directAlignment(long file, Scratch scratch) {
        return scratch.direct(1, SECTOR, SECTOR);
    }

    // Without a peer, as on a listening socket, a shutdown fails and then does not wake threads that wait in poll(2).
    @Override
    final int closeCheckMillis() {
        return CLOSE_CHECK_MILLIS;
    }

    @Override
    public long accept(long listener, long address, long addressLength) {
        return bsd.accept4((int) listener, address, addressLength, SOCKET_FLAGS);
    }

    @Override
    int pipe(Scratch scratch) {
        return bsd.pipe2(scratch.address(Scratch.VALUE), FileConstants.O_NONBLOCK | FileConstants.O_CLOEXEC);
    }

    @Override
    public long receiveFrom(long socket, long address, long length, Scratch scratch) {
        element(scratch, 0, address, (int) length);
        long message = message(scratch, scratch.address(Scratch.ADDRESS), SockaddrStorage.SIZE, 1);
        long result = receiveMessage(socket, message, scratch.memory(), Scratch.MESSAGE);
        scratch.memory().putInt(Scratch.LENGTH, Msghdr.nameLength(scratch.memory(), Scratch.MESSAGE));
        return result;
    }

    // These systems report that a datagram was truncated, but not its length; it was at least one byte longer than the
    // buffer.
    @Override
    public long receiveMessage(long socket, long message, ByteBuffer memory, int at) {
        long result = posix.recvmsg((int) socket, message, 0);
        return result >= 0 && (Msghdr.flags(memory, at) & SocketConstants.MSG_TRUNC) != 0 ? result + 1 : result;
    }

    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer arguments, int at,
            long address) {
        arguments.putLong(at, 0);
        // A count of 0 would mean everything up to the end of the file.
        int result = count == 0 ? 0 : bsd.sendfile((int) file, (int) socket, position, count, 0, address, 0);
        return sentOr(result, arguments.getLong(at));
    }

    // The call of macOS takes a header, too, but sends it in separate packets, and whether the count includes it
    // depends on the version.
    @Override
    public final boolean canSendHeadAndFile() {
        return binding.os() == Platform.Os.FREEBSD;
    }

    @Override
    public final long sendHeadAndFile(long socket, long head, int headLength, long file, long position, long count,
            ByteBuffer arguments, int at,
            long address) {
        int structure = at + Long.BYTES;
        int vector = structure + SfHdtr.SIZE;
        arguments.putLong(at, 0);
        Iovec.set(arguments, vector, head, headLength);
        SfHdtr.set(arguments, structure, address + vector - at, 1, 0, 0);
        int result = bsd.sendfile((int) file, (int) socket, position, count, address + structure - at, address, 0);
        return sentOr(result, arguments.getLong(at));
    }

    /**
     * Returns the number of bytes sent, which the call reports even if it was interrupted or the socket's buffer is
     * full; {@code ENOSYS} if it cannot send from this file. {@code EINVAL} or {@code EOPNOTSUPP} means that it is not
     * a regular one, or that its file system does not support the call (sendfile(2)).
     */
    static long sentOr(int result, long sent) {
        boolean partly = sent > 0 && (Errno.EAGAIN.is(result) || Errno.EINTR.is(result));
        if (result >= 0 || partly) {
            return sent;
        }
        return switch (Errno.of(result)) {
            case EINVAL, EOPNOTSUPP -> -Errno.ENOSYS.number();
            default -> result;
        };
    }
}
