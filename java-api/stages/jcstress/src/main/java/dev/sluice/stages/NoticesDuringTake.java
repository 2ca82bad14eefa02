package dev.sluice.stages;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/**
 * Two listeners are registered with a full queue while the last event is taken from it: both are called, once, although
 * nothing is taken after that.
 */
@JCStressTest
@Outcome(id = "1, 1, true", expect = ACCEPTABLE, desc = "both are called")
@State
public class NoticesDuringTake {

    private final StandInStage stage = new StandInStage(1);
    private final Counted first = new Counted();
    private final Counted second = new Counted();

    private static final class Counted extends SpaceListener {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        protected void spaceAvailable() {
            count.incrementAndGet();
        }
    }

    public NoticesDuringTake() {
        stage.enqueue();
    }

    @Actor
    public void take() {
        stage.takeAll();
    }

    @Actor
    public void ask() {
        stage.queue().notifyWhenHalfEmpty(first, EventRing.ALL);
    }

    @Actor
    public void askAsWell() {
        stage.queue().notifyWhenHalfEmpty(second, EventRing.ALL);
    }

    @Arbiter
    public void look(IIZ_Result result) {
        result.r1 = first.count.get();
        result.r2 = second.count.get();
        result.r3 = !stage.queue().hasWaiters();
    }
}
