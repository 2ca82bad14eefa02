package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hook that fails by what it does to another connection. */
// A send to a peer that has closed fails at once through Unix domain sockets only.
@Tag(CalledSystem.NOT_WINDOWS)
class FailureElsewhereTest extends ReactorContract {

    private Connection from;
    private Connection to;
    private Recorder other;

    @BeforeEach
    void open() throws IOException {
        from = own(Connection.unix());
        to = own(Connection.unix());
        other = recorder("other", to.near().handle());
    }

    /** Forwards what it receives, one byte at a time. */
    private final class Forwarder extends OneHandleHandler {

        private final Recorder calls = recorder("forwarder", from.near().handle());
        private final boolean drains;

        Forwarder(boolean drains) {
            this.drains = drains;
        }

        @Override
        public Handle handle() {
            return from.near().handle();
        }

        @Override
        public boolean drains() {
            return drains;
        }

        @Override
        public void handleInput(Registration registration) throws Exception {
            ByteBuffer piece = ByteBuffer.allocate(1);
            while (from.near().receive(piece.clear()) > 0) {
                calls.handleInput(registration);
                to.near().send(piece.flip());
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            calls.handleFailure(registration, cause);
        }

        @Override
        public void handleClose(Registration registration) throws Exception {
            calls.handleClose(registration);
        }
    }

    private Forwarder forwarder(boolean drains) throws IOException {
        Forwarder forwarder = new Forwarder(drains);
        forwarder.register(reactor, Interest.READ);
        return forwarder;
    }

    @Test
    void costsTheHandleThatItIsAboutAndNotTheOneThatHasTried() throws Exception {
        for (boolean drains : new boolean[] {false, true}) {
            other.register(reactor, Interest.NONE);
            Forwarder forwarder = forwarder(drains);
            to.far().close();
            from.send("x");
            runUntil(() -> other.called("close"));
            assertEquals(List.of("failure", "close NONE"), other.calls());
            assertEquals(List.of(other.handle(), other.handle()), other.handles());
            SystemCallException failure = assertInstanceOf(SystemCallException.class, other.failures().get(0));
            assertSame(other.handle(), failure.handle());
            assertEquals(List.of("input"), forwarder.calls.calls());
            forwarder.registration().close();
            to.near().close();
            to = own(Connection.unix());
            other = recorder("other", to.near().handle());
        }
    }

    @Test
    void theOneThatHasTriedContinuesWithWhatIsLeft() throws Exception {
        for (boolean drains : new boolean[] {false, true}) {
            other.register(reactor, Interest.NONE);
            other.onClose(() -> to = own(Connection.unix()));
            Forwarder forwarder = forwarder(drains);
            to.far().close();
            from.send("abc");
            runUntil(() -> forwarder.calls.count("input") == 3);
            runUntilIdle();
            ByteBuffer forwarded = ByteBuffer.allocate(2);
            assertTrue(to.far().receiveFully(forwarded, LIMIT));
            assertEquals("bc", new String(forwarded.array()));
            assertEquals(List.of("input", "input", "input"), forwarder.calls.calls());
            forwarder.registration().close();
            other = recorder("other", to.near().handle());
        }
    }

    @Test
    void aboutAHandleThatIsNotRegisteredIsTheFailureOfTheHook() throws Exception {
        Forwarder forwarder = forwarder(false);
        to.far().close();
        from.send("x");
        runUntil(() -> forwarder.calls.called("close"));
        assertEquals(List.of("input", "failure", "close READ"), forwarder.calls.calls());
        SystemCallException failure = assertInstanceOf(SystemCallException.class, forwarder.calls.failures().get(0));
        assertSame(to.near().handle(), failure.handle());
    }

    @Test
    void aboutAHandleThatIsClosedIsTheFailureOfTheHook() throws Exception {
        other.register(reactor, Interest.NONE);
        Forwarder forwarder = forwarder(false);
        to.near().close();
        runUntil(() -> other.called("close"));
        from.send("x");
        runUntil(() -> forwarder.calls.called("close"));
        assertEquals(List.of("close NONE"), other.calls());
        HandleClosedException failure =
                assertInstanceOf(HandleClosedException.class, forwarder.calls.failures().get(0));
        assertSame(to.near().handle(), failure.handle());
    }

    @Test
    void wrappedIsTheFailureOfTheHook() throws Exception {
        other.register(reactor, Interest.NONE);
        Recorder hook = reader("hook", from);
        hook.onInput(() -> {
            try {
                to.near().send(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new IOException("cannot go on", e);
            }
        });
        hook.register(reactor, Interest.READ);
        to.far().close();
        from.send("x");
        runUntil(() -> hook.called("close"));
        assertEquals(List.of(), other.calls());
    }
}
