package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that come, sleep, are woken and leave, all at the same moment. */
class WorkerThreadsTest {

    private static final int ROUNDS = 200;
    /** So often a thread looks again, at first and after that was of use. */
    private static final int SPINS = 64;
    /** Once that is never of use, it looks again only each time it has fallen asleep so often. */
    private static final int SLEEPS_WITHOUT_SPIN = 64;
    /** It looks once more after it has done something, and once more after it has said that it is asleep. */
    private static final int OTHER_LOOKS = 2;
    /** More than a new thread has until it sleeps, is woken, and sleeps again. */
    private static final int LOOKS = SPINS + SPINS / 2 + 3 * OTHER_LOOKS;

    private final AtomicInteger left = new AtomicInteger();
    /** After how many looks something comes just when it has been looked for; negative for never. */
    private final AtomicInteger looksUntilItComes = new AtomicInteger(-1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    /** How often they have looked. */
    private final AtomicInteger looks = new AtomicInteger();
    private WorkerThreads crew = new WorkerThreads(new Items(), this::thread);

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "crew of a test");
        threads.add(thread);
        return thread;
    }

    /** There are so many things to do. */
    private final class Items implements WorkerThreads.Work {

        @Override
        public boolean perform() {
            int before = left.get();
            return before > 0 && left.compareAndSet(before, before - 1);
        }

        @Override
        public boolean hasWork() {
            boolean there = left.get() > 0;
            if (threads.contains(Thread.currentThread())) {
                looks.incrementAndGet();
            }
            if (looksUntilItComes.getAndUpdate(before -> Math.max(-1, before - 1)) == 0) {
                left.incrementAndGet();
                crew.wakeOne();
            }
            return there;
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        crew.end();
        assertTrue(crew.awaitEnd(System.nanoTime() + StageContract.LIMIT.toNanos()));
        assertEquals(0, crew.size());
    }

    private void awaitAsleep() {
        threads.stream().filter(Thread::isAlive).forEach(OtherThread::awaitWaiting);
    }

    private void awaitDone() {
        OtherThread.await(() -> left.get() == 0);
    }

    @Test
    void retiringThreadForwardsItsWakeUp() {
        crew.add();
        for (int i = 0; i < ROUNDS; i++) {
            crew.add();
            awaitAsleep();
            // The one that has been dismissed is still asleep, and so it is the one that is woken.
            crew.retireThread();
            left.incrementAndGet();
            crew.wakeOne();
            awaitDone();
            OtherThread.await(() -> threads.stream().filter(Thread::isAlive).count() == 1);
        }
        assertEquals(1, crew.size());
    }

    private void give() {
        left.incrementAndGet();
        crew.wakeOne();
        awaitDone();
        awaitAsleep();
    }

    /** With a new thread for each number of looks, as how often one looks depends on what it has seen. */
    @Test
    void nothingIsSleptThrough() throws Exception {
        for (int number = 0; number < LOOKS; number++) {
            looksUntilItComes.set(number);
            crew = new WorkerThreads(new Items(), this::thread);
            crew.add();
            awaitAsleep();
            // The item is done without a wake-up by another thread.
            awaitDone();
            // Up to the last look before it sleeps, it has come.
            assertEquals(number <= SPINS, looksUntilItComes.get() < 0);
            give();
            awaitDone();
            looksUntilItComes.set(-1);
            end();
            threads.clear();
        }
    }

    /** {@return how often a thread looks that does one thing, and falls asleep again} */
    private int looksOfOneThing() {
        looks.set(0);
        give();
        return looks.get();
    }

    @Test
    void looksAgainOnlyWhileThatIsOfUse() {
        crew.add();
        awaitAsleep();
        // At first it had nothing to do.
        assertEquals(SPINS + OTHER_LOOKS - 1, looks.get());
        for (int spins = SPINS / 2; spins > 0; spins /= 2) {
            assertEquals(spins + OTHER_LOOKS, looksOfOneThing());
        }
        for (int tries = 0; tries < 2; tries++) {
            for (int sleeps = 1; sleeps < SLEEPS_WITHOUT_SPIN; sleeps++) {
                assertEquals(OTHER_LOOKS, looksOfOneThing());
            }
            // Looks again, and finds nothing.
            assertEquals(SPINS + OTHER_LOOKS, looksOfOneThing());
        }
        for (int sleeps = 1; sleeps < SLEEPS_WITHOUT_SPIN; sleeps++) {
            assertEquals(OTHER_LOOKS, looksOfOneThing());
        }
        // Tries again, and this time something comes at the first look, so that the second one finds it.
        looksUntilItComes.set(1);
        assertEquals(2 + SPINS + OTHER_LOOKS + 1, looksOfOneThing());
        assertEquals(SPINS / 2 + OTHER_LOOKS, looksOfOneThing());
    }

    @Test
    void aBurstWakesAsManyAsItNeeds() throws Exception {
        for (int i = 0; i < 4; i++) {
            crew.add();
        }
        for (int i = 0; i < ROUNDS; i++) {
            left.addAndGet(8);
            crew.wakeOne();
            awaitDone();
        }
        assertEquals(4, crew.size());
    }

    @Test
    void theLastOneStays() {
        crew.add();
        crew.retireThread();
        assertEquals(1, crew.size());
        awaitAsleep();
        left.incrementAndGet();
        crew.wakeOne();
        awaitDone();
    }
}
