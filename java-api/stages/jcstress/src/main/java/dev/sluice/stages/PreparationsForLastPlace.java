package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two want the last place of a queue: one commits, the other one gives it back. */
@JCStressTest
@Outcome(id = "1, [01], 1, 0", expect = ACCEPTABLE, desc = "the event is there")
@Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "the other one had the place at that moment")
@State
public class PreparationsForLastPlace {

    private final StandInStage stage = new StandInStage(1);

    @Actor
    public void commit(IIII_Result result) {
        if (stage.prepare()) {
            result.r1 = 1;
            stage.commit();
        }
    }

    @Actor
    public void abort(IIII_Result result) {
        if (stage.prepare()) {
            result.r2 = 1;
            stage.abort();
        }
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r3 = stage.takeAll();
        result.r4 = stage.queue().length();
    }
}
