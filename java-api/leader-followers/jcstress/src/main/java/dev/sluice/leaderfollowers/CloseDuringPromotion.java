package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The pool is closed while a follower is being promoted: both threads leave. */
@JCStressTest
@Outcome(id = "[01], [01]", expect = ACCEPTABLE, desc = "a thread that joins before the close dispatches one")
@State
public class CloseDuringPromotion {

    private final Turns turns = new Turns(2, 0);

    @Actor
    public void promoteAndClose(II_Result result) {
        result.r1 = turns.look();
        turns.pool().close();
    }

    @Actor
    public void follow(II_Result result) {
        result.r2 = turns.stay();
    }
}
