package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** One reactor that several threads run, on each handle set that lets many wait. */
@RunsOn(HandleSetKind.CONCURRENT)
abstract class SharedReactorContract extends ReactorContract {

    static final int THREADS = 4;

    /** What must not happen and has. */
    final Set<String> violations = ConcurrentHashMap.newKeySet();

    @AfterEach
    final void assertNoViolations() {
        assertEquals(Set.of(), violations);
    }

    /** Starts the given number of threads, and returns when all of them run the loop. */
    final List<LoopRunner> runBy(int count) throws IOException {
        return run(reactor, count);
    }

    /** Starts the given number of threads, and returns when all of them run the loop. */
    final List<LoopRunner> run(Reactor shared, int count) throws IOException {
        List<LoopRunner> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(own(LoopRunner.started(shared)));
        }
        meet(shared, count, () -> { });
        return threads;
    }

    /** Returns when so many loop threads have been in a hook at the same time, each of which then does something. */
    final void meet(Reactor shared, int count, OtherThread.Action then) throws IOException {
        CountDownLatch all = new CountDownLatch(count);
        CountDownLatch over = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Pipe pipe = readablePipe();
            Recorder arrival = reader("arrival " + i, pipe);
            arrival.onInput(() -> {
                if (!LoopRunner.isCurrent()) {
                    send(pipe);
                    return;
                }
                all.countDown();
                OtherThread.await(all);
                arrival.registration().close();
                over.countDown();
                then.run();
            });
            arrival.register(shared, Interest.READ);
        }
        OtherThread.await(over);
    }

    /** Makes the loop call a hook, and returns when the hook has begun. It ends when the latch is open. */
    final Recorder beginHook(Connection connection, CountDownLatch end) throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        Recorder handler = reader("slow", connection);
        handler.onInput(() -> {
            begun.countDown();
            OtherThread.await(end);
        });
        handler.register(reactor, Interest.READ);
        connection.send("x");
        OtherThread.await(begun);
        return handler;
    }

    /** Sends random bytes in pieces, and asserts that the same come back. */
    static void exchange(Connection connection, long seed, int rounds) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            byte[] sent = new byte[1 + random.nextInt(round % 10 == 0 ? 4_000 : 400)];
            random.nextBytes(sent);
            connection.far().sendFully(ByteBuffer.wrap(sent), LIMIT);
            ByteBuffer room = ByteBuffer.allocate(sent.length);
            assertTrue(connection.far().receiveFully(room, LIMIT));
            assertArrayEquals(sent, room.array());
        }
    }
}
