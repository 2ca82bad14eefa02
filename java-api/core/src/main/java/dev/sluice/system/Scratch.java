package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.failure.StackReserve;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Native memory for the arguments of one call, borrowed by the thread that makes the call and returned by
 * {@link #close()}. It comes from pools and returns to them, so that a call needs neither an allocation nor a lock, and
 * memory is held only for as many calls as are made at once, not for each thread that ever made one. Only its borrower
 * may use it.
 */
public final class Scratch implements AutoCloseable {

    /** How much of a heap buffer one call transfers, where it may be transferred piece by piece. */
    public static final int COPY_SIZE = 64 * 1024;
    /** Maximum number of elements of a vector that {@link #borrow(Binding)} has room for. */
    public static final int SHORT_VECTOR = 16;

    /** Room for an option's value, a length, a {@code pollfd}. */
    public static final int VALUE = 0;
    public static final int VALUE_SIZE = 64;
    /** Room for a length beside a value. */
    public static final int LENGTH = VALUE + VALUE_SIZE;
    /** What a file is, an {@code int}. */
    public static final int STATUS_MODE = VALUE;
    public static final int STATUS_INODE = STATUS_MODE + 8;
    public static final int STATUS_SIZE = STATUS_INODE + 8;
    /** When it was modified, in seconds since 1970. */
    public static final int STATUS_SECONDS = STATUS_SIZE + 8;
    /** Besides, in nanoseconds. */
    public static final int STATUS_NANOS = STATUS_SECONDS + 8;
    /** The device that the inode is on, of which the system says nothing else. */
    public static final int STATUS_DEVICE = STATUS_NANOS + 8;
    /** The unit of the addresses of direct transfers, an {@code int}. */
    public static final int DIRECT_MEMORY = VALUE;
    /** The unit of the positions and lengths of direct writes; 0 if there is no direct access. */
    public static final int DIRECT_WRITE = DIRECT_MEMORY + 4;
    public static final int DIRECT_READ = DIRECT_WRITE + 4;
    public static final int ADDRESS = LENGTH + 64;
    public static final int MESSAGE = ADDRESS + SockaddrStorage.SIZE;
    public static final int VECTOR = MESSAGE + 64;
    /** Space for bytes, if it was made by {@link #withCapacity}. */
    public static final int COPY = VECTOR + FileConstants.IOV_MAX * Iovec.SIZE;

    /** The size of scratch memory for waiting. */
    static final int WAIT = VALUE + VALUE_SIZE;
    /** The size of scratch memory for structures only. */
    static final int SMALL = VECTOR + SHORT_VECTOR * Iovec.SIZE;
    /** The size of scratch memory with room for bytes. */
    static final int LARGE = COPY + COPY_SIZE;

    /** Each waiting thread holds one for as long as it waits: there may be as many as there are connections. */
    private static final ScratchPool WAITING_ONES = new ScratchPool(1024);
    private static final ScratchPool SMALL_ONES = new ScratchPool(64);
    private static final ScratchPool LARGE_ONES = new ScratchPool(16);

    private static final Object RETAINED_LOCK = new Object();
    /** The first of those that could not be returned because there was no stack or heap; written with the lock held. */
    private static volatile Scratch retained;

    static {
        assert Msghdr.SIZE <= VECTOR - MESSAGE;
    }

    /** Null if the memory is freed when it is returned. */
    private ScratchPool pool;
    private final Memory owner;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final long address;
    /** The next one that is retained. */
    private Scratch next;

    private Scratch(ScratchPool pool, Memory owner, int size) {
        this.pool = pool;
        this.owner = owner;
        this.block = owner.allocate(size);
        this.memory = block.buffer();
        this.address = block.address();
    }

    /** {@return room for a value alone, such as a {@code pollfd}, to be held while a thread waits} */
    public static Scratch forWait(Binding binding) {
        return borrow(WAITING_ONES, binding.memory(), WAIT);
    }

    /** {@return room for structures and a short vector} */
    public static Scratch borrow(Binding binding) {
        return borrow(SMALL_ONES, binding.memory(), SMALL);
    }

    /**
     * Room for a vector of any length, and for bytes at {@link #COPY}.
     *
     * @param bytes the number of bytes; for more than {@link #COPY_SIZE} the memory is allocated for this call only
     * @return scratch memory with space for at least that many
     */
    public static Scratch withCapacity(Binding binding, int bytes) {
        return bytes <= COPY_SIZE
                ? borrow(LARGE_ONES, binding.memory(), LARGE)
                : borrow(null, binding.memory(), Math.addExact(COPY, bytes));
    }

    /** {@return room with {@linkplain PathBytes a path's bytes} at {@link #COPY}, and a zero at their end} */
    public static Scratch withPath(Binding binding, Path path) {
        byte[] name = PathBytes.of(path);
        Scratch scratch = withCapacity(binding, name.length + 1);
        scratch.memory.put(COPY, name).put(COPY + name.length, (byte) 0);
        return scratch;
    }

    private static Scratch borrow(ScratchPool pool, Memory memory, int size) {
        // Or a thread whose stack is full would have it forever.
        StackReserve.requireForLeave();
        if (retained != null) {
            giveBackOneRetained();
        }
        Scratch scratch = pool == null ? null : pool.take();
        // Another binding may have come into use, whose calls cannot see the previous one's memory.
        while (scratch != null && scratch.owner != memory) {
            scratch.pool = null;
            scratch.close();
            scratch = pool.take();
        }
        return scratch != null ? scratch : new Scratch(pool, memory, size);
    }

    private static void giveBackOneRetained() {
        StackReserve.requireForCall();
        Scratch first;
        synchronized (RETAINED_LOCK) {
            first = retained;
            if (first == null) {
                return;
            }
            retained = first.next;
            first.next = null;
        }
        first.close();
    }

    /** {@return the number of bytes that are not borrowed but kept for later calls} */
    public static long pooledBytes() {
        long bytes = (long) WAITING_ONES.size() * WAIT + (long) SMALL_ONES.size() * SMALL
                + (long) LARGE_ONES.size() * LARGE;
        synchronized (RETAINED_LOCK) {
            for (Scratch each = retained; each != null; each = each.next) {
                bytes += each.memory.capacity();
            }
        }
        return bytes;
    }

    public ByteBuffer memory() {
        return memory;
    }

    public long address(int at) {
        return address + at;
    }

    /** {@return the number of bytes that there is room for at {@link #COPY}} */
    public int room() {
        return Math.max(0, memory.capacity() - COPY);
    }

    /** Stores the status of a file. */
    void status(int mode, long device, long inode, long size, long seconds, long nanos) {
        memory.putInt(STATUS_MODE, mode).putLong(STATUS_INODE, inode).putLong(STATUS_SIZE, size)
                .putLong(STATUS_SECONDS, seconds).putLong(STATUS_NANOS, nanos).putLong(STATUS_DEVICE, device);
    }

    /** Stores what direct transfers have to be multiples of. */
    int direct(int memoryUnit, int writeUnit, int readUnit) {
        memory.putInt(DIRECT_MEMORY, memoryUnit).putInt(DIRECT_WRITE, writeUnit).putInt(DIRECT_READ, readUnit);
        return 0;
    }

    /** Gives it back. Without stack or heap for that, a later borrower does so. */
    @Override
    public void close() {
        try {
            if (pool == null || !pool.giveBack(this)) {
                StackReserve.requireForCall();
                block.close();
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            // No call follows, for which there might be no stack either.
            synchronized (RETAINED_LOCK) {
                next = retained;
                retained = this;
            }
        }
    }
}
