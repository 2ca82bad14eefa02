package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.OperationType;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * The bytes of a buffer, or of several, that are moved to the system or from it, in as many attempts as it takes, and
 * at which position of a file. Bytes of buffers on the heap, and of those whose memory the program can free in the
 * meantime, are copied.
 */
public class Transfer extends Arguments {

    private static final WeakReference<ByteBuffer> NONE = new WeakReference<>(null);

    private final boolean output;
    private boolean whole;
    /** The only buffer; null if there are several. */
    private ByteBuffer single;
    /** Where the single one begins, or did last; {@link Memory#COPY} if it is not accessed in place. */
    private long start;
    /** The single one of the last starts. Held weakly: a program that is done with it may still hold the operation. */
    private WeakReference<ByteBuffer> known = NONE;
    private final BufferVector several;

    // What has been moved, and what is to be moved next
    private long done;
    private long total;
    /**
     * What will have been moved if the call moves everything it is offered; whatever a call returns, no more than that
     * is copied.
     */
    private long offered;
    private long address;

    Transfer(OperationSlot operation, OperationType type, Direction direction, boolean output) {
        super(operation, type, direction);
        this.output = output;
        this.several = new BufferVector(operation.processor.memory);
    }

    final void set(ByteBuffer buffer, long from, boolean all) {
        single = buffer;
        several.buffers = null;
        position = from;
        whole = all;
    }

    final void set(ByteBuffer[] buffers, int first, int number, long from, boolean all) {
        single = null;
        several.set(buffers, first, number);
        position = from;
        whole = all;
    }

    // By the starting thread

    @Override
    void check() {
        if (position != 0) {
            requireNotNegative(position, "position");
        }
        if (several.buffers != null) {
            several.requireRange();
            if (!output) {
                several.requireSpace();
            }
            several.requireAddresses();
            if (isOfDirectFile()) {
                several.requireAligned(operation.association(), !output, position);
            }
            return;
        }
        Objects.requireNonNull(single, "buffer");
        if (!output && !hasSpace(single)) {
            throw new IllegalArgumentException("the receive buffer has no space remaining");
        }
        findSingle();
        if (isOfDirectFile()) {
            operation.association().requireAligned(!output, position, start < 0 ? start : start + single.position(),
                    single.remaining());
        }
    }

    private boolean isOfDirectFile() {
        return (type == OperationType.READ || type == OperationType.WRITE) && operation.association().isDirect();
    }

    /**
     * {@return whether a receive buffer has remaining space} Without any, a receive could not be distinguished from the
     * end of the stream.
     */
    static boolean hasSpace(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the receive buffer is read-only");
        }
        return destination.hasRemaining();
    }

    /**
     * Finds out where the single buffer lies, and refuses one that cannot be accessed in the background: operations are
     * used with the same buffer over and over, and asking for its address may allocate.
     */
    private void findSingle() {
        if (!single.isDirect()) {
            known = NONE;
            start = Memory.COPY;
        } else if (known.refersTo(single)) {
            // The memory may have been freed since.
            BufferAccess.require(single);
        } else {
            OperationMemory pools = operation.processor.memory;
            PooledBuffer provided = pools.providedBuffers.byView.get(single);
            long found = provided != null ? provided.address() : pools.ofBinding.sharedAddress(single);
            // Only a second start in a row with the same buffer is worth a reference; provided buffers are found
            // without one.
            known = provided == null && found == start ? new WeakReference<>(single) : NONE;
            start = found;
        }
    }

    // Inside

    @Override
    final long prepare() {
        total = single != null ? single.remaining() : several.remaining();
        if (!output) {
            if (total == 0) {
                // There was space at the start; without any, the end of the stream would be reported.
                throw new IllegalStateException("the receive buffers have no space left");
            }
            // The system refuses a range that ends beyond the largest number, although no file gets there.
            total = Math.min(total, Long.MAX_VALUE - position);
        }
        prepareNext();
        return isNothing() ? 0 : NEEDS_CALL;
    }

    /** {@return how many of the bytes fit into the stage, which is borrowed} */
    int takeStage(int bytes) {
        memory.stage();
        return Math.min(bytes, CallMemory.STAGE_SIZE);
    }

    /** Prepares the next attempt. */
    void prepareNext() {
        if (single == null) {
            offered = several.prepare(memory, output, done, total);
            return;
        }
        if (single.remaining() < total) {
            throw missing(total - single.remaining());
        }
        int length = (int) (total - done);
        if (start >= 0) {
            address = start + single.position() + done;
        } else {
            length = takeStage(length);
            address = memory.stage();
            if (output) {
                memory.put(0, single, single.position() + (int) done, length);
            }
        }
        offered = done + length;
    }

    static IllegalStateException missing(long bytes) {
        return new IllegalStateException(bytes + " bytes less are left than there were at the start");
    }

    /** {@return whether there is nothing to move} */
    boolean isNothing() {
        return output && total == 0;
    }

    /** {@return whether the bytes come from the buffers} */
    final boolean isOutput() {
        return output;
    }

    /** {@return whether the next call takes a vector or a message} */
    public boolean isVectored() {
        // At the last position of a file there is nothing to read, and the vector has no elements.
        return single == null && total > 0;
    }

    /** {@return the address of the bytes to move next, unless there are several buffers} */
    public final long address() {
        return address;
    }

    /** {@return the number of bytes to move next, unless there are several buffers} */
    public final int length() {
        return (int) most();
    }

    /** {@return the position in the file at which to go on} */
    public final long nextPosition() {
        return position + done;
    }

    /** {@return whether everything must be moved} */
    public final boolean wantsAll() {
        return whole;
    }

    @Override
    public final long done() {
        return done;
    }

    @Override
    public final long most() {
        return offered - done;
    }

    @Override
    public final boolean moved(long bytes) {
        done += bytes;
        boolean more = bytes > 0 && whole && done < total;
        if (more) {
            try {
                prepareNext();
            } catch (RuntimeException e) {
                throw new TouchedBufferException(e);
            }
        }
        return more;
    }

    @Override
    final boolean leavesRest() {
        return done < total;
    }

    @Override
    long result(long lastAttempt) {
        return output ? done : lastAttempt;
    }

    @Override
    boolean continuesStream() {
        return direction == Direction.OUTPUT;
    }

    @Override
    void takeOver(long result) {
        long bytes = Math.min(done, offered);
        if (bytes == 0) {
            return;
        }
        long advanced = single == null ? several.advance(bytes, output ? null : memory)
                : advance(single, bytes, output || start >= 0 ? null : memory, 0);
        if (advanced < bytes) {
            throw new IllegalStateException(bytes - advanced + " bytes more have been moved than fit into the buffers");
        }
    }

    /**
     * Advances the position of a buffer.
     *
     * @param bytes by how much at most
     * @param stage where its bytes lie; null if they are accessed in place
     * @param at    their offset there
     * @return by how much
     */
    static int advance(ByteBuffer buffer, long bytes, CallMemory stage, int at) {
        int part = (int) Math.min(buffer.remaining(), bytes);
        if (stage != null && part > 0) {
            stage.get(at, buffer, part);
        }
        buffer.position(buffer.position() + part);
        return part;
    }

    @Override
    final void giveBack() {
        // Here, since the next start may be cancelled before anything is prepared.
        done = 0;
        total = 0;
        offered = 0;
    }

    @Override
    final void leaveMemory(List<Object> touched) {
        if (single != null) {
            touched.add(single);
        } else {
            several.addTo(touched);
        }
    }

    @Override
    final void free() {
        single = null;
        several.buffers = null;
    }
}
