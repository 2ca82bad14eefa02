package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A reason is published and signalled while a waiter consumes the previous signal: the waiter sees the reason, or finds
 * another signal. Afterwards the next signal is effective.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "the waiter has seen the reason, or another signal is pending")
@State
public class SignalDuringDrain {

    private final StandInWakeUp standIn = StandInWakeUp.open();
    private volatile boolean reason;
    private boolean seen;

    public SignalDuringDrain() {
        standIn.wakeUp().signal();
    }

    @Actor
    public void give() {
        reason = true;
        standIn.wakeUp().signal();
    }

    @Actor
    public void take() {
        standIn.wakeUp().drain();
        seen = reason;
    }

    @Arbiter
    public void look(ZZ_Result result) {
        result.r1 = seen || standIn.event().isReadable();
        standIn.wakeUp().signal();
        result.r2 = standIn.event().isReadable();
        standIn.forget();
    }
}
