package dev.sluice.eventloop;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.deadline.Timeout;
import dev.sluice.dispatch.Timers;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.failure.StackReserve;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop, which waits for events and dispatches them, with timers, signals and tasks: the common part of
 * {@link dev.sluice.reactor.Reactor} and {@link dev.sluice.proactor.Proactor}.
 *
 * <p>A thread runs the event loop by {@link #run()} or by calling {@link #runOnce(Duration)} repeatedly; it should be a
 * platform thread, because it blocks in the kernel. Usually one thread runs the loop, the loop thread: it calls all
 * hooks, and executes changes requested by other threads, which are queued, in order. A loop that several threads run
 * has no such thread: any of them calls hooks, concurrently, and all changes take effect immediately. All methods may
 * be called from any thread.
 *
 * <p><b>Failures.</b> An exception of a hook, a timer, a signal handler or a task affects only its own handler, as
 * described at {@code handleFailure}: the loop continues. This applies to every {@link Throwable}, including errors and
 * undeclared checked exceptions. An {@link OutOfMemoryError} or a {@link StackOverflowError} is usually caused by a
 * single request, and its memory is available again when the hook has returned; ending the loop would close all other
 * connections. To end the process on certain errors, use {@code handleFailure} or an option of the virtual machine
 * ({@code -XX:+ExitOnOutOfMemoryError}). A loop ends if a wait fails, or if the loop itself fails: {@link #run()} then
 * closes it, as {@link #close()} does, and throws the failure. So no operation or task is accepted by a loop that no
 * thread runs any more. A wait that fails with an {@code OutOfMemoryError}, however, is repeated with pauses of 10
 * milliseconds for up to a second, because another thread has usually taken the memory and soon frees it.
 */
// Protected members are for the Reactor and the Proactor. Their types are not exported, so programs cannot have
// subclasses.
@SuppressWarnings("exports")
public abstract class EventLoop extends LoopOwner implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    /** Whether an orderly stop has been requested. */
    private volatile boolean stopping;

    /** Creates a loop, as {@link LoopOwner#LoopOwner} does; for the Reactor and the Proactor. */
    protected EventLoop(TimerQueue timers, LongSupplier clock, ThreadingModel threads, @Nullable DispatchTrace trace) {
        super(timers, clock, threads, trace);
    }

    /** {@return the trace of its hooks, if there is one} */
    public final Optional<DispatchTrace> trace() {
        return Optional.ofNullable(trace);
    }

    // Thread rules

    /**
     * {@return whether the caller is the loop thread, inside the loop or not; with several threads, whether it is one
     * of those inside the loop now}
     */
    public final boolean inEventLoop() {
        return loop.isLoopThread();
    }

    // Timers, signals, tasks

    /**
     * Schedules a timer that expires once. On a loop that several threads run it may expire immediately, while other
     * hooks are being called. In a hook that {@link #close()} calls, the returned timer is already cancelled.
     *
     * @param handler the handler whose {@link TimeoutHandler#handleTimeout} is called
     * @param token   passed to the handler; may be null
     * @param delay   the delay from now; more than 100 years counts as 100 years
     * @return the timer, which can be cancelled
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay) {
        return schedule(handler, token, delay, Timer.ONCE);
    }

    /**
     * Schedules a periodic timer. Expiries that the loop could not dispatch in time are skipped.
     *
     * @param handler the handler whose {@link TimeoutHandler#handleTimeout} is called
     * @param token   passed to the handler; may be null
     * @param delay   the delay from now to the first expiry
     * @param period  the time between expiries, more than zero
     * @return the timer, which can be cancelled
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period) {
        return schedule(handler, token, delay, Timers.period(period));
    }

    /**
     * Schedules a task that is run once, after a delay. Exceptions of the task are logged.
     *
     * @param task  the task, run by the loop thread
     * @param delay the delay from now; more than 100 years counts as 100 years
     * @return the timer, which can be cancelled or restarted
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(Runnable task, Duration delay) {
        return schedule(ScheduledTask.HANDLER, Objects.requireNonNull(task, "task"), delay, Timer.ONCE);
    }

    /**
     * Schedules a task that is run periodically. Expiries that the loop could not dispatch in time are skipped.
     * Exceptions of the task are logged.
     *
     * @param task   the task, run by the loop thread
     * @param delay  the delay from now to the first run
     * @param period the time between runs, more than zero
     * @return the timer, which can be cancelled
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(Runnable task, Duration delay, Duration period) {
        return schedule(ScheduledTask.HANDLER, Objects.requireNonNull(task, "task"), delay, Timers.period(period));
    }

    /**
     * Creates a timer that can be started, cancelled and started again any number of times without allocating, for
     * example a request timeout.
     *
     * @param task the task, run by the loop thread at each expiry; its exceptions are logged
     * @return the timer, not started
     */
    @CheckReturnValue
    public final Timer newTimer(Runnable task) {
        return new LoopTimer(loop, ScheduledTask.HANDLER, Objects.requireNonNull(task, "task"));
    }

    private Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, long period) {
        requireOpen("schedule");
        long nanos = Timeout.nanos("delay", delay);
        Timer timer = new LoopTimer(loop, handler, token, loop.clock.getAsLong() + nanos, period);
        if (loop.work.hasEnded()) {
            timer.cancel();
        } else {
            loop.add(timer);
        }
        return timer;
    }

    /**
     * Adds a task that is run when the process receives a signal of the operating system; a signal may have several
     * tasks. While it has one, the signal's default action (such as ending the process) does not take place. Signals in
     * quick succession may count as one, as for the system. If the process was started with {@code SIGHUP},
     * {@code SIGINT} or {@code SIGTERM} ignored, as by {@code nohup}, Java does not handle that signal and the task is
     * never run.
     *
     * @param signal the signal
     * @param task   the task, run by the loop thread; its exceptions are logged
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     * @throws IllegalStateException         if the loop is closed
     */
    public final void onSignal(OsSignal signal, Runnable task) {
        Objects.requireNonNull(signal, "signal");
        Objects.requireNonNull(task, "task");
        requireOpen("onSignal");
        if (!loop.work.add(signal, task)) {
            throw closedException("onSignal");
        }
    }

    /**
     * Removes all tasks that this loop runs for a signal.
     *
     * @param signal the signal
     */
    public final void removeSignal(OsSignal signal) {
        loop.work.remove(Objects.requireNonNull(signal, "signal"));
    }

    /**
     * Runs a task on the loop thread, after all tasks submitted before. If several threads run the loop, one of them at
     * a time runs tasks, while the others continue. A task that runs the loop itself does not delay the tasks after it:
     * they are run during that call, possibly by another thread if there are several.
     *
     * @param task the task, which must not block; its exceptions are logged as errors
     * @throws RejectedExecutionException if the loop is closed
     */
    @Override
    public final void execute(Runnable task) {
        if (!enqueue(Objects.requireNonNull(task, "task"))) {
            throw new RejectedExecutionException(closedException("execute").getMessage());
        }
    }

    // The event loop

    /**
     * Waits for events without a timeout, and dispatches them.
     *
     * @return as {@link #runOnce(Duration)}
     * @throws IOException as {@link #runOnce(Duration)}
     */
    public final int runOnce() throws IOException {
        return loop.runOnce(TimerQueue.NEVER);
    }

    /**
     * Waits until there are events or the timeout elapses, and dispatches the events: ready handles or completions,
     * expired timers, signals, tasks. If several threads run the loop, each gets a part of the events.
     *
     * <p>A hook may call this method. Events of the hook's own handle are then deferred until the hook has returned;
     * all others are dispatched.
     *
     * <p>If the call fails, the state of the loop is unchanged: the caller may try again, or close it.
     *
     * <p>If several threads may run the loop, each call allocates memory for the events. {@link #run()} reuses it for
     * all its waits.
     *
     * @param timeout the maximum time to wait; zero to dispatch pending events only; more than 100 years counts as
     *                unbounded
     * @return the number of hooks and tasks called, including those that have thrown; 0 if the timeout elapsed, or if
     *         the wait was ended by {@link #wakeUp()}, by a timer that has been cancelled, by a handle whose hook has
     *         not returned, or so that another thread can leave
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if another thread is running the loop, if the loop belongs to another thread, or
     *                                  if it is closed
     * @throws IOException              if the system call fails
     */
    public final int runOnce(Duration timeout) throws IOException {
        return loop.runOnce(Timeout.nanos("timeout", timeout));
    }

    /**
     * Dispatches events until {@link #stop()} or {@link #close()} is called. Returns immediately if {@link #stop()} has
     * been called since the last run. Several threads may call this method concurrently, if the loop is multi-threaded.
     *
     * <p>If the loop fails, it is closed: by the outermost run of the thread, or with several threads by the last one
     * to leave. Failures during the close are added to the exception as suppressed ones.
     *
     * @throws IllegalStateException if another thread is running the loop, if the loop belongs to another thread, or if
     *                               it is closed; these do not close the loop
     * @throws IOException           if the system call fails; a failure may also be an unchecked exception or an error
     */
    public final void run() throws IOException {
        loop.run();
    }

    /**
     * Makes {@link #run()} return after the current iteration. On a single-threaded loop only the innermost run
     * returns, if a hook has called another one; {@link #leave()} and {@link #close()} end all of them. On a
     * multi-threaded loop all threads return, each from its outermost run.
     */
    public final void stop() {
        loop.stop();
    }

    /**
     * Makes the {@link #run()} of the calling thread return after the current iteration, the outermost if there are
     * several; other threads that run the loop continue. Called by hooks and tasks.
     *
     * @throws IllegalStateException if the caller is not running the loop
     */
    public final void leave() {
        if (!loop.isInside()) {
            throw new IllegalStateException("leave: " + Thread.currentThread() + " does not run " + this
                    + "; call it in a hook or a task");
        }
        loop.leaveRun();
    }

    // The orderly stop

    /**
     * Stops the loop in order: closes its listening sockets, asks its connections to finish, and closes connections
     * that have not finished at the deadline. A connection that is asked to finish receives the bytes that have
     * arrived, and by default sends its queued output and then closes. When all have ended, {@link #run()} returns, as
     * after {@link #stop()}; further runs return immediately, and only {@link #close()} remains to be called. Does not
     * wait for other registrations and operations. This method returns immediately. If it is called several times, the
     * earliest deadline applies. If no thread runs the loop, the stop begins when one does. Does nothing if the loop is
     * closed.
     *
     * @param deadline the maximum time for connections to finish, from now; zero closes them immediately
     * @throws IllegalArgumentException if the deadline is negative
     */
    public final void stop(Duration deadline) {
        long nanos = Timeout.nanos("deadline", deadline);
        Timer end = new LoopTimer(loop, ScheduledTask.HANDLER, (Runnable) this::endMembers,
                loop.clock.getAsLong() + nanos, Timer.ONCE);
        if (isOpen()) {
            stopping = true;
            loop.add(end);
            finishSoon();
        }
    }

    /**
     * Stops the loop {@linkplain #stop(Duration) in order} when the process is asked to terminate: by {@code SIGTERM}
     * or {@code SIGINT} (which Ctrl+C sends), on Windows by Ctrl+C or the close of the console. The program can then
     * end by returning from {@code main}. A {@code SIGINT} during the stop closes the remaining connections
     * immediately; a second {@code SIGTERM} has no effect, because some programs send two in succession.
     *
     * @param deadline the maximum time for connections to finish, from the signal
     * @throws IllegalArgumentException      if the deadline is negative
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle these signals
     * @throws IllegalStateException         if the loop is closed
     */
    public final void stopOnTermination(Duration deadline) {
        Timeout.nanos("deadline", deadline);
        onSignal(OsSignal.TERM, () -> stop(deadline));
        onSignal(OsSignal.INT, () -> stop(stopping ? Duration.ZERO : deadline));
    }

    private void endMembers() {
        int count = members.endAll();
        if (count > 0) {
            LOG.warn("{}: {} connections had not finished at the deadline of the stop", this, count);
        }
    }

    /**
     * {@return whether it is stopping or has ended: an orderly stop has been requested, or it is closed} Repeated
     * actions, such as connecting, must not be started again then.
     */
    public final boolean isStopping() {
        return stopping || !isOpen();
    }

    // Closing

    /**
     * Closes the loop: runs the queued tasks, ends all registrations and operations and notifies their handlers,
     * discards the timers and signal handlers, and closes the demultiplexer. If other threads run the loop, all of them
     * leave it, the last one to leave closes it, and the call waits for that. If called from a hook, the loop is closed
     * when the hooks have returned. Closing again does nothing, except for steps that failed for lack of memory or
     * stack: after an {@link OutOfMemoryError} or a {@link StackOverflowError} call this method once more.
     *
     * @throws IllegalStateException if operations are in flight that only the loop thread can cancel, and that thread
     *                               is alive but outside the loop. The demultiplexer then accepts no more operations,
     *                               and the close is completed when that thread runs the loop once more, or by another
     *                               call of this method after that thread has ended
     * @throws IllegalStateException if the virtual machine shuts down, and the loop cannot be closed:
     *                               {@link System#exit} does not return, so a thread that calls it in a hook never
     *                               leaves the loop, and a shutdown hook that closes the loop would wait forever. The
     *                               message names the thread. To end the program, a hook should call {@link #stop()},
     *                               and the program should call {@code System.exit} after {@link #run()} has returned.
     *                               During the shutdown a close waits at most 30 seconds for a hook
     */
    @Override
    public final void close() {
        StackReserve.requireForEnd();
        loop.close();
    }

    /** Makes the threads that run the loop leave it and close it, without waiting for that. */
    final void requestClose() {
        loop.requestClose();
    }

    /**
     * {@return the approximate number of threads that are inside the loop and not waiting, but calling hooks or running
     * tasks}
     */
    public final int dispatchingThreads() {
        return loop.dispatchingThreads();
    }

    /** {@return whether it is neither closed nor closing, because of a {@link #close()} or a failure} */
    public final boolean isOpen() {
        return !loop.closeRequested && !loop.isClosed();
    }
}
