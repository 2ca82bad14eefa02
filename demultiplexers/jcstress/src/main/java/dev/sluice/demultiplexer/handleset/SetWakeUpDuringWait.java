package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread begins to wait on an iterative set while another one wakes it up. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "the wake-up is not slept through")
@State
public class SetWakeUpDuringWait {

    private final StandInSet set = StandInSet.open();

    @Actor
    public void await(I_Result result) {
        result.r1 = set.await();
    }

    @Actor
    public void wakeUp() {
        set.wakeUp();
    }

    @Arbiter
    public void close() {
        set.close();
        set.forget();
    }
}
