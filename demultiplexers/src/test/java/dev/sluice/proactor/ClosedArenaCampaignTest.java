package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operations and calls whose buffers' arena is closed at any moment: what lies there afterwards is neither overwritten
 * nor sent, and what is said to have succeeded has.
 */
@Tag(Campaign.TAG)
class ClosedArenaCampaignTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final int ROUNDS = CalledSystem.times(Campaign.count(120, 20_000));
    private static final int MAX_MICROS = 300;
    private static final int[] SIZES = {1, 64, 3_000, 100_000};
    /** More than a connection takes before its peer reads. */
    private static final int MUCH = 3_000_000;

    /** What is done. */
    private enum Action { RECEIVE, SCATTER, SEND, SEND_SOME, GATHER, TRANSMIT, READ, WRITE,
        RECEIVE_DATAGRAM, SEND_DATAGRAM, CALL_RECEIVE, CALL_SEND }

    /** When the arena is closed. */
    private enum Moment { BEFORE_THE_START, AFTER_THE_START, MEANWHILE, IN_A_HOOK, AFTERWARDS }

    @TempDir
    private Path directory;

    private Campaign campaign;
    private Random random;
    private Action action;
    private Moment moment;
    private byte[] content;
    private ClosingArena arena;
    private OtherThread<Void> closer;
    private List<Closeable> open;
    private int started;

    @BeforeEach
    void begin() {
        ForeignMemory.assumeThere();
        campaign = Campaign.begin("closed arenas on " + demultiplexer);
    }

    @Test
    void nothingIsTouchedNorLost() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            random = campaign.random(round);
            action = Action.values()[random.nextInt(Action.values().length)];
            moment = Moment.values()[random.nextInt(Moment.values().length)];
            open = new ArrayList<>();
            try {
                play();
                assertTrue(arena.isUntouched(), "memory of others has been overwritten");
            } catch (Throwable e) {
                throw new AssertionError(campaign + ", round " + round + ", " + action + ", closed " + moment + ", "
                        + arena, e);
            } finally {
                Collections.reverse(open);
                for (Closeable each : open) {
                    each.close();
                }
            }
        }
    }

    private void play() throws Exception {
        int size = SIZES[random.nextInt(SIZES.length)];
        switch (action) {
            case RECEIVE, SCATTER, CALL_RECEIVE -> receive(1 + random.nextInt(size));
            case SEND, SEND_SOME, GATHER, CALL_SEND -> send(1 + random.nextInt(size * 30));
            case TRANSMIT -> transmit(2 + random.nextInt(size));
            case READ, WRITE -> useFile(1 + random.nextInt(size));
            default -> useDatagrams(1 + random.nextInt(Math.min(size, 8_000)));
        }
    }

    private void layOut(byte[] bytes, boolean several) throws Exception {
        content = bytes;
        arena = new ClosingArena(bytes, several, random);
        closer = null;
        if (moment == Moment.BEFORE_THE_START) {
            arena.close();
        }
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private <T extends Closeable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private Connection connection() throws IOException {
        Connection connection = random.nextBoolean() ? Connection.tcp() : Connection.unix();
        open.add(connection::close);
        return connection;
    }

    private void pause() {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_MICROS)));
    }

    private OtherThread<Void> inBackground(OtherThread.Action task) {
        int micros = random.nextInt(MAX_MICROS);
        return OtherThread.start(() -> {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
            task.run();
            return null;
        });
    }

    /** The start of an operation. */
    private interface Start {
        /** Makes it. */
        void with(Object token) throws IOException;
    }

    /**
     * {@return the number of bytes that it is said to have moved, negative if it has failed, after the arena's close}
     */
    private long outcome(Start start) throws Exception {
        Integer token = started++;
        if (moment == Moment.MEANWHILE) {
            closer = inBackground(arena::close);
        }
        boolean refused = false;
        try {
            start.with(token);
        } catch (IllegalStateException e) {
            refused = true;
        }
        if (moment == Moment.AFTER_THE_START) {
            arena.close();
        } else if (moment == Moment.IN_A_HOOK) {
            proactor.execute(() -> {
                try {
                    arena.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            runUntilIdle();
        }
        CompletionRecorder.Result result = refused ? null : result(token);
        awaitClose();
        if (refused) {
            assertTrue(moment == Moment.BEFORE_THE_START || moment == Moment.MEANWHILE, "refused, open as it was");
            return -1;
        }
        if (result.error() != null) {
            assertTrue(moment != Moment.AFTERWARDS, () -> "failed, open as it was: " + result);
            assertTrue(result.error() instanceof SystemCallException e && e.errorName().equals("EIO"),
                    result::toString);
            return -1;
        }
        return result.bytes();
    }

    private void awaitClose() throws Exception {
        if (closer != null) {
            awaitCloser();
        } else if (moment == Moment.AFTERWARDS) {
            arena.close();
        }
    }

    /** HotSpot interrupts a thread that touches the memory at the moment when another one closes its arena. */
    private void awaitCloser() throws Exception {
        boolean over = false;
        while (!over) {
            Thread.interrupted();
            try {
                closer.result();
                over = true;
            } catch (InterruptedException e) {
                // By the close that this waits for: once.
                continue;
            }
        }
        Thread.interrupted();
    }

    /** What a buffer holds before something is received into it. */
    private void layOutToReceive(int length, boolean several) throws Exception {
        layOut(new byte[length], several);
    }

    private void assertReceived(byte[] sent, long count) {
        if (count >= 0) {
            assertTrue(count > 0, "nothing, and no end");
            assertArrayEquals(Arrays.copyOf(sent, (int) count), arena.content((int) count), "lost or wrong");
        }
    }

    private void assertSent(byte[] arrived, long count) {
        assertArrayEquals(Arrays.copyOf(content, arrived.length), arrived, "wrong bytes have been sent");
        if (count >= 0) {
            assertEquals(count, arrived.length, "lost");
        }
    }

    private void receive(int length) throws Exception {
        Connection connection = connection();
        layOutToReceive(length, action == Action.SCATTER);
        byte[] sent = randomBytes(length);
        OtherThread<Void> sender = inBackground(() -> {
            connection.far().sendFully(ByteBuffer.wrap(sent), LIMIT);
            connection.far().shutdownOutput();
        });
        long count;
        if (action == Action.CALL_RECEIVE) {
            count = outcomeOfCall(connection, () -> {
                int received;
                do {
                    received = connection.near().receive(arena.buffer());
                } while (received == 0);
                return received;
            });
        } else {
            AsyncStream stream = async(connection.near());
            ByteBuffer[] buffers = arena.buffers();
            count = outcome(action == Action.RECEIVE ? token -> stream.receive(buffers[0], token)
                    : token -> stream.receive(buffers, 0, buffers.length, token));
        }
        assertReceived(sent, count);
        connection.near().close();
        try {
            sender.result();
        } catch (IOException e) {
            // The near end has not taken all.
            return;
        }
    }

    private interface Call {
        long make() throws IOException;
    }

    private long outcomeOfCall(Connection connection, Call call) throws Exception {
        if (moment != Moment.BEFORE_THE_START && moment != Moment.AFTERWARDS) {
            closer = inBackground(arena::close);
        }
        long count;
        try {
            count = call.make();
        } catch (IllegalStateException e) {
            assertTrue(moment != Moment.AFTERWARDS, "refused, open as it was");
            count = -1;
        }
        awaitClose();
        return count;
    }

    private static byte[] receiveAll(SocketStream stream) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(65_536);
        while (stream.receiveFully(piece.clear(), LIMIT) || piece.position() > 0) {
            all.write(piece.array(), 0, piece.position());
        }
        return all.toByteArray();
    }

    /** Its receiver sometimes waits for the completion. */
    private long whileReceived(Connection connection, ByteArrayOutputStream arrived, OutcomeOf sending)
            throws Exception {
        OtherThread<Void> receiver = inBackground(() -> arrived.writeBytes(receiveAll(connection.far())));
        long count = sending.get();
        connection.near().shutdownOutput();
        receiver.result();
        return count;
    }

    private interface OutcomeOf {
        long get() throws Exception;
    }

    private void send(int length) throws Exception {
        Connection connection = connection();
        layOut(randomBytes(Math.min(length, MUCH)), action == Action.GATHER);
        ByteArrayOutputStream arrived = new ByteArrayOutputStream();
        ByteBuffer[] buffers = arena.buffers();
        long count = whileReceived(connection, arrived, () -> {
            if (action == Action.CALL_SEND) {
                return outcomeOfCall(connection, () -> connection.near().send(buffers[0]));
            }
            AsyncStream stream = async(connection.near());
            return outcome(token -> {
                switch (action) {
                    case SEND -> stream.send(buffers[0], token);
                    case SEND_SOME -> stream.sendSome(buffers[0], token);
                    default -> stream.send(buffers, 0, buffers.length, token);
                }
            });
        });
        assertSent(arrived.toByteArray(), count);
        if (count >= 0 && action != Action.SEND_SOME && action != Action.CALL_SEND) {
            assertEquals(content.length, count, "short");
        }
    }

    private void transmit(int length) throws Exception {
        Connection connection = connection();
        byte[] around = randomBytes(length);
        layOut(around, false);
        int head = random.nextInt(length);
        byte[] middle = randomBytes(1 + random.nextInt(MUCH));
        FileHandle file = opened(FileHandle.open(Files.write(directory.resolve("file"), middle)));
        ByteArrayOutputStream arrived = new ByteArrayOutputStream();
        ByteBuffer both = arena.buffer();
        ByteBuffer first = both.duplicate().limit(both.position() + head);
        ByteBuffer last = both.duplicate().position(both.position() + head);
        AsyncStream stream = async(connection.near());
        long count = whileReceived(connection, arrived, () -> outcome(token ->
                stream.transmitFile(file, 0, middle.length, first, last, token)));
        ByteBuffer whole = ByteBuffer.allocate(length + middle.length);
        content = whole.put(around, 0, head).put(middle).put(around, head, length - head).array();
        assertSent(arrived.toByteArray(), count);
    }

    private void useFile(int length) throws Exception {
        boolean reads = action == Action.READ;
        boolean several = random.nextBoolean();
        byte[] there = reads ? randomBytes(length) : new byte[0];
        if (reads) {
            layOutToReceive(length, several);
        } else {
            layOut(randomBytes(length), several);
        }
        Path path = Files.write(directory.resolve("file"), there);
        FileHandle file = opened(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        AsyncFile async = new AsyncFile(proactor, file, recorder);
        ByteBuffer[] buffers = arena.buffers();
        long count = outcome(token -> {
            if (reads && several) {
                async.read(buffers, 0, buffers.length, 0, token);
            } else if (reads) {
                async.read(buffers[0], 0, token);
            } else if (several) {
                async.write(buffers, 0, buffers.length, 0, token);
            } else {
                async.write(buffers[0], 0, token);
            }
        });
        if (reads) {
            assertReceived(there, count);
        } else {
            assertSent(Files.readAllBytes(path), count);
        }
    }

    private void useDatagrams(int length) throws Exception {
        SocketDatagram near = opened(SocketDatagram.open(ANY_PORT));
        SocketDatagram far = opened(SocketDatagram.open(ANY_PORT));
        near.connect(far.localAddress());
        far.connect(near.localAddress());
        AsyncDatagram async = new AsyncDatagram(proactor, near, recorder);
        if (action == Action.RECEIVE_DATAGRAM) {
            layOutToReceive(length, false);
            byte[] sent = randomBytes(length);
            OtherThread<Void> sender = inBackground(() -> far.send(ByteBuffer.wrap(sent)));
            assertReceived(sent, outcome(token -> async.receive(arena.buffer(), null, token)));
            sender.result();
        } else {
            layOut(randomBytes(length), false);
            long count = outcome(token -> async.send(arena.buffer(), null, token));
            ByteBuffer arrived = ByteBuffer.allocate(length + 1);
            far.receive(arrived, null);
            byte[] datagram = Arrays.copyOf(arrived.array(), arrived.position());
            if (datagram.length > 0 || count >= 0) {
                assertArrayEquals(content, datagram, "lost or wrong");
            }
        }
    }
}
