package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** Commands are left while others are performed: each is performed once, those of one thread in its order. */
@JCStressTest
@Outcome(id = "1, 1, true", expect = ACCEPTABLE, desc = "each once and in order")
@State
public class PushDuringPerformance {

    private final AtomicInteger clock = new AtomicInteger();
    private final CommandStack stack = new CommandStack();
    private final CountedCommand first = new CountedCommand(clock);
    private final CountedCommand second = new CountedCommand(clock);

    @Actor
    public void push() {
        stack.push(first);
        stack.push(second);
    }

    @Actor
    public void perform() {
        stack.performAll();
        stack.performAll();
    }

    @Arbiter
    public void rest(IIZ_Result result) {
        stack.performAll();
        result.r1 = first.times();
        result.r2 = second.times();
        result.r3 = first.place() < second.place();
    }
}
