package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread other than the loop thread starts an operation while the processor is closed. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "started, and cancelled by the close")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "closed, so that nothing is started")
@State
public class StartOfAnotherThreadDuringClose {

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();

    @Actor
    public void start(ZZ_Result result) {
        try {
            operation.timeout(1);
            result.r1 = true;
        } catch (IllegalStateException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void close() {
        processor.close();
    }

    @Arbiter
    public void look(ZZ_Result result) {
        result.r2 = operation.isInFlight() || processor.inFlight() != 0;
    }
}
