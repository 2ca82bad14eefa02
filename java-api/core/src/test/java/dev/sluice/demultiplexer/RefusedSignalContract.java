package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The calls that signal a waiting thread fail for a while. No thread waits forever because of it. */
@Tag(Depth.TRANSFER)
abstract class RefusedSignalContract extends OperationContract {

    private static final int REFUSALS = 5;

    private FaultInjection faults;

    RefusedSignalContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    AsynchronousEventDemultiplexer open() throws IOException {
        // A demultiplexer keeps the binding that it was opened with.
        faults = faults == null ? FaultInjection.install() : faults;
        return super.open();
    }

    private String signal() {
        if (CalledSystem.isWindows()) {
            return "PostQueuedCompletionStatus";
        }
        return demultiplexer.name().startsWith("kqueue") ? "kevent" : "write";
    }

    private void assumeSignalsAreNotWaits() {
        assumeFalse(signal().equals("kevent"), "the same call waits");
    }

    @BeforeEach
    final void waitOnce() throws IOException {
        collect(0);
    }

    @AfterEach
    final void stopFaults() {
        faults.close();
    }

    private void refuse() {
        for (int n = 1; n <= REFUSALS; n++) {
            faults.failNth(signal(), n, Errno.ENOMEM);
        }
    }

    /** Runs an action in another thread while this one sleeps in a wait and signals fail. */
    private <T> Future<T> whileThisThreadWaits(Callable<T> action) {
        Thread loop = Thread.currentThread();
        return inBackground(() -> {
            awaitAsleep(loop);
            refuse();
            return action.call();
        });
    }

    private static void awaitAsleep(Thread thread) throws InterruptedException {
        int seen = 0;
        while (seen < 3) {
            boolean waits = Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("awaitCompletions"));
            seen = waits ? seen + 1 : 0;
            Thread.sleep(2);
        }
    }

    /** A wait may throw the failure; the operation completes nevertheless. */
    private long resultAfterRefusals(Flight flight) throws IOException {
        while (true) {
            try {
                return result(flight);
            } catch (UncheckedIOException refusal) {
                assertTrue(refusal.getMessage().contains(signal()), refusal::toString);
            }
        }
    }

    @Test
    void startOfAnotherThreadCompletes() throws Exception {
        Flight post = flight();
        Future<Flight> starter = whileThisThreadWaits(() -> post.start(o -> o.post(7)));
        collectUntil("the completion", () -> post.lasts() == 1);
        assertEquals(7, post.result());
        finish(starter);
        assertNoCompletion();
    }

    @Test
    void cancellationByAnotherThreadIsExecuted() throws Exception {
        Association where = associate(pair(StreamKind.fastest()).near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocate(1)));
        Future<Void> canceller = whileThisThreadWaits(() -> {
            receive.operation().cancel();
            return null;
        });
        assertCancelled(receive);
        finish(canceller);
    }

    @Test
    void failedWakeUpMayBeRepeated() throws Exception {
        Future<Void> waker = whileThisThreadWaits(() -> {
            boolean woken = false;
            while (!woken) {
                try {
                    demultiplexer.wakeUp();
                    woken = true;
                } catch (UncheckedIOException e) {
                    // Calls are counted again from here.
                }
            }
            return null;
        });
        assertEquals(0, collect(FOREVER));
        finish(waker);
    }

    @Test
    void fileThatIsOpenedInTheBackgroundArrives() throws Exception {
        assumeSignalsAreNotWaits();
        refuse();
        Flight open = start(o -> o.open(directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE));
        assertEquals(0, resultAfterRefusals(open));
        open.close();
    }

    @Test
    void closeEndsTheWait() throws Exception {
        Future<Void> closer = whileThisThreadWaits(() -> {
            demultiplexer.close();
            return null;
        });
        assertThrows(HandleClosedException.class, () -> collect(FOREVER));
        finish(closer);
    }

    @Test
    void closeEndsTheWaitWhenSignalsWorkAgain() throws Exception {
        assumeSignalsAreNotWaits();
        Future<Void> closer = whileThisThreadWaits(() -> {
            boolean closedByWaiter = !demultiplexer.isMultiThreaded();
            if (!closedByWaiter) {
                // The close returns once no thread is waiting.
                faults.beforeNth(signal(), 2 * REFUSALS, faults::heal);
            }
            faults.failEach(signal(), Errno.ENOMEM);
            // An interrupted thread does not pause between its attempts.
            Thread.currentThread().interrupt();
            if (closedByWaiter) {
                assertThrows(UncheckedIOException.class, demultiplexer::close);
                faults.heal();
            } else {
                demultiplexer.close();
            }
            assertTrue(Thread.interrupted(), "the interrupt is left to the caller");
            return null;
        });
        assertThrows(HandleClosedException.class, () -> collect(FOREVER));
        finish(closer);
    }

    /** More pieces than one iteration processes: a receive that has yielded to others must continue. */
    @Test
    void continuousReceiveContinuesAfterACompletion() throws Exception {
        assumeSignalsAreNotWaits();
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receiveContinuously(where));
        int pieces = 200;
        Future<Void> sender = inBackground(() -> {
            for (int i = 0; i < pieces; i++) {
                Peer.send(pair.far(), new byte[4096]);
            }
            pair.far().shutdownOutput();
            return null;
        });
        for (int n = 1; n <= pieces; n++) {
            faults.failNth(signal(), 2 * n, Errno.ENOMEM);
        }
        collectUntil("the end of the stream", receive::isDone);
        finish(sender);
        assertEquals(pieces * 4096, receive.receivedCount());
    }
}
