package dev.sluice.demultiplexers.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** The loop thread goes to sleep while another one wakes it up, and a third thing is left for it to do. */
@JCStressTest
@Outcome(id = "1, false", expect = ACCEPTABLE, desc = "neither the wake-up nor the start is slept through")
@State
public class WakeUpDuringWait {

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();

    @Actor
    public void await() {
        processor.turn(-1);
        while (processor.lasts() == 0 && !processor.isStuck()) {
            processor.turn(-1);
        }
    }

    @Actor
    public void wakeUp() {
        processor.wakeUp();
        operation.post(1);
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = processor.lasts();
        result.r2 = processor.isStuck();
        processor.close();
    }
}
