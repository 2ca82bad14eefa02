package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Events arrive when the time of the leader is over, and another one is to take its place. */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the follower has dispatched it")
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each has dispatched one")
@State
public class EventDuringTimeout {

    private static final Duration SHORT = Duration.ofNanos(20_000);

    private final Turns turns = new Turns(0, 0);

    @Actor
    public void lead(III_Result result) {
        result.r1 = turns.stayFor(SHORT);
    }

    @Actor
    public void arriveAndFollow(III_Result result) {
        turns.arrive();
        turns.arrive();
        result.r2 = turns.stay();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = turns.drain();
    }
}
