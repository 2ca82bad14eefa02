package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** The buffers of a program that bytes are moved from or to: one, or a part of an array. */
final class UserBuffers {

    private static final WeakReference<ByteBuffer> NONE = new WeakReference<>(null);

    private final OperationMemory memory;
    private ByteBuffer single;
    /** Where the single one lies, or lay last; {@link Memory#COPY} if it is not accessed in place. */
    private long ofSingle;
    /** The single one of the last starts. Held weakly: a program that is done with it may still hold the operation. */
    private WeakReference<ByteBuffer> known = NONE;
    private ByteBuffer[] several;
    private int offset;
    private int count;

    UserBuffers(OperationProcessor processor) {
        this.memory = processor.memory;
    }

    void set(ByteBuffer buffer) {
        single = buffer;
        several = null;
    }

    void set(ByteBuffer[] buffers, int first, int number) {
        single = null;
        several = buffers;
        offset = first;
        count = number;
    }

    void forget() {
        single = null;
        several = null;
    }

    // By the starting thread

    /** Refuses ranges that do not exist, and buffers that cannot be accessed in the background. */
    void check() {
        if (several == null) {
            Objects.requireNonNull(single, "buffer");
        } else {
            Objects.checkFromIndexSize(offset, count, several.length);
        }
    }

    /** Rejects buffers without remaining space: a receive could not be distinguished from the end of the stream. */
    void requireSpace() {
        boolean hasSpace = false;
        for (int i = 0; i < count(); i++) {
            if (get(i).isReadOnly()) {
                throw new IllegalArgumentException("the receive buffer is read-only");
            }
            hasSpace |= get(i).hasRemaining();
        }
        if (!hasSpace) {
            throw new IllegalArgumentException(several == null ? "the receive buffer has no space remaining"
                    : "the receive buffers have no space remaining");
        }
    }

    /** Refuses buffers that cannot be accessed in the background. */
    void requireAddresses() {
        if (several == null) {
            findSingle();
        } else {
            for (int i = offset; i < offset + count; i++) {
                addressOf(several[i]);
            }
        }
    }

    /**
     * Finds out where the single buffer lies: operations are used with the same buffer over and over, and asking for
     * its address may allocate.
     */
    private void findSingle() {
        if (!single.isDirect()) {
            known = NONE;
            ofSingle = Memory.COPY;
        } else if (known.refersTo(single)) {
            // The memory may have been freed since.
            BufferAccess.require(single);
        } else {
            PooledBuffer provided = memory.providedBuffers.byView.get(single);
            long found = provided != null ? provided.address() : memory.ofBinding.sharedAddress(single);
            // Only a second start in a row with the same buffer is worth a reference; provided buffers are found
            // without one.
            known = provided == null && found == ofSingle ? new WeakReference<>(single) : NONE;
            ofSingle = found;
        }
    }

    // Inside

    /** {@return the only buffer; null if there are several} */
    ByteBuffer single() {
        return single;
    }

    /** {@return the address of the only buffer, or {@link Memory#COPY}} */
    long addressOfSingle() {
        return ofSingle;
    }

    /** {@return how many there are} */
    int count() {
        return several == null ? 1 : count;
    }

    ByteBuffer get(int index) {
        return several == null ? single : several[offset + index];
    }

    /** {@return the address of a buffer, or {@link Memory#COPY}} */
    long addressOf(ByteBuffer each) {
        if (several == null) {
            return ofSingle;
        }
        return each.isDirect() ? memory.address(each) : Memory.COPY;
    }

    /** {@return the number of bytes that they hold, or have space for} */
    long remaining() {
        long sum = 0;
        for (int i = 0; i < count(); i++) {
            sum += get(i).remaining();
        }
        return sum;
    }

    /**
     * Advances their positions.
     *
     * @param bytes by how much in all
     * @param stage where the bytes for those lie that are not accessed in place; null if none have to be copied
     */
    void advance(long bytes, CallMemory stage) {
        long left = bytes;
        int staged = 0;
        for (int i = 0; left > 0 && i < count(); i++) {
            ByteBuffer each = get(i);
            int part = (int) Math.min(each.remaining(), left);
            if (stage != null && part > 0 && addressOf(each) < 0) {
                stage.get(staged, each, part);
                staged += part;
            }
            each.position(each.position() + part);
            left -= part;
        }
        if (left > 0) {
            throw new IllegalStateException(left + " bytes more have been moved than fit into the buffers");
        }
    }

    void addTo(List<Object> all) {
        for (int i = 0; i < count(); i++) {
            all.add(get(i));
        }
    }
}
