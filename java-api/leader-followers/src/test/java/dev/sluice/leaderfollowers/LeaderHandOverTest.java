package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.deadline.Deadline;
import dev.sluice.testing.Depth;
import dev.sluice.testing.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A leader promotes a follower that stops following at that very moment. In each round the leader dispatches a first
 * event, which takes until another thread has dispatched a second one. So the leadership must reach the follower that
 * stays, whatever happens to the one that does not. The moments are varied at random.
 */
@Tag(Depth.IN_QUICK)
class LeaderHandOverTest {

    private static final int ROUNDS = Depth.times(20, 100, 20_000);
    private static final int MAX_SPINS = 4_000;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** What happens to the follower that is to be promoted, or to the pool. */
    enum Disturbance {
        ITS_TIME_IS_OVER,
        IT_IS_REMOVED,
        IT_IS_DONE,
        /** It notices that only when it is promoted. A pool that leaves the leadership with it loses it each time. */
        IT_IS_DONE_WHEN_PROMOTED,
        IT_IS_INTERRUPTED,
        /** The follower that stays joins only now. */
        THE_OTHER_JOINS,
        /** All threads must leave, and the second event is not dispatched. */
        THE_POOL_IS_CLOSED
    }

    private static volatile boolean stuck;

    private final ExecutorService threads = Executors.newCachedThreadPool(LeaderHandOverTest::newDaemon);
    private final SplittableRandom random = new SplittableRandom(20_001);

    static List<Arguments> races() {
        List<Arguments> races = new ArrayList<>();
        for (PromotionOrder order : PromotionOrder.values()) {
            for (Disturbance disturbance : Disturbance.values()) {
                races.add(Arguments.of(order, disturbance));
            }
        }
        return races;
    }

    @Tag(Depth.REPEATED)
    @ParameterizedTest
    @MethodSource("races")
    void leadershipIsNeverLost(PromotionOrder order, Disturbance disturbance) throws Exception {
        int rounds = disturbance == Disturbance.IT_IS_DONE_WHEN_PROMOTED ? 3 : ROUNDS;
        for (int i = 0; i < rounds; i++) {
            new Round(order, disturbance).run();
        }
    }

    private static Thread newDaemon(Runnable work) {
        Thread thread = new Thread(work, "thread of a test's pool");
        thread.setDaemon(true);
        return thread;
    }

    /** Where the threads of one pool do not end, those of many will not, and each would be waited for. */
    @BeforeEach
    void checkThatEarlierThreadsHaveEnded() {
        assertFalse(stuck, "not run, because threads of an earlier test are stuck");
    }

    @AfterEach
    void endThreads() throws InterruptedException {
        threads.shutdown();
        boolean ended = threads.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS);
        stuck |= !ended;
        assertTrue(ended, "threads are stuck");
    }

    private final class Round {

        private final PromotionOrder order;
        private final Disturbance disturbance;
        private final BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        private final CountDownLatch second = new CountDownLatch(1);
        private final AtomicInteger dispatched = new AtomicInteger();
        private final AtomicBoolean done = new AtomicBoolean();
        private final MultipleLeadersPool pool;
        private final List<Future<?>> joined = new ArrayList<>();
        private volatile PoolThread wavering;

        Round(PromotionOrder order, Disturbance disturbance) {
            this.order = order;
            this.disturbance = disturbance;
            this.pool = new MultipleLeadersPool(order, List.of(new QueueSource<>(queue, this::dispatch)));
        }

        private void dispatch(int event) throws InterruptedException {
            dispatched.incrementAndGet();
            if (event == 2) {
                second.countDown();
            } else if (disturbance != Disturbance.THE_POOL_IS_CLOSED) {
                assertTrue(second.await(LONG.toSeconds(), TimeUnit.SECONDS), "no thread leads");
            }
        }

        void run() throws Exception {
            boolean otherComesLate = disturbance == Disturbance.THE_OTHER_JOINS;
            Runnable joinOther = () -> join(() -> pool.join());
            join(() -> pool.join());
            await(() -> pool.threads(ThreadRole.LEADER).size() == 1);
            // So that the wavering one is the next to be promoted.
            boolean waveringLast = order == PromotionOrder.LIFO;
            if (waveringLast && !otherComesLate) {
                joinOther.run();
                await(() -> pool.threads(ThreadRole.FOLLOWER).size() == 1);
            }
            if (!otherComesLate) {
                join(this::waver);
                await(() -> wavering != null && (wavering.role == ThreadRole.FOLLOWER
                        || disturbance == Disturbance.ITS_TIME_IS_OVER));
            }
            if (!waveringLast && !otherComesLate) {
                joinOther.run();
                await(() -> pool.threads(ThreadRole.FOLLOWER).size() >= 1);
            }
            done.set(disturbance == Disturbance.IT_IS_DONE_WHEN_PROMOTED);
            queue.add(1);
            spin(random(MAX_SPINS));
            disturb(joinOther);
            queue.add(2);
            boolean closed = disturbance == Disturbance.THE_POOL_IS_CLOSED;
            assertTrue(closed || second.await(LONG.toSeconds(), TimeUnit.SECONDS), "no thread leads");
            close();
            for (Future<?> future : joined) {
                future.get(LONG.toSeconds(), TimeUnit.SECONDS);
            }
            assertTrue(closed || dispatched.get() == 2);
            for (ThreadRole role : ThreadRole.values()) {
                assertEquals(List.of(), pool.threads(role));
            }
        }

        private void waver() throws Exception {
            PoolThread self = pool.self();
            wavering = self;
            switch (disturbance) {
                case ITS_TIME_IS_OVER -> pool.join(Duration.ofNanos(20_000 + random(100_000)));
                case IT_IS_DONE, IT_IS_DONE_WHEN_PROMOTED -> pool.join(self, Deadline.NEVER, done::get,
                        Integer.MAX_VALUE);
                default -> pool.join();
            }
            Thread.interrupted();
        }

        private void disturb(Runnable joinOther) throws Exception {
            switch (disturbance) {
                case IT_IS_REMOVED -> pool.remove(wavering.thread);
                case IT_IS_DONE -> {
                    done.set(true);
                    pool.roles.recheck(wavering);
                }
                case IT_IS_INTERRUPTED -> wavering.thread.interrupt();
                case THE_OTHER_JOINS -> joinOther.run();
                case THE_POOL_IS_CLOSED -> close();
                default -> { }
            }
        }

        // In another thread, with a time limit: closing a pool that has lost its leadership would not return.
        private void close() throws Exception {
            threads.submit(pool::close).get(LONG.toSeconds(), TimeUnit.SECONDS);
        }

        private void join(Joining joining) {
            joined.add(threads.submit(() -> {
                joining.run();
                return null;
            }));
        }
    }

    private interface Joining {
        void run() throws Exception;
    }

    private int random(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private static void await(BooleanSupplier happened) {
        long end = System.nanoTime() + LONG.toNanos();
        Pause pause = new Pause();
        while (!happened.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "it does not happen");
            pause.next();
        }
    }
}
