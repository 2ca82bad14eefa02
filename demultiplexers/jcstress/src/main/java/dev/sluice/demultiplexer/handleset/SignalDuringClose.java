package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A wake-up is signalled as it is closed: nothing is written to a descriptor that may have been reused by then. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "closed once, by the closing or the signalling thread")
@State
public class SignalDuringClose {

    private final StandInWakeUp standIn = StandInWakeUp.open();

    @Actor
    public void signal() {
        standIn.wakeUp().signal();
    }

    @Actor
    public void close() {
        standIn.wakeUp().close();
    }

    @Arbiter
    public void look(II_Result result) {
        result.r1 = standIn.event().strayCalls();
        result.r2 = standIn.event().closes();
        standIn.forget();
    }
}
