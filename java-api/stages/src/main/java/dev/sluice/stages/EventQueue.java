package dev.sluice.stages;

import java.time.Duration;
import java.util.List;

/**
 * Where events are put for a stage: the paper's finite event queue, as those see it who enqueue. It has a capacity,
 * which is fixed, and a threshold at or below it, which controllers move. Whether an event gets in is decided in the
 * caller's thread, at once: first by the room below the threshold, then by the stage's {@link Admission}s.
 *
 * <p>May be used by any number of threads at once. Apart from {@link #enqueue(Object, Duration)} no method waits, takes
 * a lock, or, apart from preparing, allocates. If the stage is a direct one, an accepted event is handled before the
 * method returns, unless another thread has taken it along with its own, or is inside a handler that asks for one
 * thread at a time: then that one handles it. If the stack is full, a call throws {@link StackOverflowError} and has
 * changed nothing, or it returns what it has done. In the second case another thread may have to go on with it: the
 * next one that enqueues, or the graph's own, about a tenth of a second later.
 *
 * @param <E> the events
 */
public interface EventQueue<E> {

    /**
     * Puts an event into the queue.
     *
     * @param event the event
     * @return what became of it
     * @throws NullPointerException if it is null
     */
    Outcome enqueue(E event);

    /**
     * Puts several events into the queue, or none of them. They stay together and in order. The list is read once,
     * before anything else: what it throws comes through, and then none of them is in the queue.
     *
     * @param events not kept. If there is none, they are accepted.
     * @return what became of them all; {@link Outcome#FULL} forever if they are more than the threshold
     * @throws NullPointerException if the list or one of them is null; then none of them is in the queue
     */
    Outcome enqueueAll(List<? extends E> events);

    /**
     * Puts an event into the queue, and waits for room if there is none: backpressure. Those who wait are not served in
     * any order. An event that an admission refuses is not waited for. A handler that waits for room in the queue of
     * its own stage, or of one that cannot go on without it, may wait for itself.
     *
     * @param event    the event
     * @param patience the longest to wait; zero for one attempt; longer than 100 years counts as forever
     * @return what became of it; {@link Outcome#FULL} if the time was over
     * @throws InterruptedException     if the thread is interrupted while it waits; the event is not in the queue
     * @throws NullPointerException     if the event or the patience is null
     * @throws IllegalArgumentException if the patience is negative
     * @throws IllegalStateException    if it would have to wait, and the caller is a hook that an event loop has
     *                                  called: waiting would hold up everybody else on the loop
     */
    Outcome enqueue(E event, Duration patience) throws InterruptedException;

    /**
     * Reserves a place for an event, as the first of two phases. So a caller can enqueue on several queues, or none.
     *
     * @param event the event
     * @return the reservation, or why there is none; the caller closes it
     * @throws NullPointerException if it is null
     */
    Preparation<E> prepare(E event);

    /**
     * Reserves places for several events, or for none of them.
     *
     * @param events they are copied
     * @return the reservation, or why there is none; the caller closes it
     * @throws NullPointerException if the list or one of them is null
     */
    Preparation<E> prepareAll(List<? extends E> events);

    /**
     * Has somebody who was refused told, once, when the queue is half empty again, that is, when at most half of the
     * threshold is in use, or when it is closed. That may be before this method returns, and in any thread. Of several
     * who wait, as many are told as there is room for, those who have waited longest first; or all of them if the queue
     * is empty or closed.
     *
     * @param notice to be called; asking again before that changes nothing
     * @return whether that will happen; false if it waits for another queue, which has to tell it first
     * @throws NullPointerException if it is null
     */
    boolean tellWhenHalfEmpty(RoomNotice notice);

    /**
     * Announces an event that comes from work outside of the graph's stages, such as a call that another thread makes.
     * Until {@link #workFinished()} has been called as often, the stage counts as not at rest: {@link StageGraph#drain}
     * and {@link StageGraph#stop} wait for the work, within their deadlines. This reserves no place in the queue. A
     * queue that is closed allows it, too.
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
     * {@return whether somebody waits to be told of room} Whoever comes later should wait as well, even if there is
     * some: a queue that is filled again at once never becomes half empty.
     */
    boolean isAwaited();

    /** {@return whether nothing is accepted from here any more} */
    boolean isClosed();

    /** {@return how many places are in use now, by events that wait or by preparations} */
    int length();

    /** {@return how many places may be in use} */
    int threshold();
}
