package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing a demultiplexer, alone and concurrently with other threads. */
@Tag(Depth.CORE)
public abstract class CloseContract extends DemultiplexerContract {

    private static final int ROUNDS = CalledSystem.times(Depth.times(100, 400, 3_000));

    protected CloseContract(String name) {
        super(name);
    }

    @Test
    void closeEndsAWaitInAnotherThread() throws Exception {
        register(pipe().source(), READ);
        Waiter waiter = waiter(FOREVER);
        demultiplexer.close();
        assertThrows(HandleClosedException.class, waiter::result);
    }

    @Test
    void closeEndsAFiniteWaitToo() throws Exception {
        Waiter waiter = waiter(3_600_000_000_000L);
        demultiplexer.close();
        assertThrows(HandleClosedException.class, waiter::result);
    }

    @Test
    void closingAgainDoesNothing() throws Exception {
        Pipe pipe = pipe();
        register(pipe.source(), READ);
        List<Future<Void>> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            closers.add(start(closing(demultiplexer)));
        }
        for (Future<Void> closer : closers) {
            result(closer);
        }
        demultiplexer.close();
        assertTrue(pipe.source().isOpen());
    }

    private static Callable<Void> closing(AutoCloseable closeable) {
        return () -> {
            closeable.close();
            return null;
        };
    }

    @Test
    void closedBatchRejectsAllCalls() throws IOException {
        Pipe pipe = pipe();
        demultiplexer.close();
        assertThrows(HandleClosedException.class, () -> register(pipe.source(), READ));
        assertThrows(HandleClosedException.class, () -> demultiplexer.awaitReady(ready, 0));
        assertThrows(HandleClosedException.class, () -> demultiplexer.awaitReady(ready, FOREVER));
        assertTrue(pipe.source().isOpen());
    }

    @Test
    void wakeUpAfterTheCloseDoesNothing() {
        demultiplexer.wakeUp();
        demultiplexer.close();
        demultiplexer.wakeUp();
        demultiplexer.wakeUp();
        assertThrows(HandleClosedException.class, () -> demultiplexer.awaitReady(ready, 0));
    }

    @Test
    void closeRemovesAllRegistrations() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        Membership deactivated = register(pipe().sink(), WRITE);
        deactivated.deactivate();
        assertReported(registration, WRITE);
        demultiplexer.close();
        assertEquals(0, ready.events(0), "events of a batch that was returned before");
        for (Membership removed : List.of(registration, deactivated)) {
            assertFalse(removed.isValid());
            assertEquals(0, removed.events());
            assertEquals(0, removed.activeEvents());
            assertThrows(IllegalStateException.class, () -> removed.setEvents(WRITE));
            removed.deactivate();
            removed.activate();
            removed.rearm();
            removed.remove();
        }
    }

    @Test
    void closeLeavesHandlesOpenForOtherSets() throws IOException {
        Pipe pipe = pipe();
        register(pipe.source(), READ);
        demultiplexer.close();
        assertEquals(1, pipe.send(ByteBuffer.allocate(1)));
        try (SynchronousEventDemultiplexer other = openDemultiplexer(); ReadyBatch batch = other.newReadyBatch(1)) {
            other.register(pipe.source(), READ, null);
            assertEquals(1, other.awaitReady(batch, PATIENCE.toNanos()));
        }
        assertEquals(1, pipe.receive(ByteBuffer.allocate(1)));
    }

    @Test
    void closedHoldsNoHandle() throws IOException {
        Pipe pipe = pipe();
        register(pipe.source(), READ);
        demultiplexer.close();
        pipe.source().close();
        assertTrue(ReleaseContract.isReleased(pipe));
    }

    @Test
    void closedHoldsNoHandleAfterAWaitInAnotherThread() throws Exception {
        Pipe pipe = pipe();
        register(pipe.source(), READ);
        Waiter waiter = waiter(FOREVER);
        demultiplexer.close();
        assertThrows(HandleClosedException.class, waiter::result);
        pipe.source().close();
        assertTrue(ReleaseContract.isReleased(pipe));
    }

    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstAWaitThatBegins() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (SynchronousEventDemultiplexer other = openDemultiplexer();
                    ReadyBatch batch = other.newReadyBatch(1)) {
                Future<Integer> wait = start(() -> other.awaitReady(batch, FOREVER), HandleClosedException.class);
                closing(other).call();
                result(wait);
            }
        }
    }

    /** A wake-up in progress must not write to the next owner of its descriptor. */
    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstWakeUps() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Pipe lower = Pipe.open();
            SynchronousEventDemultiplexer other = openDemultiplexer();
            AtomicBoolean begun = new AtomicBoolean();
            // Only the first wake-up makes a system call, which may occur at any point of the close.
            int pauses = round % 64 * 16;
            Future<Void> waker = start(() -> {
                begun.set(true);
                for (int i = 0; i < pauses; i++) {
                    Thread.onSpinWait();
                }
                other.wakeUp();
                return null;
            });
            while (!begun.get()) {
                // Without spinning: if all processors are busy, that would keep the waker from starting.
                Thread.yield();
            }
            other.close();
            lower.source().close();
            // Its source gets the number just freed, so its sink gets the lowest number that the demultiplexer had.
            Pipe stranger = Pipe.open();
            result(waker);
            try (lower; stranger) {
                assertEquals(0, stranger.receive(ByteBuffer.allocate(Long.BYTES)), "a wake-up went astray");
            }
        }
    }

    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstTheCloseOfAHandle() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (SynchronousEventDemultiplexer other = openDemultiplexer(); Pipe pipe = Pipe.open()) {
                other.register(pipe.source(), READ, null);
                Future<Void> closer = start(closing(pipe.source()));
                closing(other).call();
                result(closer);
                assertTrue(ReleaseContract.isReleased(pipe));
            }
        }
    }

    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstARegistration() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (SynchronousEventDemultiplexer other = openDemultiplexer(); Pipe pipe = Pipe.open()) {
                Future<Membership> registrar = start(() -> other.register(pipe.source(), READ, null),
                        HandleClosedException.class);
                closing(other).call();
                Membership registration = result(registrar);
                assertFalse(registration != null && registration.isValid());
                pipe.source().close();
                assertTrue(ReleaseContract.isReleased(pipe));
            }
        }
    }

    @Test
    @Tag(Depth.REPEATED)
    void closeAgainstAModification() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (SynchronousEventDemultiplexer other = openDemultiplexer(); Pipe pipe = Pipe.open()) {
                Membership registration = other.register(pipe.source(), 0, null);
                Future<Void> changer = start(() -> {
                    while (registration.isValid()) {
                        registration.setEvents(READ);
                        registration.setEvents(0);
                    }
                    return null;
                }, IllegalStateException.class);
                closing(other).call();
                result(changer);
                pipe.source().close();
                assertTrue(ReleaseContract.isReleased(pipe));
            }
        }
    }

    /** Runs a task; the result is null if it throws this exception. */
    private <T> Future<T> start(Callable<T> task, Class<? extends Exception> end) {
        return start(() -> {
            try {
                return task.call();
            } catch (Exception e) {
                if (!end.isInstance(e)) {
                    throw e;
                }
                return null;
            }
        });
    }
}
