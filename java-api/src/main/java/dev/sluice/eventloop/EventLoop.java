package dev.sluice.eventloop;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, dispatches what there is, and again: what a {@link dev.sluice.reactor.Reactor} and a
 * {@link dev.sluice.proactor.Proactor} have in common, with timers, signals and tasks.
 *
 * <p>One thread runs the event loop, by {@link #run()} or by calling {@link #handleEvents(Duration)} itself; it is the
 * loop thread, and it should be a platform thread, because it blocks in the kernel. All hooks are called by it. Every
 * method may be called from any thread; what another than the loop thread changes is queued and done by the loop
 * thread, in order.
 */
public abstract class EventLoop implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final TimerQueue timers;
    private final SignalTable signals = new SignalTable();
    private final TaskQueue tasks = new TaskQueue();

    /** Who runs the loop, or did last; null until somebody does. Changed under the lock. */
    private volatile Thread loopThread;
    private final Object lock = new Object();
    /** The thread inside {@link #handleEvents} or {@link #run}. */
    private final AtomicReference<Thread> inside = new AtomicReference<>();
    /** Whether the loop thread may be in a wait that an addition to the queue has to end. */
    private volatile boolean waiting;
    private volatile boolean stopRequested;
    private volatile boolean closeRequested;
    /** Set when the queue is emptied for the last time. */
    private volatile boolean queueEnded;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** How many calls of {@link #handleEvents} are on the loop thread's stack. */
    private int depth;

    /**
     * For subclasses.
     *
     * @param timers the strategy for its timers, empty
     */
    protected EventLoop(TimerQueue timers) {
        this.timers = Objects.requireNonNull(timers, "timers");
    }

    // What it waits for and dispatches, by the loop thread

    /**
     * Waits until there is something to dispatch, the time is over, or {@link #wakeUp()} is called.
     *
     * @param timeoutNanos in nanoseconds; negative for ever
     * @throws IOException if the system call fails
     */
    protected abstract void await(long timeoutNanos) throws IOException;

    /**
     * Dispatches what the last wait brought and nobody has dispatched yet. A hook may run the loop, which calls this
     * again.
     *
     * @return how many hooks were called
     */
    protected abstract int dispatchAwaited();

    /** {@return whether another thread may become the loop thread when the one before has left the loop} */
    protected boolean canMove() {
        return true;
    }

    /**
     * Checks, before anything is ended, that the caller can do it.
     *
     * @throws IllegalStateException if only the loop thread can, which is somewhere else
     */
    protected void requireCanEnd() {
    }

    /** Ends what is registered or in flight, telling its handlers. Called once. */
    protected abstract void endAll();

    /** Closes what it waits with. Called once, after {@link #endAll()}. */
    protected abstract void dispose();

    /**
     * A hook of a timer or signal handler threw.
     *
     * @param handler whose
     * @param cause   what was thrown
     */
    protected abstract void failed(Object handler, Exception cause);

    /** Ends a wait: one that is going on, or else the next one. */
    public abstract void wakeUp();

    // Whose thread

    /** Something that only the loop thread may do, once there is one. */
    @FunctionalInterface
    protected interface LoopAction {

        /**
         * Does it.
         *
         * @throws IOException whatever goes wrong
         */
        void perform() throws IOException;
    }

    /** {@return whether the caller is the loop thread} */
    public final boolean inLoop() {
        return loopThread == Thread.currentThread();
    }

    /** {@return whether the caller is inside the loop, so that nobody else can become the loop thread now} */
    protected final boolean isInside() {
        return inside.get() == Thread.currentThread();
    }

    private boolean mayPerform() {
        Thread owner = loopThread;
        return owner == null || owner == Thread.currentThread();
    }

    /**
     * Does something at once, if the caller may: the loop thread, or any thread while nobody has run the loop yet.
     *
     * @param action what
     * @return whether it was done
     * @throws IOException what the action threw
     */
    protected final boolean perform(LoopAction action) throws IOException {
        if (isInside()) {
            action.perform();
            return true;
        }
        if (mayPerform()) {
            // Locked, because another thread may begin to run the loop at this moment.
            synchronized (lock) {
                if (mayPerform()) {
                    action.perform();
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Does something at once, if the caller may, or else lets the loop thread do it.
     *
     * @param action what
     */
    protected final void performOrEnqueue(Runnable action) {
        try {
            if (!perform(action::run)) {
                enqueue(action);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Lets the loop thread do something.
     *
     * @param task what
     * @return whether it will; false after the end, when there is nothing left that it could change
     */
    protected final boolean enqueue(Runnable task) {
        tasks.add(task);
        // The loop announces its wait before it looks at the queue for the last time, so one of the two sees the other.
        if (waiting) {
            wakeUp();
        }
        return !queueEnded || !tasks.remove(task);
    }

    // Timers, signals, tasks

    /**
     * Schedules a timer that fires once.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called
     * @param token   handed to it, and to whoever cancels the timer; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, to cancel it by
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, Object token, Duration delay) {
        return schedule(handler, token, Nanoseconds.of("delay", delay), Timer.ONCE);
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
        long nanos = Nanoseconds.of("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return schedule(handler, token, Nanoseconds.of("delay", delay), nanos);
    }

    private Timer schedule(TimeoutHandler handler, Object token, long delay, long period) {
        requireOpen();
        Timer timer = new Timer(handler, token, System.nanoTime() + delay, period);
        performOrEnqueue(() -> {
            if (timer.isPending()) {
                timers.add(timer);
            }
        });
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
        performOrEnqueue(() -> timers.remove(timer));
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
        return Nanoseconds.of(name, duration);
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
     * Has a task run by the loop thread, after the tasks given before.
     *
     * @param task must not block; what it throws is logged
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
        return handleEvents(TimerQueue.NEVER);
    }

    /**
     * Waits until something can be dispatched or the time is over, and dispatches all of it: ready handles or
     * completions, expired timers, signals, tasks. A handler may call this as well.
     *
     * @param timeout the longest to wait; zero dispatches what is there; longer than 100 years has no end
     * @return how many hooks and tasks were called; 0 if the time was over, or the wait was ended by {@link #wakeUp()}
     *         or for a timer that has been cancelled
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if another thread is running the loop, or it belongs to one, or it is closed
     * @throws IOException              if the system call fails
     */
    public final int handleEvents(Duration timeout) throws IOException {
        return handleEvents(Nanoseconds.of("timeout", timeout));
    }

    /**
     * Dispatches events until {@link #stop()} or {@link #close()} is called. If {@link #stop()} was called before,
     * since the last run, returns at once.
     *
     * @throws IllegalStateException if another thread is running the loop, or it belongs to one, or it is closed
     * @throws IOException           if the system call fails
     */
    public final void run() throws IOException {
        enter();
        try {
            while (!stopRequested && !closeRequested) {
                iterate(TimerQueue.NEVER);
            }
            stopRequested = false;
        } finally {
            leave();
        }
    }

    /** Makes {@link #run()} return after the events at hand. */
    public final void stop() {
        stopRequested = true;
        wakeUp();
    }

    private int handleEvents(long nanos) throws IOException {
        enter();
        try {
            return iterate(nanos);
        } finally {
            leave();
        }
    }

    private void enter() {
        requireOpen();
        Thread current = Thread.currentThread();
        if (inside.get() != current) {
            if (!inside.compareAndSet(null, current)) {
                throw new IllegalStateException("the event loop is run by " + inside.get() + " already");
            }
            if (closed.getCount() == 0) {
                // Closed by another thread since the first look.
                inside.set(null);
                throw closedException();
            }
            if (loopThread != null && loopThread != current && !canMove()) {
                inside.set(null);
                throw new IllegalStateException(this + " belongs to " + loopThread);
            }
            belongTo(current);
        }
        depth++;
    }

    private void belongTo(Thread thread) {
        if (loopThread != thread) {
            synchronized (lock) {
                loopThread = thread;
            }
        }
    }

    private void leave() {
        depth--;
        if (depth == 0) {
            try {
                if (closeRequested) {
                    shutDown();
                }
            } finally {
                inside.set(null);
                if (closeRequested) {
                    shutDownIfIdle();
                }
            }
        }
    }

    private int iterate(long timeoutNanos) throws IOException {
        int count = dispatchAwaited();
        if (count > 0) {
            // Inside a handler: there was something left that the outer level had not come to.
            return count;
        }
        waiting = true;
        try {
            await(waitTime(timeoutNanos));
        } finally {
            waiting = false;
        }
        count = dispatchAwaited();
        count += expireTimers();
        return count + runTasks();
    }

    private long waitTime(long timeoutNanos) {
        if (!tasks.isEmpty() || closeRequested) {
            return 0;
        }
        long wait = timeoutNanos;
        if (!timers.isEmpty()) {
            wait = Math.min(wait, timers.earliest(System.nanoTime()));
        }
        return wait == TimerQueue.NEVER ? SynchronousEventDemultiplexer.FOREVER : wait;
    }

    private int expireTimers() {
        if (timers.isEmpty()) {
            return 0;
        }
        int count = 0;
        long now = System.nanoTime();
        for (Timer timer = timers.poll(now); timer != null; timer = timers.poll(now)) {
            try {
                if (timer.fire()) {
                    count++;
                }
            } catch (Exception e) {
                failed(timer.handler(), e);
            }
            if (timer.repeat(now)) {
                timers.add(timer);
            }
        }
        return count;
    }

    private int runTasks() {
        int count = 0;
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            count++;
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task failed: {}", task, e);
            }
        }
        return count;
    }

    // The end

    /**
     * Ends everything in order: runs the tasks that are queued, ends what is registered or in flight and tells its
     * handlers, drops the timers and signal handlers, and closes the demultiplexer. If another thread runs the loop it
     * does this work, and the call waits for it; from inside a hook it is done when the hooks have returned. Closing
     * again does nothing.
     *
     * @throws IllegalStateException if operations are in flight that only the loop thread can end, and it lives but is
     *                               outside of the loop
     */
    @Override
    public final void close() {
        closeRequested = true;
        if (inside.get() == Thread.currentThread()) {
            return;
        }
        shutDownIfIdle();
        wakeUp();
        boolean interrupted = false;
        while (closed.getCount() > 0) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void shutDownIfIdle() {
        Thread current = Thread.currentThread();
        if (closed.getCount() > 0 && inside.compareAndSet(null, current)) {
            Thread before = loopThread;
            belongTo(current);
            try {
                shutDown();
            } finally {
                if (closed.getCount() > 0) {
                    // It was not this thread's to close.
                    belongTo(before);
                }
                inside.set(null);
            }
        }
    }

    private void shutDown() {
        if (closed.getCount() == 0) {
            return;
        }
        requireCanEnd();
        try {
            signals.end();
            queueEnded = true;
            while (!tasks.isEmpty()) {
                runTasks();
            }
            endAll();
        } finally {
            dispose();
            closed.countDown();
        }
    }

    /**
     * Throws if it is not open any more.
     *
     * @throws IllegalStateException if it is closed
     */
    protected final void requireOpen() {
        if (closed.getCount() == 0) {
            throw closedException();
        }
    }

    /** {@return what to throw when it is too late} */
    protected final IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }
}
