package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * An iterative set is closed while a thread begins to wait on it: the wait ends, and the last of the two threads
 * disposes of the set.
 */
@JCStressTest
@Outcome(id = "-1, 1, 1, 0", expect = ACCEPTABLE, desc = "the wait has failed, all is disposed of once")
@State
public class SetCloseDuringWait {

    private final StandInSet set = StandInSet.open();

    @Actor
    public void await(IIII_Result result) {
        result.r1 = set.await();
    }

    @Actor
    public void close() {
        set.close();
    }

    @Arbiter
    public void look(IIII_Result result) {
        result.r2 = set.disposals();
        result.r3 = set.event().closes();
        result.r4 = set.event().strayCalls();
        set.forget();
    }
}
