package dev.sluice.eventloop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.jcstress.Bystanders;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/**
 * A thread of a multi-threaded loop has run a task, and leaves the loop while another task is submitted. No other
 * thread is woken for that task as long as the first thread is in the loop, and the task must still be run when it
 * leaves: there is a third thread, asleep.
 */
@JCStressTest
@Outcome(id = "1, 1, false", expect = ACCEPTABLE, desc = "each run once, and not slept through")
@State
public class TaskDuringDeparture {

    private final StandInLoop loop = new StandInLoop(ThreadingModel.MULTI_THREADED);
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Future<?> sleeper = Bystanders.begin(() -> {
        while (!isDone()) {
            loop.runIteration();
        }
        return null;
    });

    private boolean isDone() {
        return first.get() > 0 && second.get() > 0 || loop.isForgotten();
    }

    @Actor
    public void leave() {
        loop.execute(first::incrementAndGet);
        loop.look();
    }

    @Actor
    public void give() {
        loop.execute(second::incrementAndGet);
    }

    @Arbiter
    public void look(IIZ_Result result) {
        while (!isDone()) {
            Thread.onSpinWait();
        }
        // The third may have slept since before the others ran both.
        loop.wakeUp();
        Bystanders.result(sleeper);
        result.r1 = first.get();
        result.r2 = second.get();
        result.r3 = loop.isForgotten();
        loop.close();
    }
}
