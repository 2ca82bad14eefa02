package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
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
     * @throws IllegalArgumentException if the system cannot access the buffer's bytes at one address as long as it is
     *                                  reachable, or there are none
     */
    BufferRegistration(OperationProcessor processor, ByteBuffer buffer) {
        this.processor = processor;
        this.buffer = buffer.duplicate();
        this.length = buffer.remaining();
        long start = buffer.isDirect() ? processor.memory.address(buffer) : Memory.COPY;
        if (start < 0 || length == 0) {
            throw new IllegalArgumentException("registerBuffer: " + buffer + (length == 0 ? " has no bytes remaining"
                    : " is on the heap or in a shared arena; allocate it by ByteBuffer.allocateDirect or"
                            + " FileAlignment.allocate"));
        }
        this.address = start + buffer.position();
    }

    void begin() {
        processor.command(beginning);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            processor.command(end);
        }
    }

    private void count(int bytes) {
        long before = processor.registeredBytes;
        processor.registeredBytes = before + bytes;
    }

    private final class Beginning extends Command {

        @Override
        void perform() {
            if (!closed.get() && entry == NONE) {
                entry = processor.register(buffer, address, length);
                count(entry == NONE ? 0 : length);
            }
        }
    }

    private final class End extends Command {

        @Override
        void perform() {
            int registered = entry;
            if (registered != NONE) {
                entry = NONE;
                count(-length);
                processor.unregister(registered);
            }
        }
    }
}
