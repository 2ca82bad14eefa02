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
 * One of two threads is retired at the moment that an item of work arrives, and may be the one that is woken for it:
 * the other one performs it. Then that is retired, too, the last one.
 */
@JCStressTest
@Outcome(id = "0, true", expect = ACCEPTABLE, desc = "done, and both have left")
@State
public class WorkerThreadsRetirementDuringWakeUp {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StandInWork work = new StandInWork();
    private final WorkerThreads workers = new WorkerThreads(work, Thread::new);

    public WorkerThreadsRetirementDuringWakeUp() {
        workers.add();
        workers.add();
    }

    @Actor
    public void retire() {
        workers.retireThread();
    }

    @Actor
    public void give() {
        work.add();
        workers.wakeOne();
    }

    @Arbiter
    public void look(IZ_Result result) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (work.pending() > 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        result.r1 = work.pending();
        workers.end();
        result.r2 = Bystanders.result(Bystanders.begin(() -> workers.awaitEnd(System.nanoTime() + LIMIT.toNanos())));
    }
}
