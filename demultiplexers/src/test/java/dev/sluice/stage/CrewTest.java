package dev.sluice.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that come, sleep, are woken and leave, all at the same moment. */
class CrewTest {

    private static final int ROUNDS = 200;
    /** So often a thread looks before it sleeps, or fewer times. */
    private static final int LOOKS = 200;

    private final AtomicInteger left = new AtomicInteger();
    /** After how many looks something comes just when it has been looked for; negative for never. */
    private final AtomicInteger looksUntilItComes = new AtomicInteger(-1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Crew crew = new Crew(new Items(), this::thread);

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "crew of a test");
        threads.add(thread);
        return thread;
    }

    /** There are so many things to do. */
    private final class Items implements Crew.Work {

        @Override
        public boolean perform(CrewThread member) {
            int before = left.get();
            return before > 0 && left.compareAndSet(before, before - 1);
        }

        @Override
        public boolean isThere() {
            boolean there = left.get() > 0;
            if (looksUntilItComes.getAndUpdate(looks -> Math.max(-1, looks - 1)) == 0) {
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
    void whoLeavesTakesNoWakeUpAlong() {
        crew.add();
        for (int i = 0; i < ROUNDS; i++) {
            crew.add();
            awaitAsleep();
            // The one that has been dismissed is still asleep, and so it is the one that is woken.
            crew.dismiss();
            left.incrementAndGet();
            crew.wakeOne();
            awaitDone();
            OtherThread.await(() -> threads.stream().filter(Thread::isAlive).count() == 1);
        }
        assertEquals(1, crew.size());
    }

    @Test
    void nothingIsSleptThrough() {
        crew.add();
        awaitAsleep();
        for (int looks = 0; looks < LOOKS; looks++) {
            looksUntilItComes.set(looks);
            left.incrementAndGet();
            crew.wakeOne();
            awaitDone();
            awaitAsleep();
            assertEquals(0, left.get());
        }
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
        crew.dismiss();
        assertEquals(1, crew.size());
        awaitAsleep();
        left.incrementAndGet();
        crew.wakeOne();
        awaitDone();
    }
}
