package dev.sluice.reactor;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerHeap;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The papers' Reactor: waits for indication events on many handles at once and dispatches them to their event handlers,
 * together with timers, signals and tasks.
 *
 * <p>One thread runs the event loop, by {@link #run()} or by calling {@link #handleEvents(Duration)} itself; it is the
 * loop thread, and it should be a platform thread, because it blocks in the kernel. All hooks are called by it. Every
 * method may be called from any thread; called from another than the loop thread, what changes the reactor is queued
 * and done by the loop thread, in order, and its failures go to {@link EventHandler#handleFailure}.
 */
public final class Reactor implements Executor, AutoCloseable {

    private final SynchronousEventDemultiplexer demultiplexer;
    private final TimerQueue timers;
    private final EventLoop loop;
    private final DemultiplexingTable table;
    private final SignalTable signals;

    /**
     * Makes a reactor of its parts, which it owns from now on.
     *
     * @param demultiplexer to wait with
     * @param timers        the strategy for its timers, empty
     */
    public Reactor(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        this.demultiplexer = Objects.requireNonNull(demultiplexer, "demultiplexer");
        this.timers = Objects.requireNonNull(timers, "timers");
        this.loop = new EventLoop(demultiplexer, timers);
        this.table = loop.table();
        this.signals = loop.signals();
    }

    /**
     * Opens a reactor on the best demultiplexer of this system, with a {@link TimerHeap}.
     *
     * @return the reactor; the caller closes it
     * @throws IOException if the system refuses
     */
    public static Reactor open() throws IOException {
        return open(Demultiplexers.AUTO);
    }

    /**
     * Opens a reactor on a demultiplexer by name, with a {@link TimerHeap}.
     *
     * @param demultiplexer a name as for {@link Demultiplexers#openSynchronous(String)}
     * @return the reactor; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
     */
    public static Reactor open(String demultiplexer) throws IOException {
        return new Reactor(Demultiplexers.openSynchronous(demultiplexer), new TimerHeap());
    }

    /**
     * {@return the reactor of the process, for programs that need one only; opened at the first call and never closed}
     *
     * @throws java.io.UncheckedIOException if the system refuses to open it
     */
    public static Reactor instance() {
        return SingletonReactor.INSTANCE;
    }

    /** {@return what it waits with} */
    public SynchronousEventDemultiplexer demultiplexer() {
        return demultiplexer;
    }

    // Registration

    /**
     * Registers a handler for more events on its own handle.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}, added to those it is registered for
     * @throws IllegalArgumentException as {@link #registerHandler(Handle, EventHandler, int)}
     * @throws IOException              as {@link #registerHandler(Handle, EventHandler, int)}
     */
    public void registerHandler(EventHandler handler, int events) throws IOException {
        registerHandler(handler.handle(), handler, events);
    }

    /**
     * Registers a handler for more events on a handle. The handler may serve several handles, a handle has one handler.
     *
     * @param handle  which
     * @param handler called from now on
     * @param events  bits of {@link EventType#IO}, added to those it is registered for; 0 registers it for later
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle has another handler, or the reactor is closed
     * @throws IOException              if the handle is closed, or the mechanism cannot take it; from another than the
     *                                  loop thread such failures go to {@link EventHandler#handleFailure} instead
     */
    public void registerHandler(Handle handle, EventHandler handler, int events) throws IOException {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(handler, "handler");
        EventType.requireIo(events);
        loop.requireOpen();
        if (loop.perform(() -> table.register(handle, handler, events))) {
            return;
        }
        boolean accepted = loop.enqueue(() -> {
            try {
                table.register(handle, handler, events);
            } catch (IOException | RuntimeException e) {
                handler.handleFailure(handle, e);
            }
        });
        if (!accepted) {
            throw EventLoop.closedException();
        }
    }

    /**
     * Takes events from a handler. When none is left the registration ends, with {@link EventHandler#handleClose}.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}
     */
    public void removeHandler(EventHandler handler, int events) {
        removeHandler(handler.handle(), events);
    }

    /**
     * Takes events from the handler of a handle. When none is left the registration ends, with
     * {@link EventHandler#handleClose}. Does nothing if the handle is not registered.
     *
     * @param handle which
     * @param events bits of {@link EventType#IO}
     */
    public void removeHandler(Handle handle, int events) {
        Objects.requireNonNull(handle, "handle");
        EventType.requireIo(events);
        loop.performOrEnqueue(() -> table.remove(handle, events));
    }

    /**
     * Replaces the events of a registered handle in one go, as when a handler turns from reading to writing. Does
     * nothing if the handle is not registered.
     *
     * @param handle which
     * @param events bits of {@link EventType#IO}; with 0 the registration stays and is silent
     */
    public void changeEvents(Handle handle, int events) {
        Objects.requireNonNull(handle, "handle");
        EventType.requireIo(events);
        if (loop.isInside()) {
            table.change(handle, events);
        } else {
            loop.performOrEnqueue(() -> table.change(handle, events));
        }
    }

    /**
     * Silences a handle until {@link #reactivateHandle}. Does nothing if it is not registered.
     *
     * @param handle which
     */
    public void deactivateHandle(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        loop.performOrEnqueue(() -> table.setActive(handle, false));
    }

    /**
     * Ends {@link #deactivateHandle}; what became ready meanwhile is dispatched. Does nothing if it is not registered.
     *
     * @param handle which
     */
    public void reactivateHandle(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        loop.performOrEnqueue(() -> table.setActive(handle, true));
    }

    // Timers, signals, tasks

    /**
     * Schedules a timer that fires once.
     *
     * @param handler its {@link EventHandler#handleTimeout} is called
     * @param token   handed to it, and to whoever cancels the timer; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, to cancel it by
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the reactor is closed
     */
    public Timer schedule(EventHandler handler, Object token, Duration delay) {
        return schedule(handler, token, Nanoseconds.of("delay", delay), Timer.ONCE);
    }

    /**
     * Schedules a periodic timer. Expiries that the loop could not serve in time are left out, not made up for.
     *
     * @param handler its {@link EventHandler#handleTimeout} is called
     * @param token   handed to it, and to whoever cancels the timer; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, to cancel it by
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the reactor is closed
     */
    public Timer schedule(EventHandler handler, Object token, Duration delay, Duration period) {
        long nanos = Nanoseconds.of("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return schedule(handler, token, Nanoseconds.of("delay", delay), nanos);
    }

    private Timer schedule(EventHandler handler, Object token, long delay, long period) {
        loop.requireOpen();
        Timer timer = new Timer(handler, token, System.nanoTime() + delay, period);
        loop.performOrEnqueue(() -> {
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
    public Object cancel(Timer timer) {
        if (!timer.cancel()) {
            return null;
        }
        loop.performOrEnqueue(() -> timers.remove(timer));
        return timer.token();
    }

    /**
     * Registers a handler for a signal of the operating system. While any handler in the process is registered for it,
     * the signal's default action (such as ending the process) does not take place. Signals that come quickly one after
     * the other may count as one, as they do to the system.
     *
     * @param signal  which
     * @param handler its {@link EventHandler#handleSignal} is called
     * @throws UnsupportedOperationException if the virtual machine does not give the signal away
     * @throws IllegalStateException         if the reactor is closed
     */
    public void registerSignalHandler(OsSignal signal, EventHandler handler) {
        loop.requireOpen();
        signals.add(signal, handler);
    }

    /**
     * Takes back {@link #registerSignalHandler}. Does nothing if the handler is not registered for the signal.
     *
     * @param signal  which
     * @param handler which
     */
    public void removeSignalHandler(OsSignal signal, EventHandler handler) {
        signals.remove(signal, handler);
    }

    /**
     * Has a task run by the loop thread, after the tasks given before.
     *
     * @param task must not block; what it throws is logged
     * @throws RejectedExecutionException if the reactor is closed
     */
    @Override
    public void execute(Runnable task) {
        if (!loop.enqueue(Objects.requireNonNull(task, "task"))) {
            throw new RejectedExecutionException("the reactor is closed");
        }
    }

    // The event loop

    /**
     * Waits for events without end, and dispatches them.
     *
     * @return as {@link #handleEvents(Duration)}
     * @throws IOException as {@link #handleEvents(Duration)}
     */
    public int handleEvents() throws IOException {
        return loop.handleEvents(TimerQueue.NEVER);
    }

    /**
     * Waits until something can be dispatched or the time is over, and dispatches all of it: ready handles, expired
     * timers, signals, tasks. A handler may call this as well.
     *
     * @param timeout the longest to wait; zero dispatches what is there; longer than 100 years has no end
     * @return how many hooks and tasks were called; 0 if the time was over, or the wait was ended by {@link #wakeUp()}
     *         or for a timer that has been cancelled
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if another thread is running the loop, or the reactor is closed
     * @throws IOException              if the system call fails
     */
    public int handleEvents(Duration timeout) throws IOException {
        return loop.handleEvents(Nanoseconds.of("timeout", timeout));
    }

    /**
     * Dispatches events until {@link #stop()} or {@link #close()} is called. If {@link #stop()} was called before,
     * since the last run, returns at once.
     *
     * @throws IllegalStateException if another thread is running the loop, or the reactor is closed
     * @throws IOException           if the system call fails
     */
    public void run() throws IOException {
        loop.run();
    }

    /** Makes {@link #run()} return after the events at hand. */
    public void stop() {
        loop.stop();
    }

    /** Ends a wait: one that is going on, or else the next one. */
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    /**
     * Ends everything in order: runs the tasks that are queued, removes every handler with {@link
     * EventHandler#handleClose}, drops the timers and signal handlers, and closes the demultiplexer. If another thread
     * runs the loop it does this work, and the call waits for it; from inside a hook it is done when the hooks have
     * returned. Closing again does nothing.
     */
    @Override
    public void close() {
        loop.close();
    }

    /** {@return whether the caller is the loop thread} */
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public String toString() {
        return "reactor on " + demultiplexer.name();
    }
}
