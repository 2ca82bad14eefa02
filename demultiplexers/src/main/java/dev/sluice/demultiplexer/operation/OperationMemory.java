package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.failure.CloseSteps;
import java.nio.ByteBuffer;

/** The memory that operations use besides the buffers of users. Used inside, except where it says otherwise. */
final class OperationMemory {

    private static final int BLOCKS_PER_SLAB = 64;
    private static final int STAGES_PER_SLAB = 4;

    private final VectorForm vectorForm;
    private final Memory memory = Bindings.current().memory();
    private final BlockPool blocks = new BlockPool(memory, CallMemory.BLOCK_SIZE, BLOCKS_PER_SLAB);
    private final BlockPool stages = new BlockPool(memory, CallMemory.STAGE_SIZE, STAGES_PER_SLAB);
    private final ProvidedBuffers providedBuffers;
    private final CloseSteps release;

    OperationMemory(OperationProcessor processor, VectorForm vectorForm, ProvidedBuffers.Size size) {
        this.vectorForm = vectorForm;
        this.providedBuffers = new ProvidedBuffers(processor, size);
        this.release = new CloseSteps(providedBuffers::close, blocks::close, stages::close);
    }

    // Open to any thread

    /** {@return the binding's memory} */
    Memory ofBinding() {
        return memory;
    }

    /** {@return the form in which the system wants vectors and messages} */
    VectorForm vectorForm() {
        return vectorForm;
    }

    /**
     * {@return the address of a direct buffer, which must be accessible to any thread; {@link Memory#COPY} if the
     * program can free its memory}
     */
    long address(ByteBuffer direct) {
        long known = providedBuffers.address(direct);
        return known >= 0 ? known : memory.sharedAddress(direct);
    }

    /** {@return the buffers for continuous receives} */
    ProvidedBuffers providedBuffers() {
        return providedBuffers;
    }

    // Only inside

    BlockPool blocks() {
        return blocks;
    }

    BlockPool stages() {
        return stages;
    }

    /** Frees all of it. What there was no memory for is done by the next call. */
    void free() {
        release.run();
    }
}
