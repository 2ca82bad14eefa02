package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a registration tells and changes, and that what connections wait for does not mix with what users want. */
class InterestTest extends ReactorContract {

    private Connection connection;
    private Recorder handler;
    private Registration registration;

    @BeforeEach
    void register() throws IOException {
        connection = own(Connection.unix());
        handler = reader("interested", connection);
        registration = reactor.register(connection.near().handle(), Interest.READ, handler);
    }

    /** A connection changes its entry in the loop's thread alone. */
    private void becomeLoopThread() throws IOException {
        runUntilIdle();
    }

    private HandlerEntry entry() {
        return (HandlerEntry) registration;
    }

    @Test
    void isWhatItWasRegisteredAs() throws Exception {
        assertSame(connection.near().handle(), registration.handle());
        assertSame(handler, registration.handler());
        assertSame(reactor, registration.dispatcher());
        assertSame(Interest.READ, registration.interest());
        assertTrue(registration.isOpen());
        registration.pause();
        assertTrue(registration.isPaused());
        assertSame(Interest.READ, registration.interest());
        registration.resume();
        assertFalse(registration.isPaused());
        registration.interest(Interest.READ_WRITE);
        assertSame(Interest.READ_WRITE, registration.interest());
        registration.close();
        registration.close();
        assertFalse(registration.isOpen());
        assertEquals(List.of("close READ|WRITE"), handler.calls());
    }

    @Test
    void functionGetsTheEventsOfEveryTypeAndTheEnd() throws Exception {
        Connection other = own(Connection.unix());
        List<Interest> seen = new ArrayList<>();
        Registration ofFunction = reactor.register(other.near().handle(), Interest.READ_WRITE,
                EventHandler.of((same, event) -> {
                    seen.add(event);
                    if (event.isEmpty()) {
                        same.handle().close();
                    } else {
                        same.interest(same.interest().minus(event));
                    }
                }));
        other.send("x");
        runUntil(() -> seen.size() == 2);
        ofFunction.close();
        assertEquals(Set.of(Interest.READ, Interest.WRITE), Set.copyOf(seen.subList(0, 2)));
        assertEquals(List.of(Interest.NONE), seen.subList(2, seen.size()));
        assertFalse(other.near().handle().isOpen());
    }

    @Test
    void isClosedWithItsHandle() {
        connection.near().close();
        assertFalse(registration.isOpen());
        registration.interest(Interest.WRITE);
        registration.pause();
        registration.resume();
        registration.close();
        assertEquals(List.of("close READ"), handler.calls());
        assertThrows(IllegalStateException.class, () -> registration.handOver(handler));
    }

    @Test
    void leavesTheNextRegistrationOfTheHandleAloneWhenItHasEnded() throws Exception {
        registration.close();
        Recorder next = reader("next", connection);
        next.register(reactor, Interest.READ);
        registration.close();
        registration.pause();
        registration.interest(Interest.NONE);
        connection.send("x");
        runUntil(() -> next.called("input"));
        assertTrue(next.registration().isOpen());
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void refusesASecondRegistrationOfTheHandle() {
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> reactor.register(registration.handle(), Interest.WRITE, handler));
        assertEquals("register: " + registration.handle() + " is registered with " + reactor + " already, for "
                + handler + "; close that registration, or use its handOver for " + handler, refused.getMessage());
    }

    @Test
    void handsOver() throws Exception {
        Recorder next = reader("next", connection);
        connection.send("x");
        registration.handOver(next);
        assertSame(next, registration.handler());
        runUntil(() -> next.called("input"));
        registration.close();
        assertEquals(List.of("input", "close READ"), next.calls());
        assertEquals(List.of(), handler.calls());
    }

    @Test
    void anotherThreadThanTheLoopThreadMustNotHandOver() throws Exception {
        assumeFalse(isShared(), "only a loop of one thread has a loop thread");
        runInBackground();
        AtomicBoolean runs = new AtomicBoolean();
        reactor.execute(() -> runs.set(true));
        OtherThread.await(runs::get);
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> registration.handOver(handler));
        assertEquals("handOver: only the loop thread may call this; use execute(...) of " + reactor,
                refused.getMessage());
    }

    @Test
    void otherThreadsChangeItInOrder() throws Exception {
        LoopRunner loop = runInBackground();
        Connection second = own(Connection.unix());
        Recorder remote = reader("remote", second);
        remote.onOutput(() -> remote.onOutput(() -> { }));
        Registration changed = reactor.register(second.near().handle(), Interest.NONE, remote);
        changed.pause();
        changed.interest(Interest.WRITE);
        second.send("x");
        changed.interest(Interest.READ);
        changed.resume();
        OtherThread.await(() -> remote.called("input"));
        changed.close();
        OtherThread.await(() -> remote.called("close"));
        assertFalse(changed.isOpen());
        assertEquals(List.of("input", "close READ"), remote.calls());
        assertTrue(isShared() || remote.threads().equals(Set.of(loop.thread())));
    }

    /** {@return a registration that the loop thread makes only when it runs again, if there is one} */
    private Registration requestedByAnotherThread(Connection second, Recorder remote) throws Exception {
        becomeLoopThread();
        return OtherThread.start(() -> reactor.register(second.near().handle(), Interest.WRITE, remote)).result();
    }

    @Test
    void whatTheLoopThreadChangesBeforeARequestedRegistrationIsMadeCounts() throws Exception {
        Connection second = own(Connection.unix());
        Recorder remote = reader("remote", second);
        Recorder next = reader("next", second);
        Registration requested = requestedByAnotherThread(second, remote);
        requested.interest(Interest.READ);
        assertSame(Interest.READ, requested.interest());
        requested.handOver(next);
        requested.pause();
        second.send("x");
        runUntilIdle();
        assertTrue(requested.isPaused());
        assertEquals(List.of(), next.calls());
        requested.resume();
        runUntil(() -> next.called("input"));
        requested.close();
        assertEquals(List.of("input", "close READ"), next.calls());
        assertEquals(List.of(), remote.calls());
    }

    @Test
    void requestedRegistrationThatTheLoopThreadClosesIsNotMade() throws Exception {
        Connection second = own(Connection.unix());
        Recorder remote = reader("remote", second);
        Registration requested = requestedByAnotherThread(second, remote);
        requested.close();
        assertFalse(requested.isOpen());
        runUntilIdle();
        assertEquals(List.of("close WRITE"), remote.calls());
        Recorder again = reader("again", second);
        again.register(reactor, Interest.READ);
        second.send("x");
        runUntil(() -> again.called("input"));
    }

    @Test
    void outputIsWaitedForWhateverTheUserWants() throws Exception {
        becomeLoopThread();
        handler.onOutput(() -> entry().awaitOutput(false));
        registration.pause();
        entry().awaitOutput(true);
        connection.send("x");
        runUntil(() -> handler.called("output"));
        runUntilIdle();
        assertEquals(List.of("output"), handler.calls());
        assertSame(Interest.READ, registration.interest());
        registration.interest(Interest.NONE);
        registration.resume();
        entry().awaitOutput(true);
        runUntil(() -> handler.count("output") == 2);
        registration.interest(Interest.READ);
        runUntil(() -> handler.called("input"));
        registration.close();
        assertEquals(List.of("output", "output", "input", "close READ"), handler.calls());
    }

    @Test
    void aUserWhoWaitsForOutputIsStillCalledWhenTheLibraryDoesNot() throws Exception {
        becomeLoopThread();
        registration.interest(Interest.WRITE);
        entry().awaitOutput(true);
        entry().awaitOutput(false);
        handler.onOutput(() -> registration.interest(Interest.READ));
        runUntil(() -> handler.called("output"));
        runUntilIdle();
        assertEquals(1, handler.count("output"));
    }

    @Test
    void inputIsHeldAsLongAsAnyoneHoldsIt() throws Exception {
        becomeLoopThread();
        connection.send("x");
        entry().holdInput();
        entry().holdInput();
        runUntilIdle();
        entry().releaseInput();
        registration.pause();
        registration.resume();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        entry().releaseInput();
        runUntil(() -> handler.called("input"));
        entry().holdInput();
        registration.pause();
        entry().releaseInput();
        connection.send("y");
        runUntilIdle();
        registration.resume();
        runUntil(() -> handler.count("input") == 2);
    }
}
