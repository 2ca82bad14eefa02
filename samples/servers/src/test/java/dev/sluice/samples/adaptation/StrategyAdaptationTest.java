package dev.sluice.samples.adaptation;

import static dev.sluice.samples.conversation.ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.LEADER_FOLLOWERS;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.PROACTOR_PER_THREAD;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.REACTOR_PER_THREAD;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.THREAD_POOL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** How the concurrency strategy of a server with ten connections is adapted. */
class StrategyAdaptationTest {

    private static final List<ConcurrencyStrategy> CANDIDATES = List.of(REACTOR_PER_THREAD, LEADER_FOLLOWERS,
            HALF_SYNC_HALF_ASYNC, PROACTOR_PER_THREAD);

    private StrategyAdaptation state = StrategyAdaptation.begin(CANDIDATES, REACTOR_PER_THREAD);
    private final List<String> reasons = new ArrayList<>();
    private final Set<ConcurrencyStrategy> served = new HashSet<>();

    private static LoadSample sample(int replies) {
        return new LoadSample(replies, 0, 0, 0, 0, 0, 10, new Travel(100_000_000, 0, Travel.NONE.octets()));
    }

    private static StrategyLoad load(ConcurrencyStrategy strategy, int connections, int staying) {
        return new StrategyLoad(strategy, strategy.defaultThreads(), connections, staying);
    }

    private void next(int replies, StrategyLoad load) {
        state = state.next(sample(replies), load, true);
        if (!state.reason().isEmpty()) {
            reasons.add(state.reason());
        }
        served.add(state.inForce());
    }

    /** Takes samples of a server that has so many replies by each strategy. */
    private void run(int samples, ToIntFunction<ConcurrencyStrategy> replies) {
        for (int i = 0; i < samples; i++) {
            next(replies.applyAsInt(state.inForce()), load(state.inForce(), 10, 0));
        }
    }

    @Test
    void changesToWhatIsClearlyBetter() {
        run(200, strategy -> strategy == HALF_SYNC_HALF_ASYNC ? 1200 : 1000);
        assertEquals(HALF_SYNC_HALF_ASYNC, state.kept());
        assertEquals(List.of("tries leader-followers",
                "leader-followers has 1.00 times the throughput: reactor-per-thread stays",
                "tries half-sync-half-async", "half-sync-half-async has 1.20 times the throughput of "
                        + "reactor-per-thread: changes to it", "tries proactor-per-thread",
                "proactor-per-thread has 0.83 times the throughput: half-sync-half-async stays",
                "tries reactor-per-thread"), reasons.subList(0, 7));
    }

    @Test
    void givesUpSoonWhatIsMuchWorse() {
        run(11, strategy -> strategy == REACTOR_PER_THREAD ? 1000 : 500);
        assertEquals(List.of("tries leader-followers",
                "leader-followers has 0.50 times the throughput: reactor-per-thread stays"), reasons);
    }

    @Test
    void keepsWhatIsAsGoodAndTriesMoreRarely() {
        int trials = 0;
        int looks = 20_000;
        int others = 0;
        for (int i = 0; i < looks; i++) {
            boolean before = state.isOnTrial();
            run(1, strategy -> 1000);
            trials += !before && state.isOnTrial() ? 1 : 0;
            others += state.inForce() == REACTOR_PER_THREAD ? 0 : 1;
        }
        assertEquals(REACTOR_PER_THREAD, state.kept());
        assertEquals(Set.copyOf(CANDIDATES), served);
        int counted = trials;
        assertTrue(counted < 50, () -> "trials: " + counted);
        assertTrue(others < looks / 20);
    }

    @Test
    void hardlyEverTakesChanceForAGain() {
        int changes = 0;
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            state = StrategyAdaptation.begin(CANDIDATES, REACTOR_PER_THREAD);
            run(150, strategy -> 800 + random.nextInt(400));
            changes += state.kept() == REACTOR_PER_THREAD ? 0 : 1;
        }
        int counted = changes;
        assertTrue(counted <= 5, () -> "changes: " + counted);
    }

    @Test
    void anotherLoadLetsItTryAgain() {
        run(1000, strategy -> 1000);
        int before = reasons.size();
        run(60, strategy -> strategy == LEADER_FOLLOWERS ? 6000 : 4000);
        assertEquals("tries " + LEADER_FOLLOWERS, reasons.get(before));
        assertEquals(LEADER_FOLLOWERS, state.kept());
    }

    @Test
    void countsFromWhenConnectionsHaveMoved() {
        run(6, strategy -> 1000);
        assertEquals(LEADER_FOLLOWERS, state.inForce());
        for (int i = 0; i < 10; i++) {
            next(100, load(LEADER_FOLLOWERS, 10, 2));
        }
        run(40, strategy -> 1000);
        assertEquals("leader-followers has 1.00 times the throughput: reactor-per-thread stays", reasons.get(1));
    }

    @Test
    void givesUpIfConnectionsStay() {
        run(6, strategy -> 1000);
        while (state.inForce() == LEADER_FOLLOWERS) {
            next(1000, load(LEADER_FOLLOWERS, 10, 2));
        }
        assertEquals("leader-followers: no result as 2 connections have not moved: reactor-per-thread stays",
                reasons.get(1));
        for (int i = 0; i < 500; i++) {
            next(1000, load(REACTOR_PER_THREAD, 10, 1));
            assertFalse(state.isOnTrial(), "the one before has not ended");
        }
        run(50, strategy -> 1000);
        assertEquals("tries half-sync-half-async", reasons.get(2));
    }

    @Test
    void givesUpIfThereIsTooLittleToDo() {
        run(6, strategy -> 1000);
        run(3, strategy -> 1);
        assertEquals(REACTOR_PER_THREAD, state.inForce());
        assertEquals("leader-followers: no result as there is too little to do: reactor-per-thread stays",
                reasons.get(1));
        run(500, strategy -> 1);
        assertEquals(2, reasons.size());
    }

    @Test
    void waitsForOtherExperiments() {
        for (int i = 0; i < 100; i++) {
            state = state.next(sample(1000), load(REACTOR_PER_THREAD, 10, 0), false);
        }
        assertFalse(state.isOnTrial());
        run(1, strategy -> 1000);
        assertTrue(state.isOnTrial());
    }

    @Test
    void leavesStrategiesWhoseThreadsAreHeld() {
        state = StrategyAdaptation.begin(List.of(THREAD_POOL, LEADER_FOLLOWERS), THREAD_POOL);
        int threads = THREAD_POOL.defaultThreads();
        next(1000, load(THREAD_POOL, threads, 0));
        next(1, load(THREAD_POOL, threads + 1, 0));
        assertEquals(THREAD_POOL, state.kept());
        next(1, load(THREAD_POOL, threads + 1, 0));
        assertEquals(LEADER_FOLLOWERS, state.kept());
        assertEquals(List.of("17 connections for 16 threads: changes to leader-followers"), reasons);
        for (int i = 0; i < 100; i++) {
            next(1000, load(LEADER_FOLLOWERS, threads + 1, 0));
        }
        assertFalse(served.contains(THREAD_POOL) && state.isOnTrial());
        assertEquals(1, reasons.size(), reasons::toString);
        for (int i = 0; i < 3; i++) {
            next(1000, load(LEADER_FOLLOWERS, threads, 0));
        }
        assertEquals("tries thread-pool", reasons.get(1));
    }

    @Test
    void goesOnFromWhatHasBeenAskedFor() {
        run(6, strategy -> 1000);
        next(1000, load(PROACTOR_PER_THREAD, 10, 0));
        assertEquals(PROACTOR_PER_THREAD, state.kept());
        assertEquals(PROACTOR_PER_THREAD, state.inForce());
        assertEquals("changed to proactor-per-thread at the control address", reasons.get(1));
    }

    @Test
    void triesNoMoreWhatIsRefused() {
        run(6, strategy -> 1000);
        state = state.refused(REACTOR_PER_THREAD);
        assertEquals("leader-followers is refused", state.reason());
        served.clear();
        run(1000, strategy -> 1000);
        assertEquals(Set.of(REACTOR_PER_THREAD, HALF_SYNC_HALF_ASYNC, PROACTOR_PER_THREAD), served);
    }

    @Test
    void endsWithWhatWasKept() {
        run(6, strategy -> 1000);
        assertEquals(LEADER_FOLLOWERS, state.inForce());
        state = state.ended();
        assertEquals(REACTOR_PER_THREAD, state.inForce());
        run(100, strategy -> 1000);
        assertFalse(state.isOnTrial());
    }
}
