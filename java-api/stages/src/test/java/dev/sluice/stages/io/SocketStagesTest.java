package dev.sluice.stages.io;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FullSocket;
import dev.sluice.handle.OwnPort;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class SocketStagesTest extends SocketStagesContract {

    private static final int BUFFER = 16 * 1024;
    /** More than the peer's window, which stays as it is until the peer reads: the rest waits in the system. */
    private static final int MORE_THAN_A_WINDOW = 200_000;
    private static final int MANY = 3_000_000;
    private static final int ROUNDS = 100;
    private static final int MANY_ROUNDS = 1000;

    private static byte[] received(List<Packet> packets) {
        ByteBuffer all = ByteBuffer.allocate(packets.stream().mapToInt(packet -> packet.bytes().remaining()).sum());
        for (int i = 0; i < packets.size(); i++) {
            assertEquals(i, packets.get(i).number());
            all.put(packets.get(i).bytes().duplicate());
        }
        return all.array();
    }

    @Test
    void whatIsSentComesBack() throws Exception {
        run(new Echo());
        SocketStream peer = connect();
        for (byte value : Bytes.random(50)) {
            peer.sendFully(ByteBuffer.wrap(new byte[] {value}), LIMIT);
            assertReceives(peer, new byte[] {value});
        }
        byte[] much = Bytes.random(MANY);
        OtherThread<Void> sender = OtherThread.start(() -> {
            peer.sendFully(ByteBuffer.wrap(much), LIMIT);
            peer.shutdownOutput();
            return null;
        });
        assertReceives(peer, much);
        sender.result();
        assertEquals(SocketStream.END_OF_STREAM, receive(peer));
        ConnectionClosed closed = application.await(ConnectionClosed.class);
        assertNull(closed.cause());
        assertEquals(application.await(AsyncConnection.class), closed.connection());
        OtherThread.await(() -> sockets.connections() <= 1);
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    private static int receive(SocketStream peer) throws Exception {
        return OtherThread.start(() -> {
            int count = 0;
            while (count == 0) {
                count = peer.receive(ByteBuffer.allocate(1));
                Thread.yield();
            }
            return count;
        }).result();
    }

    @Test
    void manyConnectionsAtOnce() throws Exception {
        run(new Echo());
        List<OtherThread<Void>> peers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            byte[] own = Bytes.random(100_000 + i);
            SocketStream peer = connect();
            peers.add(OtherThread.start(() -> {
                OtherThread<Void> sender = OtherThread.start(() -> {
                    peer.sendFully(ByteBuffer.wrap(own), LIMIT);
                    return null;
                });
                assertReceives(peer, own);
                sender.result();
                return null;
            }));
        }
        for (OtherThread<Void> peer : peers) {
            peer.result();
        }
        assertEquals(16, application.all(AsyncConnection.class).size());
    }

    @Test
    void aFullQueueStopsOneConnectionOnly() throws Exception {
        Application slow = new Application();
        run(slow, new SocketOptions(), 4);
        Echo other = new Echo();
        // It is running already, so the other one has a graph of its own.
        SocketStream flooding = connect();
        slow.await(AsyncConnection.class);
        slow.gate = new CountDownLatch(1);
        byte[] much = Bytes.random(MANY);
        OtherThread<Void> sender = OtherThread.start(() -> {
            flooding.sendFully(ByteBuffer.wrap(much), LIMIT);
            return null;
        });
        OtherThread.await(() -> stage.length() == 4);
        try (var second = new SecondGraph(other)) {
            SocketStream served = own(second.connect());
            byte[] few = Bytes.random(40_000);
            served.sendFully(ByteBuffer.wrap(few), LIMIT);
            assertReceives(served, few);
        }
        assertEquals(List.of(), slow.all(Packet.class));
        slow.gate.countDown();
        sender.result();
        OtherThread.await(() -> slow.all(Packet.class).stream().mapToInt(p -> p.bytes().remaining()).sum() == MANY);
        assertEquals(ByteBuffer.wrap(much), ByteBuffer.wrap(received(slow.all(Packet.class))));
    }

    @Test
    void connectionWaitsForSpaceInTheApplicationsQueue() throws Exception {
        Application slow = new Application();
        slow.gate = new CountDownLatch(1);
        run(slow, new SocketOptions(), 1);
        for (int i = 0; i < 5; i++) {
            connect();
        }
        OtherThread.await(() -> stage.length() == 1);
        slow.gate.countDown();
        slow.await(AsyncConnection.class, 5);
    }

    @Test
    void moreConnectionsThanThereMayBeWait() throws Exception {
        run(new Application(), new SocketOptions().connections(2), 64);
        connect();
        connect();
        SocketStream third = connect();
        List<AsyncConnection> two = application.await(AsyncConnection.class, 2);
        assertEquals(2, sockets.connections());
        IOException refused = assertThrows(IOException.class,
                () -> new AsyncClientSocket(sockets, server.localAddress(), LIMIT, stage.queue()));
        assertTrue(refused.getMessage().contains("2 connections are open"), refused::getMessage);
        third.sendFully(ByteBuffer.wrap(Bytes.random(3)), LIMIT);
        assertEquals(2, application.all(AsyncConnection.class).size());
        two.get(0).close();
        application.await(AsyncConnection.class, 3);
        assertEquals(3, application.await(Packet.class).bytes().remaining());
    }

    // Sending

    @Test
    void peerThatDoesNotReadIsReportedOnce() throws Exception {
        run(new Application(), new SocketOptions().outgoing(20, 64 * 1024), 64);
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        // Then nothing leaves the queue, so that it is known what it refuses.
        int filled = FullSocket.fill(connection.stream(), peer);
        for (int i = 0; i < 8; i++) {
            assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(8 * 1024)));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(EnqueueResult.FULL, connection.send(ByteBuffer.allocate(1)));
        }
        assertEquals(8, connection.outgoing());
        application.await(OutgoingQueueFull.class);
        for (int left = filled; left > 0; left -= Math.min(left, 1024)) {
            peer.receiveFully(ByteBuffer.allocate(Math.min(left, 1024)), LIMIT);
        }
        assertReceives(peer, new byte[8 * 8 * 1024]);
        assertEquals(1, application.all(OutgoingQueueFull.class).size());
        OtherThread.await(() -> connection.outgoing() == 0);
        // One that is larger than all there may be gets in if there is no other.
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(MANY)));
        while (connection.send(ByteBuffer.allocate(1)) == EnqueueResult.ACCEPTED) {
            Thread.yield();
        }
        application.await(OutgoingQueueFull.class, 2);
        connection.close();
        assertNull(application.await(ConnectionClosed.class).cause());
        assertEquals(EnqueueResult.CLOSED, connection.send(ByteBuffer.allocate(1)));
    }

    @Test
    void eachPacketIsReported() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        byte[] all = Bytes.random(100);
        for (int i = 0; i < 100; i++) {
            ByteBuffer one = ByteBuffer.wrap(all, i, 1);
            assertEquals(EnqueueResult.ACCEPTED, connection.send(one, i, stage.queue()));
        }
        connection.send(ByteBuffer.allocate(0), "empty", stage.queue());
        assertReceives(peer, all);
        List<PacketSent> sent = application.await(PacketSent.class, 101);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, sent.get(i).token());
            assertNull(sent.get(i).cause());
        }
        assertEquals("empty", sent.get(100).token());
        // Each has its place until it has been reported.
        OtherThread.await(() -> connection.outgoing() == 0);
    }

    @Test
    void packetsThatCannotBeSentAreReported() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        // Then none is sent, however long it takes from the last one to the close.
        FullSocket.fill(connection.stream(), peer);
        int count = 0;
        while (connection.send(ByteBuffer.allocate(64 * 1024), count, stage.queue()) == EnqueueResult.ACCEPTED) {
            count++;
        }
        assertTrue(count > 1, "" + count);
        connection.close();
        application.await(ConnectionClosed.class);
        for (PacketSent sent : application.await(PacketSent.class, count)) {
            assertNotNull(sent.cause(), sent::toString);
        }
        OtherThread.await(() -> connection.outgoing() == 0);
        OtherThread.await(() -> sockets.connections() <= 1);
    }

    @Test
    void theStopSendsWhatWasAccepted() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        byte[] much = Bytes.random(MANY);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(much)));
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        assertReceives(peer, much);
        StopReport report = stop.result();
        assertTrue(report.isDrained(), report::toString);
        assertEquals("tcp-write", report.stages().get(report.stages().size() - 1).stage());
        assertEquals(SocketStream.END_OF_STREAM, receive(peer));
        OtherThread.await(() -> sockets.connections() <= 1);
    }

    @Test
    void theStopDoesNotWaitForeverForWhoDoesNotRead() throws Exception {
        run(new Application());
        connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(8 * MANY)));
        OtherThread.await(() -> !graph.accounts().stream().allMatch(account -> account.expected() == 0));
        StopReport report = graph.stop(Duration.ofMillis(1));
        assertFalse(report.isDrained(), report::toString);
        assertFalse(connection.isOpen());
    }

    // Ends

    @Test
    void aPeerThatEndsCanStillBeSentTo() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        peer.sendFully(ByteBuffer.wrap(Bytes.random(7)), LIMIT);
        peer.shutdownOutput();
        AsyncConnection connection = application.await(EndOfInput.class).connection();
        assertEquals(ByteBuffer.wrap(Bytes.random(7)), ByteBuffer.wrap(received(application.all(Packet.class))));
        assertTrue(connection.isOpen());
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(Bytes.random(9))));
        assertReceives(peer, Bytes.random(9));
        connection.closeAfterSending();
        application.await(ConnectionClosed.class);
        assertEquals(EnqueueResult.CLOSED, connection.send(ByteBuffer.wrap(Bytes.random(9))));
    }

    /** What is accepted while another thread has the connection close after sending is sent, and nothing else. */
    @Test
    void whatIsAcceptedBeforeTheEndIsSent() throws Exception {
        run(new Application());
        for (int round = 0; round < CalledSystem.times(Depth.times(10, ROUNDS, ROUNDS)); round++) {
            SocketStream peer = connect();
            AsyncConnection connection = application.await(AsyncConnection.class, round + 1).get(round);
            CountDownLatch some = new CountDownLatch(round % 20);
            OtherThread<Integer> sender = OtherThread.start(() -> sendUntilClosed(connection, some));
            OtherThread.await(some);
            connection.closeAfterSending();
            int received = receiveToTheEnd(peer);
            assertEquals(sender.result(), received);
            peer.close();
        }
    }

    /** {@return the number of bytes accepted} */
    private static int sendUntilClosed(AsyncConnection connection, CountDownLatch some) {
        int accepted = 0;
        EnqueueResult result;
        do {
            result = connection.send(ByteBuffer.allocate(1));
            if (result == EnqueueResult.ACCEPTED) {
                accepted++;
                some.countDown();
            } else {
                Thread.yield();
            }
        } while (result != EnqueueResult.CLOSED);
        return accepted;
    }

    private static int receiveToTheEnd(SocketStream peer) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1000);
        int sum = 0;
        while (peer.receiveFully(buffer.clear(), LIMIT)) {
            sum += buffer.position();
        }
        return sum + buffer.position();
    }

    /** Much of what was sent waits in the system, since the peer has not received anything. */
    private AsyncConnection connectionOf(SocketStream peer, byte[] sent) throws Exception {
        AsyncConnection connection = application.await(AsyncConnection.class);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(sent)));
        OtherThread.await(() -> connection.outgoing() == 0);
        return connection;
    }

    @Test
    void nothingIsTakenBackFromAPeerThatStillSends() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = connectionOf(peer, Bytes.random(MORE_THAN_A_WINDOW));
        connection.closeAfterSending(LIMIT);
        assertEquals(EnqueueResult.CLOSED, connection.send(ByteBuffer.wrap(Bytes.random(1))));
        for (int i = 0; i < 10; i++) {
            peer.sendFully(ByteBuffer.wrap(Bytes.random(1000)), LIMIT);
        }
        assertReceives(peer, Bytes.random(MORE_THAN_A_WINDOW));
        assertEquals(SocketStream.END_OF_STREAM, receive(peer));
        assertTrue(connection.isOpen());
        peer.sendFully(ByteBuffer.wrap(Bytes.random(1000)), LIMIT);
        peer.shutdownOutput();
        assertNull(application.await(ConnectionClosed.class).cause());
        assertEquals(0, application.all(EndOfInput.class).size());
    }

    @Test
    void theStopTakesNothingBackFromAPeerThatStillSends() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = connectionOf(peer, Bytes.random(MORE_THAN_A_WINDOW));
        connection.closeAfterSending(LIMIT);
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        for (int i = 0; i < 10; i++) {
            peer.sendFully(ByteBuffer.wrap(Bytes.random(1000)), LIMIT);
        }
        assertReceives(peer, Bytes.random(MORE_THAN_A_WINDOW));
        assertEquals(SocketStream.END_OF_STREAM, receive(peer));
        assertTrue(connection.isOpen());
        peer.close();
        assertTrue(stop.result().isDrained());
        assertFalse(connection.isOpen());
    }

    @Test
    void aPeerThatHasEndedIsNotWaitedFor() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        peer.shutdownOutput();
        AsyncConnection connection = application.await(EndOfInput.class).connection();
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(Bytes.random(9))));
        connection.closeAfterSending(Duration.ofHours(1));
        assertReceives(peer, Bytes.random(9));
        assertNull(application.await(ConnectionClosed.class).cause());
    }

    @Test
    void aPeerThatNeverEndsIsNotWaitedForForever() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        connection.closeAfterSending(Duration.ofMillis(1));
        assertNull(application.await(ConnectionClosed.class).cause());
        assertEquals(SocketStream.END_OF_STREAM, receive(peer));
        assertThrows(IllegalArgumentException.class, () -> connection.closeAfterSending(Duration.ofNanos(-1)));
    }

    @Test
    void aResetIsTheEnd() throws Exception {
        // The connection may begin to receive only after the reset.
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        ConnectionClosed closed = application.await(ConnectionClosed.class);
        assertNotNull(closed.cause());
        assertFalse(connection.isOpen());
        assertEquals(1, application.all(ConnectionClosed.class).size());
    }

    @Test
    void whatAClosedConnectionHasBroughtCostsNoWork() throws Exception {
        Application slow = new Application();
        run(slow);
        SocketStream peer = connect();
        AsyncConnection connection = slow.await(AsyncConnection.class);
        slow.gate = new CountDownLatch(1);
        SocketStream second = connect();
        // The handler has it, in a batch that nothing else can come into any more.
        OtherThread.await(() -> stage.accepted() == 2 && stage.length() == 0);
        peer.sendFully(ByteBuffer.wrap(Bytes.random(100)), LIMIT);
        OtherThread.await(() -> stage.accepted() >= 3);
        connection.close();
        slow.gate.countDown();
        slow.await(ConnectionClosed.class);
        assertEquals(List.of(), slow.all(Packet.class));
        assertTrue(stage.discarded() >= 1);
        assertThrows(IllegalStateException.class, () -> connection.startReading(stage.queue()));
        second.close();
    }

    @Test
    void aServerThatIsClosedSaysSo() throws Exception {
        run(new Application());
        connect();
        application.await(AsyncConnection.class);
        server.close();
        assertNull(application.await(ServerSocketClosed.class).cause());
        server.close();
        assertEquals(1, application.all(ServerSocketClosed.class).size());
        assertEquals(1, sockets.connections());
    }

    // Connecting

    @Test
    void clientsAndServersTalk() throws Exception {
        run(new Echo());
        Application client = new Application();
        try (var second = new SecondGraph(client)) {
            new AsyncClientSocket(sockets, second.listening.localAddress(), LIMIT, stage.queue());
            AsyncConnection near = application.await(AsyncConnection.class);
            AsyncConnection far = client.await(AsyncConnection.class);
            assertEquals(near.stream().localAddress(), far.remoteAddress());
            byte[] much = Bytes.random(100_000);
            far.send(ByteBuffer.wrap(much));
            OtherThread.await(() -> client.all(Packet.class).stream().mapToInt(p -> p.bytes().remaining()).sum()
                    == much.length);
            assertEquals(ByteBuffer.wrap(much), ByteBuffer.wrap(received(client.all(Packet.class))));
        }
        application.await(ConnectionClosed.class);
    }

    @Test
    void failedConnectionIsReported() throws Exception {
        run(new Application());
        SocketAddress unused;
        try (SocketAcceptor closed = SocketAcceptor.open(ANY_PORT)) {
            unused = closed.localAddress();
        }
        AsyncClientSocket socket = new AsyncClientSocket(sockets, unused, LIMIT, stage.queue());
        ConnectFailed failed = application.await(ConnectFailed.class);
        assertEquals(socket, failed.socket());
        assertNotNull(failed.cause().getMessage());
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
        new AsyncClientSocket(sockets, unknown, LIMIT, stage.queue());
        application.await(ConnectFailed.class, 2);
        OtherThread.await(() -> sockets.connections() <= 1);
        assertThrows(IllegalArgumentException.class,
                () -> new AsyncClientSocket(sockets, unused, Duration.ofMillis(-1), stage.queue()));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aConnectionToItselfIsNone() throws Exception {
        run(new Application());
        OwnPort port = own(OwnPort.install());
        new AsyncClientSocket(sockets, port.address(), LIMIT, stage.queue());
        ConnectFailed failed = application.await(ConnectFailed.class);
        assertEquals("ECONNREFUSED", ((SystemCallException) failed.cause()).errorName());
    }

    /** Reads packets only when it is allowed to. */
    private static final class OnCredit extends Application {

        final AtomicInteger allowed = new AtomicInteger(1);
        volatile boolean exceeded;

        @Override
        void handle(SocketEvent event) throws Exception {
            if (event instanceof AsyncConnection connection) {
                connection.startReading(queue, 1);
            } else if (event instanceof Packet && allowed.decrementAndGet() < 0) {
                exceeded = true;
            }
        }
    }

    @Test
    void onlyAsManyPacketsComeAsAreAllowed() throws Exception {
        OnCredit app = new OnCredit();
        run(app);
        SocketStream peer = connect();
        byte[] content = Bytes.random(4 * Packet.MAX_COPIED_BYTES);
        peer.sendFully(ByteBuffer.wrap(content), LIMIT);
        AsyncConnection connection = app.await(AsyncConnection.class);
        app.await(Packet.class);
        while (app.all(Packet.class).stream().mapToInt(packet -> packet.bytes().remaining()).sum() < content.length) {
            int before = app.all(Packet.class).size();
            app.allowed.incrementAndGet();
            connection.requestPackets(1);
            app.await(Packet.class, before + 1);
        }
        assertBytes(content, received(app.all(Packet.class)));
        // What is no packet needs no permission.
        peer.shutdownOutput();
        app.await(EndOfInput.class);
        assertFalse(app.exceeded);
        assertThrows(IllegalArgumentException.class, () -> connection.requestPackets(-1));
    }

    @Test
    void whatIsReceivedOnDemandComesWhenItIsAllowed() throws Exception {
        int most = 1000;
        OnCredit app = new OnCredit();
        run(app, new SocketOptions().receiveOnDemand(most).receiveBuffer(BUFFER), 64);
        byte[] content = Bytes.random(4 * Packet.MAX_COPIED_BYTES);
        for (int round = 1; round <= 2; round++) {
            SocketStream peer = connect();
            OtherThread<Void> sender = OtherThread.start(() -> {
                peer.sendFully(ByteBuffer.wrap(content), LIMIT);
                peer.shutdownOutput();
                return null;
            });
            AsyncConnection connection = app.await(AsyncConnection.class, round).get(round - 1);
            List<Packet> packets = List.of();
            for (int count = 1; packets.stream().mapToInt(p -> p.bytes().remaining()).sum() < content.length; count++) {
                int expected = count;
                OtherThread.await(() -> of(connection, app).size() >= expected);
                packets = of(connection, app);
                assertTrue(packets.size() == count && packets.get(count - 1).bytes().remaining() <= most);
                // Nothing of it lies in the proactor's buffers.
                assertEquals(0, sockets.retained.count());
                app.allowed.incrementAndGet();
                connection.requestPackets(1);
            }
            assertBytes(content, received(packets));
            sender.result();
            // As it is, another packet is allowed, and what has come instead of it is the end.
            app.await(EndOfInput.class, round);
            connection.close();
            app.await(ConnectionClosed.class, round);
        }
        assertFalse(app.exceeded);
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    @Test
    void acceptedConnectionsHaveTheReceiveBufferOfTheOptions() throws Exception {
        WineDifference.ACCEPTED_HAS_DEFAULT_BUFFER.assumeAbsent();
        OnCredit app = new OnCredit();
        run(app, new SocketOptions().receiveBuffer(BUFFER), 64);
        int buffer = connect().getOption(StandardSocketOptions.SO_RCVBUF);
        int accepted = app.await(AsyncConnection.class, 1).get(0).stream().getOption(StandardSocketOptions.SO_RCVBUF);
        // Linux says what it uses, which is twice as much.
        assertTrue(accepted >= BUFFER && accepted <= 2 * BUFFER && buffer > 2 * BUFFER, () -> "" + accepted);
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    private static List<Packet> of(AsyncConnection connection, Application app) {
        return app.all(Packet.class).stream().filter(packet -> packet.connection() == connection).toList();
    }

    /** Each packet is demanded by whichever thread has taken the one before, while another may still be in its hook. */
    @Test
    void onDemandNoPacketIsWaitedForInVain() throws Exception {
        run(new Echo(), new SocketOptions().receiveOnDemand(100), 64);
        SocketStream peer = connect();
        for (int i = 0; i < MANY_ROUNDS; i++) {
            byte[] question = {(byte) i};
            peer.sendFully(ByteBuffer.wrap(question), LIMIT);
            assertReceives(peer, question);
        }
    }

    /** The end of an attempt to connect may come in the moment in which it is begun, in another thread. */
    @Test
    void eachAttemptToConnectIsReported() throws Exception {
        run(new Application());
        try (SocketAcceptor acceptor = SocketAcceptor.open(ANY_PORT)) {
            for (int i = 1; i <= MANY_ROUNDS; i++) {
                new AsyncClientSocket(sockets, acceptor.localAddress(), LIMIT, stage.queue());
                AsyncConnection connection = application.await(AsyncConnection.class, i).get(i - 1);
                acceptor.accept(LIMIT).close();
                connection.close();
            }
        }
        OtherThread.await(() -> sockets.connections() <= 1);
    }

    @Test
    void aResetIsNoticedByAReceiveOnDemand() throws Exception {
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        run(new OnCredit(), new SocketOptions().receiveOnDemand(100), 64);
        SocketStream peer = connect();
        application.await(AsyncConnection.class);
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        assertNotNull(application.await(ConnectionClosed.class).cause());
    }

    /** Its packets stay unread forever, and would hold up the end, and with it what the connection keeps. */
    @Test
    void aConnectionThatIsClosedAfterItsPeerHasResetItEndsDespitePacketsThatAreNotAllowed() throws Exception {
        OnCredit app = new OnCredit();
        run(app);
        SocketStream peer = connect();
        peer.sendFully(ByteBuffer.wrap(Bytes.random(4 * Packet.MAX_COPIED_BYTES)), LIMIT);
        AsyncConnection connection = app.await(AsyncConnection.class);
        app.await(Packet.class);
        OtherThread.await(() -> sockets.retained.count() > 0);
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        OtherThread.await(() -> !connection.isOpen());
        connection.close();
        app.await(ConnectionClosed.class);
        OtherThread.await(() -> sockets.retained.count() == 0);
        assertFalse(app.exceeded);
    }

    @Test
    void aRateLosesNothing() throws Exception {
        run(new Application(), new SocketOptions().rate(1000, 2), 64);
        SocketStream peer = connect();
        byte[] much = Bytes.random(400_000);
        peer.sendFully(ByteBuffer.wrap(much), LIMIT);
        OtherThread.await(() -> application.all(Packet.class).stream().mapToInt(p -> p.bytes().remaining()).sum()
                == much.length);
        assertEquals(ByteBuffer.wrap(much), ByteBuffer.wrap(received(application.all(Packet.class))));
    }

    @Test
    void optionsHaveRanges() {
        SocketOptions options = new SocketOptions();
        assertThrows(IllegalArgumentException.class, () -> options.connections(0));
        assertThrows(IllegalArgumentException.class, () -> options.connections(SocketOptions.MAX_CONNECTIONS + 1));
        assertThrows(IllegalArgumentException.class, () -> options.outgoing(0, 1));
        assertThrows(IllegalArgumentException.class, () -> options.outgoing(1, 0));
        assertThrows(IllegalArgumentException.class, () -> options.maxRetainedBuffers(0));
        assertThrows(IllegalArgumentException.class, () -> options.receiveBuffer(0));
        assertThrows(IllegalArgumentException.class, () -> options.receiveOnDemand(0));
        assertThrows(IllegalArgumentException.class, () -> options.receiveOnDemand(Packet.MAX_COPIED_BYTES + 1));
        assertThrows(IllegalArgumentException.class, () -> options.rate(0, 1));
        assertThrows(IllegalArgumentException.class, () -> options.rate(1, 0));
    }

    @Test
    void anAdmissionOfTheApplicationDelaysPackets() throws Exception {
        Application app = new Application();
        application = app;
        runByAsManyAsMay();
        own(graph);
        sockets = new SocketStages(graph, "tcp", proactor);
        List<Integer> asked = new ArrayList<>();
        stage = graph.add("application", SocketEvent.class, app, new StageOptions<SocketEvent>()
                .admission((event, length) -> {
                    synchronized (asked) {
                        asked.add(length);
                        return asked.size() % 3 == 0;
                    }
                }));
        app.queue = stage.queue();
        server = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        graph.start();
        SocketStream peer = connect();
        peer.sendFully(ByteBuffer.wrap(Bytes.random(50_000)), LIMIT);
        OtherThread.await(() -> app.all(Packet.class).stream().mapToInt(p -> p.bytes().remaining()).sum() == 50_000);
        assertEquals(ByteBuffer.wrap(Bytes.random(50_000)), ByteBuffer.wrap(received(app.all(Packet.class))));
    }
}
