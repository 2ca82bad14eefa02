package dev.sluice.demultiplexers.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A reason is published and signalled while a waiter takes the signal before: it sees the reason, or there is another.
 */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the reason is known, or somebody is going to look")
@State
public class SignalDuringDrain {

    private final PendingSignal pending = new PendingSignal();
    /** What the system holds. */
    private final AtomicInteger signals = new AtomicInteger();
    private volatile boolean reason;
    private boolean seen;

    public SignalDuringDrain() {
        signal();
    }

    private void signal() {
        if (pending.begin()) {
            signals.incrementAndGet();
            pending.ended(true);
        }
    }

    @Actor
    public void give() {
        reason = true;
        signal();
    }

    @Actor
    public void take() {
        signals.set(0);
        pending.taken();
        seen = reason;
    }

    @Arbiter
    public void look(Z_Result result) {
        result.r1 = seen || signals.get() > 0;
    }
}
