package dev.sluice.stages.io;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the proactor's buffers that all connections together retain, for pending bytes or for packets. May be used by
 * any thread.
 *
 * <p>Buffers released by other threads are collected until the loop's next iteration. Otherwise each buffer would end
 * the loop's wait, which costs a system call.
 */
final class RetainedBuffers {

    private final EventLoop loop;
    private final int most;
    private final Semaphore left;
    /** The last packet released by another thread. Each links to the previous one. */
    private final AtomicReference<Packet> givenBack = new AtomicReference<>();
    private final Runnable releasing = this::releaseGivenBack;
    /** Whether the task for the released packets may not have been scheduled, for lack of memory. */
    private volatile boolean unscheduled;

    /**
     * Creates an empty account.
     *
     * @param loop the loop that the buffers belong to
     * @param most maximum number of retained buffers
     */
    RetainedBuffers(EventLoop loop, int most) {
        this.loop = loop;
        this.most = most;
        left = new Semaphore(most);
    }

    /**
     * Retains a buffer.
     *
     * @return the retained buffer; null if the maximum is reached
     */
    @Nullable RetainedBuffer retain(ProvidedBuffer buffer) {
        RetainedBuffer retained = null;
        if (left.tryAcquire()) {
            try {
                retained = buffer.retain();
            } finally {
                if (retained == null) {
                    left.release();
                }
            }
        }
        return retained;
    }

    /**
     * {@return whether a packet may use a retained buffer} Packets may use half of them. The other half is for pending
     * bytes, since receives end when all are retained, which costs more than a copy.
     */
    boolean mayLend() {
        return count() <= Math.max(1, most / 2);
    }

    void release(RetainedBuffer buffer) {
        left.release();
        buffer.close();
    }

    private void release(Packet packet) {
        assert packet.lent != null;
        release(packet.lent);
    }

    /** Releases the buffer of a packet. Called once for each packet. */
    void giveBack(Packet packet) {
        if (loop.inEventLoop()) {
            release(packet);
            return;
        }
        Packet before;
        do {
            before = givenBack.get();
            packet.givenBackBefore = before;
        } while (!givenBack.compareAndSet(before, packet));
        if (before == null || unscheduled) {
            releaseSoon();
        }
    }

    private void releaseSoon() {
        unscheduled = true;
        try {
            loop.execute(releasing);
            unscheduled = false;
        } catch (RejectedExecutionException e) {
            // The loop has ended, and no receive waits for buffers any more.
            releaseGivenBack();
        }
    }

    private void releaseGivenBack() {
        Packet packet = givenBack.getAndSet(null);
        while (packet != null) {
            Packet before = packet.givenBackBefore;
            packet.givenBackBefore = null;
            release(packet);
            packet = before;
        }
    }

    int count() {
        return most - left.availablePermits();
    }
}
