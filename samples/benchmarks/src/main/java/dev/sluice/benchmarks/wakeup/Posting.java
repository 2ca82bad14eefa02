package dev.sluice.benchmarks.wakeup;

import java.io.IOException;
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

/** Tasks for an event loop, from the threads of the benchmark. */
@State(Scope.Benchmark)
public class Posting {

    /** How many tasks a thread posts before it waits for the last of them. */
    static final int BATCH = 1_000;

    /** Whose loop. */
    @Param("REACTOR")
    public LoopKind kind;

    /** The demultiplexer of a Reactor or Proactor. */
    @Param("auto")
    public String demultiplexer;

    private RunningLoop loop;

    /** For JMH. */
    public Posting() {
    }

    /** What one thread posts. */
    @State(Scope.Thread)
    public static class Poster {

        private final NumberedTasks one = new NumberedTasks(1);
        private final NumberedTasks many = new NumberedTasks(BATCH);

        /** For JMH. */
        public Poster() {
        }
    }

    /**
     * Starts the loop.
     *
     * @throws IOException if the system refuses
     */
    @Setup
    public void open() throws IOException {
        loop = kind.open(demultiplexer);
    }

    /**
     * Posts a task, and waits until the loop has run it.
     *
     * @param poster what to post
     */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void roundTrip(Poster poster) {
        poster.one.run(loop);
    }

    /**
     * Posts tasks one after the other, and waits until the loop has run them.
     *
     * @param poster what to post
     */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BATCH)
    public void throughput(Poster poster) {
        poster.many.run(loop);
    }

    /**
     * Ends the loop.
     *
     * @throws IOException if it has failed
     */
    @TearDown
    public void close() throws IOException {
        loop.close();
    }
}
