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

/** Tasks are given to a loop while the loop is closed. Whoever gives one knows whether it is run. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "those were run that were accepted")
@State
public class TaskDuringClose {

    private static final int MOST = 100;

    private final StandInLoop loop = new StandInLoop();
    private final AtomicInteger runs = new AtomicInteger();

    /** One after the other until one is refused, so that each close comes in between. */
    @Actor
    public void give(I_Result result) {
        try {
            for (int count = 0; count < MOST; count++) {
                loop.execute(runs::incrementAndGet);
                result.r1++;
            }
        } catch (RejectedExecutionException e) {
            // It has been told.
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
