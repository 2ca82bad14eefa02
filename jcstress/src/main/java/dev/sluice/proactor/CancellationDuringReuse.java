package dev.sluice.proactor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A ticket is cancelled while its initiation is released and claimed for the next operation, which must not notice. */
@JCStressTest
@Outcome(id = "0, true", expect = ACCEPTABLE, desc = "too late")
@Outcome(id = "1, true", expect = ACCEPTABLE, desc = "in time")
@State
public class CancellationDuringReuse {

    private static final SingleMethodCompletionAdapter NOBODY = new SingleMethodCompletionAdapter(completion -> { });

    private final Initiation initiation = CountedOperations.initiation();
    private final CountedOperation operation = CountedOperations.of(initiation);
    private final long ticket;

    public CancellationDuringReuse() {
        initiation.claim(NOBODY, null);
        operation.claimed(1);
        ticket = initiation.ticket();
    }

    @Actor
    public void cancel() {
        initiation.cancel(ticket);
    }

    @Actor
    public void reuse(IZ_Result result) {
        initiation.release();
        result.r2 = initiation.claim(NOBODY, null);
        operation.claimed(2);
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = operation.cancelled();
    }
}
