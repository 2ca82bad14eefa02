package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.jcstress.Bystanders;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * One of two threads is dismissed at the moment that something comes, and may be the one that is woken for it: the
 * other one does it. Then that is dismissed, too, the last one.
 */
@JCStressTest
@Outcome(id = "0, true", expect = ACCEPTABLE, desc = "done, and both have left")
@State
public class WorkerThreadsDismissalDuringWakeUp {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StandInWork work = new StandInWork();
    private final WorkerThreads crew = new WorkerThreads(work, Thread::new);

    public WorkerThreadsDismissalDuringWakeUp() {
        crew.add();
        crew.add();
    }

    @Actor
    public void dismiss() {
        crew.dismiss();
    }

    @Actor
    public void give() {
        work.add();
        crew.wakeOne();
    }

    @Arbiter
    public void look(IZ_Result result) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (work.left() > 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        result.r1 = work.left();
        crew.end();
        result.r2 = Bystanders.result(Bystanders.begin(() -> crew.awaitEnd(System.nanoTime() + LIMIT.toNanos())));
    }
}
