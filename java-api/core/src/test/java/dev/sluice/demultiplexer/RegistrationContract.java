package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Membership in a handle set, while no thread waits. */
@Tag(Depth.CORE)
public abstract class RegistrationContract extends DemultiplexerContract {

    /** The error code of the native API of Windows. */
    private static final long STATUS_INSUFFICIENT_RESOURCES = (int) 0xc000009aL;

    protected RegistrationContract(String name) {
        super(name);
    }

    @Test
    void demultiplexerMatchesItsFactory() {
        assertEquals(name(), demultiplexer.name());
        assertEquals(factory().isConcurrent(), demultiplexer.handleSetKind() == HandleSetKind.CONCURRENT);
        assertEquals(demultiplexer.handleSetKind() == HandleSetKind.CONCURRENT,
                demultiplexer.trigger() == Trigger.ONE_SHOT, "what is shared is reported once");
    }

    @Test
    void membershipReturnsItsArguments() throws IOException {
        Handle handle = pipe().source();
        Object attachment = new Object();
        Membership registration = demultiplexer.register(handle, READ, attachment);
        assertSame(handle, registration.handle());
        assertSame(attachment, registration.attachment());
        assertEquals(READ, registration.events());
        assertEquals(READ, registration.activeEvents());
        assertTrue(registration.isValid());
        assertEquals(handle + " [READ]", registration.toString());
    }

    @Test
    void attachmentIsOptionalAndReturnedWithTheEvent() throws IOException {
        Pipe pipe = pipe();
        assertNull(demultiplexer.register(pipe.source(), READ, null).attachment());
        Membership registration = demultiplexer.register(pipe.sink(), WRITE, "handler");
        assertReported(registration, WRITE);
        assertEquals("handler", ready.membership(0).attachment());
    }

    @Test
    void changedEventsAreWaitedFor() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.near().handle(), READ);
        assertQuiet();
        registration.setEvents(READ | WRITE);
        assertReported(registration, WRITE);
        registration.setEvents(READ);
        registration.rearm();
        assertEquals(READ, registration.events());
        assertQuiet();
        registration.setEvents(WRITE);
        registration.rearm();
        assertReported(registration, WRITE);
    }

    @Test
    void removedIsNotReported() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        registration.remove();
        assertQuietFor(A_MOMENT);
        assertFalse(registration.isValid());
        assertEquals(0, registration.events());
        assertEquals(0, registration.activeEvents());
    }

    @Test
    void removedTakesNoMoreChanges() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        registration.remove();
        assertThrows(IllegalStateException.class, () -> registration.setEvents(WRITE));
        registration.deactivate();
        registration.activate();
        registration.rearm();
        registration.remove();
        assertFalse(registration.isValid());
        assertEquals(0, registration.events());
        assertEquals(0, registration.activeEvents());
        assertQuiet();
        assertTrue(registration.toString().endsWith(" [NONE, removed]"), registration.toString());
    }

    @Test
    void removedHandleStaysOpenAndCanBeRegisteredAgain() throws IOException {
        Handle handle = pipe().sink();
        Membership first = demultiplexer.register(handle, WRITE, "first");
        assertReported(first, WRITE);
        first.remove();
        assertTrue(handle.isOpen());
        Membership second = demultiplexer.register(handle, WRITE, "second");
        assertNotSame(first, second);
        assertReported(second, WRITE);
        first.remove();
        assertTrue(second.isValid());
    }

    @Test
    void handleIsInTheSetOnce() throws IOException {
        Handle handle = pipe().sink();
        Membership registration = register(handle, WRITE);
        assertThrows(IllegalStateException.class, () -> register(handle, READ));
        assertTrue(registration.isValid());
        assertEquals(WRITE, registration.events());
        assertReported(registration, WRITE);
    }

    @Test
    void handleMayBeInSeveralSets() throws IOException {
        Handle handle = pipe().sink();
        Membership registration = register(handle, WRITE);
        try (SynchronousEventDemultiplexer other = openDemultiplexer(); ReadyBatch batch = other.newReadyBatch(1)) {
            Membership elsewhere = other.register(handle, WRITE, null);
            assertEquals(1, other.awaitReady(batch, PATIENCE.toNanos()));
            assertSame(elsewhere, batch.membership(0));
        }
        assertReported(registration, WRITE);
    }

    @Test
    void closedHandleIsRefused() throws IOException {
        Handle handle = pipe().sink();
        handle.close();
        assertThrows(HandleClosedException.class, () -> register(handle, WRITE));
        assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 3, 1 << 5, READ | 1 << 6, 1 << 31, -1})
    void unknownEventsAreRefused(int events) throws IOException {
        Handle handle = pipe().sink();
        assertThrows(IllegalArgumentException.class, () -> register(handle, events));
        Membership registration = register(handle, WRITE);
        assertThrows(IllegalArgumentException.class, () -> registration.setEvents(events));
        assertEquals(WRITE, registration.events());
        assertReported(registration, WRITE);
    }

    @Test
    void nullIsRefused() throws IOException {
        assertThrows(NullPointerException.class, () -> register(null, READ));
        assertThrows(NullPointerException.class, () -> demultiplexer.awaitReady(null, 0));
        assertQuiet();
    }

    @Test
    void rearmingWhatWasNotReportedChangesNothing() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        registration.rearm();
        assertQuiet();
        ends.send();
        assertReported(registration, READ);
    }

    /** A change that has failed takes effect when the same change is requested again. */
    @Test
    void failedChangeCanBeRepeated() throws IOException {
        OneWayTransport ends = open(Transport.TCP);
        try (FaultInjection faults = FaultInjection.install();
                SynchronousEventDemultiplexer refused = openDemultiplexer(Bindings.current());
                ReadyBatch batch = refused.newReadyBatch(1)) {
            Membership registration = refused.register(ends.receiver(), EventType.WRITE, null);
            assertEquals(1, refused.awaitReady(batch, PATIENCE.toNanos()));
            ends.send();
            boolean oneShot = refused.trigger() == Trigger.ONE_SHOT;
            changing(refused.name()).forEach((call, error) -> faults.returnNth(call, 1, error));
            try {
                change(registration, oneShot);
            } catch (IOException | UncheckedIOException e) {
                assertTrue(e.getMessage().contains(registration.handle().toString())
                        || e.getMessage().contains(refused.name()), e::toString);
            }
            faults.heal();
            change(registration, oneShot);
            assertEquals(1, refused.awaitReady(batch, PATIENCE.toNanos()));
            assertEquals(oneShot ? EventType.WRITE : EventType.READ, batch.events(0));
        }
    }

    /** The handle is closed after the test, which detects a descriptor that stays open. */
    @Test
    void registrationWithoutMemoryReleasesItsHandle() throws IOException {
        Handle handle = open(Transport.TCP).receiver();
        AtomicBoolean runsOut = new AtomicBoolean();
        try (SynchronousEventDemultiplexer scarce =
                openDemultiplexer(ScarceMemory.of(Bindings.current(), runsOut::get))) {
            runsOut.set(true);
            try {
                // Some mechanisms need no memory for it.
                scarce.register(handle, WRITE, null).remove();
            } catch (OutOfMemoryError e) {
                assertTrue(e.getMessage().startsWith(ScarceMemory.PLANNED), e::toString);
            }
            runsOut.set(false);
            scarce.register(handle, WRITE, null).remove();
        }
    }

    private static void change(Membership registration, boolean oneShot) throws IOException {
        if (oneShot) {
            registration.rearm();
        } else {
            registration.setEvents(EventType.READ);
        }
    }

    private static Map<String, Long> changing(String demultiplexer) {
        long noMemory = -Errno.ENOMEM.number();
        return switch (demultiplexer.split("-")[0]) {
            case "epoll" -> Map.of("epoll_ctl", noMemory);
            case "kqueue" -> Map.of("kevent", noMemory);
            case "wfmo" -> Map.of("WSAEventSelect", (long) -WindowsError.WSAENOBUFS);
            case "afd" -> Map.of("NtDeviceIoControlFile", STATUS_INSUFFICIENT_RESOURCES,
                    "PostQueuedCompletionStatus", (long) -WindowsError.ERROR_NOT_ENOUGH_MEMORY);
            default -> Map.of();
        };
    }
}
