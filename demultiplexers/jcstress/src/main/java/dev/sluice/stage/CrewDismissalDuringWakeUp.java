package dev.sluice.stage;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.jcstress.Bystanders;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * One of two threads is dismissed at the moment that something comes, and may be the one that is woken for it: the
 * other one does it. Then that is dismissed, too, the last one.
 */
@JCStressTest
@Outcome(id = "0, true", expect = ACCEPTABLE, desc = "done, and both have left")
@State
public class CrewDismissalDuringWakeUp {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final AtomicInteger left = new AtomicInteger();
    private final Crew crew = new Crew(new Items(), Thread::new);

    public CrewDismissalDuringWakeUp() {
        crew.add();
        crew.add();
    }

    /** There are so many things to do. */
    private final class Items implements Crew.Work {

        @Override
        public boolean perform(CrewThread member) {
            int before = left.get();
            return before > 0 && left.compareAndSet(before, before - 1);
        }

        @Override
        public boolean isThere() {
            return left.get() > 0;
        }
    }

    @Actor
    public void dismiss() {
        crew.dismiss();
    }

    @Actor
    public void give() {
        left.incrementAndGet();
        crew.wakeOne();
    }

    @Arbiter
    public void look(IZ_Result result) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (left.get() > 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        result.r1 = left.get();
        crew.end();
        result.r2 = Bystanders.result(Bystanders.begin(() -> crew.awaitEnd(System.nanoTime() + LIMIT.toNanos())));
    }
}
