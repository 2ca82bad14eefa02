package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** One finds an event, and promotes a new leader; another one joins at that moment. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each has dispatched one")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the other one led already")
@State
public class JoinDuringPromotion {

    private final Turns turns = new Turns(2, 0);

    @Actor
    public void promote(III_Result result) {
        result.r1 = turns.look();
    }

    @Actor
    public void join(III_Result result) {
        result.r2 = turns.stay();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = turns.drain();
    }
}
