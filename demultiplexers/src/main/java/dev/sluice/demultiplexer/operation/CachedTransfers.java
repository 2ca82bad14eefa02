package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.calls.layout.Statx;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of files that the system's cache serves, on Linux. The thread inside makes their calls itself, as
 * far as they copy a bounded number of bytes for each poll of the system: waking another thread costs as much as
 * copying 100 KiB. All other transfers are executed by the mechanism.
 * <ul>
 * <li>Reads are made with {@code RWF_NOWAIT}, which fails instead of waiting for the disk (preadv2(2)). On file systems
 *     in memory, which refuse the flag, they are ordinary calls. {@code io_uring} does the former itself.
 * <li>Writes are made with {@code RWF_NOWAIT}; where a file system of this machine refuses that, as ext4 and overlay
 *     do, they are ordinary calls if one thread runs the processor, since the kernel usually only copies the bytes.
 *     While it writes dirty pages back, it may delay such a call: after two of {@value #SLOW_DISTANCE} that have taken
 *     more than {@value #SLOW_MILLIS} ms, the mechanism executes the next {@value #MIN_SKIPPED} writes, and twice as
 *     many each time in succession.
 * <li>Parts of files are sent to sockets by {@link CachedSend}.
 * <li>The mechanism executes transfers of files opened with {@code DIRECT} or {@code DONTCACHE}, writes to files opened
 *     with {@code SYNC} or {@code DSYNC}, for which the disk has to do something, and writes with a priority.
 * </ul>
 *
 * <p>Used inside. The completion is collected as any other.
 */
public final class CachedTransfers implements AutoCloseable {

    /**
     * System property with the maximum number of bytes that a loop thread copies from or to the cache between two polls
     * of the system, 0 to 1 GiB; with 0, all transfers are executed by the mechanism.
     */
    public static final String BYTES_PROPERTY = "sluice.cached-file-bytes";

    /** Default of {@value #BYTES_PROPERTY}. */
    public static final int DEFAULT_BYTES = 512 * 1024;

    /** The result of an attempt if the mechanism has to execute the transfer. */
    public static final long NOT_MADE = Long.MIN_VALUE;

    /** The part of the bytes for a processor in which other threads wait until the thread inside leaves. */
    private static final int MULTI_THREADED_PART = 8;
    private static final int MAX_BYTES = 1 << 30;
    /** The number of bytes that take as long to copy as a call without any. */
    private static final int CALL_COST = 1024;
    /** The number of calls after which the next iteration of the loop polls the system. */
    private static final int MAX_CALLS = 64;
    /** The number of iterations after which the next one does, since what the program does in one may take long. */
    private static final int MAX_ITERATIONS = 16;
    private static final int SLOW_MILLIS = 1;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);
    private static final int SLOW_DISTANCE = 64;
    private static final int MIN_SKIPPED = 16;
    private static final int MAX_SKIPPED = 4096;

    // Offsets in the memory of the calls
    private static final int STATUS = Iovec.SIZE;
    private static final int EMPTY_PATH = STATUS + Statx.SIZE;
    /** Of the position for {@code sendfile}. */
    static final int POSITION = (EMPTY_PATH + Long.BYTES) & -Long.BYTES;
    private static final int MEMORY_SIZE = POSITION + Long.BYTES;

    private final Binding binding;
    final Posix posix;
    /** Null on other systems. */
    final @Nullable Linux linux;
    private final boolean readsWithoutWaiting;
    private final boolean multiThreaded;
    private final int bytes;
    /** Null until it is first needed. */
    private @Nullable MemoryBlock memory;

    // Since the last poll
    private int left;
    private int calls;
    private int iterations;
    /** Whether calls have been made in the current iteration. */
    private boolean hasMade;
    private int toSkip;
    private int nextSkipped = MIN_SKIPPED;
    /** The number of ordinary writes since the last slow one. */
    private long sinceSlow = SLOW_DISTANCE;

    /**
     * The current round, in which each transmission sends one piece: the same ones may always be reported first, and
     * would take all bytes of each iteration.
     */
    int round;
    /** True if, since the last poll, a transmission has been rejected that has sent no piece in this round. */
    private boolean hasRejected;

    /**
     * Creates an object of the configured size.
     *
     * @param binding             makes the calls
     * @param readsWithoutWaiting whether to read with the flag; false if the mechanism does that itself
     * @param multiThreaded       whether several threads run the processor
     * @throws IllegalArgumentException if {@value #BYTES_PROPERTY} is not a number in its range
     */
    public CachedTransfers(Binding binding, boolean readsWithoutWaiting, boolean multiThreaded) {
        this.binding = binding;
        this.posix = binding.posix();
        this.linux = binding.os() == Platform.Os.LINUX ? binding.linux() : null;
        this.readsWithoutWaiting = readsWithoutWaiting;
        this.multiThreaded = multiThreaded;
        int configured = IntegerProperty.of(BYTES_PROPERTY, 0, MAX_BYTES, DEFAULT_BYTES);
        this.bytes = multiThreaded ? configured / MULTI_THREADED_PART : configured;
        this.left = bytes;
    }

    // The bound

    /**
     * Begins another iteration of the loop, with a new number of bytes if that polls the system.
     *
     * @param hasOther whether the loop has something to do without a poll, and nothing that needs one
     * @return whether the iteration need not poll the system: in less than {@value #MAX_ITERATIONS} iterations since
     *         the last poll, fewer than {@value #MAX_CALLS} calls have copied few bytes, and another poll would cost
     *         more than that
     */
    public boolean beginIteration(boolean hasOther) {
        boolean postpones = hasOther && hasMade && calls < MAX_CALLS && iterations < MAX_ITERATIONS - 1
                && left >= bytes / 2;
        hasMade = false;
        if (postpones) {
            iterations++;
        } else {
            iterations = 0;
            calls = 0;
            left = bytes;
            round += hasRejected ? 0 : 1;
            hasRejected = false;
        }
        return postpones;
    }

    private boolean takes(Transfer transfer) {
        return Math.max(transfer.maxBytes(), CALL_COST) <= left;
    }

    /** Counts the bytes that a call has copied, and returns its result. */
    private long attempted(long result) {
        left -= (int) Math.max(result, CALL_COST);
        calls++;
        hasMade |= result != NOT_MADE;
        return result;
    }

    /** {@return the number of bytes that calls may copy between two polls; 0 if that is less than a call costs} */
    int bytes() {
        return bytes < CALL_COST ? 0 : bytes;
    }

    /**
     * {@return whether a transmission may send a piece before the next poll of the system}
     *
     * @param copied    the number of bytes that take as long to copy
     * @param lastRound the round in which the transmission has sent its last piece
     */
    boolean admits(int copied, int lastRound) {
        if (lastRound == round) {
            return false;
        }
        boolean admitted = Math.max(copied, CALL_COST) <= left;
        hasRejected |= !admitted;
        return admitted;
    }

    /** Counts the bytes that a call has copied, or work that takes as long. */
    void made(int copied) {
        left -= Math.max(copied, CALL_COST);
        calls++;
        hasMade = true;
    }

    // The files

    /** {@return how to read and write a file, found out at the first transfer} */
    public CachedFile file(HandleAssociation association) {
        if (linux == null || bytes == 0 || association.held.transfers().hasFlags()) {
            return CachedFile.UNCACHED;
        }
        int descriptor = (int) association.descriptor();
        int flags = posix.fcntl(descriptor, FileConstants.F_GETFL, 0);
        if (flags < 0 || (flags & FileConstants.O_DIRECT) != 0) {
            return CachedFile.UNCACHED;
        }
        return new CachedFile(readsWithoutWaiting ? CachedFile.Way.WITHOUT_WAITING : ordinaryIfInMemory(descriptor),
                (flags & FileConstants.O_DSYNC) == 0 ? CachedFile.Way.UNKNOWN : CachedFile.Way.NEVER);
    }

    /** Only file systems in memory seal files (fcntl(2)). */
    private CachedFile.Way ordinaryIfInMemory(int descriptor) {
        boolean inMemory = posix.fcntl(descriptor, LinuxFileConstants.F_GET_SEALS, 0) >= 0;
        return inMemory ? CachedFile.Way.ORDINARY : CachedFile.Way.NEVER;
    }

    private CachedFile.Way firstWayToWrite(CachedFile file, int descriptor) {
        assert linux != null;
        MemoryBlock block = memory();
        ByteBuffer status = block.buffer();
        status.put(EMPTY_PATH, (byte) 0);
        int result = linux.statx(descriptor, block.address() + EMPTY_PATH,
                FileConstants.AT_EMPTY_PATH | FileConstants.AT_STATX_DONT_SYNC, Statx.BASIC_STATS | Statx.HAS_MOUNT,
                block.address() + STATUS);
        boolean isRegular = result == 0
                && (status.getShort(STATUS + Statx.MODE) & FileConstants.S_IFMT) == FileConstants.S_IFREG;
        if (isRegular && (status.getInt(STATUS + Statx.MASK) & Statx.HAS_MOUNT) != 0) {
            file.mount = status.getLong(STATUS + Statx.MOUNT);
        }
        return isRegular ? CachedFile.Way.WITHOUT_WAITING : CachedFile.Way.NEVER;
    }

    private CachedFile.Way secondWayToWrite(CachedFile file) {
        boolean ordinary = switch (FileSystemKind.of(file.mount)) {
            case MEMORY -> true;
            // It may wait, and then other threads could not enter.
            case DISK -> !multiThreaded;
            case OTHER -> false;
        };
        return ordinary ? CachedFile.Way.ORDINARY : CachedFile.Way.NEVER;
    }

    /** {@return the memory of the calls} */
    MemoryBlock memory() {
        MemoryBlock block = memory;
        if (block == null) {
            block = binding.memory().allocate(MEMORY_SIZE);
            memory = block;
        }
        return block;
    }

    // The calls

    /**
     * Reads the next bytes of a transfer, if they are in the cache.
     *
     * @return the number of bytes, fewer than there is space for only at the end of the file; a negated error number;
     *         or {@link #NOT_MADE}
     */
    public long read(Transfer transfer, CachedFile file, int descriptor) {
        if (file.reads == CachedFile.Way.NEVER || !takes(transfer)) {
            return NOT_MADE;
        }
        long result = NOT_MADE;
        if (file.reads == CachedFile.Way.WITHOUT_WAITING) {
            result = readWithoutWaiting(transfer, file, descriptor);
        }
        if (result == NOT_MADE && file.reads == CachedFile.Way.ORDINARY) {
            do {
                result = ordinaryRead(transfer, descriptor);
            } while (Errno.EINTR.is(result));
        }
        return attempted(result);
    }

    private long readWithoutWaiting(Transfer transfer, CachedFile file, int descriptor) {
        assert linux != null;
        long result;
        do {
            result = linux.preadv2(descriptor, vector(transfer), count(transfer), transfer.nextPosition(),
                    LinuxFileConstants.RWF_NOWAIT);
        } while (Errno.EINTR.is(result));
        if (isRefused(result)) {
            file.reads = ordinaryIfInMemory(descriptor);
            return NOT_MADE;
        }
        if (result == transfer.maxBytes()) {
            return result;
        }
        // Fewer bytes may be the last ones of the file, or of those in the cache; Linux 5.9 and 5.10 may return 0 for
        // the latter (preadv2(2), "BUGS").
        return result >= 0 && isEnd(descriptor, transfer.nextPosition() + result) ? result : NOT_MADE;
    }

    private boolean isEnd(int descriptor, long position) {
        long end = posix.lseek(descriptor, 0, FileConstants.SEEK_END);
        return end >= 0 && end <= position;
    }

    private long ordinaryRead(Transfer transfer, int descriptor) {
        return transfer.isVectored()
                ? posix.preadv(descriptor, vector(transfer), count(transfer), transfer.nextPosition())
                : posix.pread(descriptor, transfer.address(), transfer.length(), transfer.nextPosition());
    }

    /**
     * Writes the next bytes of a transfer, if the cache takes them.
     *
     * @return the number of bytes, which may be a part; a negated error number; or {@link #NOT_MADE}
     */
    public long write(Transfer transfer, CachedFile file, int descriptor) {
        if (file.writes == CachedFile.Way.NEVER || transfer.operation.handleAssociation().priority() != 0
                || !takes(transfer)) {
            return NOT_MADE;
        }
        if (file.writes == CachedFile.Way.UNKNOWN) {
            file.writes = firstWayToWrite(file, descriptor);
        }
        long result = NOT_MADE;
        if (file.writes == CachedFile.Way.WITHOUT_WAITING) {
            result = writeWithoutWaiting(transfer, file, descriptor);
        }
        if (result == NOT_MADE && file.writes == CachedFile.Way.ORDINARY) {
            if (toSkip > 0) {
                toSkip--;
                return NOT_MADE;
            }
            result = ordinaryWrite(transfer, descriptor);
        }
        return attempted(result);
    }

    private long writeWithoutWaiting(Transfer transfer, CachedFile file, int descriptor) {
        assert linux != null;
        long result;
        do {
            // The kernel ignores the position if the file was opened for appending (pwrite(2), "BUGS").
            result = linux.pwritev2(descriptor, vector(transfer), count(transfer), transfer.nextPosition(),
                    LinuxFileConstants.RWF_NOWAIT);
        } while (Errno.EINTR.is(result));
        if (isRefused(result)) {
            file.writes = secondWayToWrite(file);
        }
        // An error, or a write of no byte, may be one of the flag, and is reported if it happens without that.
        return result <= 0 ? NOT_MADE : result;
    }

    private long ordinaryWrite(Transfer transfer, int descriptor) {
        long begin = System.nanoTime();
        long result;
        do {
            result = transfer.isVectored() ? writeVector(transfer, descriptor) : writeSingle(transfer, descriptor);
        } while (Errno.EINTR.is(result));
        sinceSlow++;
        if (System.nanoTime() - begin >= SLOW_NANOS) {
            // A single one is more often a thread that had to wait for a processor.
            if (sinceSlow <= SLOW_DISTANCE) {
                toSkip = nextSkipped;
                nextSkipped = Math.min(2 * nextSkipped, MAX_SKIPPED);
            }
            sinceSlow = 0;
        } else if (sinceSlow > SLOW_DISTANCE) {
            nextSkipped = MIN_SKIPPED;
        }
        return result;
    }

    private long writeSingle(Transfer transfer, int descriptor) {
        return transfer.appends()
                ? posix.write(descriptor, transfer.address(), transfer.length())
                : posix.pwrite(descriptor, transfer.address(), transfer.length(), transfer.nextPosition());
    }

    private long writeVector(Transfer transfer, int descriptor) {
        return transfer.appends()
                ? posix.writev(descriptor, vector(transfer), count(transfer))
                : posix.pwritev(descriptor, vector(transfer), count(transfer), transfer.nextPosition());
    }

    /** {@return whether the system, the file system or a sandbox refuses the call, or its flag} */
    static boolean isRefused(long result) {
        return result < 0 && (Errno.EOPNOTSUPP.is(result) || Errno.ENOSYS.is(result) || Errno.EPERM.is(result)
                || Errno.EINVAL.is(result));
    }

    /** {@return the address of a vector of the bytes to move next} */
    private long vector(Transfer transfer) {
        if (transfer.isVectored()) {
            return transfer.memory.vector();
        }
        MemoryBlock block = memory();
        Iovec.set(block.buffer(), 0, transfer.address(), transfer.length());
        return block.address();
    }

    private static int count(Transfer transfer) {
        return transfer.isVectored() ? transfer.memory.vectorCount() : 1;
    }

    @Override
    public void close() {
        MemoryBlock block = memory;
        if (block != null) {
            block.close();
        }
    }
}
