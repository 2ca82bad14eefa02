package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.calls.layout.SocketConstants;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How one operation sends a part of a file that the system's cache has, on Linux: the thread inside makes the calls
 * itself, as {@link CachedTransfers} describes it. A piece is sent if the cache has its first byte, its last and one in
 * between; otherwise {@code sendfile} would wait for the disk, and the mechanism sends that piece. If the cache lacks
 * other bytes, the thread inside waits for the disk. Between two polls, an operation sends one piece at most, and
 * operations that had to wait for the bound come first. Used inside.
 */
public final class CachedSend {

    /** The maximum number of bytes that one call sends, so that others are served meanwhile. */
    private static final long MAX_PER_CALL = 1 << 20;
    /** The number of bytes that are sent in the time of copying one: pages of the cache are not copied. */
    private static final int SENT_PER_COPIED = 8;

    /** Which pieces the thread inside sends. */
    private enum Way {
        /** To be found out. */
        UNKNOWN,
        /** Those that the cache has. */
        CACHED,
        /** All: the file system is in memory. */
        ALL,
        /** None. */
        NONE
    }

    private final CachedTransfers transfers;
    private final Transmission arguments;
    private final boolean joinsTail;
    private final int maxPerCall;
    private Way way = Way.UNKNOWN;
    private boolean refused;
    /** The round in which the last piece was sent, even if that was one of an earlier transmission. */
    private int lastRound = -1;

    /**
     * Creates an object for an operation.
     *
     * @param transfers bounds the calls
     * @param arguments what to send
     * @param joinsTail whether the mechanism can send the last piece together with the tail, and so sends both
     */
    public CachedSend(CachedTransfers transfers, Transmission arguments, boolean joinsTail) {
        this.transfers = transfers;
        this.arguments = arguments;
        this.joinsTail = joinsTail;
        this.maxPerCall = (int) Math.min(MAX_PER_CALL, (long) SENT_PER_COPIED * transfers.bytes());
    }

    /** Forgets the file of an earlier transmission. */
    public void begin() {
        way = Way.UNKNOWN;
        refused = false;
    }

    /**
     * Sends the rest of the head and then a piece of the file, and counts their bytes.
     *
     * @param socket the descriptor
     * @return the number of bytes of the last call; 0 if the file has ended; {@code -EAGAIN} if the socket has to be
     *         writable first, or other operations come first; another negated error number; or
     *         {@link CachedTransfers#NOT_MADE} if the mechanism has to send the next piece
     */
    public long attempt(int socket) {
        Linux linux = transfers.linux;
        if (way == Way.UNKNOWN) {
            way = !arguments.bypassesCache() && isNonBlocking(socket) ? Way.CACHED : Way.NONE;
        }
        int count = arguments.nextOfFile(maxPerCall);
        boolean leavesLast = joinsTail && arguments.tailLeft() > 0 && count == arguments.fileLeft();
        if (linux == null || way == Way.NONE || count == 0 || leavesLast) {
            return CachedTransfers.NOT_MADE;
        }
        if (!transfers.admits(count / SENT_PER_COPIED, lastRound)) {
            return -Errno.EAGAIN.number();
        }
        if (!isInCache(linux, count)) {
            return CachedTransfers.NOT_MADE;
        }
        long result = arguments.headLeft() > 0 ? sendHead(socket) : 0;
        return result < 0 || arguments.headLeft() > 0 ? result : sendFile(linux, socket, count);
    }

    private boolean isNonBlocking(int socket) {
        int flags = transfers.linux == null || maxPerCall == 0 ? -1
                : transfers.posix.fcntl(socket, FileConstants.F_GETFL, 0);
        return flags >= 0 && (flags & FileConstants.O_NONBLOCK) != 0;
    }

    private boolean isInCache(Linux linux, int count) {
        long first = arguments.filePosition();
        // A read marks its page as used once more than a send does, so the kernel drops the other pages first. With the
        // same bytes each time, the cache would at last have only their pages.
        boolean present = isByteInCache(linux, first) && isByteInCache(linux, first + count - 1)
                && isByteInCache(linux, first + ThreadLocalRandom.current().nextInt(count));
        return present && (way != Way.ALL || arguments.headLeft() == 0 || hasByte(first));
    }

    /** {@return whether the file has a byte} If it has none, the head must not wait for more. */
    private boolean hasByte(long position) {
        long address = transfers.memory().address() + CachedTransfers.POSITION;
        long result;
        do {
            result = transfers.posix.pread((int) arguments.fileDescriptor(), address, 1, position);
        } while (Errno.EINTR.is(result));
        return result == 1;
    }

    private boolean isByteInCache(Linux linux, long position) {
        if (way == Way.ALL) {
            return true;
        }
        MemoryBlock memory = transfers.memory();
        Iovec.set(memory.buffer(), 0, memory.address() + CachedTransfers.POSITION, 1);
        int file = (int) arguments.fileDescriptor();
        long result;
        do {
            result = linux.preadv2(file, memory.address(), 1, position, LinuxFileConstants.RWF_NOWAIT);
        } while (Errno.EINTR.is(result));
        if (CachedTransfers.isRefused(result)) {
            // Only file systems in memory seal files (fcntl(2)).
            boolean inMemory = transfers.posix.fcntl(file, LinuxFileConstants.F_GET_SEALS, 0) >= 0;
            way = inMemory ? Way.ALL : Way.NONE;
            return inMemory;
        }
        return result == 1;
    }

    private long sendHead(int socket) {
        long result;
        do {
            result = transfers.posix.send(socket, arguments.headAddress(), arguments.headLeft(),
                    SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_MORE);
        } while (Errno.EINTR.is(result));
        transfers.made(0);
        arguments.moved(Math.max(0, result));
        return result;
    }

    private long sendFile(Linux linux, int socket, int count) {
        MemoryBlock memory = transfers.memory();
        long result;
        do {
            memory.buffer().putLong(CachedTransfers.POSITION, arguments.filePosition());
            result = linux.sendfile(socket, (int) arguments.fileDescriptor(),
                    memory.address() + CachedTransfers.POSITION, count);
        } while (Errno.EINTR.is(result));
        transfers.made((int) Math.max(0, result / SENT_PER_COPIED));
        if (CachedTransfers.isRefused(result) || Errno.EOVERFLOW.is(result)) {
            way = Way.NONE;
            refused = true;
            return CachedTransfers.NOT_MADE;
        }
        if (result > 0) {
            lastRound = transfers.round;
            arguments.moved(result);
        }
        return result;
    }

    /** {@return whether {@code sendfile} has refused the file or the socket} */
    public boolean isRefused() {
        return refused;
    }
}
