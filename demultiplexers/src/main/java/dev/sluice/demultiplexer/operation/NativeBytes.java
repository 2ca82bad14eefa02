package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a buffer to send, all of them in native memory: in place if the buffer is direct and the program cannot
 * free its memory, otherwise in a copy. Used only inside, except for the check.
 */
final class NativeBytes {

    private final OperationProcessor processor;
    /** The buffer; null for no bytes. */
    private @Nullable ByteBuffer source;
    /** The address of the first byte; before {@link #take}, the address of the buffer, or {@link Memory#COPY}. */
    private long address;
    private int length;
    private BlockPool.@Nullable Block stage;

    NativeBytes(OperationProcessor processor) {
        this.processor = processor;
    }

    // Called by the starting thread

    void set(@Nullable ByteBuffer buffer) {
        source = buffer;
    }

    boolean isSameAs(NativeBytes other) {
        return source != null && source == other.source;
    }

    /** Requires the buffer to be accessible by other threads. */
    void check() {
        if (source != null) {
            address = source.isDirect() ? processor.memory.address(source) : Memory.COPY;
        }
    }

    // Called inside

    /** Takes the remaining bytes of the buffer. */
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

    /** {@return the address of the first byte} */
    long address() {
        return address;
    }

    /** {@return the number of bytes, sent or not} */
    int length() {
        return length;
    }

    /** Advances the buffer by the number of bytes that have been sent. */
    void advance(int sent) {
        if (sent > 0) {
            assert source != null;
            source.position(source.position() + sent);
        }
    }

    /** Adds the buffer and memory that is not in a pool to a list. */
    void addMemory(List<Object> memory) {
        if (source != null) {
            memory.add(source);
        }
        if (stage != null && stage.own() != null) {
            memory.add(stage.own());
            stage = null;
        }
    }

    void release() {
        length = 0;
        if (stage != null) {
            processor.memory.stages.release(stage);
            stage = null;
        }
    }
}
