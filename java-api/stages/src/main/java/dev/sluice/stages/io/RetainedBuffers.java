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
    private final int maximum;
    private final Semaphore available;
    /** The last packet released by another thread. Each links to the previous one. */
    private final AtomicReference<Packet> released = new AtomicReference<>();
    private final Runnable releasing = this::releaseAll;
    /** Whether the task for the released packets may not have been scheduled, for lack of memory. */
    private volatile boolean unscheduled;

    /**
     * Creates an empty account.
     *
     * @param loop the loop that the buffers belong to
     * @param maximum maximum number of retained buffers
     */
    RetainedBuffers(EventLoop loop, int maximum) {
        this.loop = loop;
        this.maximum = maximum;
        available = new Semaphore(maximum);
    }

    /**
     * Retains a buffer.
     *
     * @return the retained buffer; null if the maximum is reached
     */
    @Nullable RetainedBuffer retain(ProvidedBuffer buffer) {
        RetainedBuffer retained = null;
        if (available.tryAcquire()) {
            try {
                retained = buffer.retain();
            } finally {
                if (retained == null) {
                    available.release();
                }
            }
        }
        return retained;
    }

    /**
     * {@return whether a packet may use a retained buffer} Packets may use half of them. The other half is for pending
     * bytes, since receives end when all are retained, which costs more than a copy.
     */
    boolean hasSpare() {
        return count() <= Math.max(1, maximum / 2);
    }

    void release(RetainedBuffer buffer) {
        available.release();
        buffer.close();
    }

    private void release(Packet packet) {
        assert packet.zeroCopy != null;
        release(packet.zeroCopy);
    }

    /** Releases the buffer of a packet. Called once for each packet. */
    void releasePacket(Packet packet) {
        if (loop.inEventLoop()) {
            release(packet);
            return;
        }
        Packet before;
        do {
            before = released.get();
            packet.releasedBefore = before;
        } while (!released.compareAndSet(before, packet));
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
            releaseAll();
        }
    }

    private void releaseAll() {
        Packet packet = released.getAndSet(null);
        while (packet != null) {
            Packet before = packet.releasedBefore;
            packet.releasedBefore = null;
            release(packet);
            packet = before;
        }
    }

    int count() {
        return maximum - available.availablePermits();
    }
}
