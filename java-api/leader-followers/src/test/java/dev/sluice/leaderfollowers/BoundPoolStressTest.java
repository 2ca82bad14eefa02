package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads call over one connection, some of them impatient, and are answered out of order, until the connection or the
 * pool ends at any moment: each thread gets its own response or a failure, and
 * none is left waiting.
 */
@Tag(Depth.OPTIMIZED)
class BoundPoolStressTest extends PoolContract {

    private static final int THREADS = 8;
    private static final int ROUNDS = 6;
    private static final int MANY_ROUNDS = 2_000;
    private static final Duration LONGEST = Duration.ofSeconds(20);
    /** Maximum number of calls before the end, which is chosen at random. */
    private static final int MAX_CALLS = 300;

    /** How a round ends. */
    private enum End {
        PEER_SHUTS_DOWN,
        HANDLE_IS_CLOSED,
        POOL_IS_CLOSED
    }

    private final Random random = new Random(31);

    @ParameterizedTest
    @EnumSource
    void everybodyHasAResponseOrAFailure(PromotionOrder order) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            runRound(order, round);
        }
    }

    /** Each end comes with one source and with two, but a concurrent set can be one of two only. */
    private void runRound(PromotionOrder order, int round) throws Exception {
        int ends = End.values().length;
        int sources = handleSet.hasLeader() ? 1 + round / ends % 2 : 2;
        new Round(order, End.values()[round % ends], sources).run();
    }

    @Tag("stress")
    @ParameterizedTest
    @EnumSource
    void everybodyHasAResponseOrAFailureForLong(PromotionOrder order) throws Exception {
        long end = System.nanoTime() + LONGEST.toNanos();
        for (int round = 0; round < MANY_ROUNDS && System.nanoTime() - end < 0; round++) {
            runRound(order, round);
        }
    }

    private final class Round {

        private final End end;
        private final MultipleLeadersPool threads;
        private final Connection connection;
        private final BoundLeaderFollowersPool<Long> bound;
        private final MultiplexedClient client;
        private final AtomicLong requests = new AtomicLong();
        private final Queue<String> violations = new ConcurrentLinkedQueue<>();
        private final int callsBeforeTheEnd = random.nextInt(MAX_CALLS);
        /** The peer sends nothing any more. */
        private volatile boolean finished;

        Round(PromotionOrder order, End end, int sources) throws IOException {
            this.end = end;
            List<HandleSetSource> handleSets = new ArrayList<>();
            for (int i = 0; i < sources; i++) {
                handleSets.add(openSource());
            }
            threads = new MultipleLeadersPool(order, handleSets);
            connection = Connection.unix();
            bound = new BoundLeaderFollowersPool<>(threads, this::checkUnexpected);
            client = new MultiplexedClient(handleSets.get(sources - 1), connection.near(), bound);
        }

        private void checkUnexpected(long id, long response) {
            if (response != answer(id)) {
                violations.add("response to " + id + " is " + response);
            }
        }

        private static long answer(long id) {
            return 3 * id + 1;
        }

        void run() throws Exception {
            List<OtherThread<Void>> callers = new ArrayList<>();
            OtherThread<Void> peer;
            try (AutoCloseable closing = () -> close(threads); connection) {
                peer = OtherThread.start(this::answerAll);
                for (int i = 0; i < THREADS; i++) {
                    long seed = random.nextLong();
                    callers.add(OtherThread.start(() -> call(new Random(seed))));
                }
                OtherThread.await(() -> requests.get() >= callsBeforeTheEnd);
                endIt();
                for (OtherThread<Void> caller : callers) {
                    caller.result();
                }
                for (ThreadRole role : ThreadRole.values()) {
                    assertEquals(List.of(), threads.threads(role));
                }
                // What is left of the connection, so that the peer ends.
                connection.near().close();
                peer.result();
            }
            assertEquals(List.of(), List.copyOf(violations));
        }

        private void endIt() throws Exception {
            switch (end) {
                case PEER_SHUTS_DOWN -> finished = true;
                case HANDLE_IS_CLOSED -> client.handle().close();
                default -> close(threads);
            }
        }

        /** Ends when the connection or the pool has. */
        private Void call(Random dice) {
            try {
                while (true) {
                    long id = requests.incrementAndGet();
                    boolean impatient = dice.nextInt(4) == 0;
                    try {
                        long response = impatient
                                ? client.call(id, id, Duration.ofNanos(dice.nextInt(300_000))) : client.call(id, id);
                        if (response != answer(id)) {
                            violations.add("call " + id + " gets " + response);
                        }
                    } catch (SocketTimeoutException e) {
                        if (!impatient) {
                            violations.add("call " + id + " is stuck: " + e);
                        }
                    }
                }
            } catch (IOException e) {
                return null;
            }
        }

        /** Holds some requests back, and answers in any order. */
        private Void answerAll() {
            Random dice = new Random(callsBeforeTheEnd);
            SocketStream stream = connection.far();
            List<Long> held = new ArrayList<>();
            ByteBuffer received = ByteBuffer.allocateDirect(2 * THREADS * MultiplexedClient.SIZE);
            try {
                while (stream.receive(received) != SocketStream.END_OF_STREAM) {
                    if (finished) {
                        stream.shutdownOutput();
                        drain(stream, received);
                        return null;
                    }
                    take(received.flip(), held);
                    received.compact();
                    if (held.size() > dice.nextInt(THREADS)) {
                        long id = held.remove(dice.nextInt(held.size()));
                        MultiplexedClient.send(stream, id, answer(id));
                    } else {
                        Thread.yield();
                    }
                }
            } catch (IOException e) {
                // The other end is closed.
                assertFalse(connection.near().handle().isOpen(), e::toString);
            }
            return null;
        }

        private static void take(ByteBuffer received, List<Long> held) {
            while (received.remaining() >= MultiplexedClient.SIZE) {
                held.add(received.getLong());
                received.getLong();
            }
        }

        private static void drain(SocketStream stream, ByteBuffer buffer) throws IOException {
            while (stream.receive(buffer.clear()) != SocketStream.END_OF_STREAM) {
                Thread.yield();
            }
        }
    }
}
