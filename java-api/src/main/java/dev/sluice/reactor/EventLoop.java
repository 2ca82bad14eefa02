package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, dispatches what there is, and again: the inside of a {@link Reactor}, and what decides whose thread may do
 * what.
 */
final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final int BATCH = 512;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final boolean oneShot;
    private final ReadyHandles ready;
    private final TimerQueue timers;
    private final DemultiplexingTable table;
    private final SignalTable signals = new SignalTable(this);
    private final TaskQueue tasks = new TaskQueue();

    /** Who runs the loop, or did last; null until somebody does. Changed under the lock of this object. */
    private volatile Thread loopThread;
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
    /** What of the batch has been dispatched. */
    private int dispatched;

    EventLoop(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        this.demultiplexer = demultiplexer;
        this.timers = timers;
        this.oneShot = demultiplexer.trigger() == Trigger.ONE_SHOT;
        this.ready = demultiplexer.newReadyHandles(BATCH);
        this.table = new DemultiplexingTable(this, demultiplexer);
    }

    DemultiplexingTable table() {
        return table;
    }

    SignalTable signals() {
        return signals;
    }

    // Whose thread

    /** Something that only the loop thread may do, once there is one. */
    interface LoopAction {
        void perform() throws IOException;
    }

    boolean inLoop() {
        return loopThread == Thread.currentThread();
    }

    /** {@return whether the caller is inside the loop, so that nobody else can become the loop thread now} */
    boolean isInside() {
        return inside.get() == Thread.currentThread();
    }

    private boolean mayPerform() {
        Thread owner = loopThread;
        return owner == null || owner == Thread.currentThread();
    }

    /** {@return whether it was done: by the loop thread, or by any thread while nobody has run the loop yet} */
    boolean perform(LoopAction action) throws IOException {
        if (isInside()) {
            action.perform();
            return true;
        }
        if (mayPerform()) {
            // Locked, because another thread may begin to run the loop at this moment.
            synchronized (this) {
                if (mayPerform()) {
                    action.perform();
                    return true;
                }
            }
        }
        return false;
    }

    void performOrEnqueue(Runnable action) {
        try {
            if (!perform(action::run)) {
                enqueue(action);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return whether the loop thread will run it; false after the end, when there is nothing left that it could
     * change}
     */
    boolean enqueue(Runnable task) {
        tasks.add(task);
        // The loop announces its wait before it looks at the queue for the last time, so one of the two sees the other.
        if (waiting) {
            demultiplexer.wakeUp();
        }
        return !queueEnded || !tasks.remove(task);
    }

    // The loop

    int handleEvents(long nanos) throws IOException {
        enter();
        try {
            return iterate(nanos);
        } finally {
            leave();
        }
    }

    void run() throws IOException {
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

    void stop() {
        stopRequested = true;
        demultiplexer.wakeUp();
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
            if (loopThread != current) {
                synchronized (this) {
                    loopThread = current;
                }
            }
        }
        depth++;
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
        int count = dispatchReady();
        if (count > 0) {
            // Inside a handler: there was something left that the outer level had not come to.
            return count;
        }
        waiting = true;
        try {
            demultiplexer.awaitReady(ready, waitTime(timeoutNanos));
        } finally {
            waiting = false;
            dispatched = 0;
        }
        count = dispatchReady();
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

    private int dispatchReady() {
        int count = 0;
        // Both are fields because a handler may run the loop itself and leave the batch changed, and dispatched.
        while (dispatched < ready.size()) {
            int index = dispatched++;
            // Also if none of its events is wanted any more, because a one-shot handle has to be rearmed.
            count += dispatch((HandlerEntry) ready.registration(index).attachment(), ready.events(index));
        }
        return count;
    }

    private int dispatch(HandlerEntry entry, int events) {
        int count = 0;
        try {
            if ((events & EventType.EXCEPTION) != 0) {
                count++;
                entry.handler.handleException(entry.handle);
            }
            // Output first: it makes room, and frees what input would add to.
            if ((events & EventType.WRITE) != 0 && entry.wants(EventType.WRITE)) {
                count++;
                entry.handler.handleOutput(entry.handle);
            }
            if ((events & EventType.READ) != 0 && entry.wants(EventType.READ)) {
                count++;
                entry.handler.handleInput(entry.handle);
            }
            if (oneShot) {
                entry.registration.rearm();
            }
        } catch (Exception e) {
            table.fail(entry, e);
        }
        return count;
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
                report(timer, e);
            }
            if (timer.repeat(now)) {
                timers.add(timer);
            }
        }
        return count;
    }

    private static void report(Timer timer, Exception cause) {
        if (timer.handler() instanceof EventHandler handler) {
            handler.handleFailure(null, cause);
        } else {
            LOG.error("a timer's handler failed: {}", timer.handler(), cause);
        }
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

    void close() {
        closeRequested = true;
        if (inside.get() == Thread.currentThread()) {
            return;
        }
        shutDownIfIdle();
        demultiplexer.wakeUp();
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
            synchronized (this) {
                loopThread = current;
            }
            try {
                shutDown();
            } finally {
                inside.set(null);
            }
        }
    }

    private void shutDown() {
        if (closed.getCount() == 0) {
            return;
        }
        try {
            signals.end();
            queueEnded = true;
            while (!tasks.isEmpty()) {
                runTasks();
            }
            table.endAll();
        } finally {
            demultiplexer.close();
            ready.close();
            closed.countDown();
        }
    }

    void requireOpen() {
        if (closed.getCount() == 0) {
            throw closedException();
        }
    }

    static IllegalStateException closedException() {
        return new IllegalStateException("the reactor is closed");
    }
}
