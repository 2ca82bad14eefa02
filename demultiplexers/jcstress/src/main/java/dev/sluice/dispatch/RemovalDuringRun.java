package dev.sluice.dispatch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZIZ_Result;

/** A task is removed while it is run: only one of both happens. */
@JCStressTest
@Outcome(id = "true, 0, true", expect = ACCEPTABLE, desc = "removed, and not run")
@Outcome(id = "false, 1, true", expect = ACCEPTABLE, desc = "run, and not removed")
@State
public class RemovalDuringRun {

    private final TaskQueue queue = new TaskQueue(false);
    private final Runnable task = this::count;
    private int ran;

    public RemovalDuringRun() {
        queue.add(task);
    }

    private void count() {
        ran++;
    }

    @Actor
    public void run() {
        queue.run();
    }

    @Actor
    public void remove(ZIZ_Result result) {
        result.r1 = queue.remove(task);
    }

    @Arbiter
    public void look(ZIZ_Result result) {
        queue.run();
        result.r2 = ran;
        result.r3 = !queue.hasUpTo(queue.added());
    }
}
