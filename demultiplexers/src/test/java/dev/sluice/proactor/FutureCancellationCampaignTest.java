package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Futures are cancelled at the moment when something arrives: whatever it is comes to one of them, in order. */
@Tag(Campaign.TAG)
class FutureCancellationCampaignTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final int BYTES = CalledSystem.times(Campaign.count(20_000, 20_000_000));
    private static final int MESSAGES = CalledSystem.times(Campaign.count(300, 100_000));
    private static final int LARGEST = 64;
    private static final int MAX_MICROS = 200;

    private record Receive(ByteBuffer buffer, CompletableFuture<Long> future) {
    }

    private Campaign campaign;
    private Random random;

    @BeforeEach
    void begin() {
        campaign = Campaign.begin("cancelled futures on " + demultiplexer);
        random = campaign.random(0);
        runInBackground();
    }

    /** Cancels a future in one of the ways that there are, or does not. */
    private void disturb(CompletableFuture<?> future) throws Exception {
        switch (random.nextInt(5)) {
            case 0 -> future.cancel(true);
            case 1 -> {
                pause(random);
                future.cancel(true);
            }
            case 2 -> {
                try {
                    future.get(random.nextInt(MAX_MICROS), TimeUnit.MICROSECONDS);
                } catch (TimeoutException e) {
                    future.cancel(true);
                }
            }
            case 3 -> future.orTimeout(random.nextInt(MAX_MICROS), TimeUnit.MICROSECONDS);
            default -> { }
        }
    }

    private static void pause(Random random) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_MICROS)));
    }

    /** {@return what it brings, null if it was cancelled} */
    private <T> T outcome(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (CancellationException e) {
            return null;
        } catch (ExecutionException e) {
            assertTrue(e.getCause() instanceof TimeoutException, () -> campaign + ": " + e);
            return null;
        } catch (TimeoutException e) {
            throw new AssertionError(campaign + ": stuck", e);
        }
    }

    @Test
    void everyByteComesToOneOfThem() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        Random sendersRandom = campaign.random(1);
        OtherThread<Void> sender = OtherThread.start(() -> {
            for (int sent = 0; sent < BYTES;) {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(BYTES - sent, 1 + sendersRandom.nextInt(LARGEST)));
                while (piece.hasRemaining()) {
                    piece.put((byte) sent++);
                }
                connection.far().sendFully(piece.flip(), LIMIT);
                pause(sendersRandom);
            }
            connection.far().shutdownOutput();
            return null;
        });
        ArrayDeque<Receive> flying = new ArrayDeque<>();
        int arrived = 0;
        boolean over = false;
        while (!over || !flying.isEmpty()) {
            if (!over && (flying.isEmpty() || random.nextBoolean())) {
                int size = 1 + random.nextInt(LARGEST);
                ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
                Receive receive = new Receive(buffer, stream.receiveFuture(buffer));
                flying.add(receive);
                disturb(receive.future());
            } else {
                Receive first = flying.remove();
                Long count = outcome(first.future());
                boolean end = count != null && count == SocketStream.END_OF_STREAM;
                assertEquals(count == null || end ? 0 : count, first.buffer().position(), campaign::toString);
                over |= end;
                for (int i = 0; i < first.buffer().position(); i++) {
                    assertEquals((byte) arrived++, first.buffer().get(i), campaign::toString);
                }
            }
        }
        assertEquals(BYTES, arrived, campaign::toString);
        sender.result();
    }

    @Test
    void everyDatagramComesToOneOfThem() throws Exception {
        SocketDatagram socket = own(SocketDatagram.open(ANY_PORT));
        SocketDatagram peer = own(SocketDatagram.open(ANY_PORT));
        peer.connect(socket.localAddress());
        AsyncDatagram datagram = new AsyncDatagram(proactor, socket, recorder);
        for (int sent = 0; sent < MESSAGES; sent++) {
            int number = sent;
            Random sendersRandom = campaign.random(2 + sent);
            // One at a time: the system drops datagrams for which it has no space, and the test could not tell them
            // from lost ones.
            OtherThread<Void> sender = OtherThread.start(() -> {
                pause(sendersRandom);
                peer.send(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
                return null;
            });
            Long length = null;
            ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES);
            while (length == null) {
                CompletableFuture<Long> receive = datagram.receiveFuture(buffer, null);
                disturb(receive);
                length = outcome(receive);
            }
            assertEquals(Integer.BYTES, length, campaign::toString);
            assertEquals(number, buffer.getInt(0), campaign::toString);
            sender.result();
        }
    }

    @Test
    void everyConnectionComesToOneOfThem() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        AsyncAcceptor accepting = new AsyncAcceptor(proactor, acceptor, recorder);
        Set<SocketAddress> made = new HashSet<>();
        for (int round = 0; round < MESSAGES; round++) {
            Random peersRandom = campaign.random(2 + round);
            OtherThread<SocketStream> peer = OtherThread.start(() -> {
                pause(peersRandom);
                return SocketConnector.connect(acceptor.localAddress(), LIMIT);
            });
            CompletableFuture<SocketStream> accept = accepting.acceptFuture();
            CompletableFuture<SocketStream> connect = proactor.connectFuture(acceptor.localAddress(), LIMIT);
            disturb(accept);
            disturb(connect);
            try (SocketStream far = peer.result()) {
                made.add(far.localAddress());
                SocketStream connected = outcome(connect);
                if (connected != null) {
                    made.add(connected.localAddress());
                    connected.close();
                }
                take(outcome(accept), made);
                // Connections whose accept was cancelled are in the queue as well, and match no attempt.
                while (!made.isEmpty()) {
                    CompletableFuture<SocketStream> next = accepting.acceptFuture();
                    disturb(next);
                    take(outcome(next), made);
                }
            }
        }
    }

    private static void take(SocketStream accepted, Set<SocketAddress> made) throws Exception {
        if (accepted != null) {
            try (accepted) {
                made.remove(accepted.remoteAddress());
            } catch (SystemCallException e) {
                // Reset in between, so it is one that was cancelled half-way.
                assertTrue(e.errorName().equals("ENOTCONN") || e.errorName().equals("EINVAL"), e::toString);
            }
        }
    }
}
