package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.handle.spi.DirectTransfer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Several buffers of a program, a range of an array, for calls that move bytes from or to all of them. */
final class BufferVector {

    private final OperationMemory memory;
    /** The array; null if this vector is not used. */
    ByteBuffer @Nullable [] buffers;
    private int first;
    private int end;

    BufferVector(OperationMemory memory) {
        this.memory = memory;
    }

    void set(ByteBuffer[] array, int offset, int number) {
        buffers = array;
        first = offset;
        end = offset + number;
    }

    private ByteBuffer[] array() {
        assert buffers != null;
        return buffers;
    }

    // Called by the starting thread

    /** Requires the range to be within the array. */
    void requireRange() {
        Objects.checkFromToIndex(first, end, array().length);
    }

    /** Requires receive buffers to have space remaining. */
    void requireSpace() {
        ByteBuffer[] array = array();
        boolean hasSpace = false;
        for (int i = first; i < end; i++) {
            hasSpace |= Transfer.hasSpace(array[i]);
        }
        if (!hasSpace) {
            throw new IllegalArgumentException("the receive buffers have no space remaining");
        }
    }

    /** Requires all buffers to be accessible by other threads. */
    void requireAddresses() {
        ByteBuffer[] array = array();
        for (int i = first; i < end; i++) {
            address(array[i]);
        }
    }

    /** Requires the buffers to be aligned as direct access to the file needs. */
    void requireAligned(HandleAssociation file, boolean reading, long position) {
        ByteBuffer[] array = array();
        long at = position;
        int parts = 0;
        for (int i = first; i < end; i++) {
            ByteBuffer each = array[i];
            if (each.hasRemaining()) {
                parts++;
                DirectTransfer.requireBuffers(file.held, reading, parts);
                long address = address(each);
                file.requireAligned(reading, at, address < 0 ? address : address + each.position(), each.remaining());
                at += each.remaining();
            }
        }
    }

    private long address(ByteBuffer buffer) {
        return buffer.isDirect() ? memory.address(buffer) : Memory.COPY;
    }

    // Called inside

    /** {@return the number of bytes remaining in all buffers} */
    long remaining() {
        ByteBuffer[] array = array();
        long sum = 0;
        for (int i = first; i < end; i++) {
            sum += array[i].remaining();
        }
        return sum;
    }

    /**
     * Prepares a message that consists of the buffers.
     *
     * @param message the memory for the message, and for bytes that are copied
     * @param output  whether the buffers are sent or written
     * @param done    the number of bytes that have been moved
     * @param total   the number of bytes to move in all
     * @return the number of bytes that will have been moved if the call moves the whole message
     */
    long prepare(CallMemory message, boolean output, long done, long total) {
        ByteBuffer[] array = array();
        message.clearVector();
        long offered = done;
        int staged = 0;
        long skip = done;
        for (int i = first; i < end && !message.hasFullVector(); i++) {
            ByteBuffer each = array[i];
            int from = each.position() + (int) Math.min(skip, each.remaining());
            skip -= from - each.position();
            int part = (int) Math.min(each.limit() - from, total - offered);
            if (part == 0) {
                continue;
            }
            long at = address(each);
            if (at >= 0) {
                at += from;
            } else {
                at = message.stage() + staged;
                part = Math.min(part, CallMemory.STAGE_SIZE - staged);
                if (output) {
                    message.put(staged, each, from, part);
                }
                staged += part;
            }
            message.addElement(at, part);
            offered += part;
            if (from + part < each.limit()) {
                break;
            }
        }
        if (message.vectorCount() == 0 && done < total) {
            throw Transfer.missing(total - done);
        }
        message.endMessage(0);
        return offered;
    }

    /**
     * Advances the positions of the buffers.
     *
     * @param bytes the number of bytes to advance by in all, at most what remains
     * @param stage the memory to copy received bytes from, for buffers that are not accessed in place; null if nothing
     *              is copied
     * @return the number of bytes advanced by
     */
    long advance(long bytes, @Nullable CallMemory stage) {
        ByteBuffer[] array = array();
        long left = bytes;
        int staged = 0;
        for (int i = first; left > 0 && i < end; i++) {
            ByteBuffer each = array[i];
            boolean copied = stage != null && each.hasRemaining() && address(each) < 0;
            int part = Transfer.advance(each, left, copied ? stage : null, staged);
            staged += copied ? part : 0;
            left -= part;
        }
        return bytes - left;
    }

    void addTo(List<Object> all) {
        ByteBuffer[] array = array();
        for (int i = first; i < end; i++) {
            all.add(array[i]);
        }
    }
}
