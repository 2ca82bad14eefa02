package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two actors claim the last place of a queue: one gets it, and the other one is rejected. */
@JCStressTest
@Outcome(id = {"1, 0, 1, 0", "0, 1, 1, 0"}, expect = ACCEPTABLE, desc = "one event is there")
@State
public class CommitsToLastPlace {

    private final StandInStage stage = new StandInStage(1);

    @Actor
    public void first(IIII_Result result) {
        if (stage.prepare()) {
            result.r1 = 1;
            stage.commit();
        }
    }

    @Actor
    public void second(IIII_Result result) {
        if (stage.prepare()) {
            result.r2 = 1;
            stage.commit();
        }
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r3 = stage.takeAll();
        result.r4 = stage.queue().length();
    }
}
