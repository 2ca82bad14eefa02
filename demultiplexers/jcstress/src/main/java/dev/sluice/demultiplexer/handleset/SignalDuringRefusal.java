package dev.sluice.demultiplexer.handleset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * The system refuses one signal of two: a caller that does not see the refusal has had a signal given, by itself or by
 * the other caller.
 */
@JCStressTest
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first has given it")
@Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the second has given it")
@State
public class SignalDuringRefusal {

    private final PendingSignal pending = new PendingSignal();
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicInteger signals = new AtomicInteger();

    /** {@return false if the signal was refused and the caller learns of it} */
    private boolean signal() {
        if (!pending.begin()) {
            return true;
        }
        boolean given = refused.getAndSet(true);
        if (given) {
            signals.incrementAndGet();
        }
        pending.ended(given);
        return given;
    }

    @Actor
    public void first(ZZI_Result result) {
        result.r1 = signal();
    }

    @Actor
    public void second(ZZI_Result result) {
        result.r2 = signal();
    }

    @Arbiter
    public void look(ZZI_Result result) {
        result.r3 = signals.get();
    }
}
