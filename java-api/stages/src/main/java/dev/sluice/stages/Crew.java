package dev.sluice.stages;

import dev.sluice.failure.MemoryShortage;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that work while there is something to do, and sleep when there is not.
 *
 * <p>Whoever leaves something to do wakes one of them, and at most one at a time is being woken: it wakes the next one
 * if it finds more than it takes, before it does what it has taken, which may have to wait. So a burst of events wakes
 * as many threads as it needs, and not one for each event. Waking takes no lock. Nothing is slept through, because a
 * thread says that it is asleep before it looks a last time, and because whoever finds that a thread is being woken has
 * left his event before that thread looks.
 */
final class Crew {

    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    /** So often at most it looks again before it falls asleep: what comes at once needs no system call. */
    private static final int MOST_SPINS = 64;
    /**
     * Each so many times it lets others run, who may be about to enqueue more, so that a batch costs one wake-up. If it
     * looks fewer times than that, it does not.
     */
    private static final int SPINS_WITHOUT_YIELD = 16;
    /** Once it does not look again any more, it tries it only each time it falls asleep so often. */
    private static final int SLEEPS_WITHOUT_SPIN = 64;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    private final Work work;
    private final ThreadFactory factory;
    private final Object membership = new Object();
    /** Replaced under the lock. */
    private volatile Member[] members = {};
    /** How many of them have not been dismissed. Changed under the lock. */
    private volatile int staying;
    private volatile boolean ended;
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();

    Crew(Work work, ThreadFactory factory) {
        this.work = work;
        this.factory = factory;
    }

    /** {@return how many threads there are, without those that are about to leave} */
    int size() {
        return staying;
    }

    /**
     * Adds a thread, unless this has ended.
     *
     * @throws IllegalStateException if the factory makes none; what the factory or the system throws comes through
     */
    void add() {
        synchronized (membership) {
            if (ended) {
                return;
            }
            Member member = new Member();
            Thread thread = factory.newThread(member);
            if (thread == null) {
                throw new IllegalStateException("the thread factory has made no thread");
            }
            member.thread = thread;
            Member[] more = Arrays.copyOf(members, members.length + 1);
            more[members.length] = member;
            // Before it runs, or it might leave before it is there.
            members = more;
            staying++;
            try {
                thread.start();
            } catch (Throwable e) {
                remove(member);
                staying--;
                throw e;
            }
        }
    }

    /** Has the thread leave that has slept longest, or any if none sleeps. The last one stays. */
    void dismiss() {
        synchronized (membership) {
            Member chosen = null;
            long now = System.nanoTime();
            for (Member member : members) {
                if (!member.dismissed && (chosen == null || member.idle(now) > chosen.idle(now))) {
                    chosen = member;
                }
            }
            if (staying > 1) {
                staying--;
                chosen.dismiss();
            }
        }
    }

    /** {@return for how many nanoseconds the one that has slept longest has done so; 0 if none sleeps} */
    long longestIdle(long now) {
        return Arrays.stream(members).mapToLong(member -> member.idle(now)).max().orElse(0);
    }

    // Waking

    /** There is something to do. Called by any thread. */
    void wakeOne() {
        // Again if in the meantime others have relied on this.
        while (asleep.get() > 0 && !waking.get()) {
            // Or nobody might be woken up any more. It costs less than what it is for.
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
            if (!work.isThere()) {
                return;
            }
        }
    }

    /** A thread has taken some of what there is, and has yet to do it. */
    void wakeForRest() {
        if (asleep.get() > 0 && work.isThere()) {
            wakeOne();
        }
    }

    // The end

    /** Has all threads leave after what they are doing, and takes no more. */
    void end() {
        synchronized (membership) {
            ended = true;
            staying = 0;
            for (Member member : members) {
                member.dismiss();
            }
        }
    }

    /** Interrupts what the threads are doing. */
    void interrupt() {
        for (Member member : members) {
            member.thread.interrupt();
        }
    }

    /**
     * Waits until all threads have left. To be called after {@link #end}.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether they have; the caller is not waited for
     */
    boolean awaitEnd(long deadline) throws InterruptedException {
        for (Member member : members) {
            if (!member.join(deadline)) {
                return false;
            }
        }
        return true;
    }

    /** The thread is about to end. What it was woken for, if anything, is left to another one. */
    private void leave(Member member) {
        synchronized (membership) {
            remove(member);
            if (!member.dismissed) {
                // It has thrown, which nothing here does.
                staying--;
            }
        }
        if (work.isThere()) {
            wakeOne();
        }
    }

    private void remove(Member member) {
        members = Arrays.stream(members).filter(other -> other != member).toArray(Member[]::new);
    }

    /** A stage handles what its handler throws, so this is a mistake of the stage itself, and the thread goes on. */
    static void failed(Throwable cause) {
        HookFailure.log(LOG, "a stage has failed", cause);
        if (cause instanceof OutOfMemoryError) {
            // It is tried again at once.
            MemoryShortage.pause();
        }
    }

    /** One of the threads. */
    private final class Member implements Runnable {

        private final AtomicInteger state = new AtomicInteger(AWAKE);
        /** Set before it is started. */
        private Thread thread;
        private volatile boolean dismissed;
        private volatile long asleepSince;
        /**
         * How often it looks again: half as often each time it was in vain, as others may need the processor, until it
         * does not at all; and as often as at first once it was of use.
         */
        private int spins = MOST_SPINS;
        private int sleepsWithoutSpin;

        @Override
        public void run() {
            try {
                while (!dismissed) {
                    if (perform()) {
                        if (work.isThere()) {
                            wakeOne();
                        }
                    } else if (!dismissed && !isSomethingComing()) {
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
                // Whatever a hook has done to it, the next one is not concerned, and neither is sleeping.
                if (Thread.currentThread().isInterrupted()) {
                    Thread.interrupted();
                }
            }
        }

        private boolean isSomethingComing() {
            int most = spins;
            if (most == 0 && ++sleepsWithoutSpin == SLEEPS_WITHOUT_SPIN) {
                sleepsWithoutSpin = 0;
                most = MOST_SPINS;
            }
            for (int i = 0; i < most; i++) {
                if (work.isThere()) {
                    spins = MOST_SPINS;
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
            if ((dismissed || work.isThere()) && state.compareAndSet(ASLEEP, AWAKE)) {
                asleep.decrementAndGet();
                return;
            }
            while (state.get() == ASLEEP) {
                LockSupport.park(Crew.this);
                if ((Thread.interrupted() || dismissed) && state.compareAndSet(ASLEEP, AWAKE)) {
                    asleep.decrementAndGet();
                    return;
                }
            }
            state.set(AWAKE);
            // It is about to look.
            waking.set(false);
        }

        /** {@return whether it was asleep, and is the one that is woken} */
        boolean wake() {
            if (state.get() != ASLEEP || !state.compareAndSet(ASLEEP, WOKEN)) {
                return false;
            }
            asleep.decrementAndGet();
            LockSupport.unpark(thread);
            return true;
        }

        /** Has it leave after what it is doing. */
        void dismiss() {
            dismissed = true;
            LockSupport.unpark(thread);
        }

        /** {@return for how long it has slept, in nanoseconds; 0 if it does not} */
        long idle(long now) {
            return state.get() == ASLEEP ? Math.max(0, now - asleepSince) : 0;
        }

        boolean join(long deadline) throws InterruptedException {
            if (thread == Thread.currentThread()) {
                return true;
            }
            long left = deadline - System.nanoTime();
            if (left > 0) {
                // Rounded up: joining for no time means forever.
                thread.join(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
            return !thread.isAlive();
        }
    }

    /** What a crew does. */
    interface Work {

        /**
         * Does some of it.
         *
         * @return whether there was any
         */
        boolean perform();

        /** {@return whether there is something to do that nobody does yet} */
        boolean isThere();
    }
}
