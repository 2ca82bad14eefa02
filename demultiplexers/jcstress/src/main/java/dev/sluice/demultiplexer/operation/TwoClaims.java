package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two initiators want the same operation: one gets it. */
@JCStressTest
@Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "the first")
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "the second")
@State
public class TwoClaims {

    private final Operation operation = new StandInProcessor().operation();

    @Actor
    public void first(JJ_Result result) {
        result.r1 = operation.claim(null, null);
    }

    @Actor
    public void second(JJ_Result result) {
        result.r2 = operation.claim(null, null);
    }
}
