package dev.sluice.proactor;

import dev.sluice.dispatch.Guard;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.hook.HookFailure;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serializes the hooks of one connection if several threads run its proactor: the demultiplexer does that for
 * completions, and this class for tasks and timers as well. A thread does not wait to run a task while a hook is
 * running: the thread that leaves the hook runs it.
 */
final class HookOrder implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(HookOrder.class);
    /** The order of the hook that the thread is calling. */
    private static final ThreadLocal<HookOrder> CURRENT = new ThreadLocal<>();

    private final Executor proactor;
    private final Guard guard = new Guard();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable running = this::runTasks;
    /** The previous {@link #CURRENT} of the thread inside. Accessed by that thread. */
    private @Nullable HookOrder outer;

    HookOrder(Executor proactor) {
        this.proactor = proactor;
    }

    /**
     * {@return the order of the hook that calls this, if it is of the same proactor; otherwise a new one} So a
     * connection that a hook creates and the connection of the hook may use each other.
     */
    static HookOrder ofCaller(Executor proactor) {
        HookOrder current = CURRENT.get();
        return current != null && current.proactor == proactor ? current : new HookOrder(proactor);
    }

    /** {@return whether the caller is between {@link #enter} and {@link #leave}} */
    boolean isInside() {
        return guard.isHeldByCurrentThread();
    }

    /** Waits until no other thread is inside, and enters. */
    void enter() {
        guard.lock();
        entered();
    }

    /** Sets the current order. If there is no stack for that, the caller is not inside. */
    private void entered() {
        boolean entered = false;
        try {
            while (!entered) {
                entered = isNoted();
            }
        } finally {
            if (!entered) {
                guard.unlock();
            }
        }
    }

    /** Sets the current order. Returns false if there is no memory, which the first use by a thread needs. */
    private boolean isNoted() {
        try {
            if (guard.getHoldCount() == 1) {
                HookOrder before = CURRENT.get();
                CURRENT.set(this);
                outer = before;
            }
            return true;
        } catch (OutOfMemoryError e) {
            OutOfMemoryRetry.pause();
            return false;
        }
    }

    private void unlock() {
        if (guard.getHoldCount() == 1) {
            CURRENT.set(outer);
            outer = null;
        }
        guard.unlock();
    }

    void leave() {
        unlock();
        // Tasks that were added while the caller was inside.
        if (!tasks.isEmpty()) {
            runTasks();
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        try {
            proactor.execute(running);
        } catch (RejectedExecutionException e) {
            // The task is rejected, unless a thread that was inside has taken it.
            if (tasks.remove(task)) {
                throw e;
            }
        }
    }

    private void runTasks() {
        while (!tasks.isEmpty() && guard.tryLock()) {
            entered();
            try {
                Runnable task = tasks.poll();
                if (task != null) {
                    run(task);
                }
            } finally {
                unlock();
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            HookFailure.log(LOG, "a task failed: " + task.getClass().getName(), e);
        }
    }
}
