package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.Bytes;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight threads start and cancel operations while the loop thread collects. */
@Tag(Depth.REPEATED)
abstract class OtherThreadsContract extends OperationContract {

    private static final int THREADS = 8;
    private static final int EACH = Depth.times(50, 250, 1_000);

    private final AtomicInteger running = new AtomicInteger(THREADS);

    OtherThreadsContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    /** What one of the threads does. */
    private interface Task {
        void run(int thread) throws Exception;
    }

    private void runAll(Task task) throws Exception {
        List<Future<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            threads.add(inBackground(() -> {
                try {
                    task.run(thread);
                } finally {
                    running.decrementAndGet();
                    demultiplexer.wakeUp();
                }
                return null;
            }));
        }
        collectUntil("the end of the threads", () -> running.get() == 0);
        for (Future<Void> thread : threads) {
            finish(thread);
        }
    }

    private List<Flight> flights(int count) {
        List<Flight> flights = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            flights.add(flight());
        }
        return flights;
    }

    @Test
    void eachStartCompletesOnce() throws Exception {
        List<Flight> all = flights(THREADS * EACH);
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        runAll(thread -> {
            for (int i = thread; i < all.size(); i += THREADS) {
                int number = i;
                switch (i / THREADS % 3) {
                    case 0 -> all.get(i).start(o -> o.post(number));
                    case 1 -> all.get(i).start(o -> o.timeout(number * 1_000L));
                    default -> all.get(i).start(o -> o.poll(where, EventType.WRITE));
                }
            }
        });
        collectAll(all);
        for (int i = 0; i < all.size(); i++) {
            int kind = i / THREADS % 3;
            assertResult(kind == 0 ? i : kind == 1 ? 0 : EventType.WRITE, all.get(i));
            assertEquals(1, all.get(i).lasts());
        }
        assertNoCompletion();
    }

    @Test
    void eachCancelledStartCompletesOnce() throws Exception {
        List<Flight> all = flights(THREADS * EACH);
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        runAll(thread -> {
            for (int i = thread; i < all.size(); i += THREADS) {
                all.get(i).start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
                // The operation of another thread, which may be in any state.
                all.get((i + 1) % all.size()).operation().cancel();
                all.get(i).operation().cancel();
            }
        });
        for (Flight flight : all) {
            assertCancelled(flight);
            assertEquals(1, flight.lasts());
        }
        assertNoCompletion();
    }

    @Test
    void eachThreadsSendsArriveInItsOrder() throws Exception {
        List<StreamPair> pairs = new ArrayList<>();
        List<Association> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            pairs.add(Peer.narrow(pair(StreamKind.TCP)));
            ends.add(associate(pairs.get(i).near()));
        }
        List<Flight> sends = flights(THREADS * EACH);
        runAll(thread -> {
            Association where = ends.get(thread);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int i = 0; i < EACH; i++) {
                byte[] content = Bytes.random(1 + (i + thread) % 97);
                expected.writeBytes(content);
                sends.get(thread * EACH + i).start(o -> o.send(where, ByteBuffer.wrap(content), true));
            }
            assertArrayEquals(expected.toByteArray(), Peer.receive(pairs.get(thread).far(), expected.size()));
        });
        collectAll(sends);
    }

    /** All threads associate and close handles, each with operations in flight. */
    @Test
    void handlesAreAssociatedAndClosedEverywhere() throws Exception {
        List<Flight> all = flights(THREADS * EACH / 10);
        runAll(thread -> {
            for (int i = thread; i < all.size(); i += THREADS) {
                try (StreamPair pair = StreamKind.fastest().connect()) {
                    Association where = associate(pair.near());
                    if (i / THREADS % 2 == 0) {
                        all.get(i).start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
                    } else {
                        all.get(i).start(o -> o.receiveContinuously(where));
                    }
                    Peer.send(pair.far(), (byte) 1);
                }
            }
        });
        collectAll(all);
        for (Flight flight : all) {
            isCancelled(flight);
        }
    }
}
