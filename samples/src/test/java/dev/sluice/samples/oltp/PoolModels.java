package dev.sluice.samples.oltp;

import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.samples.Turns;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** The concurrency strategies of OLTP servers that this Java has. */
public final class PoolModels {

    /** Those that differ most. */
    public static final String AVAILABLE = "dev.sluice.samples.oltp.PoolModels#available";
    public static final String ALL = "dev.sluice.samples.oltp.PoolModels#all";

    /** Little different from one of the others, or, as the pool, for no more clients than it has threads. */
    private static final Set<ConcurrencyStrategy> LIKE_OTHERS = Set.of(ConcurrencyStrategy.THREAD_POOL,
            ConcurrencyStrategy.THREAD_PER_REQUEST, ConcurrencyStrategy.VIRTUAL_THREAD_PER_REQUEST);

    private PoolModels() {
    }

    public static Stream<ConcurrencyStrategy> all(TestInfo test) {
        return Turns.of(test, synchronous());
    }

    public static Stream<ConcurrencyStrategy> available(TestInfo test) {
        return Turns.of(test, synchronous().filter(each -> !LIKE_OTHERS.contains(each)));
    }

    private static Stream<ConcurrencyStrategy> synchronous() {
        return Stream.of(ConcurrencyStrategy.values())
                .filter(each -> each.mode() == Mode.SYNCHRONOUS && each.unavailable() == null);
    }
}
