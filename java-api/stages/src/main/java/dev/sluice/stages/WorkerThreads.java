package dev.sluice.stages;

import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that perform work while there is some, and sleep otherwise.
 *
 * <p>A thread that adds work wakes one of them. At most one thread at a time is being woken: if it finds more work than
 * it takes, it wakes the next one before it performs its own, which may block. So a burst of events wakes as many
 * threads as it needs, and not one for each event. Waking takes no lock. No wake-up is lost: a thread marks itself
 * asleep before it checks for work a last time, and a producer that finds a thread being woken has added its work
 * before that thread checks.
 */
final class WorkerThreads {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerThreads.class);

    /**
     * Maximum number of checks before a thread falls asleep: work that arrives in the meantime needs no system call.
     */
    private static final int MAX_SPINS = 64;
    /**
     * Number of checks after which the thread yields to others, which may be about to enqueue more, so that a batch
     * costs one wake-up. A thread that checks fewer times does not yield.
     */
    private static final int SPINS_WITHOUT_YIELD = 16;
    /** Number of times that a thread falls asleep without spinning before it tries spinning again. */
    private static final int SLEEPS_WITHOUT_SPIN = 64;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    private final Work work;
    private final ThreadFactory factory;
    private final Object membership = new Object();
    /** Replaced under the lock. */
    private volatile Member[] members = {};
    /** Number of threads that have not been retired. Changed under the lock. */
    private volatile int activeThreads;
    private volatile boolean ended;
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();

    WorkerThreads(Work work, ThreadFactory factory) {
        this.work = work;
        this.factory = factory;
    }

    /** {@return the number of threads, without retiring ones} */
    int size() {
        return activeThreads;
    }

    /**
     * Adds a thread, unless {@link #end} has been called.
     *
     * @throws IllegalStateException if the factory returns none; exceptions of the factory or the system are thrown as
     *                               well
     */
    void add() {
        synchronized (membership) {
            if (ended) {
                return;
            }
            Member member = new Member();
            Thread thread = factory.newThread(member);
            if (thread == null) {
                throw new IllegalStateException("the thread factory returned null");
            }
            member.thread = thread;
            Member[] more = Arrays.copyOf(members, members.length + 1);
            more[members.length] = member;
            // Before it runs, or it might leave before it has been added.
            members = more;
            activeThreads++;
            try {
                thread.start();
            } catch (Throwable e) {
                remove(member);
                activeThreads--;
                throw e;
            }
        }
    }

    /** Retires the thread that has slept longest, or any thread if none sleeps. The last thread stays. */
    void retireThread() {
        synchronized (membership) {
            Member chosen = null;
            long now = System.nanoTime();
            for (Member member : members) {
                if (!member.retired && (chosen == null || member.idle(now) > chosen.idle(now))) {
                    chosen = member;
                }
            }
            if (activeThreads > 1) {
                activeThreads--;
                assert chosen != null;
                chosen.retire();
            }
        }
    }

    /** {@return the time in nanoseconds for which the longest idle thread has slept; 0 if none sleeps} */
    long longestIdle(long now) {
        return Arrays.stream(members).mapToLong(member -> member.idle(now)).max().orElse(0);
    }

    // Waking

    /** Wakes a thread if work has been added. Called by any thread. */
    void wakeOne() {
        // Repeated if other threads have found a thread being woken in the meantime.
        while (asleep.get() > 0 && !waking.get()) {
            // If the stack ran out after the next step, no thread would be woken again. The check costs less than a
            // wake-up.
            StackReserve.requireForCall();
            if (!waking.compareAndSet(false, true)) {
                return;
            }
            for (Member member : members) {
                if (member.wake()) {
                    return;
                }
            }
            waking.set(false);
            if (!work.hasWork()) {
                return;
            }
        }
    }

    /** Wakes another thread if there is more work. Called by a thread that has taken some, before it performs it. */
    void wakeForRest() {
        if (asleep.get() > 0 && work.hasWork()) {
            wakeOne();
        }
    }

    // The end

    /**
     * Retires all threads once they have performed the work that they have taken. No thread can be added afterwards.
     */
    void end() {
        synchronized (membership) {
            ended = true;
            activeThreads = 0;
            for (Member member : members) {
                member.retire();
            }
        }
    }

    /** Interrupts all threads. */
    void interrupt() {
        for (Member member : members) {
            member.interrupt();
        }
    }

    /**
     * Waits until all threads have left. Must be called after {@link #end}.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return true if they have; does not wait for the calling thread
     */
    boolean awaitEnd(long deadline) throws InterruptedException {
        for (Member member : members) {
            if (!member.join(deadline)) {
                return false;
            }
        }
        return true;
    }

    /** Called by a thread that is about to end. Forwards its wake-up, if any, to another thread. */
    private void leave(Member member) {
        synchronized (membership) {
            remove(member);
            if (!member.retired) {
                // The thread has thrown, although nothing here does.
                activeThreads--;
            }
        }
        if (work.hasWork()) {
            wakeOne();
        }
    }

    private void remove(Member member) {
        members = Arrays.stream(members).filter(other -> other != member).toArray(Member[]::new);
    }

    /**
     * Logs an exception. A stage catches the exceptions of its handler, so this is a defect of the stage itself; the
     * thread continues.
     */
    static void failed(Throwable cause) {
        HookFailure.log(LOG, "a stage has failed", cause);
        if (cause instanceof OutOfMemoryError) {
            // It is retried immediately.
            OutOfMemoryRetry.pause();
        }
    }

    /** One of the threads. */
    private final class Member implements Runnable {

        private final AtomicInteger state = new AtomicInteger(AWAKE);
        /** Set before it is started. */
        private @Nullable Thread thread;
        private volatile boolean retired;
        private volatile long asleepSince;
        /**
         * Number of checks before it falls asleep. Halved, down to zero, each time that they have found no work, as
         * other threads may need the processor; reset when they have found some.
         */
        private int spins = MAX_SPINS;
        private int sleepsWithoutSpin;

        @Override
        public void run() {
            try {
                while (!retired) {
                    if (perform()) {
                        if (work.hasWork()) {
                            wakeOne();
                        }
                    } else if (!retired && !isSomethingComing()) {
                        sleep();
                    }
                }
            } finally {
                leave(this);
            }
        }

        private boolean perform() {
            try {
                return work.perform();
            } catch (Throwable e) {
                failed(e);
                return true;
            } finally {
                // An interrupt status set by a hook must not affect the next hook, nor the sleep.
                if (Thread.currentThread().isInterrupted()) {
                    Thread.interrupted();
                }
            }
        }

        private boolean isSomethingComing() {
            int checks = spins;
            if (checks == 0 && ++sleepsWithoutSpin == SLEEPS_WITHOUT_SPIN) {
                sleepsWithoutSpin = 0;
                checks = MAX_SPINS;
            }
            for (int i = 0; i < checks; i++) {
                if (work.hasWork()) {
                    spins = MAX_SPINS;
                    return true;
                }
                if (i % SPINS_WITHOUT_YIELD == SPINS_WITHOUT_YIELD - 1) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
            spins /= 2;
            return false;
        }

        private void sleep() {
            asleepSince = System.nanoTime();
            state.set(ASLEEP);
            asleep.incrementAndGet();
            if ((retired || work.hasWork()) && state.compareAndSet(ASLEEP, AWAKE)) {
                asleep.decrementAndGet();
                return;
            }
            while (state.get() == ASLEEP) {
                LockSupport.park(WorkerThreads.this);
                if ((Thread.interrupted() || retired) && state.compareAndSet(ASLEEP, AWAKE)) {
                    asleep.decrementAndGet();
                    return;
                }
            }
            state.set(AWAKE);
            // It is about to check for work.
            waking.set(false);
        }

        /**
         * Wakes this thread.
         *
         * @return true if it was asleep and the caller has woken it
         */
        boolean wake() {
            if (state.get() != ASLEEP || !state.compareAndSet(ASLEEP, WOKEN)) {
                return false;
            }
            asleep.decrementAndGet();
            LockSupport.unpark(thread);
            return true;
        }

        /** Retires this thread once it has performed the work that it has taken. */
        void retire() {
            retired = true;
            LockSupport.unpark(thread);
        }

        /** {@return the time in nanoseconds for which it has slept; 0 if it is awake} */
        long idle(long now) {
            return state.get() == ASLEEP ? Math.max(0, now - asleepSince) : 0;
        }

        void interrupt() {
            assert thread != null;
            thread.interrupt();
        }

        boolean join(long deadline) throws InterruptedException {
            if (thread == Thread.currentThread()) {
                return true;
            }
            assert thread != null;
            long left = deadline - System.nanoTime();
            if (left > 0) {
                // Rounded up: a timeout of 0 means forever.
                thread.join(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
            return !thread.isAlive();
        }
    }

    /** The work of the threads. */
    interface Work {

        /**
         * Performs some of the work.
         *
         * @return false if there was none
         */
        boolean perform();

        /** {@return whether there is work that no thread has taken} */
        boolean hasWork();
    }
}
