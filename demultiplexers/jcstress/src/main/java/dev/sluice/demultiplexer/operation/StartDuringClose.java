package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Operation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The loop thread starts something outside of its wait while another thread closes: what is started has an end. */
@JCStressTest
@Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "started, and cancelled by the close")
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "started, so that no other thread may close")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "closed, so that nothing is started")
@State
public class StartDuringClose {

    private final StandInProcessor processor = new StandInProcessor();
    private final Operation operation = processor.operation();
    private volatile boolean isLoopThread;

    @Actor
    public void start(ZZZ_Result result) {
        processor.runIteration(0);
        isLoopThread = true;
        try {
            operation.timeout(1);
            result.r1 = true;
        } catch (IllegalStateException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void close(ZZZ_Result result) {
        while (!isLoopThread) {
            Thread.onSpinWait();
        }
        try {
            processor.close();
            result.r2 = true;
        } catch (IllegalStateException e) {
            result.r2 = false;
        }
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        result.r3 = operation.isInFlight() || processor.inFlight() != 0;
    }
}
