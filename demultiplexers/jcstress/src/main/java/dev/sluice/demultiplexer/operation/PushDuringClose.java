package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.failure.Failures;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A command is pushed while the stack is closed. The result tells the pushing thread whether it is performed. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "accepted and performed")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "refused")
@State
public class PushDuringClose {

    private final CommandStack stack = new CommandStack();
    private final CountedCommand command = new CountedCommand(new AtomicInteger());

    @Actor
    public void push(ZI_Result result) {
        result.r1 = stack.push(command);
    }

    @Actor
    public void close() {
        stack.close(new Failures());
    }

    @Arbiter
    public void look(ZI_Result result) {
        result.r2 = command.times();
    }
}
