package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.jcstress.Bystanders;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZI_Result;

/**
 * The threads are ended while an item of work arrives: whether the item is still done or is left over, both threads
 * leave, also the one that is being woken for it.
 */
@JCStressTest
@Outcome(id = "0, true, 0", expect = ACCEPTABLE, desc = "done, and both have left")
@Outcome(id = "1, true, 0", expect = ACCEPTABLE, desc = "too late, and both have left")
@State
public class WorkerThreadsEndDuringWakeUp {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StandInWork work = new StandInWork();
    private final WorkerThreads workers = new WorkerThreads(work, Thread::new);

    public WorkerThreadsEndDuringWakeUp() {
        workers.add();
        workers.add();
    }

    @Actor
    public void end() {
        workers.end();
    }

    @Actor
    public void give() {
        work.add();
        workers.wakeOne();
    }

    @Arbiter
    public void look(IZI_Result result) {
        // Nothing is done any more once they have left, so what is left is read after that.
        result.r2 = Bystanders.result(Bystanders.begin(() -> workers.awaitEnd(System.nanoTime() + LIMIT.toNanos())));
        result.r1 = work.pending();
        result.r3 = workers.size();
    }
}
