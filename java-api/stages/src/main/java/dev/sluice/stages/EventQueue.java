package dev.sluice.stages;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.List;

/**
 * The incoming queue of a stage, as producers see it: the paper's finite event queue. It has a fixed capacity, and a
 * threshold at or below it, which controllers adjust. Whether an event is accepted is decided in the caller's thread,
 * before the call returns: first by the space below the threshold, then by the stage's {@link Admission}s.
 *
 * <p>May be used by any number of threads at once. Only {@link #enqueue(Object, Duration)} waits or takes a lock, and
 * only {@link #prepare} and {@link #prepareAll} allocate. If the stage is direct, an accepted event is handled before
 * the method returns, unless another thread has taken it together with its own, or is in an exclusive handler: then
 * that thread handles it. If the stack overflows, a call either throws {@link StackOverflowError} and has changed
 * nothing, or returns its outcome. In the second case another thread may have to continue the work: the next one that
 * enqueues, or the thread of the graph about a tenth of a second later.
 *
 * @param <E> the type of the events
 */
public interface EventQueue<E> {

    /**
     * Puts an event into the queue.
     *
     * @param event the event
     * @return the outcome
     * @throws NullPointerException if it is null
     */
    EnqueueResult enqueue(E event);

    /**
     * Puts several events into the queue, or none of them. They stay together and in order. The list is read once,
     * before anything else: its exceptions are thrown, and then none of the events is in the queue.
     *
     * @param events the events; the list is not retained. An empty list is accepted.
     * @return the outcome for all of them; always {@link EnqueueResult#FULL} if there are more events than the
     *         threshold
     * @throws NullPointerException if the list or one of them is null; then none of them is in the queue
     */
    EnqueueResult enqueueAll(List<? extends E> events);

    /**
     * Inserts an event, waiting for space if the queue is full: backpressure. Waiting threads are served in no
     * particular order. Does not wait if an admission rejects the event. A handler must not wait for space in the queue
     * of its own stage, or of a stage that depends on it: no space may become available before the timeout.
     *
     * @param event   the event
     * @param timeout maximum time to wait; zero for one attempt; more than 100 years counts as forever
     * @return the outcome; {@link EnqueueResult#FULL} if the timeout elapsed
     * @throws InterruptedException     if the thread is interrupted while it waits; the event is not in the queue
     * @throws NullPointerException     if the event or the timeout is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if the call would have to wait in a hook that an event loop has called, which
     *                                  would delay all other handlers of the loop
     */
    @CheckReturnValue
    EnqueueResult enqueue(E event, Duration timeout) throws InterruptedException;

    /**
     * Reserves a place for an event: the first of two phases, by which a caller can enqueue on several queues or on
     * none.
     *
     * @param event the event
     * @return the reservation, whose outcome says whether it was made; the caller closes it
     * @throws NullPointerException if it is null
     */
    @CheckReturnValue
    Reservation<E> prepare(E event);

    /**
     * Reserves places for several events, or for none of them.
     *
     * @param events the events, which are copied
     * @return the reservation, whose outcome says whether it was made; the caller closes it
     * @throws NullPointerException if the list or one of them is null
     */
    @CheckReturnValue
    Reservation<E> prepareAll(List<? extends E> events);

    /**
     * Registers a listener that is called once when the queue is half empty again, that is, when at most half of the
     * threshold is in use, or when it is closed. The listener may be called before this method returns, and by any
     * thread. If several listeners are registered, as many are called as there is space for, in the order of their
     * registration; if the queue is empty or closed, all of them are called.
     *
     * @param listener the listener; registering it again before the call changes nothing
     * @return true if it will be called; false if it is still registered with another queue
     * @throws NullPointerException if it is null
     */
    boolean notifyWhenHalfEmpty(SpaceListener listener);

    /**
     * Announces an event that comes from work outside of the graph's stages, such as a call that another thread makes.
     * Until {@link #workFinished()} has been called as often, the stage does not count as idle: {@link
     * StageGraph#drain} and {@link StageGraph#stop} wait for the work, within their deadlines. This reserves no place
     * in the queue. May also be called on a closed queue.
     */
    void workStarted();

    /**
     * Ends work announced by {@link #workStarted()}. May be called by any thread, after it has enqueued the event, or
     * if there will be no event.
     *
     * @throws IllegalStateException if no work has been announced
     */
    void workFinished();

    /**
     * {@return whether a listener is registered} A caller should then wait as well, even if there is space: a queue
     * that is filled again immediately never becomes half empty.
     */
    boolean hasWaiters();

    /** {@return whether the queue accepts no more events from this producer} */
    boolean isClosed();

    /** {@return the number of places in use now, by pending events or reservations} */
    int length();

    /** {@return the number of places that may be in use} */
    int threshold();
}
