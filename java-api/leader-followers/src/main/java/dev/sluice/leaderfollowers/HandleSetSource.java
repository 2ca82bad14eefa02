package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.dispatch.CloseTiming;
import dev.sluice.dispatch.FailedHook;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.dispatch.PendingWork;
import dev.sluice.dispatch.Timers;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A handle set that threads share, and the handlers of its handles: the paper's addition to a Reactor (implementation
 * activity 2). The handlers are those of a {@link dev.sluice.reactor.Reactor}, unchanged:
 * <ul>
 * <li>The hooks of one handle are called one at a time, though by different threads. While a hook runs, its
 *     handle is deactivated on an iterative set, and not rearmed on a concurrent one.
 * <li>A handler may declare its handle {@linkplain EventHandler#isConcurrent() concurrent}, such as a datagram socket.
 * Then the handle stays in the set, and its hooks are called concurrently, by as many threads as there are events; see
 * {@link #register(Handle, Interest, EventHandler, Promotion)}.
 * <li>A hook may block; only its own thread is busy then.
 * <li>When a hook throws an exception or an error, or the system refuses a change, the registration ends, with {@link
 *     EventHandler#handleFailure} and {@link EventHandler#handleClose}. The latter is called exactly once for each
 *     registration, after any running hook has returned, by the thread that ran that hook, or else by the thread that
 *     ends the registration or closes the handle.
 * <li>Timers, signals and tasks are served by the threads that wait on the handle set: the leader's wait ends with the
 *     next expiry, so that they need neither a thread nor a source of their own. Different timers may be dispatched
 *     concurrently. One timer is dispatched by one thread at a time, and so is one signal to one handler.
 * </ul>
 */
public final class HandleSetSource implements EventSource, Dispatcher {

    private static final int BATCH = 256;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final HandleSetKind kind;
    private final PendingWork work;
    private final HandlerTable table;
    private final CloseSteps closing;

    /**
     * Creates a source of a handle set, to be used as a set of the given kind.
     *
     * @param demultiplexer an empty handle set; the source owns it from now on
     * @param kind iterative to have a leader even on a concurrent set
     * @throws IllegalArgumentException if an iterative set is to be used as a concurrent one
     */
    HandleSetSource(SynchronousEventDemultiplexer demultiplexer, HandleSetKind kind) {
        if (kind == HandleSetKind.CONCURRENT && demultiplexer.handleSetKind() == HandleSetKind.ITERATIVE) {
            throw new IllegalArgumentException(demultiplexer.name()
                    + " is an iterative handle set and cannot be used by several threads");
        }
        this.demultiplexer = demultiplexer;
        this.kind = Objects.requireNonNull(kind, "kind");
        this.work = new PendingWork(TimerQueue.heap(), System::nanoTime, true, demultiplexer::wakeUp,
                HandleSetSource::failed);
        this.table = new HandlerTable(this, demultiplexer, CloseTiming.AFTER_HOOKS, null, null);
        this.closing = new CloseSteps(work::end, table::close, demultiplexer::close);
    }

    /**
     * Opens a source on a demultiplexer by name, iterative or concurrent as the demultiplexer is. The choice of {@value
     * Mechanism#AUTO}, see {@link Mechanism#chooseForLeaderFollowers}, has a leader: to let all threads wait, name a
     * concurrent demultiplexer.
     *
     * @param demultiplexer a name as for {@link Mechanism#chooseForLeaderFollowers}
     * @return the source; it belongs to the pool that is made of it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
     */
    public static HandleSetSource open(String demultiplexer) throws IOException {
        boolean chosen = demultiplexer.equals(Mechanism.AUTO)
                && Mechanism.forcedBy(Mode.SYNCHRONOUS).isEmpty();
        Mechanism mechanism = Mechanism.chooseForLeaderFollowers(demultiplexer);
        return open(mechanism, !chosen && mechanism.isConcurrent());
    }

    /**
     * Opens a source on a demultiplexer by name, to be used as an iterative or as a concurrent set.
     *
     * @param demultiplexer a name as for {@link Mechanism#chooseForLeaderFollowers}
     * @param concurrent    whether all threads wait at once; false to have a leader even for a concurrent set
     * @return the source; it belongs to the pool that is made of it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name, or it is an iterative handle
     *                                  set and is to be used as a concurrent one
     * @throws IOException              if the system refuses
     */
    public static HandleSetSource open(String demultiplexer, boolean concurrent) throws IOException {
        return open(Mechanism.chooseForLeaderFollowers(demultiplexer), concurrent);
    }

    /**
     * Opens a source on a demultiplexer, to be used as an iterative or as a concurrent set.
     *
     * @param mechanism  to wait with, of mode {@link Mode#SYNCHRONOUS}
     * @param concurrent whether all threads wait at once; false to have a leader even for a concurrent set
     * @return the source; it belongs to the pool that is made of it
     * @throws UnsupportedOperationException if the mechanism is not synchronous, or not available here
     * @throws IllegalArgumentException      if an iterative set is to be used as a concurrent one
     * @throws IOException                   if the system refuses
     */
    public static HandleSetSource open(Mechanism mechanism, boolean concurrent) throws IOException {
        SynchronousEventDemultiplexer opened = DemultiplexerFactory.of(mechanism).openSynchronous();
        try {
            return new HandleSetSource(opened, concurrent ? HandleSetKind.CONCURRENT : HandleSetKind.ITERATIVE);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /** {@return the name of what it waits with, such as {@code epoll}} */
    public String demultiplexer() {
        return demultiplexer.name();
    }

    @Override
    public boolean isConcurrent() {
        return kind == HandleSetKind.CONCURRENT;
    }

    @Override
    public Registration register(Handle handle, Interest interest, EventHandler handler) throws IOException {
        return register(handle, interest, handler, Promotion.BEFORE_DISPATCH);
    }

    /**
     * Registers a handle with its handler, as {@link #register(Handle, Interest, EventHandler)} does with
     * {@link Promotion#BEFORE_DISPATCH}.
     *
     * <p>A {@linkplain EventHandler#isConcurrent() concurrent} handle can be detected again from the moment that a new
     * leader is promoted, on a concurrent set as well, where no thread leads: there the handle is rearmed at that
     * moment. With {@link Promotion#BEFORE_DISPATCH} that is before the hook has received anything, so a handle with a
     * single datagram keeps several threads busy, and all but one find nothing. A hook that first receives and then
     * promotes, with {@link Promotion#BY_HANDLER}, wakes a thread only if there is more to receive.
     *
     * @param handle    the handle
     * @param interest  the events that its hooks are called for; {@link Interest#NONE} registers it for later
     * @param handler   called from now on, or if a hook of an earlier registration of the handle is still running, once
     *                  that one's {@link EventHandler#handleClose} has been called
     * @param promotion whether the pool or the handler promotes a new leader; also applies after the handle was handed
     *                  over
     * @return the registration
     * @throws IllegalStateException if the handle is registered already, or this is closed
     * @throws IOException           if the handle is closed, or the mechanism cannot take it
     */
    public Registration register(Handle handle, Interest interest, EventHandler handler, Promotion promotion)
            throws IOException {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(interest, "interest");
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(promotion, "promotion");
        StackReserve.requireForCall();
        PoolHandlerEntry entry = new PoolHandlerEntry(table, handle, handler, interest, promotion);
        table.register(entry);
        return entry;
    }

    @Override
    public HandlerTable handlerTable() {
        return table;
    }

    @Override
    public Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay) {
        StackReserve.requireForCall();
        return add(handler, token, delay, Timer.ONCE);
    }

    @Override
    public Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period) {
        StackReserve.requireForCall();
        return add(handler, token, delay, Timers.period(period));
    }

    private Timer add(TimeoutHandler handler, @Nullable Object token, Duration delay, long period) {
        Timer timer = new SourceTimer(handler, token, System.nanoTime() + Timeout.nanos("delay", delay), period);
        if (work.hasEnded()) {
            throw closedException("schedule");
        }
        work.add(timer);
        return timer;
    }

    private IllegalStateException closedException(String method) {
        return new IllegalStateException(method + ": " + this + " is closed; open another one");
    }

    /** A timer of this source. */
    private final class SourceTimer extends Timer {

        SourceTimer(TimeoutHandler handler, @Nullable Object token, long deadline, long period) {
            super(handler, token, deadline, period);
        }

        @Override
        protected void startIn(long delayNanos) {
            if (work.hasEnded()) {
                throw closedException("start");
            }
            work.start(this, System.nanoTime() + delayNanos);
        }

        @Override
        protected void cancelled() {
            work.remove(this);
        }
    }

    /**
     * Runs a task for each signal of the operating system that the process receives, as {@link
     * dev.sluice.eventloop.EventLoop#onSignal} does: while the process has such a task, the signal's default action
     * does not take place. Signals that arrive while the task runs are dispatched once, afterwards.
     *
     * @param signal the signal
     * @param task run by any thread that waits; exceptions are logged
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     * @throws IllegalStateException         if this is closed
     */
    public void onSignal(OsSignal signal, Runnable task) {
        Objects.requireNonNull(signal, "signal");
        if (!work.add(signal, Objects.requireNonNull(task, "task"))) {
            throw closedException("onSignal");
        }
    }

    /**
     * Removes all tasks for a signal; one that is running is not affected.
     *
     * @param signal the signal
     */
    public void removeSignal(OsSignal signal) {
        work.remove(Objects.requireNonNull(signal, "signal"));
    }

    @Override
    public void execute(Runnable task) {
        StackReserve.requireForCall();
        if (!work.execute(Objects.requireNonNull(task, "task"))) {
            throw new RejectedExecutionException(closedException("execute").getMessage());
        }
    }

    /** {@return whether this source is open} The pool closes it when no thread waits any longer. */
    @Override
    public boolean isOpen() {
        return !work.hasEnded();
    }

    @Override
    public void recordTo(DispatchTrace trace) {
        table.recordTo(trace);
        work.recordTo(trace);
    }

    @Override
    public Waiter newWaiter() {
        // If no other thread can take the events that a waiter leaves, it takes one event at a time.
        return new HandleSetWaiter(kind == HandleSetKind.CONCURRENT ? 1 : BATCH);
    }

    /**
     * Hands out the handles of one wait one at a time, to the leader and then to the leaders after it; afterwards the
     * timers, signals and tasks of that wait.
     */
    private final class HandleSetWaiter implements Waiter {

        private final ReadyBatch ready;
        private final OutOfMemoryRetry shortage = new OutOfMemoryRetry();
        /** The time by which timers count as due until the next wait, so that timers do not delay everything else. */
        private long now = System.nanoTime();
        /** The last task that is run before the next wait, for the same reason. */
        private long lastTask;

        HandleSetWaiter(int capacity) {
            ready = demultiplexer.newReadyBatch(capacity);
        }

        @Override
        public @Nullable PendingEvent await(long timeoutNanos) throws IOException {
            PendingEvent event = nextEvent();
            // On a concurrent set, a wait without handles may have consumed a wake-up that the pool has to forward
            // first.
            if (event == null && (waitForHandles(timeoutNanos) > 0 || kind == HandleSetKind.ITERATIVE)) {
                event = nextEvent();
            }
            if (event != null && kind == HandleSetKind.CONCURRENT) {
                work.handOverOrLog();
            }
            return event;
        }

        private int waitForHandles(long timeoutNanos) throws IOException {
            // Not left to the wait: if that fails, nothing may be dispatched a second time.
            ready.clear();
            try {
                int count = awaitReady(timeoutNanos);
                shortage.end();
                return count;
            } catch (OutOfMemoryError e) {
                shortage.pauseBeforeRetry(e);
                return 0;
            }
        }

        private int awaitReady(long timeoutNanos) throws IOException {
            work.beginWait();
            try {
                return demultiplexer.awaitReady(ready, work.waitTime(timeoutNanos));
            } finally {
                work.endWait();
                if (work.hasTimers()) {
                    now = System.nanoTime();
                }
                lastTask = work.added();
            }
        }

        private @Nullable PendingEvent nextEvent() {
            for (int index = ready.take(); index != ReadyBatch.NONE; index = ready.take()) {
                PoolHandlerEntry entry = (PoolHandlerEntry) ready.membership(index).attachment();
                PendingEvent event = entry.claim(ready.events(index));
                if (event != null) {
                    return event;
                }
            }
            return nextDue();
        }

        private @Nullable PendingEvent nextDue() {
            if (!work.hasDue(lastTask, now)) {
                return null;
            }
            PendingWork.Due due = work.new Due();
            PendingEvent event = due::run;
            return due.take(lastTask, now) ? event : null;
        }

        @Override
        public void close() {
            ready.close();
            work.handOverOrLog();
        }
    }

    private static void failed(Object handler, Throwable cause) {
        FailedHook.report(handler, cause);
    }

    @Override
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    @Override
    public void close() {
        closing.run();
    }

    /** {@return for example {@code handle set on epoll}} */
    @Override
    public String toString() {
        return "handle set on " + demultiplexer.name();
    }
}
