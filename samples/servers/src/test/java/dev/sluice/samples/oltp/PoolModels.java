package dev.sluice.samples.oltp;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** The concurrency strategies of OLTP servers that this Java has. */
public final class PoolModels {

    /** Two of those that differ most. */
    public static final String AVAILABLE = "dev.sluice.samples.oltp.PoolModels#available";
    /** Two of all. */
    public static final String ALL = "dev.sluice.samples.oltp.PoolModels#all";
    /** One, for what starts processes. */
    public static final String ONE = "dev.sluice.samples.oltp.PoolModels#one";

    /** Little different from one of the others, or, as the pool, for no more clients than it has threads. */
    private static final Set<ConcurrencyStrategy> LIKE_OTHERS = Set.of(ConcurrencyStrategy.THREAD_POOL,
            ConcurrencyStrategy.THREAD_PER_REQUEST, ConcurrencyStrategy.VIRTUAL_THREAD_PER_REQUEST);

    private PoolModels() {
    }

    public static Stream<ConcurrencyStrategy> all(TestInfo test) {
        return Depth.some(test, synchronous(), 2);
    }

    public static Stream<ConcurrencyStrategy> available(TestInfo test) {
        return Depth.some(test, different(), 2);
    }

    /** {@return one whose threads wait for back-ends, and beyond the ordinary build all} */
    public static Stream<ConcurrencyStrategy> one(TestInfo test) {
        ConcurrencyStrategy first = ConcurrencyStrategy.LEADER_FOLLOWERS;
        return Depth.first(test, Stream.concat(Stream.of(first), different().filter(each -> each != first)), 1);
    }

    private static Stream<ConcurrencyStrategy> different() {
        return synchronous().filter(each -> !LIKE_OTHERS.contains(each));
    }

    private static Stream<ConcurrencyStrategy> synchronous() {
        return Stream.of(ConcurrencyStrategy.values())
                .filter(each -> each.mode() == Mode.SYNCHRONOUS && each.unavailable() == null);
    }
}
