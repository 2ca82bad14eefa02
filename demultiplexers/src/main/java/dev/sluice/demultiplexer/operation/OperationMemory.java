package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.failure.CloseSteps;
import java.nio.ByteBuffer;

/** The memory that operations use besides the buffers of programs. Used inside, except where noted. */
final class OperationMemory {

    private static final int BLOCKS_PER_SLAB = 64;
    private static final int STAGES_PER_SLAB = 4;

    /** The memory of the binding. May be used by any thread. */
    final Memory ofBinding = Bindings.current().memory();
    /** The form of the vectors and messages of the system. */
    final VectorForm vectorForm;
    final BlockPool blocks = new BlockPool(ofBinding, CallMemory.BLOCK_SIZE, BLOCKS_PER_SLAB);
    final BlockPool stages = new BlockPool(ofBinding, CallMemory.STAGE_SIZE, STAGES_PER_SLAB);
    /** The buffers for continuous receives. */
    final ProvidedBuffers providedBuffers;
    private final CloseSteps release;

    OperationMemory(OperationProcessor processor, VectorForm vectorForm, ProvidedBuffers.Size size) {
        this.vectorForm = vectorForm;
        this.providedBuffers = new ProvidedBuffers(processor, size);
        this.release = new CloseSteps(providedBuffers::close, blocks::close, stages::close);
    }

    /**
     * {@return the address of a direct buffer, which must be accessible by any thread; {@link Memory#COPY} if the
     * program can free its memory} May be called by any thread.
     */
    long address(ByteBuffer direct) {
        PooledBuffer known = providedBuffers.byView.get(direct);
        return known != null ? known.address() : ofBinding.sharedAddress(direct);
    }

    /**
     * {@return the address of a direct buffer whose memory is not freed as long as it is reachable; {@link Memory#COPY}
     * for all other buffers} May be called by any thread.
     */
    long lastingAddress(ByteBuffer buffer) {
        boolean lasts = buffer.isDirect() && providedBuffers.byView.get(buffer) == null && ofBinding.lasts(buffer);
        return lasts ? ofBinding.sharedAddress(buffer) : Memory.COPY;
    }

    /** Frees all memory. If there is not enough memory for that, the next call continues. */
    void free() {
        release.run();
    }
}
