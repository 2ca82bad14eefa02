package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OperatingSystem;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The buffer or buffers of an operation that moves bytes, in any number of attempts, and the position in a file. The
 * bytes of buffers on the heap, and of buffers whose memory the program can free, are copied.
 */
public class Transfer extends Arguments {

    private static final WeakReference<ByteBuffer> NONE = new WeakReference<>(null);

    private final boolean output;
    private boolean whole;
    /** The only buffer; null if there are several. */
    private @Nullable ByteBuffer single;
    /**
     * The address of the single buffer of the current or the last start; {@link Memory#COPY} if it is not accessed in
     * place.
     */
    private long start;
    /**
     * The single buffer of the last starts. Held weakly: the program may still hold the operation when it no longer
     * uses the buffer.
     */
    private WeakReference<ByteBuffer> known = NONE;
    private final BufferVector several;

    // The bytes that have been moved, and the bytes to move next
    private long done;
    private long total;
    /**
     * The number of bytes that will have been moved if the call moves all that it is offered. Whatever a call returns,
     * no more is copied.
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

    // Called by the starting thread

    @Override
    void check() {
        if (output && isOfFile()) {
            // Appends are executed in the order they were started, because each begins where the others end.
            direction = operation.handleAssociation().held.appends() ? Direction.OUTPUT : Direction.NONE;
        }
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
                several.requireAligned(operation.handleAssociation(), !output, position);
            }
            return;
        }
        ByteBuffer buffer = Objects.requireNonNull(single, "buffer");
        if (!output && !hasSpace(buffer)) {
            throw new IllegalArgumentException("the receive buffer has no space remaining");
        }
        findAddress(buffer);
        if (isOfDirectFile()) {
            operation.handleAssociation().requireAligned(!output, position,
                    start < 0 ? start : start + buffer.position(), buffer.remaining());
        }
    }

    private boolean isOfFile() {
        return switch (type) {
            case READ, WRITE, WRITE_AND_FORCE_DATA -> true;
            default -> false;
        };
    }

    private boolean isOfDirectFile() {
        return isOfFile() && operation.handleAssociation().held.alignment() != null;
    }

    /**
     * {@return whether a receive buffer has space remaining} Without space, a receive could not be distinguished from
     * the end of the stream.
     */
    static boolean hasSpace(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the receive buffer is read-only");
        }
        return destination.hasRemaining();
    }

    /**
     * Determines the address of the single buffer, which must be accessible by other threads. The last buffer is
     * remembered, because operations are often used with the same buffer, and asking for the address may allocate.
     */
    private void findAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            known = NONE;
            start = Memory.COPY;
        } else if (known.refersTo(buffer)) {
            // The memory may have been freed in the meantime.
            BufferAccess.require(buffer);
        } else {
            OperationMemory pools = operation.processor.memory;
            PooledBuffer provided = pools.providedBuffers.byView.get(buffer);
            long found = provided != null ? provided.address() : pools.ofBinding.sharedAddress(buffer);
            // A reference is created for the second consecutive start with the same buffer. Provided buffers are found
            // without one.
            known = provided == null && found == start ? new WeakReference<>(buffer) : NONE;
            start = found;
        }
    }

    // Called inside

    @Override
    long prepare() {
        total = single != null ? single.remaining() : several.remaining();
        if (!output) {
            if (total == 0) {
                // There was space when the operation was started. Without any, the end of the stream would be reported.
                throw new IllegalStateException("the receive buffers have no space left");
            }
            // The system refuses a range that ends beyond the largest number, although no file is that long.
            total = Math.min(total, Long.MAX_VALUE - position);
        }
        prepareNext();
        return isNothing() ? 0 : NEEDS_CALL;
    }

    /** {@return the number of bytes, at most the given one, that fit into the stage, which this call borrows} */
    int takeStage(int bytes) {
        memory.stage();
        return Math.min(bytes, CallMemory.STAGE_SIZE);
    }

    /** Prepares the next attempt. */
    void prepareNext() {
        ByteBuffer buffer = single;
        if (buffer == null) {
            offered = several.prepare(memory, output, done, total);
            return;
        }
        if (buffer.remaining() < total) {
            throw missing(total - buffer.remaining());
        }
        int length = (int) (total - done);
        if (start >= 0) {
            address = start + buffer.position() + done;
        } else {
            length = takeStage(length);
            address = memory.stage();
            if (output) {
                memory.put(0, buffer, buffer.position() + (int) done, length);
            }
        }
        offered = done + length;
    }

    static IllegalStateException missing(long bytes) {
        return new IllegalStateException(bytes + " fewer bytes remain than when the operation was started");
    }

    /** {@return whether there is nothing to move} */
    boolean isNothing() {
        return output && total == 0;
    }

    /** {@return whether the bytes come from the buffers} */
    public final boolean isOutput() {
        return output;
    }

    /** {@return whether the next call takes a vector or a message} */
    public boolean isVectored() {
        // At the largest position in a file there is nothing to read, and the vector has no elements.
        return single == null && total > 0;
    }

    /** {@return the address of the bytes to move next, unless there are several buffers} */
    public final long address() {
        return address;
    }

    /** {@return the number of bytes to move next, unless there are several buffers} */
    public final int length() {
        return (int) maxBytes();
    }

    /** {@return the position in the file of the next byte to move} */
    public final long nextPosition() {
        return position + done;
    }

    /** {@return the number of bytes to move in all attempts together} */
    final long total() {
        return total;
    }

    /** {@return whether all bytes must be moved} */
    public final boolean wantsAll() {
        return whole;
    }

    @Override
    public final long done() {
        return done;
    }

    @Override
    public final long maxBytes() {
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
    final boolean hasRemainder() {
        return done < total;
    }

    @Override
    long result(long lastAttempt) {
        if (!output) {
            return lastAttempt;
        }
        // The system may accept no byte of a file, without an error. Not all bytes have been written then.
        return isOfFile() && whole && done < total ? -Errno.EIO.number() : done;
    }

    /** {@return whether the bytes go to the end of a file, whatever the position} */
    public final boolean appends() {
        return isOfFile() && direction == Direction.OUTPUT;
    }

    /** {@return the {@code RWF_} flags of the calls, for a file} */
    public final int flags() {
        FileUse file = operation.handleAssociation().held.transfers();
        return output ? file.writeFlags() : file.readFlags();
    }

    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        int fd = (int) file.descriptor();
        if (flags() != 0) {
            return makeCall(file.held.system(), fd, flags());
        }
        Posix posix = file.held.binding().posix();
        if (appends()) {
            return isVectored() ? posix.writev(fd, memory.vector(), memory.vectorCount())
                    : posix.write(fd, address, length());
        }
        if (isVectored()) {
            return output ? posix.pwritev(fd, memory.vector(), memory.vectorCount(), nextPosition())
                    : posix.preadv(fd, memory.vector(), memory.vectorCount(), nextPosition());
        }
        return output ? posix.pwrite(fd, address, length(), nextPosition())
                : posix.pread(fd, address, length(), nextPosition());
    }

    private long makeCall(OperatingSystem system, int fd, int flags) {
        if (isVectored()) {
            return output ? system.writeVector(fd, memory.vector(), memory.vectorCount(), nextPosition(), flags)
                    : system.readVector(fd, memory.vector(), memory.vectorCount(), nextPosition(), flags);
        }
        return output ? system.write(fd, address, length(), nextPosition(), flags)
                : system.read(fd, address, length(), nextPosition(), flags);
    }

    @Override
    boolean continuesStream() {
        return direction == Direction.OUTPUT && !isOfFile();
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
            throw new IllegalStateException(bytes - advanced + " more bytes have been moved than fit into the buffers");
        }
    }

    /**
     * Advances the position of a buffer.
     *
     * @param bytes the maximum number of bytes to advance by
     * @param stage the memory to copy the bytes from; null if they are accessed in place
     * @param at    the offset of the bytes in the stage
     * @return the number of bytes advanced by
     */
    static int advance(ByteBuffer buffer, long bytes, @Nullable CallMemory stage, int at) {
        int part = (int) Math.min(buffer.remaining(), bytes);
        if (stage != null && part > 0) {
            stage.get(at, buffer, part);
        }
        buffer.position(buffer.position() + part);
        return part;
    }

    @Override
    final void release() {
        // Here, because the next start may be cancelled before it is prepared.
        done = 0;
        total = 0;
        offered = 0;
    }

    @Override
    final void addMemory(List<Object> touched) {
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
