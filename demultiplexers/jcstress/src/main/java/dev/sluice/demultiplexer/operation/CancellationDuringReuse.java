package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A start is cancelled by its ticket while it completes and the operation is started again: the next one lasts. */
@JCStressTest
@Outcome(id = "1, true", expect = ACCEPTABLE, desc = "the first start has ended, and the second goes on")
@State
public class CancellationDuringReuse {

    private static final long LONG = 1_000_000_000_000L;

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();
    private final long first;

    public CancellationDuringReuse() {
        first = operation.claim(null, null);
    }

    @Actor
    public void reuse() {
        operation.timeout(1);
        for (int turns = 0; processor.lasts() == 0 && turns < 4; turns++) {
            processor.runIteration(0);
        }
        operation.claim(null, null);
        operation.timeout(LONG);
    }

    @Actor
    public void cancel() {
        operation.cancel(first);
    }

    @Arbiter
    public void look(IZ_Result result) {
        processor.commands.performAll();
        result.r1 = processor.lasts();
        // Not closed, because only the thread that has started the operation may; it has no memory of the system's.
        result.r2 = processor.hasInFlight();
    }
}
