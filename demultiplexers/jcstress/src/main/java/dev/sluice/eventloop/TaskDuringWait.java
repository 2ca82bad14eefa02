package dev.sluice.eventloop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A thread of a loop goes to sleep while another thread gives it a task. */
@JCStressTest
@Outcome(id = "1, false", expect = ACCEPTABLE, desc = "run once, and not slept through")
@State
public class TaskDuringWait {

    private final StandInLoop loop = new StandInLoop();
    private final AtomicInteger runs = new AtomicInteger();

    @Actor
    public void await() {
        while (runs.get() == 0 && !loop.isForgotten()) {
            loop.runIteration();
        }
    }

    @Actor
    public void give() {
        loop.execute(runs::incrementAndGet);
    }

    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = runs.get();
        result.r2 = loop.isForgotten();
        loop.close();
    }
}
