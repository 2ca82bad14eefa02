package dev.sluice.campaign;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/** The two queues of an instance of io_uring, as the kernel and the library see them; see {@link ObservedRings}. */
public abstract class ObservedRing {

    private final int submissionTailAt;
    private final int submissionMaskAt;
    private final int completionHeadAt;
    private final int completionTailAt;
    private final int completionMaskAt;
    private final int completionsAt;
    private MemoryBlock indices;
    private MemoryBlock entries;
    /** How far the submissions have been looked at, and the completions. */
    private int submitted;
    private int completed;

    /**
     * Creates an instance for a ring that has been set up.
     *
     * @param parameters what the kernel has said about it
     */
    protected ObservedRing(ByteBuffer parameters) {
        submissionTailAt = parameters.getInt(IoUringParams.SQ_TAIL);
        submissionMaskAt = parameters.getInt(IoUringParams.SQ_RING_MASK);
        completionHeadAt = parameters.getInt(IoUringParams.CQ_HEAD);
        completionTailAt = parameters.getInt(IoUringParams.CQ_TAIL);
        completionMaskAt = parameters.getInt(IoUringParams.CQ_RING_MASK);
        completionsAt = parameters.getInt(IoUringParams.CQ_CQES);
    }

    /** Called before the kernel is entered, if the queues are mapped. */
    protected abstract void entering();

    /** Called after the kernel has been entered, if the queues are mapped. */
    protected abstract void entered();

    void mapped(MemoryBlock block, long offset) {
        if (offset == IoUringConstants.IORING_OFF_SQES) {
            entries = block;
        } else {
            indices = block;
        }
    }

    void unmapped() {
        entries = closed(entries);
        indices = closed(indices);
    }

    void unmapped(long address) {
        if (entries != null && entries.address() == address) {
            entries = closed(entries);
        }
        if (indices != null && indices.address() == address) {
            indices = closed(indices);
        }
    }

    private static MemoryBlock closed(MemoryBlock block) {
        if (block != null) {
            block.close();
        }
        return null;
    }

    /** {@return whether the queues can be accessed} */
    public final boolean isMapped() {
        return indices != null && entries != null;
    }

    /** {@return the memory of the submission queue's entries} */
    protected final ByteBuffer submissions() {
        return entries.buffer();
    }

    /** {@return the memory of the completion queue's entries, and of the indices of both} */
    protected final ByteBuffer completions() {
        return indices.buffer();
    }

    /** Passes the offset of each submission to a consumer that it has not been passed to, in order. */
    protected final void takeSubmissions(IntConsumer consumer) {
        int tail = indices.buffer().getInt(submissionTailAt);
        int mask = indices.buffer().getInt(submissionMaskAt);
        while (submitted != tail) {
            consumer.accept((submitted++ & mask) * IoUringSqe.SIZE);
        }
    }

    /** Passes the offset of each completion to a consumer that it has not been passed to, in order. */
    protected final void takeCompletions(IntConsumer consumer) {
        int tail = completionTail();
        while (completed != tail) {
            consumer.accept(completionAt(completed++));
        }
    }

    /** {@return the index of the oldest completion that the library has not taken} */
    protected final int completionHead() {
        return indices.buffer().getInt(completionHeadAt);
    }

    /** {@return the index behind the newest completion} */
    protected final int completionTail() {
        int tail = indices.buffer().getInt(completionTailAt);
        // The kernel stores the entries before.
        VarHandle.loadLoadFence();
        return tail;
    }

    /** {@return the offset of the completion with an index} */
    protected final int completionAt(int index) {
        return completionsAt + (index & indices.buffer().getInt(completionMaskAt)) * IoUringCqe.SIZE;
    }
}
