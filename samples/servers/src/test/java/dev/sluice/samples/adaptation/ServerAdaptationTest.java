package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** How a server with three pools of four busy threads is adapted. */
class ServerAdaptationTest {

    private static final FileWays TRANSMITTED = FileWays.of(FileIo.TRANSMIT);
    private static final long SECOND = 1_000_000_000;
    private static final String WAYS = "ways";
    private static final String STRATEGY = "strategy";
    private static final List<ConcurrencyStrategy> STRATEGIES = List.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
            ConcurrencyStrategy.PROACTOR_PER_THREAD);

    /** What a server with large files does: half as much by another way, times what its threads bring. */
    private static LoadSample sample(ServerAdaptation state, ToDoubleFunction<List<Integer>> threads) {
        double speed = state.service().inForce().large() == FileIo.TRANSMIT ? 1 : 0.5;
        long octets = Math.round(1e8 * speed * threads.applyAsDouble(threads(state)));
        return new LoadSample(0, 0, 950, 50, 0, 10, 0, new Travel(SECOND, SECOND, List.of(0L, 0L, octets, 0L)));
    }

    private static List<Integer> threads(ServerAdaptation state) {
        return state.pools().stream().map(PoolAdaptation::threads).toList();
    }

    private static ServerAdaptation begin(boolean held) {
        return new ServerAdaptation(Adaptation.begin(new Setting(100, TRANSMITTED), Set.of()),
                StrategyAdaptation.begin(STRATEGIES, STRATEGIES.get(0)),
                List.of(PoolAdaptation.begin(4, false), PoolAdaptation.begin(4, held), PoolAdaptation.begin(4, false)));
    }

    private static StrategyLoad load(ServerAdaptation state) {
        return new StrategyLoad(state.concurrency().inForce(), 4, 10, 0);
    }

    /** {@return what is tried at this moment} */
    private static List<String> experiments(ServerAdaptation state) {
        List<String> experiments = new ArrayList<>();
        if (state.service().isOnTrial()) {
            experiments.add(WAYS);
        }
        if (state.concurrency().isOnTrial()) {
            experiments.add(STRATEGY);
        }
        for (int i = 0; i < state.pools().size(); i++) {
            if (state.pools().get(i).isOnTrial()) {
                experiments.add("pool " + i);
            }
        }
        return experiments;
    }

    private static ServerAdaptation next(ServerAdaptation state, ToDoubleFunction<List<Integer>> threads) {
        return state.next(sample(state, threads), threads(state), load(state));
    }

    /** The first pool brings nothing, the others do: each is judged by its own threads, and not by slower ways. */
    @Test
    void judgesEachExperimentByItself() {
        ServerAdaptation state = begin(false);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            state = next(state, threads -> threads.get(1) + threads.get(2));
            List<String> experiments = experiments(state);
            assertTrue(experiments.size() <= 1, experiments::toString);
            seen.addAll(experiments);
            assertEquals(TRANSMITTED, state.service().setting().ways(), "half as fast, whatever pools do");
        }
        assertEquals(Set.of(WAYS, STRATEGY, "pool 0", "pool 1", "pool 2"), seen);
        assertTrue(threads(state).get(0) <= 8, () -> "at most on trial: " + seen);
        assertEquals(List.of(32, 32), threads(state).subList(1, 3));
    }

    @Test
    void whatIsDueHasItsTurnSoon() {
        ServerAdaptation state = begin(false);
        Set<String> seen = new HashSet<>();
        // A growth or a strategy takes 32 looks, and a trial of three ways, of which two are hopeless, seven.
        for (int i = 0; i < 180; i++) {
            state = next(state, threads -> threads.stream().mapToInt(each -> each).sum());
            seen.addAll(experiments(state));
        }
        assertEquals(Set.of(WAYS, STRATEGY, "pool 0", "pool 1", "pool 2"), seen);
    }

    @Test
    void threadsThatClientsHoldComeWithoutDelay() {
        ServerAdaptation state = begin(true);
        for (int i = 0; i < 2; i++) {
            state = next(state, threads -> 1);
        }
        assertEquals(List.of(WAYS), experiments(state));
        assertEquals(List.of(4, 8, 4), threads(state));
    }

    @Test
    void aRefusalEndsAnExperiment() {
        ServerAdaptation state = begin(false);
        while (threads(state).get(0) == 4) {
            state = next(state, threads -> 1);
        }
        assertEquals(List.of("pool 0"), experiments(state));
        state = state.refused(0, 4);
        assertEquals(List.of(), experiments(state));
        assertEquals(List.of(4, 4, 4), threads(state));
        assertEquals(1, experiments(next(state, threads -> 1)).size(), "the next one begins");
    }

    @Test
    void triesOneThingAtATimeWhateverComes() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            ServerAdaptation state = begin(seed % 2 == 0);
            for (int i = 0; i < 500; i++) {
                List<Integer> busy = List.of(random.nextInt(40), random.nextInt(40), random.nextInt(40));
                LoadSample sample = sample(state, threads -> random.nextDouble());
                ServerAdaptation next = state.next(sample, busy, load(state));
                assertEquals(next, state.next(sample, busy, load(state)), "the same comes of the same");
                state = next;
                List<String> experiments = experiments(state);
                assertTrue(experiments.size() <= 1, experiments::toString);
            }
        }
    }
}
