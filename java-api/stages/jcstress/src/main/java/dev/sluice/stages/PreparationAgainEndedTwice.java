package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** What was prepared again is committed by one thread and closed by another: only one of them ends it. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "committed, and the event is there")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "closed, and the place is free")
@State
public class PreparationAgainEndedTwice {

    private final UnstartedStage stage = new UnstartedStage();
    private final Preparation<Integer> preparation = stage.preparedAndClosed();

    public PreparationAgainEndedTwice() {
        preparation.prepareAgain();
    }

    @Actor
    public void commit(ZI_Result result) {
        try {
            preparation.commit();
            result.r1 = true;
        } catch (IllegalStateException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void close() {
        preparation.close();
    }

    @Arbiter
    public void look(ZI_Result result) {
        result.r2 = stage.stage().length();
    }
}
