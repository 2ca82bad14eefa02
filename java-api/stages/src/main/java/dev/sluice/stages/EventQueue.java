package dev.sluice.stages;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.List;

/**
 * The queue in front of a stage: the paper's finite event queue, as producers see it. It has a fixed capacity, and a
 * threshold at or below it, which controllers move. Whether an event is accepted is decided in the caller's thread,
 * before the call returns: first by the space below the threshold, then by the stage's {@link Admission}s.
 *
 * <p>May be used by any number of threads at once. Apart from {@link #enqueue(Object, Duration)} no method waits, takes
 * a lock, or, apart from preparing, allocates. If the stage is a direct one, an accepted event is handled before the
 * method returns, unless another thread has taken it along with its own, or is inside a handler that asks for one
 * thread at a time: then that one handles it. If the stack is full, a call throws {@link StackOverflowError} and has
 * changed nothing, or it returns what it has done. In the second case another thread may have to continue it: the
 * next one that enqueues, or the graph's own, about a tenth of a second later.
 *
 * @param <E> the events
 */
public interface EventQueue<E> {

    /**
     * Puts an event into the queue.
     *
     * @param event the event
     * @return the outcome
     * @throws NullPointerException if it is null
     */
    Outcome enqueue(E event);

    /**
     * Puts several events into the queue, or none of them. They stay together and in order. The list is read once,
     * before anything else: what it throws comes through, and then none of them is in the queue.
     *
     * @param events not kept. If there is none, they are accepted.
     * @return the outcome for all of them; always {@link Outcome#FULL} if they are more than the threshold
     * @throws NullPointerException if the list or one of them is null; then none of them is in the queue
     */
    Outcome enqueueAll(List<? extends E> events);

    /**
     * Inserts an event, waiting for space if the queue is full: backpressure. Waiting threads are served in no
     * particular order. Does not wait if an admission refuses the event. A handler must not wait for space in the queue
     * of its own stage, or of a stage that depends on it: no space may become available before the timeout.
     *
     * @param event   the event
     * @param timeout maximum time to wait; zero for one attempt; more than 100 years counts as forever
     * @return the outcome; {@link Outcome#FULL} if the timeout elapsed
     * @throws InterruptedException     if the thread is interrupted while it waits; the event is not in the queue
     * @throws NullPointerException     if the event or the timeout is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if the call would have to wait in a hook that an event loop has called, which
     *                                  would delay all other handlers of the loop
     */
    @CheckReturnValue
    Outcome enqueue(E event, Duration timeout) throws InterruptedException;

    /**
     * Reserves a place for an event, as the first of two phases. So a caller can enqueue on several queues, or none.
     *
     * @param event the event
     * @return the reservation, or why there is none; the caller closes it
     * @throws NullPointerException if it is null
     */
    @CheckReturnValue
    Reservation<E> prepare(E event);

    /**
     * Reserves places for several events, or for none of them.
     *
     * @param events they are copied
     * @return the reservation, or why there is none; the caller closes it
     * @throws NullPointerException if the list or one of them is null
     */
    @CheckReturnValue
    Reservation<E> prepareAll(List<? extends E> events);

    /**
     * Registers a listener that is called once when the queue is half empty again, that is, when at most half of the
     * threshold is in use, or when it is closed. The call may come before this method returns, and in any thread. If
     * several listeners are registered, as many are called as there is space for, in the order of their registration;
     * or all of them if the queue is empty or closed.
     *
     * @param notice the listener; registering it again before the call changes nothing
     * @return true if it will be called; false if it is registered with another queue, which has to call it first
     * @throws NullPointerException if it is null
     */
    boolean notifyWhenHalfEmpty(SpaceListener notice);

    /**
     * Announces an event that comes from work outside of the graph's stages, such as a call that another thread makes.
     * Until {@link #workFinished()} has been called as often, the stage does not count as idle: {@link
     * StageGraph#drain} and {@link StageGraph#stop} wait for the work, within their deadlines. This reserves no place
     * in the queue. A queue that is closed allows it, too.
     */
    void workStarted();

    /**
     * Ends what {@link #workStarted()} has begun. Any thread may call this, after it has put the event into the queue,
     * or when there will be none.
     *
     * @throws IllegalStateException if no work has been announced
     */
    void workFinished();

    /**
     * {@return whether a listener is registered} A caller should then wait as well, even if there is space: a queue
     * that is filled again immediately never becomes half empty.
     */
    boolean hasWaiters();

    /** {@return whether nothing is accepted from here any more} */
    boolean isClosed();

    /** {@return how many places are in use now, by events that wait or by preparations} */
    int length();

    /** {@return how many places may be in use} */
    int threshold();
}
