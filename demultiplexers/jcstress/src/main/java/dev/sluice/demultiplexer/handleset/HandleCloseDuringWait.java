package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A handle of an iterative set is closed while a thread enters and leaves a wait: the set releases the descriptor
 * without delay.
 */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "the descriptor is closed, once")
@State
public class HandleCloseDuringWait {

    private final StandInSet set = StandInSet.open();
    private final StandInHandle handle = new StandInHandle();

    public HandleCloseDuringWait() {
        set.register(handle);
    }

    @Actor
    public void look() {
        set.look();
        set.look();
    }

    @Actor
    public void closeHandle() {
        handle.handle().close();
    }

    @Arbiter
    public void look(I_Result result) {
        result.r1 = handle.closes();
        set.close();
        set.forget();
        handle.forget();
    }
}
