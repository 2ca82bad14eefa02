package dev.sluice.proactor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * A future is cancelled while its operation comes to an end, here a close, which cannot be cancelled: the future is
 * completed by the operation alone.
 */
@JCStressTest
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "completed normally, by the completion")
@State
public class FutureCancelledDuringCompletion {

    private final AtomicInteger completions = new AtomicInteger();
    private final OperationFuture<Void> future = OperationFuture.ofNothing(null, ticket -> { });

    public FutureCancelledDuringCompletion() {
        future.started(1);
        future.thenRun(completions::incrementAndGet);
    }

    @Actor
    public void cancel() {
        future.cancel(true);
    }

    @Actor
    public void complete() {
        future.handleCompletion(new CompletedClose());
    }

    @Arbiter
    public void look(ZZI_Result result) {
        result.r1 = future.isDone();
        result.r2 = future.isCancelled();
        result.r3 = completions.get();
    }
}
