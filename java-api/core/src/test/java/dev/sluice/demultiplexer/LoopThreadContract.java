package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One thread waits. Others wake it, and close handles that it uses. */
abstract class LoopThreadContract extends OperationContract {

    private static final int THREADS = 8;
    private static final int ROUNDS = Depth.times(800, 4_000, 20_000);
    private static final int CLOSES = Depth.times(10, 50, 200);

    LoopThreadContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private Flight pendingReceive() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        return start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
    }

    @Test
    void wakeUpBeforeAWaitEndsItAndNoOther() throws IOException {
        demultiplexer.wakeUp();
        assertEquals(0, collect(FOREVER));
        long start = System.nanoTime();
        assertEquals(0, collect(A_MOMENT));
        assertTrue(System.nanoTime() - start >= A_MOMENT, "a wake-up counts twice");
    }

    @Test
    void wakeUpDoesNotHideACompletion() throws IOException {
        Flight post = start(o -> o.post(1));
        demultiplexer.wakeUp();
        assertResult(1, post);
    }

    @Test
    @Tag(Depth.REPEATED)
    void wakeUpsArePlayedBackAndForth() throws Exception {
        AtomicInteger wanted = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        Future<Void> waker = inBackground(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                wanted.set(round);
                demultiplexer.wakeUp();
                int last = round;
                DemultiplexerContract.until("wake-up " + last, () -> seen.get() >= last);
            }
            over.set(true);
            demultiplexer.wakeUp();
            return null;
        });
        while (!over.get()) {
            collect(FOREVER);
            seen.set(wanted.get());
        }
        finish(waker);
    }

    /** Only the last of many concurrent wake-ups ends the wait; it must not be mistaken for an earlier one. */
    @Test
    @Tag(Depth.REPEATED)
    void wakeUpsOfManyThreadsAreNotLost() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        List<Future<Void>> wakers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            wakers.add(inBackground(() -> {
                for (int round = 0; round < ROUNDS / THREADS; round++) {
                    arrived.incrementAndGet();
                    demultiplexer.wakeUp();
                }
                return null;
            }));
        }
        while (arrived.get() < ROUNDS) {
            collect(FOREVER);
        }
        for (Future<Void> waker : wakers) {
            finish(waker);
        }
    }

    @Test
    void closeByAnotherThreadEndsTheWait() throws Exception {
        Flight receive = pendingReceive();
        collect(0);
        Future<Void> closer = inBackground(() -> {
            closeOnceWaited();
            return null;
        });
        assertThrows(HandleClosedException.class, () -> collect(FOREVER));
        finish(closer);
        assertFalse(receive.operation().isInFlight());
        assertEquals(0, demultiplexer.inFlight());
    }

    /** The loop thread has not waited yet, so no other thread may close. */
    private void closeOnceWaited() {
        DemultiplexerContract.until("a close during the wait", () -> {
            try {
                demultiplexer.close();
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        });
    }

    /** Some mechanisms let any thread end operations in flight; the others reject the close without any effect. */
    @Test
    void closeByAnotherThreadSucceedsOrIsRejected() throws Exception {
        Flight receive = pendingReceive();
        collect(0);
        boolean closed = finish(inBackground(() -> {
            try {
                demultiplexer.close();
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }));
        assertEquals(!closed, receive.operation().isInFlight());
        if (!closed) {
            receive.operation().cancel();
            assertCancelled(receive);
        }
    }

    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstTheLastWait() throws Exception {
        for (int round = 0; round < CLOSES; round++) {
            AsynchronousEventDemultiplexer other = open();
            Future<Void> loop = inBackground(() -> {
                try (Completions batch = other.newCompletions(1)) {
                    for (int i = 0; i < 3; i++) {
                        other.awaitCompletions(batch, 0);
                    }
                } catch (HandleClosedException e) {
                    assertTrue(e.getMessage().contains(other.name()), e.getMessage());
                }
                return null;
            });
            other.close();
            finish(loop);
        }
    }

    @Test
    void anyThreadClosesWhenNothingIsInFlight() throws Exception {
        Flight post = start(o -> o.post(1));
        assertResult(1, post);
        finish(inBackground(() -> {
            demultiplexer.close();
            return null;
        }));
        assertThrows(HandleClosedException.class, () -> collect(0));
    }

    @Test
    void anyThreadClosesADemultiplexerWithoutALoopThread() throws Exception {
        Flight receive = pendingReceive();
        finish(inBackground(() -> {
            demultiplexer.close();
            return null;
        }));
        assertFalse(receive.operation().isInFlight());
    }

    @Test
    void anyThreadClosesAfterTheEndOfTheLoopThread() throws Exception {
        Flight receive = pendingReceive();
        FutureTask<Integer> wait = new FutureTask<>(() -> collect(0));
        Thread loop = new Thread(wait);
        loop.start();
        loop.join(PATIENCE.toMillis());
        assertEquals(0, wait.get());
        demultiplexer.close();
        assertFalse(receive.operation().isInFlight());
    }

    @Test
    void manyAreOpenedAndClosed() throws IOException {
        for (int round = 0; round < 20; round++) {
            try (AsynchronousEventDemultiplexer other = open(); Completions batch = other.newCompletions(2)) {
                Operation operation = other.newOperation();
                operation.post(round);
                assertEquals(1, other.awaitCompletions(batch, FOREVER));
                assertSame(operation, batch.operation(0));
                operation.timeout(Long.MAX_VALUE);
            }
        }
    }
}
