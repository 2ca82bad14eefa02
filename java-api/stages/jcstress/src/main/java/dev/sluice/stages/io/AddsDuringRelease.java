package dev.sluice.stages.io;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two actors add a packet, for which there is one spare object, while another object is released: they get different
 * objects. The actor that releases also adds, as three actors would need a third processor.
 */
@JCStressTest
@Outcome(id = "2, 2, 6, 0", expect = ACCEPTABLE, desc = "both packets are counted, and come as they were added")
@State
public class AddsDuringRelease {

    private final StandInConnection connection = new StandInConnection(4);

    public AddsDuringRelease() {
        connection.add(1);
        connection.add(1);
        connection.queue().poll();
        connection.release();
        connection.queue().poll();
    }

    @Actor
    public void add() {
        connection.add(2);
    }

    @Actor
    public void releaseAndAdd() {
        connection.release();
        connection.add(4);
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r1 = connection.queue().packets();
        connection.sendAll();
        result.r2 = connection.polled();
        result.r3 = connection.polledBytes();
        result.r4 = connection.queue().packets();
    }
}
