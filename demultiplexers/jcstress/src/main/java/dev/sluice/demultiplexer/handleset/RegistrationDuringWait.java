package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread begins to wait on an iterative set while another one puts a handle in that is ready. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "the handle is reported")
@State
public class RegistrationDuringWait {

    private final StandInSet set = StandInSet.open();
    private final StandInHandle handle = new StandInHandle();

    @Actor
    public void await(I_Result result) {
        result.r1 = set.await();
    }

    @Actor
    public void register() {
        set.register(handle);
    }

    @Arbiter
    public void close() {
        set.close();
        set.forget();
        handle.forget();
    }
}
