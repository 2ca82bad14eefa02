package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** The loop thread goes to sleep while another one wakes it up, and leaves nothing else that would. */
@JCStressTest
@Outcome(id = "0, false", expect = ACCEPTABLE, desc = "the wake-up is not slept through")
@State
public class WakeUpDuringWait {

    private final StandInProcessor processor = new StandInProcessor();

    @Actor
    public void await(IZ_Result result) {
        result.r1 = processor.runIteration(-1);
    }

    @Actor
    public void wakeUp() {
        processor.wakeUp();
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r2 = processor.isForgotten();
        processor.close();
    }
}
