package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** The loop thread goes to sleep while another one starts something. */
@JCStressTest
@Outcome(id = "1, false", expect = ACCEPTABLE, desc = "the start is not slept through")
@State
public class StartDuringWait {

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();

    @Actor
    public void await() {
        while (processor.lasts() == 0 && !processor.isForgotten()) {
            processor.runIteration(-1);
        }
    }

    @Actor
    public void start() {
        operation.post(1);
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = processor.lasts();
        result.r2 = processor.isForgotten();
        processor.close();
    }
}
