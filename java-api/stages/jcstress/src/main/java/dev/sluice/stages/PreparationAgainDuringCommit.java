package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * The actor that takes a committed event prepares it again, and commits that, while the first commit has not returned
 * yet: both are counted, and the second event is in the queue.
 */
@JCStressTest
@Outcome(id = "1, 2, 2, 1", expect = ACCEPTABLE, desc = "taken and committed again")
@Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "not there yet")
@State
public class PreparationAgainDuringCommit {

    private final UnstartedStage stage = new UnstartedStage();
    private final Preparation<Integer> preparation = stage.preparedAndClosed();

    public PreparationAgainDuringCommit() {
        preparation.prepareAgain();
    }

    @Actor
    public void commit() {
        preparation.commit();
    }

    @Actor
    public void take(IIII_Result result) {
        if (stage.takeOne()) {
            result.r1 = stage.enqueueAgain(preparation);
        }
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r2 = (int) stage.stage().accepted();
        result.r3 = (int) stage.stage().outside.passed();
        result.r4 = stage.stage().length();
    }
}
