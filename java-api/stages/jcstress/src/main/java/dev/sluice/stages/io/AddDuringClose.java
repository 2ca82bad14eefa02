package dev.sluice.stages.io;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A queue is closed while a packet is added: an accepted packet is counted by the closer, and is polled. */
@JCStressTest
@Outcome(id = "1, 1, 1, 0", expect = ACCEPTABLE, desc = "accepted before the close, which has seen it")
@Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "too late")
@State
public class AddDuringClose {

    private final StandInConnection connection = new StandInConnection(4);

    @Actor
    public void add(IIII_Result result) {
        result.r1 = connection.add(1);
    }

    @Actor
    public void close(IIII_Result result) {
        connection.queue().close();
        result.r2 = connection.queue().packets();
    }

    @Arbiter
    public void look(IIII_Result result) {
        connection.sendAll();
        result.r3 = connection.polled();
        result.r4 = connection.queue().packets();
    }
}
