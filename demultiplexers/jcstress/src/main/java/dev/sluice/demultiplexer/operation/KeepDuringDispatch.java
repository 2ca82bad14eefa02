package dev.sluice.demultiplexer.operation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A buffer is retained as the batch that has brought it is given back: it goes back once, and not before its close. */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "retained, and not given back")
@Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "too late, and given back once")
@State
public class KeepDuringDispatch {

    /** Any will do: the buffers that it keeps are counted. */
    private static final HandleAssociation CONNECTION = connection();

    private final StandInProcessor processor = new StandInProcessor();
    private final Completions batch = processor.newCompletions(1);
    private final ProvidedBuffers pool = processor.memory.providedBuffers;
    private final PooledBuffer buffer = new PooledBuffer(pool, pool.ordinary(), ByteBuffer.allocateDirect(1), 0, 0);

    public KeepDuringDispatch() {
        buffer.receivedBy(CONNECTION);
        buffer.filled(1);
        buffer.collectedBy(batch);
    }

    private static HandleAssociation connection() {
        try {
            return new HandleAssociation(new StandInProcessor(), Pipe.open().source());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Actor
    public void keep(ZI_Result result) {
        try {
            buffer.retain();
            result.r1 = true;
        } catch (IllegalStateException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void dispatch() {
        buffer.dispatched(batch);
    }

    @Arbiter
    public void look(ZI_Result result) {
        processor.runIteration(0);
        result.r2 = processor.takeProvided();
        processor.close();
    }
}
