package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's proxy stage (3.3): is placed between two stages and records the events enqueued. It has no queue of its
 * own: producers get the outcome of the stage behind it. Keeps a fixed number of the last events, which are not garbage
 * collected while it keeps them. May be used by any thread, at any time.
 *
 * @param <E> the events
 */
public final class ProxyStage<E> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyStage.class);

    private final Edge<E> edge;
    private final AtomicReferenceArray<EventRecord<E>> kept;
    private final AtomicLong count = new AtomicLong();

    /**
     * A record of one enqueued event.
     *
     * @param time   when it was enqueued, by {@link System#nanoTime()}
     * @param event  the event
     * @param result the result of enqueueing it
     * @param <E>    the events
     */
    public record EventRecord<E>(long time, E event, EnqueueResult result) {
    }

    ProxyStage(Edge<E> edge, int capacity) {
        this.edge = edge;
        kept = new AtomicReferenceArray<>(capacity);
    }

    /**
     * Called before an event is enqueued.
     *
     * @return the time, by {@link System#nanoTime()}
     */
    long begin() {
        // If the stack ran out after the enqueue, its outcome would be lost.
        StackReserve.requireForCall();
        return System.nanoTime();
    }

    /**
     * Records events: one, or several from the first element of an array on. The caller gets the outcome even if there
     * is no memory for its record.
     */
    @SuppressWarnings("unchecked") // Only events are put there.
    void record(long time, @Nullable E one, Object @Nullable [] several, int number, EnqueueResult result) {
        try {
            for (int i = 0; i < number; i++) {
                E event = several == null ? one : (E) several[i];
                assert event != null;
                EventRecord<E> entry = new EventRecord<>(time, event, result);
                kept.set((int) (count.getAndIncrement() % kept.length()), entry);
            }
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, this, "the record of an event", e);
        }
    }

    /** {@return the number of events enqueued, with any outcome} */
    public long count() {
        return count.get();
    }

    /** {@return the records of the last events, the oldest first} */
    public List<EventRecord<E>> records() {
        long end = count.get();
        List<EventRecord<E>> last = new ArrayList<>();
        for (long i = Math.max(0, end - kept.length()); i < end; i++) {
            EventRecord<E> entry = kept.get((int) (i % kept.length()));
            if (entry != null) {
                last.add(entry);
            }
        }
        return last;
    }

    /** Removes the proxy from the edge. Its records remain available. */
    @Override
    public void close() {
        if (edge.proxy == this) {
            edge.proxy = null;
        }
    }

    /** {@return for example {@code proxy of parse -> cache}} */
    @Override
    public String toString() {
        return "proxy of " + edge;
    }
}
