package dev.sluice.reactor;

import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A batch for each thread that runs the loop. It is empty again before its handle is dispatched, so a hook that runs
 * the loop waits with the same one.
 */
final class SharedReadyBatches implements ReadyBatches {

    /**
     * The most handles that a thread takes at once. What it takes waits for its earlier hooks, however many threads are
     * idle; and a waiter with room for more than one could not tell whether it has used up a wake-up.
     */
    private static final int CAPACITY = 1;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final ThreadLocal<ReadyHandles> batches = new ThreadLocal<>();
    /** Those of threads that have left. */
    private final Queue<ReadyHandles> free = new ConcurrentLinkedQueue<>();

    SharedReadyBatches(SynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        ReadyHandles batch = batches.get();
        return demultiplexer.awaitReady(batch == null ? begin() : batch, timeoutNanos);
    }

    /** The calling thread has entered the loop. */
    private ReadyHandles begin() {
        ReadyHandles left = free.poll();
        ReadyHandles batch = left == null ? demultiplexer.newReadyHandles(CAPACITY) : left;
        try {
            batches.set(batch);
        } catch (Throwable e) {
            batch.close();
            throw e;
        }
        return batch;
    }

    @Override
    public int dispatch() {
        ReadyHandles batch = batches.get();
        if (batch == null || batch.size() == 0) {
            return 0;
        }
        SharedEntry entry = entry(batch);
        int events = batch.events(0);
        batch.clear();
        return entry.dispatch(events);
    }

    private static SharedEntry entry(ReadyHandles batch) {
        return (SharedEntry) batch.registration(0).attachment();
    }

    @Override
    public void leave() {
        ReadyHandles batch = batches.get();
        if (batch != null) {
            batches.remove();
            // A failure has thrown the thread out of the loop before it could dispatch.
            SharedEntry undispatched = batch.size() == 0 ? null : entry(batch);
            try {
                keep(batch);
            } finally {
                if (undispatched != null) {
                    undispatched.giveBack();
                }
            }
        }
    }

    private void keep(ReadyHandles batch) {
        batch.clear();
        try {
            free.add(batch);
        } catch (Throwable e) {
            batch.close();
            throw e;
        }
    }

    @Override
    public void close() {
        leave();
        free.forEach(ReadyHandles::close);
    }
}
