package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A cancellation that the kernel answers with ENOENT, though the operation is in flight, is made again. */
@EnabledIfIoUring
class MissedCancellationTest extends LeakChecked {

    private static final long NANOS = Duration.ofSeconds(30).toNanos();
    private static final IoUringSize SIZE = new IoUringSize(8, 16, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER);

    @Test
    void operationThatWasNotFoundIsCancelledAgain() throws Exception {
        try (RewrittenCompletions calls = RewrittenCompletions.install();
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer(SIZE, false);
                Completions completions = demultiplexer.newCompletions(1);
                Pipe pipe = Pipe.open()) {
            Association where = demultiplexer.associate(pipe.source());
            Operation poll = pollThatStaysInFlight(demultiplexer, completions, where);
            calls.misdirectNextCancellation();
            poll.cancel();
            assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS), "completions of the cancelled poll");
            assertTrue(Errno.ECANCELED.is(completions.result(0)), () -> "" + completions.result(0));
            assertEquals(2, calls.submitted(IORING_OP_ASYNC_CANCEL), "cancellations");
            assertEquals(1, calls.submitted(IORING_OP_TIMEOUT), "pauses");
        }
    }

    /** The kernel answers so, too, if the operation has completed just before. */
    @Test
    void operationThatHasEndedCompletesOnceAndHarmsNoOther() throws Exception {
        try (RewrittenCompletions calls = RewrittenCompletions.install();
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer(SIZE, false);
                Completions completions = demultiplexer.newCompletions(1);
                Pipe pipe = Pipe.open()) {
            Association where = demultiplexer.associate(pipe.source());
            Operation poll = pollThatStaysInFlight(demultiplexer, completions, where);
            calls.next(IORING_OP_ASYNC_CANCEL, honest -> -Errno.ENOENT.number());
            poll.cancel();
            assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS), "completions of the cancelled poll");
            assertTrue(Errno.ECANCELED.is(completions.result(0)), () -> "" + completions.result(0));
            poll.poll(where, EventType.READ);
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
            pipe.send(ByteBuffer.allocate(1));
            assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS), "completions of the second poll");
            assertEquals(EventType.READ, completions.result(0));
            assertEquals(0, demultiplexer.inFlight());
        }
    }

    private static Operation pollThatStaysInFlight(IoUringDemultiplexer demultiplexer, Completions completions,
            Association where) throws Exception {
        Operation poll = demultiplexer.newOperation();
        poll.poll(where, EventType.READ);
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        return poll;
    }
}
