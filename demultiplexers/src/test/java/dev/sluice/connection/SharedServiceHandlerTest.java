package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections of a loop that several threads run, one of which may be inside a hook. */
@RunsOn(HandleSetKind.CONCURRENT)
@Tag(Depth.IN_QUICK)
class SharedServiceHandlerTest extends ServiceContract {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void run() {
        own(new LoopRunner(reactor));
        own(LoopRunner.started(reactor));
    }

    /** {@return a service whose registration has ended while its hook has not} */
    private RecordedService endedInAHook() throws Exception {
        prepared.onReceived = (service, bytes) -> {
            begun.countDown();
            OtherThread.await(end);
        };
        SocketStream client = connect();
        RecordedService service = accepted();
        send(client, "x");
        OtherThread.await(begun);
        service.registration().close();
        assertFalse(service.isConnected());
        return service;
    }

    /** {@return a service whose system takes no more bytes, as its peer does not read} */
    private RecordedService stuck(Acceptor acceptor) throws Exception {
        prepared.onOpen = service -> {
            service.output().watermarks(1, 10).limit(MEGABYTE);
            service.output().send(ByteBuffer.allocate(16 * MEGABYTE));
        };
        connect(acceptor.localAddress());
        RecordedService service = accepted();
        OtherThread.await(service.output()::isAboveHighWatermark);
        long before = 0;
        for (int calm = 0; calm < CALM_ITERATIONS; calm++) {
            awaitIteration();
            calm = service.sentBytes() == before ? calm : 0;
            before = service.sentBytes();
        }
        return service;
    }

    @Test
    void tasksOfAConnectionThatHasEndedWaitForItsHook() throws Exception {
        RecordedService service = endedInAHook();
        CountDownLatch run = new CountDownLatch(1);
        service.loop().execute(run::countDown);
        awaitIteration();
        assertEquals(1, run.getCount(), "a task has run beside a hook");
        end.countDown();
        OtherThread.await(run);
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
    }

    @Test
    void bytesSentAfterTheEndStayOutOfTheQueueOfAHook() throws Exception {
        RecordedService service = endedInAHook();
        CountDownLatch returned = new CountDownLatch(1);
        assertTrue(service.output().send(ByteBuffer.allocate(MEGABYTE), returned::countDown));
        awaitIteration();
        assertFalse(service.output().isAboveHighWatermark(), "another thread has used the queue");
        assertEquals(Optional.empty(), service.output().endCause());
        assertEquals(1, returned.getCount());
        end.countDown();
        OtherThread.await(returned);
        service.awaitClosed();
    }

    @Test
    void overrunEndsAConnectionWhosePeerReadsNothing() throws Exception {
        RecordedService service = stuck(listen());
        assertFalse(service.output().send(ByteBuffer.allocate(1)));
        service.awaitClosed();
        assertInstanceOf(OutputLimitException.class, service.output().endCause().orElseThrow());
    }

    @Test
    void stopEndsAConnectionWhosePeerReadsNothing() throws Exception {
        Acceptor acceptor = listen();
        RecordedService service = stuck(acceptor);
        acceptor.connections().stop(Duration.ofMillis(50));
        service.awaitClosed();
    }
}
