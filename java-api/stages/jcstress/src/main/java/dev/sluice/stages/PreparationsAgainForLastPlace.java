package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two actors that have released the last place of a queue reserve it again: one succeeds, one is rejected. */
@JCStressTest
@Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = ACCEPTABLE, desc = "one event is there")
@State
public class PreparationsAgainForLastPlace {

    private final UnstartedStage stage = new UnstartedStage();
    private final Preparation<Integer> first = stage.preparedAndClosed();
    private final Preparation<Integer> second = stage.preparedAndClosed();

    @Actor
    public void first(IIII_Result result) {
        result.r1 = stage.enqueueAgain(first);
    }

    @Actor
    public void second(IIII_Result result) {
        result.r2 = stage.enqueueAgain(second);
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r3 = stage.stage().length();
        result.r4 = (int) stage.stage().refused();
    }
}
