package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operation that would wait forever completes exactly once, however it is ended. */
abstract class EndingContract extends OperationContract {

    EndingContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private Flight pending(PendingOperation kind) throws IOException {
        Flight flight = start(kind.on(this));
        assertNoCompletion();
        assertTrue(flight.operation().isInFlight());
        return flight;
    }

    private void assertCancelledOnce(Flight flight) throws IOException {
        assertCancelled(flight);
        assertNoCompletion();
        assertEquals(0, demultiplexer.inFlight());
        assertEquals(0, flight.streams().size());
    }

    @ParameterizedTest
    @EnumSource
    @Tag(Depth.TRANSFER)
    void byItsOwnCancellation(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        flight.operation().cancel();
        flight.operation().cancel();
        assertCancelledOnce(flight);
    }

    /** The demultiplexer may not have seen the start yet. */
    @ParameterizedTest
    @EnumSource
    void byItsOwnCancellationAtOnce(PendingOperation kind) throws IOException {
        Flight flight = start(kind.on(this));
        flight.operation().cancel();
        assertCancelledOnce(flight);
    }

    @ParameterizedTest
    @EnumSource
    void byACancellationFromAnotherThread(PendingOperation kind) throws Exception {
        Flight flight = flight();
        Flight.Start how = kind.on(this);
        var other = inBackground(() -> {
            flight.start(how);
            flight.operation().cancel();
            return null;
        });
        collectUntil("the cancellation", () -> flight.lasts() == 1);
        finish(other);
        assertCancelledOnce(flight);
    }

    @ParameterizedTest
    @EnumSource
    void byTheCancellationOfTheAssociation(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        flight.operation().association().cancel();
        assertCancelledOnce(flight);
    }

    @ParameterizedTest
    @EnumSource
    void byTheEndOfTheAssociation(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        flight.operation().association().end();
        assertCancelledOnce(flight);
        assertTrue(flight.operation().association().handle().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void byTheCloseOfTheHandle(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        flight.operation().association().handle().close();
        assertCancelledOnce(flight);
    }

    @ParameterizedTest
    @EnumSource
    void byTheCloseOfTheHandleByAnotherThread(PendingOperation kind) throws Exception {
        Flight flight = start(kind.on(this));
        var other = inBackground(() -> {
            flight.operation().association().handle().close();
            return null;
        });
        assertCancelledOnce(flight);
        finish(other);
    }

    @ParameterizedTest
    @EnumSource
    void byAnOperationThatClosesTheHandle(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        Flight close = start(o -> o.close(flight.operation().association()));
        assertResult(0, close);
        assertCancelledOnce(flight);
        assertFalse(flight.operation().association().handle().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    @Tag(Depth.TRANSFER)
    void byTheShutdown(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        demultiplexer.shutdown();
        assertTrue(flight.operation().isInFlight());
        assertCancelledOnce(flight);
    }

    @ParameterizedTest
    @EnumSource
    void byTheClose(PendingOperation kind) throws IOException {
        Flight flight = pending(kind);
        demultiplexer.close();
        assertFalse(flight.operation().isInFlight());
        assertEquals(0, flight.lasts());
    }

    /** The kernel, or even the loop thread, may not have seen the start yet. */
    @ParameterizedTest
    @EnumSource
    void byTheCloseAtOnce(PendingOperation kind) throws IOException {
        Flight flight = start(kind.on(this));
        demultiplexer.close();
        assertFalse(flight.operation().isInFlight());
    }
}
