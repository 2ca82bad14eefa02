package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.handle.FaultInjection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An unexpected exception is thrown inside a wait. The wait rethrows it, without any other effect: each operation
 * completes, the next wait collects the completions, and the close returns.
 */
@Tag(Depth.TRANSFER)
abstract class UnexpectedFailureContract extends OperationContract {

    private static final int CAPACITY = 10;
    private static final Map<String, String> WAITS = Map.of("poll", "poll", "select", "select", "kqueue", "kevent",
            "io_uring", "io_uring_enter", "io_uring-multi-threaded", "io_uring_enter", "iocp",
            "GetQueuedCompletionStatusEx");

    private FaultInjection faults;
    private StreamPair pair;
    private Association where;

    UnexpectedFailureContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    AsynchronousEventDemultiplexer open() throws IOException {
        // A demultiplexer keeps the binding that it was opened with.
        faults = faults == null ? FaultInjection.install() : faults;
        return super.open();
    }

    @BeforeEach
    final void connect() throws IOException {
        pair = pair(StreamKind.fastest());
        where = associate(pair.near());
    }

    @AfterEach
    final void stopFaults() {
        faults.close();
    }

    private void throwWithTheNextWait(Throwable failure) {
        String name = demultiplexer.name().split("-")[0];
        faults.throwNth(WAITS.getOrDefault(name, "epoll_wait"), 1, failure);
    }

    private Flight post() {
        return start(o -> o.post(1));
    }

    private Flight receive(ByteBuffer buffer) {
        return start(o -> o.receive(where, buffer));
    }

    private void assertAllIsWell() throws IOException {
        Flight receive = receive(ByteBuffer.allocate(CAPACITY));
        Peer.send(pair.far(), (byte) 1, (byte) 2);
        assertResult(2, receive);
        assertResult(1, post());
        assertEquals(0, demultiplexer.inFlight());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completionsBeforeTheWakeUpAreCollectedByTheNextWait(boolean isError) throws IOException {
        Throwable failure = isError ? new StackOverflowError("injected") : new IllegalStateException("injected");
        Flight receive = receive(ByteBuffer.allocate(CAPACITY));
        Peer.send(pair.far(), (byte) 1);
        Flight post = post();
        throwWithTheNextWait(failure);
        assertSame(failure, assertThrows(Throwable.class, () -> collect(FOREVER)));
        assertResult(1, post);
        assertResult(1, receive);
        assertAllIsWell();
    }

    @Test
    void theCloseGoesOnAfterAFailure() throws IOException {
        Flight receive = receive(ByteBuffer.allocate(CAPACITY));
        collect(0);
        Throwable failure = new IllegalStateException("injected");
        throwWithTheNextWait(failure);
        assertSame(failure, assertThrows(Throwable.class, demultiplexer::close));
        assertEquals(0, demultiplexer.inFlight());
        assertEquals(0, receive.lasts());
    }
}
