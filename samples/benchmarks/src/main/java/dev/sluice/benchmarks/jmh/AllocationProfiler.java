package dev.sluice.benchmarks.jmh;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Counts the bytes that all threads allocate per operation, also those that have ended meanwhile, but not JMH's own,
 * which is the one that calls this: JMH's {@code GCProfiler} counts that one as well, some thousand bytes in each
 * iteration.
 */
public final class AllocationProfiler implements InternalProfiler {

    /** What its result is called. */
    static final String BYTES = "allocated";

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long before;

    /** For JMH. */
    public AllocationProfiler() {
    }

    @Override
    public String getDescription() {
        return "bytes allocated per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = allocated();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        long bytes = allocated() - before;
        long operations = Math.max(result.getMetadata().getAllOps(), 1);
        return List.of(new ScalarResult(BYTES, (double) bytes / operations, "B/op", AggregationPolicy.AVG));
    }

    private long allocated() {
        return threads.getTotalThreadAllocatedBytes() - threads.getCurrentThreadAllocatedBytes();
    }
}
