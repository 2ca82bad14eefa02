package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** The follower that is promoted is removed at that moment. It leaves, and the other one leads in its place. */
@JCStressTest
@Outcome(id = "[01], 1, 1, [01]", expect = ACCEPTABLE, desc = "it has dispatched one, and so has the other one")
@Outcome(id = "[01], 0, 1, [12]", expect = ACCEPTABLE, desc = "it was gone before, the other one has dispatched one")
@State
public class RemovalDuringPromotion {

    private final Turns turns = new Turns(3, 1);
    private volatile Thread follower;

    @Actor
    public void promoteAndRemove(IIII_Result result) {
        result.r1 = turns.look();
        Thread thread = follower;
        if (thread != null) {
            turns.pool().remove(thread);
        }
    }

    @Actor
    public void follow(IIII_Result result) {
        follower = Thread.currentThread();
        result.r2 = turns.stay();
    }

    @Arbiter
    public void rest(IIII_Result result) {
        result.r3 = turns.bystanders();
        result.r4 = turns.drain();
    }
}
