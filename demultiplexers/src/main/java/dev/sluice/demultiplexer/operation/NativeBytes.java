package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of a buffer that are to be sent, all of them in native memory: in place if the buffer is direct and its
 * memory cannot be freed, otherwise in a copy. Used only inside, except for the check.
 */
final class NativeBytes {

    private final OperationProcessor processor;
    /** Null for nothing. */
    private ByteBuffer source;
    /** Of the first of them; before they are taken, of the buffer, or {@link Memory#COPY}. */
    private long address;
    private int length;
    private BlockPool.Block stage;

    NativeBytes(OperationProcessor processor) {
        this.processor = processor;
    }

    // By the starting thread

    void set(ByteBuffer buffer) {
        source = buffer;
    }

    boolean isSameAs(NativeBytes other) {
        return source != null && source == other.source;
    }

    /** Refuses a buffer that cannot be accessed in the background. */
    void check() {
        if (source != null) {
            address = source.isDirect() ? processor.memory.address(source) : Memory.COPY;
        }
    }

    // Inside

    /** Takes the bytes of the buffer that was checked. */
    void take() {
        if (source == null || !source.hasRemaining()) {
            return;
        }
        int count = source.remaining();
        if (address >= 0) {
            address += source.position();
        } else {
            stage = processor.memory.stages.take(count);
            stage.memory().put(stage.at(), source, source.position(), count);
            address = stage.address();
        }
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
        if (stage != null && stage.own() != null) {
            memory.add(stage.own());
            stage = null;
        }
    }

    void giveBack() {
        length = 0;
        if (stage != null) {
            processor.memory.stages.giveBack(stage);
            stage = null;
        }
    }
}
