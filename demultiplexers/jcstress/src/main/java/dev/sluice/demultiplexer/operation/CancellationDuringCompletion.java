package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** Another thread cancels an operation as it completes, and the loop thread starts it again: each start ends once. */
@JCStressTest
@Outcome(id = "2, false", expect = ACCEPTABLE, desc = "both have come to an end, each once")
@State
public class CancellationDuringCompletion {

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();

    @Actor
    public void complete() {
        for (int start = 1; start <= 2; start++) {
            operation.timeout(1);
            for (int turns = 0; processor.lasts() < start && turns < 4; turns++) {
                processor.runIteration(0);
            }
        }
    }

    @Actor
    public void cancel() {
        operation.cancel();
        operation.cancel();
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = processor.lasts();
        result.r2 = operation.isInFlight();
        processor.close();
    }
}
