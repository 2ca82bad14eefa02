package dev.sluice.benchmarks.seda.hop;

import dev.sluice.benchmarks.jmh.Processor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Events that the thread of the benchmark sends through a chain of stages. */
@State(Scope.Benchmark)
public class Hop {

    /** Number of events that are sent before the last of them is waited for: as many as a queue has places. */
    static final int BURST = 4_096;

    /** The kind of chain. */
    @Param("CALL")
    public ChainKind kind;

    /** Number of stages. */
    @Param("1")
    public int stages;

    private Arrivals arrivals;
    private Chain chain;

    /** For JMH. */
    public Hop() {
    }

    private void open(int count) {
        arrivals = new Arrivals(stages, count);
        chain = kind.open(stages, BURST, arrivals);
    }

    /** One event at a time. */
    @State(Scope.Benchmark)
    public static class Lone {

        /** For JMH. */
        public Lone() {
        }

        /**
         * Starts the stages on the processor of this thread.
         *
         * @param hop has them
         */
        @Setup
        public void open(Hop hop) {
            Processor.current().bind();
            hop.open(1);
        }
    }

    /** Many events at once. */
    @State(Scope.Benchmark)
    public static class Many {

        /** For JMH. */
        public Many() {
        }

        /**
         * Starts the stages.
         *
         * @param hop has them
         */
        @Setup
        public void open(Hop hop) {
            hop.open(BURST);
        }
    }

    /**
     * Sends an event, and waits until it has arrived.
     *
     * @param lone has started the stages
     */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void time(Lone lone) {
        arrivals.send(chain);
    }

    /**
     * Sends events one after the other, and waits until they have arrived.
     *
     * @param many has started the stages
     */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BURST)
    public void throughput(Many many) {
        arrivals.send(chain);
    }

    /** Ends the stages. */
    @TearDown
    public void close() {
        chain.close();
    }
}
