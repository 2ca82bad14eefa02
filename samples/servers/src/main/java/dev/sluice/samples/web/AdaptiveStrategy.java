package dev.sluice.samples.web;

import dev.sluice.samples.adaptation.StrategyAdaptation;
import dev.sluice.samples.adaptation.StrategyLoad;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.StrategyContext;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/** Changes the concurrency strategy of a server as its adaptation decides. For one thread. */
final class AdaptiveStrategy {

    private static final Logger LOG = LoggerFactory.getLogger(AdaptiveStrategy.class);

    /**
     * Those that serve any number of connections by a few threads. Of the others, some have clients that wait for a
     * thread, or as many platform threads as clients.
     */
    static final List<ConcurrencyStrategy> USUAL = List.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
            ConcurrencyStrategy.LEADER_FOLLOWERS, ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC,
            ConcurrencyStrategy.PROACTOR_PER_THREAD);

    private final StrategyContext context;
    private final List<ConcurrencyStrategy> candidates;
    /** The number of threads of each strategy that has served, as it was chosen on the command line or later. */
    private final Map<ConcurrencyStrategy, Integer> threads = new EnumMap<>(ConcurrencyStrategy.class);
    private StrategyAdaptation state;
    private StrategyLoad lastLoad = StrategyLoad.NONE;
    private String lastTried = "";

    /**
     * Begins with the strategy that serves.
     *
     * @param context    changes it
     * @param candidates the strategies to choose from
     */
    AdaptiveStrategy(StrategyContext context, List<ConcurrencyStrategy> candidates) {
        this.context = context;
        this.candidates = candidates;
        this.state = StrategyAdaptation.begin(candidates, context.strategy());
    }

    /** {@return what has been decided} */
    StrategyAdaptation state() {
        return state;
    }

    /** {@return the connections at this moment, for the next decision} */
    StrategyLoad look() {
        lastLoad = new StrategyLoad(context.strategy(), context.threads(),
                context.connections() + context.staying(), context.staying());
        lastTried = state.tried();
        threads.put(lastLoad.strategy(), lastLoad.threads());
        return lastLoad;
    }

    /**
     * Applies a decision.
     *
     * @return whether another strategy is kept than before
     */
    boolean adapt(StrategyAdaptation next) {
        StrategyAdaptation old = state;
        state = next;
        if (next.inForce() != context.strategy()) {
            change(next.inForce());
        }
        if (!state.reason().isEmpty() && !state.equals(old)) {
            if (state.kept() == old.kept()) {
                LOG.debug("concurrency: {}", state.reason());
            } else {
                LOG.info("concurrency: {}", state.reason());
            }
        }
        return state.kept() != old.kept();
    }

    private void change(ConcurrencyStrategy next) {
        try {
            context.change(next, threads.getOrDefault(next, next.defaultThreads()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | ParameterException e) {
            refused(next, FileProblem.describe(e));
        } catch (OutOfMemoryError e) {
            refused(next, e.toString());
        }
    }

    private void refused(ConcurrencyStrategy next, String problem) {
        if (!context.isServing()) {
            return;
        }
        state = state.refused(context.strategy());
        LOG.warn("concurrency: {} is not tried any more: {}", next, problem);
    }

    /** The strategy is to stay: a trial ends with the one that was kept. One set at the control address stays. */
    void end() {
        boolean isOwn = state.inForce() == context.strategy();
        state = state.ended();
        if (isOwn && state.kept() != context.strategy()) {
            change(state.kept());
        }
    }

    /** The strategy is to be adapted again, if it has been to stay. */
    void resume() {
        if (state.candidates().isEmpty()) {
            state = StrategyAdaptation.begin(candidates, context.strategy());
        }
    }

    /** Adds the figures of the last look, the strategy that was active until then, and what was decided. */
    void putLastLook(Map<String, Object> row) {
        row.put("concurrency", lastLoad.strategy());
        row.put("connections", lastLoad.connections());
        row.put("connections of earlier strategies", lastLoad.staying());
        row.put("concurrency tried", lastTried);
        row.put("reason", state.reason());
    }
}
