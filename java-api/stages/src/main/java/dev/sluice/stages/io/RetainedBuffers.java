package dev.sluice.stages.io;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The proactor's buffers that all connections together keep for what waits, or lend. May be used by any thread.
 *
 * <p>What other threads give back is collected until the loop comes round. Otherwise each buffer would end the loop's
 * wait, which costs a system call.
 */
final class RetainedBuffers {

    private final EventLoop loop;
    private final int most;
    private final Semaphore left;
    /** The last packet that another thread has given back. Each knows the one before. */
    private final AtomicReference<Packet> givenBack = new AtomicReference<>();
    private final Runnable releasing = this::releaseGivenBack;
    /** Whether the loop may not know of what has been given back, as when memory has run out. */
    private volatile boolean unscheduled;

    /**
     * Makes it without any.
     *
     * @param loop that the buffers belong to
     * @param most how many may be kept
     */
    RetainedBuffers(EventLoop loop, int most) {
        this.loop = loop;
        this.most = most;
        left = new Semaphore(most);
    }

    /** {@return whether the buffer is kept} Otherwise there are as many as there may be. */
    boolean keep(ProvidedBuffer buffer) {
        boolean kept = left.tryAcquire();
        if (kept) {
            buffer.keep();
        }
        return kept;
    }

    /**
     * {@return whether a kept buffer may be lent} The other half is for what waits, since receives end when all are
     * kept, which costs more than to copy.
     */
    boolean mayLend() {
        return count() <= Math.max(1, most / 2);
    }

    void release(ProvidedBuffer buffer) {
        left.release();
        buffer.release();
    }

    /** Nobody needs a packet's buffer any more. Called once for each packet. */
    void giveBack(Packet packet) {
        if (loop.inLoop()) {
            release(packet.lent);
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
            // The loop has ended, and nobody waits for buffers any more.
            releaseGivenBack();
        }
    }

    private void releaseGivenBack() {
        Packet packet = givenBack.getAndSet(null);
        while (packet != null) {
            Packet before = packet.givenBackBefore;
            packet.givenBackBefore = null;
            release(packet.lent);
            packet = before;
        }
    }

    int count() {
        return most - left.availablePermits();
    }
}
