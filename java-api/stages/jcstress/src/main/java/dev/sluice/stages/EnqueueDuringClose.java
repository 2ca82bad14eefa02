package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A queue is closed while an event is enqueued: after the close, the number of accepted events is final. */
@JCStressTest
@Outcome(id = "true, 1, 1", expect = ACCEPTABLE, desc = "accepted before the close, which has seen it")
@Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "too late")
@State
public class EnqueueDuringClose {

    private final StandInStage stage = new StandInStage(1);

    @Actor
    public void enqueue(ZII_Result result) {
        result.r1 = stage.enqueue();
    }

    @Actor
    public void close(ZII_Result result) {
        stage.close();
        result.r2 = (int) stage.queue().accepted();
    }

    @Arbiter
    public void look(ZII_Result result) {
        result.r3 = stage.takeAll();
    }
}
