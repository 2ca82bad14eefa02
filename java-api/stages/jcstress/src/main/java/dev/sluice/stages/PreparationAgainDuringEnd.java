package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A stage is ended while places are prepared again and committed: what was accepted is discarded, not lost. */
@JCStressTest
@Outcome(id = "1, 1, 1, 0", expect = ACCEPTABLE, desc = "prepared in time, so it was discarded")
@Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "too late")
@State
public class PreparationAgainDuringEnd {

    private final UnstartedStage stage = new UnstartedStage();
    private final Preparation<Integer> preparation = stage.preparedAndClosed();

    @Actor
    public void enqueue(IIII_Result result) {
        result.r1 = stage.enqueueAgain(preparation);
    }

    @Actor
    public void end() {
        stage.stage().abandon();
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r2 = (int) stage.stage().accepted();
        result.r3 = (int) stage.stage().discarded();
        result.r4 = stage.stage().length();
    }
}
