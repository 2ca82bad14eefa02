package dev.sluice.mechanism.operation;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The address of the direct buffer that an operation was last started with: operations are used with the same buffer
 * over and over, and asking for its address may allocate. Used by the starting thread, and then only inside.
 */
final class BufferAddress {

    private static final WeakReference<ByteBuffer> NONE = new WeakReference<>(null);

    private final OperationProcessor processor;
    // Held weakly, because a program that is done with the buffer may still hold the operation.
    private WeakReference<ByteBuffer> last = NONE;
    private long address;

    BufferAddress(OperationProcessor processor) {
        this.processor = processor;
    }

    /**
     * Finds the address of a direct buffer, of which the others have none.
     *
     * @throws RuntimeException if it cannot be accessed in the background
     */
    void require(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return;
        }
        if (last.refersTo(buffer)) {
            if (buffer.limit() > 0) {
                // Throws if the memory has been freed since.
                buffer.get(0);
            }
            return;
        }
        long provided = processor.providedAddress(buffer);
        long found = provided >= 0 ? provided : processor.address(buffer);
        // Only a second start in a row with the same buffer is worth a reference; provided buffers are found without
        // one.
        last = provided < 0 && found == address ? new WeakReference<>(buffer) : NONE;
        address = found;
    }

    /** {@return the address of the latest direct buffer} */
    long get() {
        return address;
    }
}
