package dev.sluice.benchmarks.seda.hop;

import dev.sluice.stages.StagePool;

/** The contestants. */
public enum ChainKind {

    /** Methods that call each other. */
    CALL("plain call") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new CallChain(stages, arrivals);
        }
    },

    /** Stages of Sluice that are calls. */
    DIRECT("Sluice, direct") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new StageChain(stages, places, arrivals, options -> options.direct(), () -> {
            });
        }
    },

    /** Stages of Sluice that share a pool. */
    SHARED("Sluice, shared pool") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            StagePool pool = new StagePool("hop", Runtime.getRuntime().availableProcessors());
            return new StageChain(stages, places, arrivals, options -> options.pool(pool), pool::close);
        }
    },

    /** Stages of Sluice with a thread each. */
    OWN("Sluice, own threads") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new StageChain(stages, places, arrivals, options -> options.ownThreads(1, 1), () -> {
            });
        }
    },

    /** Executors with a thread each. */
    EXECUTOR("ThreadPoolExecutor") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new ExecutorChain(stages, arrivals);
        }
    },

    /** LMAX Disruptors with a thread each. */
    RINGS("LMAX Disruptor") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new RingsChain(stages, places, arrivals);
        }
    },

    /** One LMAX Disruptor with a thread for each stage. */
    ONE_RING("LMAX Disruptor, one ring") {
        @Override
        Chain open(int stages, int places, Arrivals arrivals) {
            return new OneRingChain(stages, places, arrivals);
        }
    };

    private final String contestant;

    ChainKind(String contestant) {
        this.contestant = contestant;
    }

    /** {@return what it is called in the report} */
    String contestant() {
        return contestant;
    }

    /**
     * Starts it.
     *
     * @param stages   the number of stages, at least 1
     * @param places   the maximum number of events in each queue that is bounded: a power of two
     * @param arrivals where it leads to
     * @return the chain; the caller closes it
     */
    abstract Chain open(int stages, int places, Arrivals arrivals);
}
