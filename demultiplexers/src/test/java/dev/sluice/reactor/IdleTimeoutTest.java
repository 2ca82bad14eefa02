package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections on which nothing is received or sent for a while. */
class IdleTimeoutTest extends ReactorContract {

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration NEVER = Duration.ofDays(1);

    private Connection connection;
    private Idler handler;

    /** Notes when nothing moves. */
    private final class Idler extends OneHandleHandler {

        private final Handle handle;
        private final List<Interest> idle = new CopyOnWriteArrayList<>();
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private OtherThread.Action onIdle = () -> { };
        private volatile long lastInput;
        private volatile long firstIdle;
        private volatile boolean closed;

        Idler(Handle handle) {
            this.handle = handle;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            connection.near().receive(ByteBuffer.allocate(16));
            lastInput = System.nanoTime();
        }

        @Override
        public void handleOutput(Registration registration) {
            registration.interest(Interest.READ);
        }

        @Override
        public void handleIdle(Registration registration, Interest direction) throws Exception {
            if (idle.isEmpty()) {
                firstIdle = System.nanoTime();
            }
            idle.add(direction);
            onIdle.run();
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void handleClose(Registration registration) {
            closed = true;
        }
    }

    @BeforeEach
    void register() throws IOException {
        connection = own(Connection.unix());
        handler = new Idler(connection.near().handle());
        handler.register(reactor, Interest.READ);
    }

    @Test
    void isNoticedAfterTheTimeAndAgain() throws Exception {
        long began = System.nanoTime();
        handler.registration().idleTimeout(Interest.READ, SHORT);
        runUntil(() -> handler.idle.size() == 2);
        assertTrue(handler.firstIdle - began >= SHORT.toNanos(), "early");
        assertEquals(List.of(Interest.READ, Interest.READ), handler.idle);
        assertTrue(handler.registration().isOpen());
    }

    @Test
    void whatIsReceivedBeginsTheTimeAnew() throws Exception {
        handler.registration().idleTimeout(Interest.READ, SHORT);
        for (int i = 0; i < 4; i++) {
            connection.send("x");
            long before = handler.lastInput;
            runUntil(() -> handler.lastInput != before);
        }
        runUntil(() -> !handler.idle.isEmpty());
        assertTrue(handler.firstIdle - handler.lastInput >= SHORT.toNanos(), "early");
    }

    @Test
    void whatIsSentCountsInItsDirection() throws Exception {
        handler.registration().idleTimeout(Interest.READ_WRITE, SHORT);
        long end = System.nanoTime() + SHORT.multipliedBy(3).toNanos();
        while (System.nanoTime() < end) {
            handler.registration().interest(Interest.READ_WRITE);
            reactor.runOnce(Duration.ofMillis(20));
            LockSupport.parkNanos(10_000_000);
        }
        assertEquals(List.of(), handler.idle);
        ((HandlerEntry) handler.registration()).countOutput();
        runUntil(() -> !handler.idle.isEmpty());
        assertEquals(Interest.READ_WRITE, handler.idle.get(0));
    }

    @Test
    void closesUnlessOverridden() throws Exception {
        Connection other = own(Connection.unix());
        EventHandler silent = registration -> { };
        reactor.register(other.near().handle(), Interest.READ, silent).idleTimeout(Interest.READ, SHORT);
        runUntil(() -> !other.near().handle().isOpen());
    }

    @Test
    void isNotNoticedAnyMoreWhenItIsSwitchedOffOrTheRegistrationHasEnded() throws Exception {
        handler.registration().idleTimeout(Interest.READ, SHORT);
        handler.registration().idleTimeout(Interest.READ, Duration.ZERO);
        Connection other = own(Connection.unix());
        Idler ended = new Idler(other.near().handle());
        ended.register(reactor, Interest.READ).idleTimeout(Interest.READ, SHORT);
        ended.registration().close();
        ended.registration().idleTimeout(Interest.READ, SHORT);
        Recorder later = new Recorder("later");
        reactor.schedule(later, null, SHORT.multipliedBy(2));
        runUntil(() -> later.called("timeout"));
        assertEquals(List.of(), handler.idle);
        assertEquals(List.of(), ended.idle);
        assertTrue(ended.closed);
    }

    @Test
    void goesWithTheRegistrationToTheNextHandler() throws Exception {
        handler.registration().idleTimeout(Interest.READ, SHORT);
        Idler next = new Idler(connection.near().handle());
        handler.registration().handOver(next);
        runUntil(() -> !next.idle.isEmpty());
        assertEquals(List.of(), handler.idle);
    }

    @Test
    void aHookThatThrowsEndsTheRegistration() throws Exception {
        IOException failure = new IOException("thrown by the test");
        handler.onIdle = () -> {
            throw failure;
        };
        handler.registration().idleTimeout(Interest.READ, SHORT);
        runUntil(() -> handler.closed);
        assertEquals(List.of(failure), handler.failures);
    }

    @Test
    void inputThatComesDuringTheHookIsDispatchedAfterwards() throws Exception {
        handler.onIdle = () -> {
            connection.send("x");
            reactor.runOnce(Duration.ofMillis(20));
            assertEquals(0, handler.lastInput);
            handler.registration().idleTimeout(Interest.READ, NEVER);
        };
        handler.registration().idleTimeout(Interest.READ, SHORT);
        runUntil(() -> handler.lastInput != 0);
        assertEquals(1, handler.idle.size());
        assertEquals(List.of(), handler.failures);
    }

    @Test
    void isForTheLoopThreadAndForDirections() throws Exception {
        Registration registration = handler.registration();
        assertThrows(IllegalArgumentException.class, () -> registration.idleTimeout(Interest.NONE, SHORT));
        assertThrows(IllegalArgumentException.class, () -> registration.idleTimeout(Interest.EXCEPTION, SHORT));
        assertThrows(IllegalArgumentException.class,
                () -> registration.idleTimeout(Interest.READ, Duration.ofMillis(-1)));
        assumeFalse(isShared(), "only a loop of one thread has a loop thread");
        LoopRunner loop = runInBackground();
        AtomicBoolean runs = new AtomicBoolean();
        reactor.execute(() -> runs.set(true));
        OtherThread.await(runs::get);
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> registration.idleTimeout(Interest.READ, SHORT));
        assertEquals("idleTimeout: only the loop thread may call this; use execute(...) of " + reactor,
                refused.getMessage());
        assertFalse(handler.closed);
        loop.close();
    }
}
