package dev.sluice.stages.io;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A packet is added while the last place is released: it gets the whole place, or is rejected. */
@JCStressTest
@Outcome(id = "1, 1, 2, 0", expect = ACCEPTABLE, desc = "there was space already")
@Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "there was none yet")
@State
public class AddDuringRelease {

    private final StandInConnection connection = new StandInConnection(1);

    public AddDuringRelease() {
        connection.add(1);
        connection.queue().poll();
    }

    @Actor
    public void add(IIII_Result result) {
        result.r1 = connection.add(2);
    }

    @Actor
    public void release() {
        connection.release();
    }

    @Arbiter
    public void look(IIII_Result result) {
        connection.sendAll();
        result.r2 = connection.polled();
        result.r3 = connection.polledBytes();
        result.r4 = connection.queue().packets();
    }
}
