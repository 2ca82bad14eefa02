package dev.sluice.proactor;

import dev.sluice.dispatch.Guard;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.hook.HookFailure;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the hooks of one connection one after the other where several threads run its proactor: the demultiplexer does
 * that for completions, and this for tasks and timers as well. A task waits for no hook: the thread that leaves the
 * hook runs it.
 */
final class HookOrder implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(HookOrder.class);
    /** That of the hook that the thread is in. */
    private static final ThreadLocal<HookOrder> CURRENT = new ThreadLocal<>();

    private final Executor proactor;
    private final Guard guard = new Guard();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable running = this::runTasks;
    /** What the thread that is inside was in before. Used inside. */
    private @Nullable HookOrder outer;

    HookOrder(Executor proactor) {
        this.proactor = proactor;
    }

    /**
     * {@return that of the hook that calls this, if that is one of the same proactor; otherwise a new one} So a
     * connection that a hook makes may be used by that hook's connection, and the other way round.
     */
    static HookOrder ofCaller(Executor proactor) {
        HookOrder current = CURRENT.get();
        return current != null && current.proactor == proactor ? current : new HookOrder(proactor);
    }

    /** {@return whether the caller is between {@link #enter} and {@link #leave}} */
    boolean isInside() {
        return guard.isHeldByCurrentThread();
    }

    /** Waits until no other thread is inside. */
    void enter() {
        guard.lock();
        entered();
    }

    /** If there is no stack for it, the caller is not inside. */
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

    /** {@return false if there was no memory, which the first use by a thread takes} */
    private boolean isNoted() {
        try {
            if (guard.getHoldCount() == 1) {
                HookOrder before = CURRENT.get();
                CURRENT.set(this);
                outer = before;
            }
            return true;
        } catch (OutOfMemoryError e) {
            MemoryShortage.pause();
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
        // Tasks that came while the caller was inside.
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
            // Unless a thread that was inside has run it.
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
