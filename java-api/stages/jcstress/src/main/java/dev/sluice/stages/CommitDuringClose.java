package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A queue is closed between the two phases of an enqueue, or before or after: what was prepared is committed. */
@JCStressTest
@Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "prepared in time, so it is there")
@Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "too late")
@State
public class CommitDuringClose {

    private final StandInStage stage = new StandInStage(1);

    @Actor
    public void enqueue(ZII_Result result) {
        result.r1 = stage.prepare();
        if (result.r1) {
            stage.commit();
        }
    }

    @Actor
    public void close() {
        stage.close();
    }

    @Arbiter
    public void look(ZII_Result result) {
        result.r2 = stage.takeAll();
        result.r3 = stage.queue().length();
    }
}
