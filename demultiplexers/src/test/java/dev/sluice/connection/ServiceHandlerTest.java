package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that send by an output queue, with peers of all kinds. */
@Tag(Depth.IN_QUICK)
class ServiceHandlerTest extends ServiceContract {

    private final List<LoopRunner> runners = new ArrayList<>();

    @BeforeEach
    void run() {
        runners.add(own(new LoopRunner(reactor)));
        if (isShared()) {
            runners.add(own(LoopRunner.started(reactor)));
        }
    }

    /** {@return the number of bytes that have left a peer that does not read, when the service takes no more} */
    private int sendUntilFull(SocketStream stream, byte[] bytes) throws Exception {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        for (int calm = 0; calm < CALM_ITERATIONS && rest.hasRemaining(); calm++) {
            while (rest.hasRemaining() && stream.send(rest) > 0) {
                calm = 0;
            }
            awaitIteration();
        }
        return rest.position();
    }

    // Peers

    @Test
    void echoesMessagesOfAllSizes() throws Exception {
        SocketStream client = connect();
        for (int size : new int[] {1, 63, 4096, 256 * 1024, MEGABYTE + 1}) {
            byte[] sent = random(size);
            OtherThread<byte[]> reader = OtherThread.start(() -> {
                ByteBuffer received = ByteBuffer.allocate(size);
                assertTrue(client.receiveFully(received, LIMIT));
                return received.array();
            });
            client.sendFully(ByteBuffer.wrap(sent), LIMIT);
            assertArrayEquals(sent, reader.result());
        }
        RecordedService service = accepted();
        OtherThread.await(() -> service.sentBytes() == service.receivedBytes());
        client.shutdownOutput();
        assertEnd(client);
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
        assertEquals(Optional.empty(), service.output().endCause());
        assertFalse(service.isConnected());
    }

    @Test
    void takesNoMoreFromAPeerThatNeverReads() throws Exception {
        SocketStream client = connect();
        byte[] much = random(32 * MEGABYTE);
        int taken = sendUntilFull(client, much);
        assertTrue(taken < much.length, "all of it is taken");
        RecordedService service = accepted();
        OtherThread.await(service.output()::isAboveHighWatermark);
        assertTrue(service.output().unsentBytes() <= 512 * 1024, () -> "" + service.output().unsentBytes());
        client.shutdownOutput();
        ByteBuffer received = ByteBuffer.allocate(taken);
        assertTrue(client.receiveFully(received, LIMIT));
        assertEquals(ByteBuffer.wrap(much, 0, taken), received.flip());
        assertEnd(client);
        service.awaitClosed();
    }

    @Test
    void servesAPeerThatSendsByteByByte() throws Exception {
        SocketStream client = connect();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        for (int i = 0; i < 100; i++) {
            send(client, "" + i % 10);
            assertEquals("" + i % 10, receive(client, 1));
        }
    }

    @Test
    void endsWithAPeerThatResets() throws Exception {
        SocketStream client = connect();
        send(client, "x".repeat(100_000));
        RecordedService service = accepted();
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.close();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
        assertFalse(service.output().send(bytes("late")), "a failure is not the program's misuse");
        assertFalse(service.peer().handle().isOpen());
    }

    @Test
    void disconnectsAPeerBeyondTheLimit() throws Exception {
        prepared.onOpen = service -> service.output().watermarks(1, 10).limit(MEGABYTE);
        Acceptor acceptor = listen();
        SocketStream client = connect(acceptor.localAddress());
        RecordedService service = accepted();
        // All at once, so that no system has that much space.
        ByteBuffer much = ByteBuffer.allocate(MEGABYTE / 2);
        while (service.output().send(much.clear())) {
            assertFalse(service.output().unsentBytes() > 2 * MEGABYTE);
        }
        service.awaitClosed();
        assertInstanceOf(OutputLimitException.class, service.output().endCause().orElseThrow());
        assertInstanceOf(OutputLimitException.class, service.failures.get(0));
        client.close();
    }

    // Other threads

    @Test
    void sendsWhatOtherThreadsSendInTheirOrder() throws Exception {
        SocketStream client = connect();
        RecordedService service = accepted();
        int threads = 4;
        int sends = 1000;
        List<OtherThread<Void>> senders = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            byte number = (byte) thread;
            senders.add(OtherThread.start(() -> {
                for (int i = 0; i < sends; i++) {
                    assertTrue(service.output().send(ByteBuffer.wrap(new byte[] {number, (byte) i})));
                }
                return null;
            }));
        }
        ByteBuffer received = ByteBuffer.allocate(2 * threads * sends);
        assertTrue(client.receiveFully(received, LIMIT));
        for (OtherThread<Void> sender : senders) {
            sender.result();
        }
        int[] next = new int[threads];
        for (int i = 0; i < received.limit(); i += 2) {
            assertEquals((byte) next[received.get(i)]++, received.get(i + 1));
        }
    }

    @Test
    void runsTasksWhereHooksAreCalled() throws Exception {
        SocketStream client = connect();
        RecordedService service = accepted();
        AtomicInteger unguarded = new AtomicInteger();
        int[] count = new int[1];
        service.onReceived = (self, bytes) -> {
            count[0]++;
            self.output().send(bytes);
        };
        for (int i = 0; i < 200; i++) {
            send(client, "x");
            service.loop().execute(() -> {
                count[0]++;
                unguarded.incrementAndGet();
            });
            receive(client, 1);
        }
        OtherThread.await(() -> unguarded.get() == 200);
        assertEquals(400, service.inLoop(() -> count[0]));
    }

    @Test
    void onlyTheOwnerSetsWatermarks() throws Exception {
        connect();
        RecordedService service = accepted();
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> service.output().watermarks(1, 2));
        assertTrue(refused.getMessage().startsWith("watermarks: "), refused::getMessage);
        assertTrue(refused.getMessage().contains("use loop().execute(...)"), refused::getMessage);
        service.inLoop(() -> service.output().watermarks(1, 2));
    }

    // Failures of hooks

    @Test
    void errorOfAHookEndsItsConnectionAlone() throws Exception {
        Acceptor acceptor = listen();
        SocketStream other = connect(acceptor.localAddress());
        RecordedService unaffected = accepted();
        StackOverflowError thrown = new StackOverflowError("played");
        prepared.onReceived = (service, bytes) -> {
            throw thrown;
        };
        SocketStream client = connect(acceptor.localAddress());
        RecordedService failed = accepted();
        send(client, "x");
        assertEnd(client);
        failed.awaitClosed();
        assertEquals(List.of(thrown), failed.failures);
        assertSame(thrown, failed.output().endCause().orElseThrow());
        send(other, "hello");
        assertEquals("hello", receive(other, 5));
        assertTrue(unaffected.isConnected());
        assertEquals(1, acceptor.connections().count());
    }

    @Test
    void errorOfOpenEndsTheConnection() throws Exception {
        prepared.onOpen = service -> {
            throw new IllegalStateException("played");
        };
        assertEnd(connect());
        RecordedService service = accepted();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
        assertEquals("played", service.failures.get(0).getMessage());
    }

    @Test
    void closedIsCalledWhenTheHookHasReturned() throws Exception {
        prepared.onReceived = (service, bytes) -> {
            service.close();
            service.close();
            assertFalse(service.isConnected());
            assertEquals(List.of("open"), service.calls);
            assertThrows(IllegalStateException.class, () -> service.output().send(bytes("late")));
        };
        SocketStream client = connect();
        RecordedService service = accepted();
        send(client, "x");
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
        assertEquals(List.of(), service.failures);
        assertFalse(service.output().send(bytes("another thread cannot know")));
    }

    @Test
    void mayCloseInOpen() throws Exception {
        prepared.onOpen = RecordedService::close;
        assertEnd(connect());
        RecordedService service = accepted();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
    }

    @Test
    void saysWhichHookIsMissing() throws Exception {
        BlockingQueue<Throwable> causes = new LinkedBlockingQueue<>();
        Acceptor acceptor = Acceptor.listen(reactor, ANY_PORT, () -> new ServiceHandler() {
            @Override
            protected void closed() {
                causes.add(output().endCause().orElseThrow());
            }
        });
        SocketStream client = connect(acceptor.localAddress());
        send(client, "x");
        assertEnd(client);
        Throwable cause = causes.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertInstanceOf(UnsupportedOperationException.class, cause);
        assertTrue(cause.getMessage().contains("overrides neither received nor handleInput"), cause::getMessage);
    }

    @Test
    void refusesAFactoryThatMakesNoneOrTheSame() throws Exception {
        RecordedService one = new RecordedService();
        AtomicInteger made = new AtomicInteger();
        Acceptor acceptor = Acceptor.listen(reactor, ANY_PORT,
                () -> made.incrementAndGet() == 2 ? null : one);
        SocketStream first = connect(acceptor.localAddress());
        assertEnd(connect(acceptor.localAddress()));
        assertEnd(connect(acceptor.localAddress()));
        send(first, "still open");
        assertEquals("still open", receive(first, 10));
        assertEquals(1, acceptor.connections().count());
    }

    // The end

    @Test
    void sendsAllBeforeItCloses() throws Exception {
        byte[] much = random(8 * MEGABYTE);
        prepared.onReceived = (service, bytes) -> {
            service.output().send(ByteBuffer.wrap(much));
            service.closeWhenSent();
            assertThrows(IllegalStateException.class, () -> service.output().send(bytes("late")));
        };
        SocketStream client = connect();
        send(client, "go");
        RecordedService service = accepted();
        ByteBuffer received = ByteBuffer.allocate(much.length);
        assertTrue(client.receiveFully(received, LIMIT));
        assertArrayEquals(much, received.array());
        assertEnd(client);
        assertFalse(service.isClosed(), "the peer may still send");
        // A reset would be the answer if it were not received.
        send(client, "ignored");
        client.close();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
        assertEquals(Optional.empty(), service.output().endCause());
    }

    @Test
    void doesNotWaitLongForAPeerThatDoesNotEnd() throws Exception {
        assumeTrue(demultiplexer.equals("poll"), "the same timer on each, and it takes 2 seconds");
        prepared.onOpen = RecordedService::closeWhenSent;
        SocketStream client = connect();
        assertEnd(client);
        RecordedService service = accepted();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
    }

    @Test
    void endsWithAPeerThatSaysNothing() throws Exception {
        prepared.onOpen = service -> service.registration().idleTimeout(Interest.READ, Duration.ofMillis(50));
        assertEnd(connect());
        RecordedService service = accepted();
        service.awaitClosed();
        assertEquals(List.of("open", "closed"), service.calls);
    }

    @Test
    void endsWhenBothSidesHave() throws Exception {
        prepared.onEnded = service -> service.output().send(bytes("bye"));
        SocketStream client = connect();
        RecordedService service = accepted();
        client.shutdownOutput();
        assertEquals("bye", receive(client, 3));
        assertTrue(service.isConnected(), "the hook has not closed it");
        service.output().shutdownWhenSent();
        assertEnd(client);
        service.awaitClosed();
        assertEquals(List.of("open", "ended", "closed"), service.calls);
    }

    @Test
    void loopThatStopsLetsConnectionsFinish() throws Exception {
        Acceptor acceptor = listen();
        SocketStream client = connect(acceptor.localAddress());
        RecordedService service = accepted();
        service.onFinish = each -> {
            each.output().send(bytes("goodbye"));
            each.closeWhenSent();
        };
        reactor.stop(LIMIT);
        assertEquals("goodbye", receive(client, 7));
        assertEnd(client);
        client.close();
        service.awaitClosed();
        runners.forEach(LoopRunner::join);
        assertEquals(List.of("open", "finish", "closed"), service.calls);
        assertThrows(IOException.class, acceptor::localAddress);
    }

    @Test
    void loopThatStopsAnswersWhatHasCome() throws Exception {
        SocketStream client = connect();
        RecordedService service = accepted();
        CountDownLatch sent = new CountDownLatch(1);
        block(sent);
        send(client, "a last question");
        reactor.stop(LIMIT);
        sent.countDown();
        assertEquals("a last question", receive(client, 15));
        assertEnd(client);
        client.close();
        service.awaitClosed();
        runners.forEach(LoopRunner::join);
    }

    @Test
    void loopThatStopsAnswersWhatHasComeAsThePeerReads() throws Exception {
        byte[] much = random(64 * MEGABYTE);
        try (SocketChannel client = SocketChannel.open(listen().localAddress())) {
            RecordedService service = accepted();
            client.configureBlocking(false);
            ByteBuffer rest = ByteBuffer.wrap(much);
            while (!service.output().isAboveHighWatermark() || client.write(rest) > 0) {
                client.write(rest);
            }
            long before = service.receivedBytes();
            reactor.stop(LIMIT);
            client.configureBlocking(true);
            byte[] echoed = client.socket().getInputStream().readAllBytes();
            assertTrue(echoed.length > before, () -> echoed.length + " bytes came back, received were " + before);
            assertArrayEquals(Arrays.copyOf(much, echoed.length), echoed);
            client.close();
            service.awaitClosed();
            runners.forEach(LoopRunner::join);
        }
    }

    /** Blocks one thread of the loop until the latch is open. */
    private void block(CountDownLatch latch) {
        reactor.execute(() -> {
            try {
                assertTrue(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void loopThatStopsAsksAServiceToFinishThatStopsReceivingInTheMeantime() throws Exception {
        try (SocketChannel client = SocketChannel.open(listen().localAddress())) {
            RecordedService service = accepted();
            service.onReceived = (each, bytes) -> each.registration().interest(Interest.NONE);
            service.onFinish = each -> each.loop().execute(each::close);
            CountDownLatch sent = new CountDownLatch(1);
            block(sent);
            client.configureBlocking(false);
            while (client.write(ByteBuffer.allocate(MEGABYTE)) > 0) {
                continue;
            }
            reactor.stop(LIMIT.multipliedBy(2));
            sent.countDown();
            service.awaitClosed();
            runners.forEach(LoopRunner::join);
            assertEquals(List.of("open", "finish", "closed"), service.calls);
        }
    }

    @Test
    void loopThatStopsAsksAServiceToFinishWhosePeerContinuesSending() throws Exception {
        SocketStream client = connect();
        RecordedService service = accepted();
        // Slower than the peer.
        service.onReceived = (each, bytes) -> LockSupport.parkNanos(200_000);
        service.onFinish = each -> each.loop().execute(each::close);
        OtherThread<Void> sender = OtherThread.start(() -> {
            ByteBuffer piece = ByteBuffer.allocateDirect(MEGABYTE);
            while (true) {
                client.sendFully(piece.clear(), LIMIT);
            }
        });
        reactor.stop(LIMIT.multipliedBy(2));
        service.awaitClosed();
        runners.forEach(LoopRunner::join);
        assertEquals(List.of("open", "finish", "closed"), service.calls);
        assertThrows(IOException.class, sender::result);
    }

    @Test
    void loopThatStopsWaitsForNoAcceptorThatWasClosedBeforeItsRegistration() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        block(closed);
        Acceptor acceptor = listen();
        acceptor.close();
        reactor.stop(LIMIT.multipliedBy(2));
        closed.countDown();
        runners.forEach(LoopRunner::join);
        assertEquals(0, acceptor.connections().count());
    }

    @Test
    void loopThatStopsEndsConnectionsAtTheDeadline() throws Exception {
        SocketStream client = connect();
        RecordedService service = accepted();
        service.onFinish = each -> { };
        reactor.stop(Duration.ofMillis(100));
        service.awaitClosed();
        runners.forEach(LoopRunner::join);
        assertEnd(client);
    }

    @Test
    void closesWithTheLoop() throws Exception {
        connect();
        RecordedService service = accepted();
        reactor.close();
        service.awaitClosed();
        runners.forEach(LoopRunner::join);
    }

    // Connections

    @Test
    void sendsToAllConnectionsOfAnAcceptor() throws Exception {
        Acceptor acceptor = listen();
        List<SocketStream> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(connect(acceptor.localAddress()));
            assertSame(acceptor.connections(), accepted().connections());
        }
        assertEquals(3, acceptor.connections().broadcast(bytes("to all")));
        for (SocketStream client : clients) {
            assertEquals("to all", receive(client, 6));
        }
        clients.get(0).close();
        OtherThread.await(() -> acceptor.connections().count() == 2);
    }

    @Test
    void acceptsNoMoreThanTheLimit() throws Exception {
        Acceptor acceptor = listen(new ListenOptions().connections(new Connections().limit(2)));
        SocketStream first = connect(acceptor.localAddress());
        connect(acceptor.localAddress());
        accepted();
        accepted();
        SocketStream waiting = connect(acceptor.localAddress());
        send(waiting, "patient");
        assertNull(services.poll(100, TimeUnit.MILLISECONDS));
        first.close();
        assertEquals("patient", receive(waiting, 7));
        assertEquals(2, acceptor.connections().count());
    }

    @Test
    void servesNoConnectionThatIsNotAdmitted() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Acceptor acceptor = listen(new ListenOptions().filter(stream -> asked.incrementAndGet() != 1));
        assertEnd(connect(acceptor.localAddress()));
        SocketStream client = connect(acceptor.localAddress());
        send(client, "second");
        assertEquals("second", receive(client, 6));
        assertEquals(1, acceptor.connections().count());
        assertEquals(1, services.size());
    }

    // Connecting

    @Test
    void connectsAndSendsWhatWasQueued() throws Exception {
        Acceptor acceptor = listen();
        RecordedService client = Connector.connect(reactor, acceptor.localAddress(), LIMIT, new RecordedService());
        StringBuffer answer = new StringBuffer();
        client.onReceived = (self, bytes) -> answer.append(US_ASCII.decode(bytes));
        assertTrue(client.output().send(bytes("early")));
        OtherThread.await(() -> answer.toString().equals("early"));
        assertEquals(acceptor.localAddress(), client.remoteAddress());
        client.closeWhenSent();
        client.awaitClosed();
        assertEquals(List.of("open", "closed"), client.calls);
        assertThrows(IllegalStateException.class, client::connections);
    }

    @Test
    void closedFollowsAFailureToConnect() throws Exception {
        Acceptor acceptor = listen();
        SocketAddress refusing = acceptor.localAddress();
        acceptor.close();
        RecordedService client = Connector.connect(reactor, refusing, LIMIT, new RecordedService());
        client.awaitClosed();
        assertEquals(List.of("connectFailed", "closed"), client.calls);
        assertInstanceOf(SystemCallException.class, client.failures.get(0));
        assertFalse(client.output().send(bytes("x")));
        assertSame(client.failures.get(0), client.output().endCause().orElseThrow());
    }

    @Test
    void closeCancelsAnAttemptToConnect() throws Exception {
        // Of a test network (RFC 5737): there is no answer.
        RecordedService client = Connector.connect(reactor, new InetSocketAddress("192.0.2.1", 9), LIMIT,
                new RecordedService());
        client.close();
        client.awaitClosed();
        assertEquals(List.of("connectFailed", "closed"), client.calls);
        Throwable cause = client.failures.get(0);
        assertTrue(cause instanceof CancellationException || cause instanceof SystemCallException, cause::toString);
    }

    @Test
    void refusesToConnectAHandlerTwice() throws Exception {
        Acceptor acceptor = listen();
        RecordedService client = Connector.connect(reactor, acceptor.localAddress(), LIMIT, new RecordedService());
        assertThrows(IllegalStateException.class,
                () -> Connector.connect(reactor, acceptor.localAddress(), LIMIT, client));
        client.close();
        client.awaitClosed();
    }

    // Handing over

    @Test
    void handsTheConnectionOverWithItsOutput() throws Exception {
        RecordedService second = new RecordedService();
        OutputQueue[] output = new OutputQueue[1];
        RecordedService first = prepared;
        first.onReceived = (self, bytes) -> {
            output[0] = first.output();
            first.output().send(bytes("first "));
            first.handOver(second);
        };
        Acceptor acceptor = listen();
        SocketStream client = connect(acceptor.localAddress());
        send(client, "x");
        assertEquals("first ", receive(client, 6));
        send(client, "second");
        assertEquals("second", receive(client, 6));
        assertSame(output[0], second.output());
        assertThrows(IllegalStateException.class, first::output);
        acceptor.connections().forEach(each -> assertSame(second, each));
        client.close();
        second.awaitClosed();
        assertEquals(List.of("open"), first.calls);
        assertEquals(List.of("open", "closed"), second.calls);
        assertEquals(0, acceptor.connections().count());
    }
}
