package dev.sluice.eventloop;

import dev.sluice.deadline.Timeout;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Waits, dispatches what there is, and again: what a {@link dev.sluice.reactor.Reactor} and a
 * {@link dev.sluice.proactor.Proactor} have in common, with timers, signals and tasks.
 *
 * <p>A thread runs the event loop by {@link #run()} or by calling {@link #handleEvents(Duration)} itself; it should be
 * a platform thread, because it blocks in the kernel. {@link LoopThreads} says which threads may. Mostly one thread
 * does: it is the loop thread, all hooks are called by it, and what another thread changes is queued and done by the
 * loop thread, in order. A loop that many threads run at once has no such thread: hooks are called by any of them, also
 * several hooks at the same time, and what anybody changes counts at once. Every method may be called from any thread.
 *
 * <p><b>What ends a loop, and what does not.</b> Whatever a hook, a timer, a signal handler or a task throws costs its
 * handler, as its {@code handleFailure} says, and nobody else: the loop goes on. That holds for every {@link
 * Throwable}, also for errors and for checked exceptions that nobody has declared. An {@link OutOfMemoryError} or a
 * {@link StackOverflowError} mostly comes of one request, and its memory is free again when the hook is left; to end
 * the loop would drop the connections of all the others for it. Where a process should not live on after certain
 * errors, {@code handleFailure} or the virtual machine ({@code -XX:+ExitOnOutOfMemoryError}) can see to that. What ends
 * a loop is a wait that fails, or a failure of the loop itself: {@link #run()} closes it then, as {@link #close()}
 * does, and throws the failure. So nothing can be started on a loop, or be handed to it, that nobody runs any more.
 */
public abstract class EventLoop implements Executor, AutoCloseable {

    private final Loop loop;
    private final SignalTable signals = new SignalTable();

    /**
     * For subclasses.
     *
     * @param timers  the strategy for its timers, empty
     * @param threads which may run it
     */
    @SuppressWarnings("this-escape") // Kept by its loop, and used when somebody runs it.
    protected EventLoop(TimerQueue timers, LoopThreads threads) {
        Objects.requireNonNull(timers, "timers");
        loop = switch (threads) {
            case ONE_AT_A_TIME -> new SoleLoop(this, true, timers);
            case THE_FIRST -> new SoleLoop(this, false, timers);
            case MANY -> new SharedLoop(this, timers);
        };
    }

    // What it waits for and dispatches, by the threads that run it

    /**
     * Waits until there is something to dispatch, the time is over, or {@link #wakeUp()} is called. On a loop that many
     * threads run, what the wait brings is for the calling thread.
     *
     * @param timeoutNanos in nanoseconds; negative for ever
     * @return how much there is to dispatch
     * @throws IOException if the system call fails
     */
    protected abstract int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches what the last wait of the calling thread brought and nobody has dispatched yet. A hook may run the
     * loop, which calls this again.
     *
     * @return how many hooks were called
     */
    protected abstract int dispatchAwaited();

    /** The calling thread has come to the end of its dispatching: only on a loop that many threads run. */
    protected void left() {
    }

    /**
     * Checks, before anything is ended, that the caller can do it. Nobody else is inside the loop.
     *
     * @throws IllegalStateException if only the loop thread can, which is somewhere else
     */
    protected void requireCanEnd() {
    }

    /** Ends what is registered or in flight, telling its handlers. Called once, with nobody else inside the loop. */
    protected abstract void endAll();

    /** Closes what it waits with. Called once, after {@link #endAll()}. */
    protected abstract void dispose();

    /**
     * A hook of a timer or signal handler threw. Must not throw.
     *
     * @param handler whose
     * @param cause   what was thrown
     */
    protected abstract void failed(Object handler, Throwable cause);

    /** Ends a wait: one that is going on, or else the next one. Of many threads that wait it is any one. */
    public abstract void wakeUp();

    // Whose thread

    /** Something that only the loop thread may do, once there is one; without a loop thread, one thread at a time. */
    @FunctionalInterface
    protected interface LoopAction {

        /**
         * Does it.
         *
         * @throws IOException whatever goes wrong
         */
        void perform() throws IOException;
    }

    /**
     * {@return whether the caller is the loop thread, inside of the loop or not; with many threads, whether it is one
     * of those that are inside now}
     */
    public final boolean inLoop() {
        return loop.isLoopThread();
    }

    /**
     * {@return whether the caller is inside the loop; unless many threads may be, nobody else can become the loop
     * thread now}
     */
    protected final boolean isInside() {
        return loop.isInside();
    }

    /**
     * {@return whether nobody but the caller can touch what belongs to the loop thread, or is under the lock of a loop
     * that many threads run; for assertions}
     */
    protected final boolean isConfined() {
        return loop.isConfined();
    }

    /**
     * Does something at once, if the caller may: the loop thread, any thread while nobody has run the loop yet, and any
     * thread on a loop that many run, under a lock.
     *
     * @param action what
     * @return whether it was done
     * @throws IOException what the action threw
     */
    protected final boolean perform(LoopAction action) throws IOException {
        return loop.perform(action);
    }

    /**
     * Does something at once, if the caller may, or else lets the loop thread do it.
     *
     * @param action what
     */
    protected final void performOrEnqueue(Runnable action) {
        loop.performOrEnqueue(action);
    }

    /**
     * Lets the loop thread do something, or one of many.
     *
     * @param task what
     * @return whether it will; false after the end, when there is nothing left that it could change
     */
    protected final boolean enqueue(Runnable task) {
        return loop.enqueue(task);
    }

    // Timers, signals, tasks

    /**
     * Schedules a timer that fires once. On a loop that many threads run it may fire at once, while other hooks are
     * being called.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called
     * @param token   handed to it, and to whoever cancels the timer; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, to cancel it by
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, Object token, Duration delay) {
        return schedule(handler, token, Timeout.nanos("delay", delay), Timer.ONCE);
    }

    /**
     * Schedules a periodic timer. Expiries that the loop could not serve in time are left out, not made up for.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called
     * @param token   handed to it, and to whoever cancels the timer; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, to cancel it by
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, Object token, Duration delay, Duration period) {
        long nanos = Timeout.nanos("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return schedule(handler, token, Timeout.nanos("delay", delay), nanos);
    }

    private Timer schedule(TimeoutHandler handler, Object token, long delay, long period) {
        requireOpen();
        Timer timer = new Timer(handler, token, System.nanoTime() + delay, period);
        loop.add(timer);
        return timer;
    }

    /**
     * Cancels a timer. Once this has returned a token, the timer does not fire again.
     *
     * @param timer from {@link #schedule}
     * @return the timer's token; null also if it has fired, or was cancelled before: {@link Timer#cancel} tells these
     *         apart
     */
    public final Object cancel(Timer timer) {
        if (!timer.cancel()) {
            return null;
        }
        loop.remove(timer);
        return timer.token();
    }

    /**
     * A duration as the event loop counts it.
     *
     * @param name     what it is, for the message
     * @param duration longer than 100 years counts as 100 years
     * @return nanoseconds
     * @throws IllegalArgumentException if it is negative
     */
    protected static long nanoseconds(String name, Duration duration) {
        return Timeout.nanos(name, duration);
    }

    /**
     * Registers a handler for a signal of the operating system. While any handler in the process is registered for it,
     * the signal's default action (such as ending the process) does not take place. Signals that come quickly one after
     * the other may count as one, as they do to the system.
     *
     * @param signal  which
     * @param handler its {@link SignalHandler#handleSignal} is called
     * @throws UnsupportedOperationException if the virtual machine does not give the signal away
     * @throws IllegalStateException         if the loop is closed
     */
    public final void registerSignalHandler(OsSignal signal, SignalHandler handler) {
        requireOpen();
        signals.add(this, signal, handler);
    }

    /**
     * Takes back {@link #registerSignalHandler}. Does nothing if the handler is not registered for the signal.
     *
     * @param signal  which
     * @param handler which
     */
    public final void removeSignalHandler(OsSignal signal, SignalHandler handler) {
        signals.remove(signal, handler);
    }

    /**
     * Has a task run by the loop thread, after the tasks given before. On a loop that many threads run, one of them at
     * a time runs tasks, while the others go on.
     *
     * @param task must not block; what it throws is logged as an error
     * @throws RejectedExecutionException if the loop is closed
     */
    @Override
    public final void execute(Runnable task) {
        if (!enqueue(Objects.requireNonNull(task, "task"))) {
            throw new RejectedExecutionException(closedException().getMessage());
        }
    }

    // The event loop

    /**
     * Waits for events without end, and dispatches them.
     *
     * @return as {@link #handleEvents(Duration)}
     * @throws IOException as {@link #handleEvents(Duration)}
     */
    public final int handleEvents() throws IOException {
        return loop.handleEvents(TimerQueue.NEVER);
    }

    /**
     * Waits until something can be dispatched or the time is over, and dispatches all of it: ready handles or
     * completions, expired timers, signals, tasks. A handler may call this as well. One of many threads gets a part of
     * what there is.
     *
     * <p>If it fails the loop stays as it is: it is for the caller to try again, or to close it.
     *
     * @param timeout the longest to wait; zero dispatches what is there; longer than 100 years has no end
     * @return how many hooks and tasks were called; 0 if the time was over, or the wait was ended by {@link #wakeUp()}
     *         or for a timer that has been cancelled, or to let another thread out
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if another thread is running the loop, or it belongs to one, or it is closed
     * @throws IOException              if the system call fails
     */
    public final int handleEvents(Duration timeout) throws IOException {
        return loop.handleEvents(Timeout.nanos("timeout", timeout));
    }

    /**
     * Dispatches events until {@link #stop()} or {@link #close()} is called. If {@link #stop()} was called before,
     * since the last run, returns at once. Many threads may do so at once, if the loop is made for it.
     *
     * <p>When it fails, the loop is closed: with many threads by the last one inside, and by the outermost run of a
     * thread. What fails while it is being closed is suppressed in what is thrown.
     *
     * @throws IllegalStateException if another thread is running the loop, or it belongs to one, or it is closed; that
     *                               ends nothing
     * @throws IOException           if the system call fails; unchecked exceptions and errors may come of that as well
     */
    public final void run() throws IOException {
        loop.run();
    }

    /**
     * Makes {@link #run()} return after the events at hand. Of many threads all return, from the outermost run of each.
     */
    public final void stop() {
        loop.stop();
    }

    // The end

    /**
     * Ends everything in order: runs the tasks that are queued, ends what is registered or in flight and tells its
     * handlers, drops the timers and signal handlers, and closes the demultiplexer. If other threads run the loop all
     * of them leave it, the last one does this work, and the call waits for it; from inside a hook it is done when the
     * hooks have returned. Closing again does nothing.
     *
     * @throws IllegalStateException if operations are in flight that only the loop thread can end, and it lives but is
     *                               outside of the loop
     */
    @Override
    public final void close() {
        loop.close();
    }

    /** Takes no more signals. */
    final void endSignals() {
        signals.end();
    }

    /** {@return whether it is neither closed nor about to be, by a {@link #close()} or by a failure} */
    public final boolean isOpen() {
        return !loop.isCloseRequested() && !loop.isClosed();
    }

    /**
     * Throws if it is not open any more.
     *
     * @throws IllegalStateException if it is closed
     */
    protected final void requireOpen() {
        loop.requireOpen();
    }

    /** {@return what to throw when it is too late} */
    protected final IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }
}
