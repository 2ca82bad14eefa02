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
 * Waits, dispatches what there is, and starts again: what a {@link dev.sluice.reactor.Reactor} and a
 * {@link dev.sluice.proactor.Proactor} have in common, with timers, signals and tasks.
 *
 * <p>A thread runs the event loop by {@link #run()} or by calling {@link #runOnce(Duration)} itself; it should be
 * a platform thread, because it blocks in the kernel. Usually it is one thread, the loop thread: it calls all hooks,
 * and changes requested by other threads are queued and made by it, in order. A loop that many threads run at once has
 * no such thread: any of them calls hooks, several at the same time, and every change takes effect at once. Every
 * method may be called from any thread.
 *
 * <p><b>What ends a loop, and what does not.</b> Whatever a hook, a timer, a signal handler or a task throws affects
 * only its own handler, as its {@code handleFailure} says: the loop continues. That holds for every {@link Throwable},
 * including errors and undeclared checked exceptions. An {@link OutOfMemoryError} or a {@link StackOverflowError} is
 * usually caused by a single request, and its memory is free again when the hook has been left; ending the loop would
 * drop all other connections because of it. If a process should not survive certain errors, {@code handleFailure} or
 * the virtual machine ({@code -XX:+ExitOnOutOfMemoryError}) can end it. A loop ends if a wait fails, or if the loop
 * itself fails: {@link #run()} then closes it, as {@link #close()} does, and throws the failure. So nothing can be
 * started on a loop, or handed to it, that no thread runs any more. A wait that fails because of an
 * {@code OutOfMemoryError} is tried again, though, with pauses of 10 milliseconds and for up to a second: usually
 * another thread has taken the memory and soon frees it.
 */
// What is protected is for the Reactor and the Proactor: its types are not exported, so programs have no subclass.
@SuppressWarnings("exports")
public abstract class EventLoop extends LoopOwner implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    /** Whether an orderly stop has been requested. */
    private volatile boolean stopping;

    /** For the Reactor and the Proactor: {@link LoopOwner#LoopOwner}. */
    protected EventLoop(TimerQueue timers, LongSupplier clock, ThreadingModel threads, @Nullable DispatchTrace trace) {
        super(timers, clock, threads, trace);
    }

    /** {@return the record of its hooks, if there is one} */
    public final Optional<DispatchTrace> trace() {
        return Optional.ofNullable(trace);
    }

    // Which thread may do what

    /**
     * {@return whether the caller is the loop thread, whether inside the loop or not; with many threads, whether it is
     * one of those inside the loop now}
     */
    public final boolean inEventLoop() {
        return loop.isLoopThread();
    }

    // Timers, signals, tasks

    /**
     * Schedules a timer that fires once. On a loop that many threads run it may fire at once, while other hooks are
     * being called. In a hook that {@link #close()} calls, the timer returned has been cancelled.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called
     * @param token   handed to it; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay) {
        return schedule(handler, token, delay, Timer.ONCE);
    }

    /**
     * Schedules a periodic timer. Expiries that the loop could not serve in time are skipped, not made up for.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called
     * @param token   handed to it; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period) {
        return schedule(handler, token, delay, Timers.period(period));
    }

    /**
     * Runs a task after a delay, as a timer that fires once. What it throws is logged.
     *
     * @param task  run by the loop thread
     * @param delay from now; longer than 100 years counts as 100 years
     * @return the timer, for cancelling or restarting it
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(Runnable task, Duration delay) {
        return schedule(ScheduledTask.HANDLER, Objects.requireNonNull(task, "task"), delay, Timer.ONCE);
    }

    /**
     * Runs a task again and again, as a periodic timer. Expiries that the loop could not serve in time are skipped, not
     * made up for. What the task throws is logged.
     *
     * @param task   run by the loop thread
     * @param delay  from now to the first time
     * @param period from one time to the next, more than zero
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the loop is closed
     */
    public final Timer schedule(Runnable task, Duration delay, Duration period) {
        return schedule(ScheduledTask.HANDLER, Objects.requireNonNull(task, "task"), delay, Timers.period(period));
    }

    /**
     * Creates a timer that can be started, cancelled and started again any number of times, which allocates nothing: a
     * timeout of each of many requests, for example.
     *
     * @param task run by the loop thread at each expiry; what it throws is logged
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
     * Runs a task for each signal of the operating system that the process receives; several tasks may be added for one
     * signal. While there is one in the process, the signal's default action (such as ending the process) does not take
     * place. Signals that arrive in quick succession may count as one, as they do for the system. Java leaves
     * {@code SIGHUP}, {@code SIGINT} and {@code SIGTERM} alone where the process was started with them ignored, as
     * {@code nohup} does: then the task is never run.
     *
     * @param signal the signal
     * @param task   run by the loop thread; what it throws is logged
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
     * Runs a task on the loop thread, after all tasks submitted before. On a loop that many threads run, one of them at
     * a time runs tasks, while the others continue. A task that runs the loop itself does not delay the tasks after it:
     * they are run in the meantime, on such a loop perhaps by another thread, even after the wait of the first task.
     *
     * @param task must not block; what it throws is logged as an error
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
     * Waits for events, however long that takes, and dispatches them.
     *
     * @return as {@link #runOnce(Duration)}
     * @throws IOException as {@link #runOnce(Duration)}
     */
    public final int runOnce() throws IOException {
        return loop.runOnce(TimerQueue.NEVER);
    }

    /**
     * Waits until something can be dispatched or the time is over, and dispatches all of it: ready handles or
     * completions, expired timers, signals, tasks. If many threads run the loop, each gets a part of what there is.
     *
     * <p>A hook may call this as well. What concerns the handle that the hook was called for is then left until the
     * hook has returned; everything else is dispatched.
     *
     * <p>If it fails, the loop stays as it is: the caller may try again, or close it.
     *
     * <p>If many threads may run the loop, each call allocates the memory for what it collects. {@link #run()} keeps
     * that memory from one wait to the next.
     *
     * @param timeout the longest to wait; zero only dispatches what is there; longer than 100 years counts as forever
     * @return the number of hooks and tasks called, including those that have thrown; 0 if the time was over, or if the
     *         wait was ended by {@link #wakeUp()}, for a timer that has been cancelled, by a handle whose hook has not
     *         returned, or so that another thread could leave
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException    if another thread is running the loop, if the loop belongs to another thread, or
     *                                  if it is closed
     * @throws IOException              if the system call fails
     */
    public final int runOnce(Duration timeout) throws IOException {
        return loop.runOnce(Timeout.nanos("timeout", timeout));
    }

    /**
     * Dispatches events until {@link #stop()} or {@link #close()} is called. Returns at once if {@link #stop()} has
     * been called since the last run. Many threads may call this at once, if the loop is made for it.
     *
     * <p>When it fails, the loop is closed: by the outermost run of the thread, or with many threads by the last one to
     * leave. Failures during the close are added to the exception as suppressed.
     *
     * @throws IllegalStateException if another thread is running the loop, if the loop belongs to another thread, or if
     *                               it is closed; the loop is not closed for that
     * @throws IOException           if the system call fails; that may also cause unchecked exceptions and errors
     */
    public final void run() throws IOException {
        loop.run();
    }

    /**
     * Makes {@link #run()} return after the events at hand. Where one thread at a time may run the loop, only its
     * innermost run returns, if a hook has called another: {@link #leave()} and {@link #close()} end all of them. Where
     * many may, all return, each from its outermost run.
     */
    public final void stop() {
        loop.stop();
    }

    /**
     * Makes the {@link #run()} of the calling thread return after the events at hand, the outermost if there are
     * several; other threads that run the loop continue. For hooks and tasks.
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
     * Stops the loop in order: closes its listening sockets, asks its connections to finish, which receive what has
     * come, and by default send what is queued and then close, and closes those that are left at the deadline. Then
     * {@link #run()} returns, as after {@link #stop()}; from then on it returns at once, and only {@link #close()} is
     * left to be called. Nothing else that is registered or in flight is waited for. Returns at once. Of several calls
     * the one with the earliest deadline counts. If no thread runs the loop, the stop begins when one does. Does
     * nothing if the loop is closed.
     *
     * @param deadline the longest that connections have to finish, from now; zero closes them at once
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
     * Stops the loop {@linkplain #stop(Duration) in order} when the process is asked to end: by {@code SIGTERM} or
     * {@code SIGINT}, which is what Ctrl+C sends, or on Windows by Ctrl+C or the close of the console. The program then
     * ends as {@code main} does, by returning. A {@code SIGINT} during the stop closes what is left at once; a second
     * {@code SIGTERM} changes nothing, since some programs send two in a row.
     *
     * @param deadline the longest that connections have to finish, from the signal
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
     * {@return whether it is about to end, or has ended: an orderly stop has been requested, or it is closed} What is
     * done again and again, such as connecting, is not begun once more then.
     */
    public final boolean isStopping() {
        return stopping || !isOpen();
    }

    // The end

    /**
     * Ends everything in order: runs the tasks that are queued, ends what is registered or in flight and tells its
     * handlers, drops the timers and signal handlers, and closes the demultiplexer. If other threads run the loop, they
     * all leave it, the last one to leave does this work, and the call waits for it; if called from inside a hook, it
     * is done when the hooks have returned. Closing again does nothing, except what an earlier call had no memory or no
     * stack for: after an {@link OutOfMemoryError} or a {@link StackOverflowError} call this method once more.
     *
     * @throws IllegalStateException if operations are in flight that only the loop thread can end, and that thread is
     *                               alive but outside the loop. By then the demultiplexer is shut down, and takes no
     *                               more operations. What is left of the close is done when that thread runs the loop
     *                               once more, or by another call of this method once that thread has ended.
     * @throws IllegalStateException if the virtual machine shuts down, and the loop cannot be closed:
     *                               {@link System#exit} does not return, so a thread that calls it in a hook never
     *                               leaves the loop, and a shutdown hook that closes the loop would wait for it. The
     *                               message names the thread. A hook that ends the program calls {@link #stop()}, and
     *                               {@code System.exit} is called after {@link #run()} has returned. During the
     *                               shutdown no close waits longer than 30 seconds for any hook.
     */
    @Override
    public final void close() {
        StackReserve.requireForEnd();
        loop.close();
    }

    /** Makes the threads that run it leave and close it, and does not wait for that. */
    final void requestClose() {
        loop.requestClose();
    }

    /**
     * {@return how many threads are inside the loop and do not wait there: they call hooks or run tasks} At a glance,
     * as it changes all the time.
     */
    public final int dispatchingThreads() {
        return loop.dispatchingThreads();
    }

    /** {@return whether it is neither closed nor about to be, because of a {@link #close()} or a failure} */
    public final boolean isOpen() {
        return !loop.closeRequested && !loop.isClosed();
    }
}
