package dev.sluice.mechanism.operation;

import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of a buffer that are to be sent, all of them in native memory: in place if the buffer is direct and nobody
 * can free its memory, otherwise in a copy. Used only inside, except for the check.
 */
final class NativeBytes {

    private final OperationProcessor processor;
    private final BufferAddress known;
    private ByteBuffer source;
    private long address;
    private int length;
    private BlockPool.Block stage;
    private MemoryBlock copy;

    NativeBytes(OperationProcessor processor) {
        this.processor = processor;
        this.known = new BufferAddress(processor);
    }

    /** Refuses a buffer that cannot be accessed in the background; null is none. Called by the starting thread. */
    void require(ByteBuffer buffer) {
        if (buffer != null) {
            known.require(buffer);
        }
    }

    /** Takes the bytes of the buffer that was checked; there are none if it is null. */
    void take(ByteBuffer buffer) {
        if (buffer == null || !buffer.hasRemaining()) {
            return;
        }
        int count = buffer.remaining();
        if (known.isInPlace()) {
            address = known.get() + buffer.position();
        } else if (count <= PreparedOperation.STAGE_SIZE) {
            stage = processor.memory().stages().take();
            stage.memory().put(stage.at(), buffer, buffer.position(), count);
            address = stage.address();
        } else {
            copy = processor.memory().ofBinding().allocate(count);
            copy.buffer().put(0, buffer, buffer.position(), count);
            address = copy.address();
        }
        source = buffer;
        length = count;
    }

    /** {@return the address of the first of them} */
    long address() {
        return address;
    }

    /** {@return how many there are, sent or not} */
    int length() {
        return length;
    }

    /** Advances the buffer by what has been sent. */
    void advance(int sent) {
        if (sent > 0) {
            source.position(source.position() + sent);
        }
    }

    /** Adds the memory that is not in any pool. */
    void leaveMemory(List<Object> memory) {
        if (source != null) {
            memory.add(source);
        }
        if (copy != null) {
            memory.add(copy);
            copy = null;
        }
    }

    void giveBack() {
        length = 0;
        source = null;
        if (stage != null) {
            processor.memory().stages().giveBack(stage);
            stage = null;
        }
        if (copy != null) {
            copy.close();
            copy = null;
        }
    }
}
