package dev.sluice.benchmarks.wakeup;

import dev.sluice.benchmarks.jmh.Processor;
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

    /** The loop. */
    @Param("REACTOR")
    public LoopKind kind;

    /** The demultiplexer of a Reactor or Proactor. */
    @Param("auto")
    public String demultiplexer;

    private RunningLoop loop;
    private Processor processor;

    /** For JMH. */
    public Posting() {
    }

    /** What one thread posts before it waits. */
    @State(Scope.Thread)
    public static class OneTask {

        private final NumberedTasks tasks = new NumberedTasks(1);

        /** For JMH. */
        public OneTask() {
        }

        /**
         * Puts this thread on the processor of all.
         *
         * @param posting has the loop, which is put there, too
         */
        @Setup
        public void bind(Posting posting) {
            posting.processor.bind();
            posting.loop.execute(posting.processor::bind);
        }
    }

    /** What one thread posts before it waits. */
    @State(Scope.Thread)
    public static class ManyTasks {

        private final NumberedTasks tasks = new NumberedTasks(BATCH);

        /** For JMH. */
        public ManyTasks() {
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
        processor = Processor.current();
    }

    /**
     * Posts a task, and waits until the loop has run it.
     *
     * @param task the task to post
     */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void roundTrip(OneTask task) {
        task.tasks.run(loop);
    }

    /**
     * Posts tasks one after the other, and waits until the loop has run them.
     *
     * @param many the tasks to post
     */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BATCH)
    public void throughput(ManyTasks many) {
        many.tasks.run(loop);
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
