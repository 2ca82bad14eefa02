package dev.sluice.eventloop;

import dev.sluice.eventloop.spi.LoopSettings;
import dev.sluice.failure.Failures;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several event loops of the same type, each run by a thread of its own: a {@link dev.sluice.reactor.ReactorGroup} or a
 * {@link dev.sluice.proactor.ProactorGroup}. Only the thread of a loop dispatches events of its handles, so handlers on
 * the same loop need no lock; but an idle thread does not dispatch events of other loops, unlike threads that run one
 * loop on a concurrent demultiplexer. All methods may be called from any thread.
 *
 * <p>A loop that fails (see {@link EventLoop}), or is stopped, is closed by its thread, together with connections that
 * were passed to it and not yet opened; a failure is logged as an error. The others continue, and {@link #next()} skips
 * the loop.
 *
 * @param <L> the type of the loops
 */
@SuppressWarnings("exports") // The constructor is not for programs.
public abstract class EventLoopGroup<L extends EventLoop> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopGroup.class);

    private final List<L> loops;
    private final List<Thread> threads;
    private final AtomicInteger next = new AtomicInteger();
    /** Number of threads that have been started. Guarded by this. */
    private int started;
    private volatile boolean closing;
    private final AtomicInteger failed = new AtomicInteger();
    private volatile @Nullable Throwable failure;
    private volatile Consumer<? super Throwable> onFailure = cause -> { };

    /**
     * Opens the loops. Their threads are not started.
     *
     * @param name     the prefix of the names of the threads, followed by a number
     * @param settings the settings of the group
     * @param opening  opens each loop
     * @throws IOException if a system call fails
     */
    @SuppressWarnings("this-escape") // Closes the loops that it has opened, if it cannot open all.
    protected EventLoopGroup(String name, LoopSettings settings, LoopSettings.Opening<L> opening) throws IOException {
        int count = settings.loops() == 0 ? Runtime.getRuntime().availableProcessors() : settings.loops();
        // With capacity for all, since a loop that a list has no heap for would not be closed.
        loops = new ArrayList<>(count);
        threads = new ArrayList<>(count);
        ThreadFactory factory = settings.threads() == null ? numbered(name) : settings.threads();
        try {
            for (int i = 0; i < count; i++) {
                L loop = opening.open(settings.inGroup());
                loops.add(loop);
                threads.add(factory.newThread(() -> run(loop)));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static ThreadFactory numbered(String name) {
        AtomicInteger made = new AtomicInteger();
        return task -> new Thread(task, name + "-" + made.getAndIncrement());
    }

    private void run(L loop) {
        try {
            loop.run();
        } catch (Throwable e) {
            // A thread that runs the loop after the close has begun fails, because the closing thread is inside the
            // loop.
            if (!(closing && e instanceof IllegalStateException)) {
                failure = e;
                failed.incrementAndGet();
                HookFailure.log(LOG, loop + " has failed and is left out from now on", e);
                notifyFailed(e);
            }
        } finally {
            // No other thread can cancel operations of this thread while it is alive.
            loop.close();
        }
    }

    private void notifyFailed(Throwable cause) {
        try {
            onFailure.accept(cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
    }

    /**
     * Sets the action for the failure of a loop, in addition to logging it; for example, to stop the others in a
     * service that cannot continue without one of its loops. By default there is none.
     *
     * @param action receives the failure; called by the thread of the loop before it closes the loop. Must not wait for
     *               the threads of the group. Its exceptions are logged
     */
    public final void onFailure(Consumer<? super Throwable> action) {
        onFailure = Objects.requireNonNull(action, "action");
    }

    /** {@return the loops, including those that have failed} */
    public final List<L> loops() {
        return Collections.unmodifiableList(loops);
    }

    /**
     * {@return the next of the open loops, round-robin}
     *
     * @throws IllegalStateException if none is open; the cause is the latest failure of a loop
     */
    public final L next() {
        for (int i = 0; i < loops.size(); i++) {
            L loop = loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
            if (loop.isOpen()) {
                return loop;
            }
        }
        throw new IllegalStateException("next: no loop of " + this + " is open; open another group", failure);
    }

    /**
     * Starts the threads, which run the loops. Does nothing if they have already been started, or the group is closed.
     * If the system refuses a thread, the loops of those that have been started run, and the next call starts the
     * others; {@link #close} ends all.
     *
     * @throws OutOfMemoryError if the system refuses a thread
     */
    public final synchronized void start() {
        while (!closing && started < threads.size()) {
            threads.get(started).start();
            started++;
        }
    }

    /**
     * Starts the threads, unless they have already been started, and waits until all have ended: after a stop, a close,
     * or when all loops have failed. The caller does not run a loop itself. An interrupt does not end the wait.
     *
     * @throws IOException           if all loops have failed; the cause is the latest failure
     * @throws IllegalStateException if the caller is a thread of the group, or the group is closed
     */
    public final void run() throws IOException {
        if (threads.contains(Thread.currentThread())) {
            throw new IllegalStateException("run: would block the loop thread " + Thread.currentThread()
                    + "; call it on another thread");
        }
        if (closing) {
            throw new IllegalStateException("run: " + this + " is closed; open another group");
        }
        start();
        awaitThreads(thread -> { });
        if (failed.get() == loops.size()) {
            throw new IOException("all loops of " + this + " have failed: " + failure, failure);
        }
    }

    /** Makes all loops {@linkplain EventLoop#stop() stop} after the current iteration; their threads close them. */
    public final void stop() {
        loops.forEach(EventLoop::stop);
    }

    /**
     * Stops all loops {@linkplain EventLoop#stop(Duration) in order}; their threads then close them.
     *
     * @param deadline the maximum time for connections to finish, from now; zero closes them immediately
     * @throws IllegalArgumentException if the deadline is negative
     */
    public final void stop(Duration deadline) {
        loops.forEach(loop -> loop.stop(deadline));
    }

    /**
     * Stops all loops in order when the process is asked to terminate, as {@link EventLoop#stopOnTermination} does for
     * one.
     *
     * @param deadline the maximum time for connections to finish, from the signal
     * @throws IllegalArgumentException      if the deadline is negative
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle these signals
     * @throws IllegalStateException         if the group is closed
     */
    public final void stopOnTermination(Duration deadline) {
        if (!isOpen()) {
            throw new IllegalStateException("stopOnTermination: " + this + " is closed; open another group");
        }
        // Registered by each loop itself, since any of them may fail before the signal.
        loops.stream().filter(EventLoop::isOpen).forEach(loop -> loop.stopOnTermination(deadline));
    }

    /** {@return whether a loop is open} */
    public final boolean isOpen() {
        return loops.stream().anyMatch(EventLoop::isOpen);
    }

    /** {@return whether an orderly stop has been requested, or no loop is open} */
    public final boolean isStopping() {
        return loops.stream().allMatch(EventLoop::isStopping);
    }

    /**
     * Closes the loops, and waits for their threads to end. If called by one of these threads, each loop is closed by
     * its own thread later, and this method does not wait. An exception of closing a loop is thrown when all are closed
     * and all threads have ended, but one for lack of memory immediately; a further call then continues.
     *
     * @throws IllegalStateException if the virtual machine shuts down, and one of the threads has called
     *                               {@link System#exit} in a hook, see {@link EventLoop#close()}
     */
    @Override
    public final void close() {
        StackReserve.requireForEnd();
        synchronized (this) {
            closing = true;
        }
        // If they waited, two threads of the group could wait for each other's hooks.
        boolean inside = threads.contains(Thread.currentThread());
        Throwable first = null;
        for (L loop : loops) {
            try {
                if (inside) {
                    loop.requestClose();
                } else {
                    closeUnlessLeft(loop);
                }
            } catch (RuntimeException | Error e) {
                first = Failures.and(first, e);
            }
        }
        if (inside || first != null && Failures.isShortage(first)) {
            // Without memory a thread may not have been woken up, so a wait for its end might never return.
            Failures.throwFirst(first);
            return;
        }
        long began = System.nanoTime();
        awaitThreads(thread -> ShutdownWait.requireReturn(this, thread, began));
        for (L loop : loops) {
            try {
                loop.close();
            } catch (RuntimeException | Error e) {
                first = Failures.and(first, e);
            }
        }
        Failures.throwFirst(first);
    }

    private void closeUnlessLeft(L loop) {
        try {
            loop.close();
        } catch (IllegalStateException e) {
            // Its thread has stopped running it, and is about to close it. The close is repeated when the thread has
            // ended.
            LOG.debug("{} will be closed by its loop thread", loop, e);
        }
    }

    /** Waits for the threads, but not for the caller. */
    private void awaitThreads(Consumer<Thread> check) {
        boolean interrupted = false;
        try {
            for (Thread thread : threads) {
                while (thread != Thread.currentThread() && thread.isAlive()) {
                    try {
                        thread.join(ShutdownWait.STEP_MILLIS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                    check.accept(thread);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return for example {@code group of 4, proactor on io_uring}} */
    @Override
    public String toString() {
        return "group of " + loops.size() + (loops.isEmpty() ? "" : ", " + loops.get(0));
    }
}
