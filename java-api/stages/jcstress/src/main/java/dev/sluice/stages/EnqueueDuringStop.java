package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZIZ_Result;

/** A graph is stopped, and its only thread leaves, while an event is enqueued: it is refused, or handled before. */
@JCStressTest
@Outcome(id = "true, 1, true", expect = ACCEPTABLE, desc = "accepted and handled")
@Outcome(id = "false, 0, true", expect = ACCEPTABLE, desc = "too late")
@State
public class EnqueueDuringStop {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StageGraph graph = new StageGraph("graph of a test");
    private final Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
        while (batch.next() != null) {
            Thread.onSpinWait();
        }
    }, new StageOptions<Integer>().ownThreads(1, 1));

    public EnqueueDuringStop() {
        graph.start();
    }

    @Actor
    public void enqueue(ZIZ_Result result) {
        result.r1 = stage.queue().enqueue(1) == dev.sluice.stages.EnqueueResult.ACCEPTED;
    }

    @Actor
    public void stop(ZIZ_Result result) {
        StopReport report = graph.stop(LIMIT);
        StageAccount account = report.stages().get(0);
        result.r2 = (int) account.handled();
        result.r3 = report.isDrained() && account.accepted() == account.handled();
    }
}
