package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Closing a registered handle: its descriptor is closed immediately, and none of its events is reported for the next
 * handle with the same number.
 */
@Tag(Depth.CORE)
public abstract class ReleaseContract extends DemultiplexerContract {

    private static final int ROUNDS = CalledSystem.times(Depth.times(100, 500, 1_000));

    protected ReleaseContract(String name) {
        super(name);
    }

    /**
     * The pipe's reading end has no other owner, so it is closed once writing fails. On Windows, where pipes are
     * connections, writing fails only after the other side has rejected bytes.
     */
    static boolean isReleased(Pipe pipe) {
        try {
            long start = System.nanoTime();
            do {
                pipe.send(ByteBuffer.allocate(1));
            } while (CalledSystem.isWindows() && System.nanoTime() - start < PATIENCE.toNanos());
            return false;
        } catch (SystemCallException e) {
            return e.errorName().equals("EPIPE");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closingTheHandleEndsItsMembershipAtOnce() throws IOException {
        Pipe pipe = pipe();
        Membership registration = register(pipe.source(), READ);
        pipe.source().close();
        assertTrue(isReleased(pipe));
        assertFalse(registration.isValid());
        assertEquals(0, registration.events());
        assertQuietFor(A_MOMENT);
    }

    @Test
    void removedHandleIsHeldNoMore() throws IOException {
        Pipe pipe = pipe();
        register(pipe.source(), READ).remove();
        pipe.source().close();
        assertTrue(isReleased(pipe));
    }

    @Test
    void refusedHandleIsNotHeld() throws IOException {
        Pipe pipe = pipe();
        register(pipe.source(), READ);
        assertThrows(IllegalStateException.class, () -> register(pipe.source(), READ));
        assertThrows(IllegalArgumentException.class, () -> register(pipe.source(), -1));
        pipe.source().close();
        assertTrue(isReleased(pipe));
    }

    @Test
    void deactivatedHandleIsReleased() throws IOException {
        Pipe deactivated = pipe();
        register(deactivated.source(), READ).deactivate();
        Pipe withoutEvents = pipe();
        register(withoutEvents.source(), 0);
        deactivated.source().close();
        withoutEvents.source().close();
        assertTrue(isReleased(deactivated));
        assertTrue(isReleased(withoutEvents));
    }

    @Test
    void reportedHandleIsReleasedToo() throws IOException {
        Pipe pipe = pipe();
        Membership registration = register(pipe.source(), READ);
        assertEquals(1, pipe.send(ByteBuffer.allocate(1)));
        assertReported(registration, READ);
        pipe.source().close();
        assertTrue(isReleased(pipe));
        assertEquals(0, ready.events(0));
        assertQuiet();
    }

    @Test
    void closingTheHandleDuringAWaitReleasesItToo() throws Exception {
        Pipe pipe = pipe();
        Membership registration = register(pipe.source(), READ);
        Waiter waiter = waiter(FOREVER);
        pipe.source().close();
        assertFalse(registration.isValid());
        until("the descriptor is closed", () -> isReleased(pipe));
        waiter.asleep();
        demultiplexer.wakeUp();
        assertEquals(0, waiter.result());
    }

    @Test
    void removingDuringAWaitReleasesToo() throws Exception {
        Pipe pipe = pipe();
        Membership registration = register(pipe.source(), READ);
        Waiter waiter = waiter(FOREVER);
        registration.remove();
        pipe.source().close();
        until("the descriptor is closed", () -> isReleased(pipe));
        demultiplexer.wakeUp();
        assertEquals(0, waiter.result());
    }

    @Test
    void nextHandleWithTheSameDescriptorHasNoPast() throws IOException {
        int reused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (Pipe loud = Pipe.open()) {
                demultiplexer.register(loud.source(), READ, "loud");
                int descriptor = descriptor(loud.source());
                loud.send(ByteBuffer.allocate(1));
                loud.source().close();
                try (Pipe silent = Pipe.open()) {
                    reused += descriptor(silent.source()) == descriptor ? 1 : 0;
                    Membership registration = demultiplexer.register(silent.source(), READ, "silent");
                    assertQuiet();
                    silent.send(ByteBuffer.allocate(1));
                    assertReported(registration, READ);
                    assertEquals("silent", ready.membership(0).attachment());
                }
            }
        }
        // Not always, because the JVM may open descriptors in between. Windows does not guarantee it at all.
        assertTrue(CalledSystem.isWindows() || reused > ROUNDS / 2, "numbers used again: " + reused);
    }

    /** As above, but the waiter may be in any state when the number is reused. */
    @Test
    void nextHandleWithTheSameDescriptorHasNoPastDuringWaits() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        Future<Integer> waiter = start(() -> countLoud(stop));
        for (int round = 0; round < ROUNDS; round++) {
            try (Pipe loud = Pipe.open()) {
                register(loud.source(), READ);
                loud.send(ByteBuffer.allocate(1));
            }
            try (Pipe silent = Pipe.open()) {
                demultiplexer.register(silent.source(), READ, "silent");
            }
            if (round % 50 == 0) {
                awaitRelease();
            }
        }
        Pipe last = pipe();
        Handle source = last.source();
        demultiplexer.register(source, READ, stop);
        last.send(ByteBuffer.allocate(1));
        assertTrue(result(waiter) > 0, "no wait saw anything");
    }

    // A waiter without CPU time releases nothing, and the number of descriptors is limited.
    private void awaitRelease() throws IOException {
        try (Pipe pipe = Pipe.open()) {
            register(pipe.source(), READ);
            pipe.source().close();
            until("the descriptor is closed", () -> isReleased(pipe));
        }
    }

    // Until the last event is reported, which is not stale either.
    private int countLoud(CountDownLatch stop) throws IOException {
        int seen = 0;
        while (stop.getCount() > 0) {
            demultiplexer.awaitReady(ready, FOREVER);
            for (int i = 0; i < ready.size(); i++) {
                Object attachment = ready.membership(i).attachment();
                int events = ready.events(i);
                assertFalse(events != 0 && "silent".equals(attachment), "a silent pipe was reported");
                if (attachment == stop) {
                    stop.countDown();
                }
                seen++;
                ready.membership(i).rearm();
            }
        }
        return seen;
    }

    @Test
    void concurrentCloseAndRemovalReleaseOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Pipe pipe = Pipe.open();
            try (pipe) {
                Membership registration = register(pipe.source(), READ);
                Future<Void> remover = start(() -> {
                    registration.remove();
                    return null;
                });
                pipe.source().close();
                result(remover);
                assertTrue(isReleased(pipe));
            }
        }
        assertQuiet();
    }

    @Test
    void closingWhileRegisteringNeverLeavesAMember() throws Exception {
        List<Membership> registrations = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (Pipe pipe = Pipe.open()) {
                Future<Membership> registrar = start(() -> registerOrRefuse(pipe.source()));
                pipe.source().close();
                Membership registration = result(registrar);
                if (registration != null) {
                    registrations.add(registration);
                }
                assertTrue(isReleased(pipe));
            }
        }
        assertTrue(registrations.stream().noneMatch(Membership::isValid));
        assertQuiet();
    }

    private Membership registerOrRefuse(Handle handle) throws IOException {
        try {
            return register(handle, READ | WRITE);
        } catch (HandleClosedException e) {
            return null;
        }
    }
}
