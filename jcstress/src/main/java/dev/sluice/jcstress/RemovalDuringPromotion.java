package dev.sluice.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The follower that is promoted is removed at that moment. It leaves, and what it led finds another one. */
@JCStressTest
@Outcome(id = "[01], 1, [01]", expect = ACCEPTABLE, desc = "it has dispatched one")
@Outcome(id = "[01], 0, [12]", expect = ACCEPTABLE, desc = "it was gone before")
@State
public class RemovalDuringPromotion {

    private final Turns turns = new Turns(2, 0);
    private volatile Thread follower;

    @Actor
    public void promoteAndRemove(III_Result result) {
        result.r1 = turns.look();
        Thread thread = follower;
        if (thread != null) {
            turns.pool().remove(thread);
        }
    }

    @Actor
    public void follow(III_Result result) {
        follower = Thread.currentThread();
        result.r2 = turns.stay();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = turns.drain();
    }
}
