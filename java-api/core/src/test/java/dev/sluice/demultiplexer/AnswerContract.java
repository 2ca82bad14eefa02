package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.InterceptedCalls.WAITS;
import static dev.sluice.demultiplexer.spi.EventType.READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.InterceptedCalls.Action;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes after the system call of a wait has returned, and before the demultiplexer has processed its result. */
public abstract class AnswerContract extends DemultiplexerContract {

    private InterceptedCalls calls;
    private SynchronousEventDemultiplexer intercepted;
    private ReadyBatch batch;
    /** Readable, so that the first result contains it. */
    private Pipe pipe;
    private Membership registration;

    protected AnswerContract(String name) {
        super(name);
    }

    @BeforeEach
    void registerAReadableHandle() throws IOException {
        calls = new InterceptedCalls(Bindings.current());
        intercepted = own(openDemultiplexer(calls.binding()));
        batch = own(intercepted.newReadyBatch(8));
        pipe = pipe();
        pipe.send(ByteBuffer.allocate(1));
        registration = intercepted.register(pipe.source(), READ, "old");
    }

    private void assertNotReported(Action change) throws IOException {
        calls.after(WAITS, change);
        assertEquals(0, intercepted.awaitReady(batch, A_MOMENT), () -> batch.membership(0).attachment() + " seen");
    }

    @Test
    void withoutAChangeTheAnswerIsReported() throws IOException {
        calls.after(WAITS, () -> assertEquals(READ, registration.events()));
        assertEquals(1, intercepted.awaitReady(batch, PATIENCE.toNanos()));
        assertSame(registration, batch.membership(0));
    }

    @Test
    void removedAfterTheAnswerIsNotReported() throws IOException {
        assertNotReported(registration::remove);
    }

    @Test
    void handleClosedAfterTheWaitIsNotReported() throws IOException {
        assertNotReported(pipe.source()::close);
    }

    @Test
    void nextHandleAfterTheAnswerHasNoPast() throws IOException {
        assertNotReported(() -> {
            pipe.source().close();
            intercepted.register(pipe().source(), READ, "new");
        });
    }

    @Test
    void nextRegistrationAfterTheAnswerIsTheOneReported() throws IOException {
        calls.after(WAITS, () -> {
            registration.remove();
            registration = intercepted.register(pipe.source(), READ, "again");
        });
        assertEquals(1, intercepted.awaitReady(batch, PATIENCE.toNanos()));
        assertSame(registration, batch.membership(0));
    }

    /** If the set is an array, members move when others leave; this must also work for one that has left itself. */
    @Test
    void nextRegistrationAfterTheAnswerIsTheOneReportedThoughOthersLeave() throws IOException {
        List<Membership> others = List.of(registerSilent(), registerSilent());
        registration.remove();
        Membership last = intercepted.register(pipe.source(), READ, "old");
        calls.after(WAITS, () -> {
            last.remove();
            others.forEach(Membership::remove);
            registration = intercepted.register(pipe.source(), READ, "again");
        });
        assertReportedNow();
    }

    private Membership registerSilent() throws IOException {
        return intercepted.register(pipe().source(), READ, "other");
    }

    @Test
    void handleDeactivatedAfterTheWaitIsReportedWhenActivated() throws IOException {
        assertNotReported(registration::deactivate);
        registration.activate();
        assertReportedNow();
    }

    @Test
    void modifiedAfterTheAnswerIsReportedOnceModifiedBack() throws IOException {
        assertNotReported(() -> registration.setEvents(0));
        registration.setEvents(READ);
        assertReportedNow();
    }

    @Test
    void deactivatedAndActivatedAfterTheAnswerIsReported() throws IOException {
        calls.after(WAITS, () -> {
            registration.deactivate();
            registration.activate();
        });
        assertReportedNow();
    }

    private void assertReportedNow() throws IOException {
        assertEquals(1, intercepted.awaitReady(batch, PATIENCE.toNanos()));
        assertSame(registration, batch.membership(0));
        assertEquals(READ, batch.events(0));
    }
}
