package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Several buffers of a program, a part of an array, that bytes are moved from or to by one call. */
final class BufferVector {

    private final OperationMemory memory;
    /** Null if it is not used. */
    ByteBuffer[] buffers;
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

    // By the starting thread

    /** Refuses a range that does not exist. */
    void requireRange() {
        Objects.checkFromToIndex(first, end, buffers.length);
    }

    /** Refuses receive buffers that cannot receive anything. */
    void requireSpace() {
        boolean hasSpace = false;
        for (int i = first; i < end; i++) {
            hasSpace |= Transfer.hasSpace(buffers[i]);
        }
        if (!hasSpace) {
            throw new IllegalArgumentException("the receive buffers have no space remaining");
        }
    }

    /** Refuses buffers that cannot be accessed in the background. */
    void requireAddresses() {
        for (int i = first; i < end; i++) {
            address(buffers[i]);
        }
    }

    /** Refuses what a file that is accessed directly cannot be read into, or written from. */
    void requireAligned(HandleAssociation file, boolean reading, long position) {
        long at = position;
        for (int i = first; i < end; i++) {
            ByteBuffer each = buffers[i];
            if (each.hasRemaining()) {
                long address = address(each);
                file.requireAligned(reading, at, address < 0 ? address : address + each.position(), each.remaining());
                at += each.remaining();
            }
        }
    }

    private long address(ByteBuffer buffer) {
        return buffer.isDirect() ? memory.address(buffer) : Memory.COPY;
    }

    // Inside

    /** {@return the number of bytes that they hold, or have space for} */
    long remaining() {
        long sum = 0;
        for (int i = first; i < end; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /**
     * Prepares a message of them.
     *
     * @param message takes it, and the bytes that are copied
     * @param output  whether the bytes come from the buffers
     * @param done    what has been moved so far
     * @param total   what is to be moved in all
     * @return what will have been moved if the call moves the whole message
     */
    long prepare(CallMemory message, boolean output, long done, long total) {
        message.clearVector();
        long offered = done;
        int staged = 0;
        long skip = done;
        for (int i = first; i < end && !message.hasFullVector(); i++) {
            ByteBuffer each = buffers[i];
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
     * Advances their positions.
     *
     * @param bytes by how much in all, if they have that many left
     * @param stage where the bytes for those lie that are not accessed in place; null if none have to be copied
     * @return by how much
     */
    long advance(long bytes, CallMemory stage) {
        long left = bytes;
        int staged = 0;
        for (int i = first; left > 0 && i < end; i++) {
            ByteBuffer each = buffers[i];
            boolean copied = stage != null && each.hasRemaining() && address(each) < 0;
            int part = Transfer.advance(each, left, copied ? stage : null, staged);
            staged += copied ? part : 0;
            left -= part;
        }
        return bytes - left;
    }

    void addTo(List<Object> all) {
        for (int i = first; i < end; i++) {
            all.add(buffers[i]);
        }
    }
}
