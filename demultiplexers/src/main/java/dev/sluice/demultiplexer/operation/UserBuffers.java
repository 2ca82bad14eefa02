package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The buffers of a program that bytes are moved from or to: one, or a part of an array. */
final class UserBuffers {

    private final OperationMemory memory;
    private final BufferAddress ofSingle;
    private ByteBuffer single;
    private ByteBuffer[] several;
    private int offset;
    private int count;

    UserBuffers(OperationProcessor processor) {
        this.memory = processor.memory;
        this.ofSingle = new BufferAddress(processor);
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

    /** Refuses buffers without room: a receive could not be distinguished from the end of the stream. */
    void requireRoom() {
        if (several == null) {
            requireWritable(single);
            if (!single.hasRemaining()) {
                throw new IllegalArgumentException("the buffer to receive into has no room");
            }
            return;
        }
        boolean room = false;
        for (int i = offset; i < offset + count; i++) {
            requireWritable(several[i]);
            room |= several[i].hasRemaining();
        }
        if (!room) {
            throw new IllegalArgumentException("the buffers to receive into have no room");
        }
    }

    private static void requireWritable(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
    }

    /** Refuses buffers that cannot be accessed in the background. */
    void requireAddresses() {
        if (several == null) {
            ofSingle.require(single);
        } else {
            for (int i = offset; i < offset + count; i++) {
                addressOf(several[i]);
            }
        }
    }

    // Inside

    /** {@return the only buffer; null if there are several} */
    ByteBuffer single() {
        return single;
    }

    /** {@return the address of the only buffer, or {@link Memory#COPY}} */
    long addressOfSingle() {
        return ofSingle.get();
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
            return ofSingle.get();
        }
        return each.isDirect() ? memory.address(each) : Memory.COPY;
    }

    /** {@return what they hold, or have room for, in bytes} */
    long remaining() {
        if (single != null) {
            return single.remaining();
        }
        long sum = 0;
        for (int i = offset; i < offset + count; i++) {
            sum += several[i].remaining();
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
            throw new IllegalStateException(left + " bytes more have been moved than the buffers have room for");
        }
    }

    void addTo(List<Object> all) {
        if (several == null) {
            all.add(single);
        } else {
            all.addAll(Arrays.asList(several).subList(offset, offset + count));
        }
    }
}
