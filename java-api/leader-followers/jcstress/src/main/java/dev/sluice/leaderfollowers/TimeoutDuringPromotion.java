package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The follower that is promoted is one whose time is over; the others must not miss the leadership for that. */
@JCStressTest
@Outcome(id = "0, 2, 1", expect = ACCEPTABLE, desc = "it has left without an event")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "it has dispatched one")
@State
public class TimeoutDuringPromotion {

    private static final Duration SHORT = Duration.ofNanos(20_000);

    private final Turns turns = new Turns(0, 2);

    @Actor
    public void waver(III_Result result) {
        result.r1 = turns.stayFor(SHORT);
    }

    @Actor
    public void arrive() {
        turns.arrive();
        turns.arrive();
        turns.arrive();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r2 = turns.bystanders();
        result.r3 = turns.drain();
    }
}
