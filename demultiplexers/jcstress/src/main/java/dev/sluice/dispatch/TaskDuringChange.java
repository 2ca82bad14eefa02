package dev.sluice.dispatch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads add tasks where one array of the queue ends and the next begins, while the tasks are run: each runs once.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each ran once")
@State
public class TaskDuringChange {

    private static final int UNTIL_THE_LAST_PLACE = 255;

    private final TaskQueue queue = new TaskQueue(false);
    private int first;
    private int second;
    private int third;

    public TaskDuringChange() {
        for (int i = 0; i < UNTIL_THE_LAST_PLACE; i++) {
            queue.add(() -> { });
        }
        queue.run();
    }

    @Actor
    public void addOne() {
        queue.add(() -> first++);
    }

    @Actor
    public void addTwo() {
        queue.add(() -> second++);
        queue.add(() -> third++);
    }

    @Actor
    public void run() {
        queue.run();
    }

    @Arbiter
    public void look(III_Result result) {
        queue.run();
        result.r1 = first;
        result.r2 = second;
        result.r3 = third;
    }
}
