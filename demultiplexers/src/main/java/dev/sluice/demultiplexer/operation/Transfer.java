package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of buffers that are moved to the system or from it, in as many attempts as it takes, and at which position
 * of a file. Bytes of buffers on the heap, and of those whose memory the program can free in the meantime, are copied.
 */
public class Transfer extends Arguments {

    private final UserBuffers buffers;
    private final boolean output;
    private boolean whole;

    // What has been moved, and what is to be moved next
    private long done;
    private long total;
    /**
     * What will have been moved if the call moves everything it is offered; whatever a call returns, no more than that
     * is copied.
     */
    private long offered;
    private long address;
    private int length;

    Transfer(OperationSlot operation, OperationType type, Direction direction, boolean output) {
        super(operation, type, direction);
        this.buffers = new UserBuffers(operation.processor);
        this.output = output;
    }

    final void set(ByteBuffer buffer, long from, boolean all) {
        buffers.set(buffer);
        position = from;
        whole = all;
    }

    final void set(ByteBuffer[] several, int first, int number, long from, boolean all) {
        buffers.set(several, first, number);
        position = from;
        whole = all;
    }

    @Override
    void check() {
        buffers.check();
        if (!output) {
            buffers.requireSpace();
        }
        if (position != 0) {
            requireNotNegative(position, "position");
        }
        buffers.requireAddresses();
    }

    @Override
    final long prepare() {
        total = buffers.remaining();
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
        ByteBuffer single = buffers.single();
        if (single == null) {
            prepareVector();
            return;
        }
        length = (int) (total - done);
        address = buffers.addressOfSingle();
        if (address >= 0) {
            address += single.position() + done;
        } else {
            length = takeStage(length);
            address = memory.stage();
            if (output) {
                memory.put(0, single, single.position() + (int) done, length);
            }
        }
        offered = done + length;
    }

    private void prepareVector() {
        memory.clearVector();
        length = 0;
        offered = done;
        int staged = 0;
        long skip = done;
        for (int i = 0; i < buffers.count() && !memory.hasFullVector(); i++) {
            ByteBuffer each = buffers.get(i);
            int from = each.position() + (int) Math.min(skip, each.remaining());
            skip -= from - each.position();
            int part = (int) Math.min(each.limit() - from, total - offered);
            if (part == 0) {
                continue;
            }
            long at = buffers.addressOf(each);
            if (at >= 0) {
                at += from;
            } else {
                at = memory.stage() + staged;
                part = Math.min(part, CallMemory.STAGE_SIZE - staged);
                if (output) {
                    memory.put(staged, each, from, part);
                }
                staged += part;
            }
            memory.addElement(at, part);
            offered += part;
            if (from + part < each.limit()) {
                break;
            }
        }
        if (memory.vectorCount() == 0 && done < total) {
            throw new IllegalStateException(total - done + " bytes less are left than there were at the start");
        }
        memory.endMessage(0);
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
        return buffers.single() == null && total > 0;
    }

    /** {@return the address of the bytes to move next, unless there are several buffers} */
    public final long address() {
        return address;
    }

    /** {@return the number of bytes to move next, unless there are several buffers} */
    public final int length() {
        return length;
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
        if (done > 0) {
            buffers.advance(Math.min(done, offered), output ? null : memory);
        }
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
        buffers.addTo(touched);
    }

    @Override
    final void free() {
        buffers.forget();
    }
}
