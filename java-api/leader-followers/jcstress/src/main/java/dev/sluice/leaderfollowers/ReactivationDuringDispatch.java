package dev.sluice.leaderfollowers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A handle is deactivated and reactivated while its event is dispatched. Afterwards it is not left silent, and the
 * event has been dispatched by one of both, or is still there.
 */
@JCStressTest
@Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "it was silent or busy for both")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "it was, after its reactivation")
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "it was, before or in between")
@State
public class ReactivationDuringDispatch {

    private final OneHandle handle = new OneHandle();

    @Actor
    public void dispatch(III_Result result) {
        result.r1 = handle.look();
    }

    @Actor
    public void pause(III_Result result) {
        handle.pause();
        handle.resume();
        result.r2 = handle.look();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = handle.drain();
    }
}
