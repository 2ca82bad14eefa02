package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** One proactor that several threads run, on each demultiplexer that lets many wait. */
@RunsOn(HandleSetKind.CONCURRENT)
abstract class SharedProactorContract extends ProactorContract {

    static final int THREADS = 4;

    /** What must not happen and has. */
    final Set<String> violations = ConcurrentHashMap.newKeySet();

    @AfterEach
    final void assertNoViolations() {
        assertEquals(Set.of(), violations);
    }

    /** Starts the given number of threads, and returns when all of them run the loop. */
    final List<LoopRunner> runBy(int count) {
        return run(proactor, count);
    }

    /** Starts the given number of threads, and returns when all of them run the loop. */
    final List<LoopRunner> run(Proactor shared, int count) {
        List<LoopRunner> threads = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            shared.post(new Arrival(shared, all), null, 0);
        }
        for (int i = 0; i < count; i++) {
            threads.add(own(LoopRunner.started(shared)));
        }
        OtherThread.await(all);
        return threads;
    }

    /** A hook for each of the threads: it ends when all of them are there. */
    private record Arrival(Proactor shared, CountDownLatch all) implements CompletionHandler {

        @Override
        public void handleCompletion(Completion completion) {
            if (LoopRunner.isCurrent()) {
                all.countDown();
                OtherThread.await(all);
            } else {
                shared.post(this, null, 0);
            }
        }
    }

    /** Sends random bytes in pieces, and asserts that the same come back. */
    static void exchange(Connection connection, long seed, int rounds) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            byte[] sent = new byte[1 + random.nextInt(round % 10 == 0 ? 40_000 : 400)];
            random.nextBytes(sent);
            connection.far().sendFully(ByteBuffer.wrap(sent), LIMIT);
            ByteBuffer room = ByteBuffer.allocate(sent.length);
            assertTrue(connection.far().receiveFully(room, LIMIT));
            assertArrayEquals(sent, room.array());
        }
    }
}
