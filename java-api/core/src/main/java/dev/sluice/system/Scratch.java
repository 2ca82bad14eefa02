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
 * Native memory for the arguments of one call, borrowed from a pool by the thread that makes the call and returned by
 * {@link #close()}. So a call needs neither an allocation nor a lock, and the amount of memory depends on the number of
 * concurrent calls, not on the number of threads. Only its borrower may use it.
 */
public final class Scratch implements AutoCloseable {

    /** Maximum number of bytes of a heap buffer that one call transfers, if the buffer may be transferred in parts. */
    public static final int COPY_SIZE = 64 * 1024;
    /** Maximum number of elements of a vector in memory of {@link #borrow(Binding)}. */
    public static final int SHORT_VECTOR = 16;

    /** Offset of the space for an option's value, a length, or a {@code pollfd}. */
    public static final int VALUE = 0;
    public static final int VALUE_SIZE = 64;
    /** Offset of the space for a length that accompanies a value. */
    public static final int LENGTH = VALUE + VALUE_SIZE;
    /** Offset of the unit of the addresses of direct transfers, an {@code int}. */
    public static final int DIRECT_MEMORY = VALUE;
    /** Offset of the unit of the positions and lengths of direct writes; 0 if there is no direct access. */
    public static final int DIRECT_WRITE = DIRECT_MEMORY + 4;
    public static final int DIRECT_READ = DIRECT_WRITE + 4;
    /** Offset of the smallest length of an atomic write, an {@code int}; 0 if there are none. */
    public static final int ATOMIC_MIN = DIRECT_READ + 4;
    public static final int ATOMIC_MAX = ATOMIC_MIN + 4;
    public static final int ADDRESS = LENGTH + 64;
    /** The status of a file, in the place of an address: the device that its inode is on. */
    public static final int STATUS_DEVICE = ADDRESS;
    public static final int STATUS_INODE = STATUS_DEVICE + Long.BYTES;
    /** What it is, and the permissions, an {@code int}. */
    public static final int STATUS_MODE = STATUS_INODE + Long.BYTES;
    /** The number of names, an {@code int}. */
    public static final int STATUS_LINKS = STATUS_MODE + Integer.BYTES;
    public static final int STATUS_OWNER = STATUS_LINKS + Integer.BYTES;
    public static final int STATUS_GROUP = STATUS_OWNER + Integer.BYTES;
    public static final int STATUS_SIZE = STATUS_GROUP + Integer.BYTES;
    /** Allocated units of 512 bytes. */
    public static final int STATUS_BLOCKS = STATUS_SIZE + Long.BYTES;
    /** Times are seconds since 1970, and behind those the nanoseconds. */
    public static final int STATUS_MODIFIED = STATUS_BLOCKS + Long.BYTES;
    public static final int STATUS_ACCESSED = STATUS_MODIFIED + 2 * Long.BYTES;
    public static final int STATUS_CREATED = STATUS_ACCESSED + 2 * Long.BYTES;
    public static final int MESSAGE = ADDRESS + SockaddrStorage.SIZE;
    public static final int VECTOR = MESSAGE + 64;
    /** Offset of the space for bytes, in memory of {@link #withCapacity}. */
    public static final int COPY = VECTOR + FileConstants.IOV_MAX * Iovec.SIZE;

    /** The size of scratch memory for waiting. */
    static final int WAIT = VALUE + VALUE_SIZE;
    /** The size of scratch memory for structures only. */
    static final int SMALL = VECTOR + SHORT_VECTOR * Iovec.SIZE;
    /** The size of scratch memory with space for bytes. */
    static final int LARGE = COPY + COPY_SIZE;

    /**
     * Memory for waits. A thread holds it while it waits, so it may be needed for every connection at the same time.
     */
    private static final ScratchPool WAIT_POOL = new ScratchPool(1024);
    private static final ScratchPool SMALL_POOL = new ScratchPool(64);
    private static final ScratchPool LARGE_POOL = new ScratchPool(16);

    private static final Object RETAINED_LOCK = new Object();
    /**
     * First of a list of memory that could not be returned because there was no stack or heap. Written with the lock
     * held.
     */
    private static volatile Scratch retained;

    static {
        assert Msghdr.SIZE <= VECTOR - MESSAGE;
        assert STATUS_CREATED + 2 * Long.BYTES <= MESSAGE;
    }

    /** The pool to return it to; null if the memory is freed instead. */
    private ScratchPool pool;
    private final Memory owner;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final long address;
    /** The next element of the list of {@link #retained} memory. */
    private Scratch next;

    private Scratch(ScratchPool pool, Memory owner, int size) {
        this.pool = pool;
        this.owner = owner;
        this.block = owner.allocate(size);
        this.memory = block.buffer();
        this.address = block.address();
    }

    /** {@return memory for a value only, such as a {@code pollfd}, to be held while a thread waits} */
    public static Scratch forWait(Binding binding) {
        return borrow(WAIT_POOL, binding.memory(), WAIT);
    }

    /** {@return memory for structures and a short vector} */
    public static Scratch borrow(Binding binding) {
        return borrow(SMALL_POOL, binding.memory(), SMALL);
    }

    /**
     * Returns memory for a vector of any length, and for bytes at {@link #COPY}.
     *
     * @param bytes the number of bytes; for more than {@link #COPY_SIZE} the memory is allocated for this call only
     * @return memory with space for at least that many bytes
     */
    public static Scratch withCapacity(Binding binding, int bytes) {
        return bytes <= COPY_SIZE
                ? borrow(LARGE_POOL, binding.memory(), LARGE)
                : borrow(null, binding.memory(), Math.addExact(COPY, bytes));
    }

    /** {@return memory that contains {@linkplain PathBytes a path's bytes} at {@link #COPY}, terminated by a zero} */
    public static Scratch withPath(Binding binding, Path path) {
        byte[] name = PathBytes.of(path);
        Scratch scratch = withCapacity(binding, name.length + 1);
        scratch.memory.put(COPY, name).put(COPY + name.length, (byte) 0);
        return scratch;
    }

    private static Scratch borrow(ScratchPool pool, Memory memory, int size) {
        // Without this, a thread whose stack is full could not return it.
        StackReserve.requireForLeave();
        if (retained != null) {
            releaseOneRetained();
        }
        Scratch scratch = pool == null ? null : pool.take();
        // If another binding is in use now, its calls cannot access the memory of the previous one.
        while (scratch != null && scratch.owner != memory) {
            scratch.pool = null;
            scratch.close();
            scratch = pool.take();
        }
        return scratch != null ? scratch : new Scratch(pool, memory, size);
    }

    private static void releaseOneRetained() {
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

    /** {@return the number of bytes in the pools and in the list of retained memory} */
    public static long pooledBytes() {
        long bytes = (long) WAIT_POOL.size() * WAIT + (long) SMALL_POOL.size() * SMALL
                + (long) LARGE_POOL.size() * LARGE;
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

    /** {@return the number of bytes that fit at {@link #COPY}} */
    public int copySpace() {
        return Math.max(0, memory.capacity() - COPY);
    }

    /** Stores a part of the status of a file. */
    void identity(long device, long inode, int mode, int links) {
        memory.putLong(STATUS_DEVICE, device).putLong(STATUS_INODE, inode).putInt(STATUS_MODE, mode)
                .putInt(STATUS_LINKS, links);
    }

    /** Stores a part of the status of a file. */
    void owners(int user, int group) {
        memory.putInt(STATUS_OWNER, user).putInt(STATUS_GROUP, group);
    }

    /** Stores a part of the status of a file. */
    void sizes(long size, long blocks) {
        memory.putLong(STATUS_SIZE, size).putLong(STATUS_BLOCKS, blocks);
    }

    /** Stores one of the times of a file. */
    void time(int at, long seconds, long nanos) {
        memory.putLong(at, seconds).putLong(at + Long.BYTES, nanos);
    }

    /** Stores the alignment of direct transfers. */
    int direct(int memoryUnit, int writeUnit, int readUnit) {
        memory.putInt(DIRECT_MEMORY, memoryUnit).putInt(DIRECT_WRITE, writeUnit).putInt(DIRECT_READ, readUnit);
        return 0;
    }

    /** Stores the lengths of atomic writes. */
    int atomic(int min, int max) {
        memory.putInt(ATOMIC_MIN, min).putInt(ATOMIC_MAX, max);
        return 0;
    }

    /** Returns the memory to its pool. If there is no stack or heap for that, a later borrower returns it. */
    @Override
    public void close() {
        try {
            if (pool == null || !pool.release(this)) {
                StackReserve.requireForCall();
                block.close();
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            // This calls no method, because there might be no stack for it either.
            synchronized (RETAINED_LOCK) {
                next = retained;
                retained = this;
            }
        }
    }
}
