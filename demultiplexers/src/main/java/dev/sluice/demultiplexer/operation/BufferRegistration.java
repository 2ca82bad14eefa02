package dev.sluice.demultiplexer.operation;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** The registration of a buffer with the system, from its beginning until the close. */
final class BufferRegistration implements Closeable {

    /** The number of a buffer that the system has not registered. */
    static final int NONE = -1;

    private final OperationProcessor processor;
    private final ByteBuffer buffer;
    private final long address;
    private final int length;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Command beginning = new Beginning();
    private final Command end = new End();
    /** Used inside. */
    private int entry = NONE;

    /**
     * Creates a registration that has not begun.
     *
     * @throws IllegalArgumentException if the buffer's bytes are not at one address as long as it is reachable, or
     *                                  there are none
     */
    BufferRegistration(OperationProcessor processor, ByteBuffer buffer) {
        this.processor = processor;
        this.buffer = buffer.duplicate();
        this.length = buffer.remaining();
        long start = processor.memory.lastingAddress(buffer);
        if (start < 0 || length == 0) {
            throw new IllegalArgumentException("registerBuffer: " + buffer + (length == 0 ? " has no bytes remaining"
                    : " is on the heap, or its memory may be freed while it is registered, as that of a"
                            + " shared or confined arena, a mapped file or a provided buffer; allocate it by"
                            + " ByteBuffer.allocateDirect or FileAlignment.allocate"));
        }
        this.address = start + buffer.position();
    }

    void begin() {
        processor.command(beginning);
    }

    @Override
    public void close() {
        if (closed.get()) {
            return;
        }
        processor.commandOnce(closed, end);
    }

    private final class Beginning extends Command {

        @Override
        void perform() {
            if (closed.get() || processor.shutDown || entry != NONE) {
                return;
            }
            long after = processor.registeredBytes + length;
            int registered = processor.register(buffer, address, length);
            // No call follows, for which there might be no stack.
            if (registered != NONE) {
                entry = registered;
                processor.registeredBytes = after;
            }
        }
    }

    private final class End extends Command {

        @Override
        void perform() {
            if (entry == NONE) {
                return;
            }
            long after = processor.registeredBytes - length;
            // A close releases all at once; the thread that closes may be one that the system does not let do this.
            if (!processor.ending.isClosing()) {
                processor.unregister(entry);
            }
            // Last, and without a call: if there was no memory or stack for the above, this command is repeated.
            entry = NONE;
            processor.registeredBytes = after;
        }
    }
}
