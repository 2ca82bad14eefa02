package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Places reserved in a queue, between the two phases of an enqueue. {@link #commit()} puts the events there; {@link
 * #close()} without a commit releases the places. Until then they count as used. Either method may be called by any
 * thread, but by one thread only.
 *
 * <p>A commit is never rejected. If the stage has been stopped before the commit, its events are counted as accepted
 * and as discarded.
 *
 * @param <E> the type of the events
 */
public final class Reservation<E> implements AutoCloseable {

    private static final int REJECTED = 0;
    private static final int PREPARED = 1;
    private static final int COMMITTED = 2;
    private static final int ABORTED = 3;

    @SuppressWarnings("rawtypes") // A class literal has no type arguments.
    private static final AtomicIntegerFieldUpdater<Reservation> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Reservation.class, "state");

    private final Edge<E> edge;
    private final EventCopy events;
    /** The queue in which the places are reserved: the edge may have been moved since. */
    @Nullable StageQueue<E> queue;
    private @Nullable EnqueueResult result;
    /** Written without a call where places are or stay reserved, as there may be no stack for one. */
    private volatile int state = REJECTED;

    /** Creates a reservation of no places yet. */
    Reservation(Edge<E> edge, EventCopy events) {
        this.edge = edge;
        this.events = events;
    }

    /** {@return {@link EnqueueResult#ACCEPTED} if the places are reserved, otherwise the reason why they are not} */
    public EnqueueResult result() {
        assert result != null;
        return result;
    }

    /**
     * Puts the events into the queue.
     *
     * @throws IllegalStateException if this was rejected, committed or closed before
     * @throws StackOverflowError    if the stack is full; then the places are still reserved
     */
    public void commit() {
        ProxyStage<E> recorder = edge.proxy;
        long time = recorder == null ? 0 : recorder.begin();
        if (!STATE.compareAndSet(this, PREPARED, COMMITTED)) {
            throw new IllegalStateException("cannot commit to " + edge + ": " + switch (state) {
                case REJECTED -> "the reservation was rejected: " + result;
                case COMMITTED -> "it has been committed";
                default -> "it has been closed";
            });
        }
        try {
            assert queue != null;
            queue.commit(events.events, events.size, edge.accepted);
        } catch (Throwable e) {
            state = PREPARED;
            throw e;
        }
        if (recorder != null) {
            recorder.record(time, null, events.events, events.size, EnqueueResult.ACCEPTED);
        }
    }

    /**
     * Reserves the places. Called once, after everything else: if there were no memory for this object, nothing could
     * release them.
     */
    void reserve() {
        result = edge.reserve(this, events);
        state = result == EnqueueResult.ACCEPTED ? PREPARED : REJECTED;
    }

    /**
     * Releases the places, unless it has been committed, rejected or closed before.
     *
     * @throws StackOverflowError if the stack is full; then the places are still reserved
     */
    @Override
    public void close() {
        if (STATE.compareAndSet(this, PREPARED, ABORTED)) {
            try {
                assert queue != null;
                queue.abort(events.events, events.size);
            } catch (Throwable e) {
                state = PREPARED;
                throw e;
            }
        }
    }
}
