package dev.sluice.stages;

import dev.sluice.failure.MemoryShortage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** One thread of a {@link Crew}. */
final class CrewThread implements Runnable {

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

    private final Crew crew;
    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private Thread thread;
    private volatile boolean dismissed;
    private volatile long asleepSince;
    private int turns;
    /**
     * How often it looks again: half as often each time it was in vain, as others may need the processor, until it does
     * not at all; and as often as at first once it was of use.
     */
    private int spins = MOST_SPINS;
    private int sleepsWithoutSpin;

    CrewThread(Crew crew) {
        this.crew = crew;
    }

    /** Called before it is started. */
    void setThread(Thread runner) {
        thread = runner;
    }

    @Override
    public void run() {
        try {
            while (!dismissed) {
                if (perform()) {
                    if (crew.work().isThere()) {
                        crew.wakeOne();
                    }
                } else if (!dismissed && !isSomethingComing()) {
                    sleep();
                }
            }
        } finally {
            crew.leave(this);
        }
    }

    private boolean perform() {
        turns++;
        try {
            return crew.work().perform(this);
        } catch (OutOfMemoryError e) {
            Crew.failed(e);
            // It is tried again at once.
            MemoryShortage.pause();
            return true;
        } catch (Throwable e) {
            Crew.failed(e);
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
            if (crew.work().isThere()) {
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
        crew.fellAsleep();
        if ((dismissed || crew.work().isThere()) && state.compareAndSet(ASLEEP, AWAKE)) {
            crew.noLongerAsleep();
            return;
        }
        while (state.get() == ASLEEP) {
            LockSupport.park(crew);
            if (Thread.interrupted() || dismissed) {
                if (state.compareAndSet(ASLEEP, AWAKE)) {
                    crew.noLongerAsleep();
                    return;
                }
            }
        }
        state.set(AWAKE);
        crew.awake();
    }

    /** {@return whether it was asleep, and is the one that is woken} */
    boolean wake() {
        if (state.get() != ASLEEP || !state.compareAndSet(ASLEEP, WOKEN)) {
            return false;
        }
        crew.noLongerAsleep();
        LockSupport.unpark(thread);
        return true;
    }

    /** Has it leave after what it is doing. */
    void dismiss() {
        dismissed = true;
        LockSupport.unpark(thread);
    }

    boolean isDismissed() {
        return dismissed;
    }

    void interrupt() {
        thread.interrupt();
    }

    /** {@return for how long it has slept, in nanoseconds; 0 if it does not} */
    long idle(long now) {
        return state.get() == ASLEEP ? Math.max(0, now - asleepSince) : 0;
    }

    /** {@return how often it has looked for something to do} */
    int turns() {
        return turns;
    }

    boolean join(long deadline) throws InterruptedException {
        if (thread == Thread.currentThread()) {
            return true;
        }
        long left = deadline - System.nanoTime();
        // Rounded up: joining for no time means forever.
        return left > 0 && join(thread, TimeUnit.NANOSECONDS.toMillis(left) + 1) || !thread.isAlive();
    }

    private static boolean join(Thread thread, long millis) throws InterruptedException {
        thread.join(millis);
        return !thread.isAlive();
    }
}
