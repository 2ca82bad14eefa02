package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Where the buffer lies that an operation was last started with: operations are used with the same buffer over and
 * over, and asking for its address may allocate. Used by the starting thread, and then only inside.
 */
final class BufferAddress {

    private static final WeakReference<ByteBuffer> NONE = new WeakReference<>(null);

    private final OperationMemory memory;
    private final ProvidedBuffers provided;
    // Held weakly, because a program that is done with the buffer may still hold the operation.
    private WeakReference<ByteBuffer> last = NONE;
    private long ofLast;
    private long address;

    BufferAddress(OperationProcessor processor) {
        this.memory = processor.memory;
        this.provided = memory.providedBuffers();
    }

    /**
     * Finds out where a buffer lies.
     *
     * @throws RuntimeException if it is direct and cannot be accessed in the background
     */
    void require(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            address = Memory.COPY;
            return;
        }
        if (last.refersTo(buffer)) {
            // The memory may have been freed since.
            BufferAccess.require(buffer);
            address = ofLast;
            return;
        }
        long known = provided.address(buffer);
        long found = known >= 0 ? known : memory.address(buffer);
        // Only a second start in a row with the same buffer is worth a reference; provided buffers are found without
        // one.
        last = known < 0 && found == ofLast ? new WeakReference<>(buffer) : NONE;
        ofLast = found;
        address = found;
    }

    /** {@return whether the latest buffer is accessed where it lies; the bytes of others are copied} */
    boolean isInPlace() {
        return address >= 0;
    }

    /** {@return the address of the latest buffer, if that is accessed where it lies} */
    long get() {
        return address;
    }
}
