package dev.sluice.eventloop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Tasks are submitted to a loop while the loop is closed. Each submitter learns whether its task is run. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "exactly the accepted tasks were run")
@State
public class TaskDuringClose {

    private static final int MAX_TASKS = 100;

    private final StandInLoop loop = new StandInLoop();
    private final AtomicInteger runs = new AtomicInteger();

    /** One after the other until one is refused, so that each close comes in between. */
    @Actor
    public void give(I_Result result) {
        try {
            for (int count = 0; count < MAX_TASKS; count++) {
                loop.execute(runs::incrementAndGet);
                result.r1++;
            }
        } catch (RejectedExecutionException e) {
            // The submitter knows that its task is not run.
        }
    }

    @Actor
    public void close() {
        loop.close();
    }

    @Arbiter
    public void look(I_Result result) {
        result.r1 -= runs.get();
    }
}
