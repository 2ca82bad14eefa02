package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final Work work;
    private final ThreadFactory factory;
    private final Object membership = new Object();
    /** Replaced under the lock. */
    private volatile CrewThread[] members = {};
    /** How many of them have not been dismissed. Changed under the lock. */
    private volatile int staying;
    private volatile boolean ended;
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();

    Crew(Work work, ThreadFactory factory) {
        this.work = work;
        this.factory = factory;
    }

    Work work() {
        return work;
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
            CrewThread member = new CrewThread(this);
            Thread thread = factory.newThread(member);
            if (thread == null) {
                throw new IllegalStateException("the thread factory has made no thread");
            }
            member.setThread(thread);
            CrewThread[] more = Arrays.copyOf(members, members.length + 1);
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
            CrewThread chosen = null;
            long now = System.nanoTime();
            for (CrewThread member : members) {
                if (!member.isDismissed() && (chosen == null || member.idle(now) > chosen.idle(now))) {
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
        long longest = 0;
        for (CrewThread member : members) {
            longest = Math.max(longest, member.idle(now));
        }
        return longest;
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
            for (CrewThread member : members) {
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

    void fellAsleep() {
        asleep.incrementAndGet();
    }

    void noLongerAsleep() {
        asleep.decrementAndGet();
    }

    /** The thread that was being woken is about to look. */
    void awake() {
        waking.set(false);
    }

    // The end

    /** Has all threads leave after what they are doing, and takes no more. */
    void end() {
        synchronized (membership) {
            ended = true;
            staying = 0;
            for (CrewThread member : members) {
                member.dismiss();
            }
        }
    }

    /** Interrupts what the threads are doing. */
    void interrupt() {
        for (CrewThread member : members) {
            member.interrupt();
        }
    }

    /**
     * Waits until all threads have left. To be called after {@link #end}.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether they have; the caller is not waited for
     */
    boolean awaitEnd(long deadline) throws InterruptedException {
        for (CrewThread member : members) {
            if (!member.join(deadline)) {
                return false;
            }
        }
        return true;
    }

    /** The thread is about to end. What it was woken for, if anything, is left to another one. */
    void leave(CrewThread member) {
        synchronized (membership) {
            remove(member);
            if (!member.isDismissed()) {
                // It has thrown, which nothing here does.
                staying--;
            }
        }
        if (work.isThere()) {
            wakeOne();
        }
    }

    private void remove(CrewThread member) {
        CrewThread[] before = members;
        CrewThread[] rest = new CrewThread[before.length - 1];
        int count = 0;
        for (CrewThread other : before) {
            if (other != member) {
                rest[count++] = other;
            }
        }
        members = rest;
    }

    /** A stage handles what its handler throws, so this is a mistake of the stage itself, and the thread goes on. */
    static void failed(Throwable cause) {
        HookFailure.log(LOG, "a stage has failed", cause);
    }

    /** What a crew does. */
    interface Work {

        /**
         * Does some of it.
         *
         * @param member by whom
         * @return whether there was any
         */
        boolean perform(CrewThread member);

        /** {@return whether there is something to do that nobody does yet} */
        boolean isThere();
    }
}
