package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Real signals to this process. Each one that is sent is waited for: the default action of {@code SIGUSR1} would end
 * the process, and signals that meet count as one.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag(Depth.BINDING)
class ReactorSignalTest extends ReactorContract {

    private static void send(OsSignal signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal.name(), Long.toString(ProcessHandle.current().pid()))
                .inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    // The JVM's own thread that has brought the signal may still be on its way back out of the reactor.
    @AfterEach
    void awaitTheThreadsOfTheSignals() {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("SIG\\w+ handler"))
                .forEach(OtherThread::awaitEnd);
    }

    @Test
    void aSignalReachesItsHandlerInTheLoopThread() throws Exception {
        for (OsSignal signal : new OsSignal[] {OsSignal.USR1, OsSignal.WINCH}) {
            Recorder handler = new Recorder("handler");
            reactor.registerSignalHandler(signal, handler);
            for (int i = 1; i <= 2; i++) {
                int expected = i;
                send(signal);
                runUntil(() -> handler.count("signal") == expected);
            }
            reactor.removeSignalHandler(signal, handler);
            assertEquals(List.of("signal SIG" + signal.name(), "signal SIG" + signal.name()), handler.calls());
            assertSame(Thread.currentThread(), handler.threads().iterator().next());
        }
    }

    @Test
    void aSignalWithoutAHandlerKeepsItsDefaultAction() throws Exception {
        assertThrows(NullPointerException.class, () -> reactor.registerSignalHandler(OsSignal.URG, null));
        assertThrows(NullPointerException.class, () -> reactor.registerSignalHandler(null, new Recorder("handler")));
        assertFalse(Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void aSignalEndsTheWaitOfTheLoop() throws Exception {
        LoopRunner loop = runInBackground();
        Recorder handler = new Recorder("handler");
        reactor.registerSignalHandler(OsSignal.WINCH, handler);
        send(OsSignal.WINCH);
        OtherThread.await(() -> handler.called("signal"));
        reactor.removeSignalHandler(OsSignal.WINCH, handler);
        assertTrue(handler.threads().contains(loop.thread()));
    }

    @Test
    void everyHandlerOfEveryReactorHearsOfIt() throws Exception {
        Reactor other = own(openAnother());
        own(new LoopRunner(other));
        Recorder[] here = {new Recorder("first"), new Recorder("second")};
        Recorder there = new Recorder("third");
        reactor.registerSignalHandler(OsSignal.USR1, here[0]);
        reactor.registerSignalHandler(OsSignal.USR1, here[1]);
        reactor.registerSignalHandler(OsSignal.USR1, here[1]);
        other.registerSignalHandler(OsSignal.USR1, there);
        send(OsSignal.USR1);
        runUntil(() -> here[0].called("signal") && here[1].called("signal"));
        OtherThread.await(() -> there.called("signal"));
        reactor.removeSignalHandler(OsSignal.USR1, here[0]);
        send(OsSignal.USR1);
        runUntil(() -> here[1].count("signal") == 2);
        OtherThread.await(() -> there.count("signal") == 2);
        assertEquals(1, here[0].count("signal"));
        assertEquals(2, here[1].count("signal"), "registered twice is registered once");
    }

    @Test
    void oneHandlerHearsOfSeveralSignals() throws Exception {
        Recorder handler = new Recorder("handler");
        reactor.registerSignalHandler(OsSignal.USR1, handler);
        reactor.registerSignalHandler(OsSignal.WINCH, handler);
        send(OsSignal.WINCH);
        runUntil(() -> handler.count("signal") == 1);
        send(OsSignal.USR1);
        runUntil(() -> handler.count("signal") == 2);
        assertEquals(List.of("signal SIGWINCH", "signal SIGUSR1"), handler.calls());
    }

    @Test
    void theDispositionIsRestoredWhenTheLastHandlerLeaves() throws Exception {
        for (OsSignal signal : new OsSignal[] {OsSignal.WINCH, OsSignal.URG, OsSignal.CONT}) {
            Recorder one = new Recorder("one");
            Recorder two = new Recorder("two");
            boolean before = Disposition.isCaught(signal);
            reactor.registerSignalHandler(signal, one);
            reactor.registerSignalHandler(signal, two);
            assertTrue(Disposition.isCaught(signal));
            reactor.removeSignalHandler(signal, one);
            reactor.removeSignalHandler(signal, one);
            reactor.removeSignalHandler(OsSignal.USR1, two);
            assertTrue(Disposition.isCaught(signal));
            reactor.removeSignalHandler(signal, two);
            assertEquals(before, Disposition.isCaught(signal));
            // The default action is to do nothing, so that the process lives on.
            send(signal);
            runUntilIdle();
            assertEquals(List.of(), one.calls());
        }
    }

    @Test
    void theDispositionIsRestoredWhenTheReactorIsClosed() throws Exception {
        boolean before = Disposition.isCaught(OsSignal.URG);
        reactor.registerSignalHandler(OsSignal.URG, new Recorder("handler"));
        assertTrue(Disposition.isCaught(OsSignal.URG));
        reactor.close();
        assertEquals(before, Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void noSignalHandlerIsTakenWhileTheReactorCloses() throws Exception {
        boolean before = Disposition.isCaught(OsSignal.URG);
        Recorder late = new Recorder("late");
        Recorder handler = reader("closing", pipe());
        handler.onClose(() -> assertThrows(IllegalStateException.class,
                () -> reactor.registerSignalHandler(OsSignal.URG, late)));
        reactor.registerHandler(handler, EventType.READ);
        reactor.close();
        assertEquals(List.of("close READ"), handler.calls());
        assertEquals(before, Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void aHandlerThatIsRemovedWhileTheSignalIsOnItsWayIsNotCalled() throws Exception {
        Recorder removed = new Recorder("removed");
        Recorder witness = new Recorder("witness");
        reactor.registerSignalHandler(OsSignal.WINCH, removed);
        reactor.registerSignalHandler(OsSignal.WINCH, witness);
        Reactor other = own(openAnother());
        Recorder arrived = new Recorder("arrived");
        other.registerSignalHandler(OsSignal.WINCH, arrived);
        own(new LoopRunner(other));
        send(OsSignal.WINCH);
        // Reactors hear of it in the order in which they asked, so by now it is queued here.
        OtherThread.await(() -> arrived.called("signal"));
        reactor.removeSignalHandler(OsSignal.WINCH, removed);
        runUntil(() -> witness.called("signal"));
        runUntilIdle();
        assertEquals(List.of(), removed.calls());
    }

    @Test
    void aHandlerThatThrowsFailsAndStays() throws Exception {
        IOException failure = new IOException("thrown by the test");
        Recorder failing = new Recorder("failing").onSignal(() -> {
            throw failure;
        });
        Recorder other = new Recorder("other");
        reactor.registerSignalHandler(OsSignal.WINCH, failing);
        reactor.registerSignalHandler(OsSignal.WINCH, other);
        send(OsSignal.WINCH);
        runUntil(() -> failing.called("failure") && other.called("signal"));
        assertEquals(List.of(failure), failing.failures());
        assertEquals(List.of(), failing.handles(), "a signal has no handle");
        send(OsSignal.WINCH);
        runUntil(() -> failing.count("failure") == 2);
        assertFalse(failing.called("close"));
    }

    @Test
    void aHandlerWithoutTheHookComplains() throws Exception {
        Throwable[] failure = new Throwable[1];
        EventHandler empty = new EventHandler() {
            @Override
            public Handle handle() {
                throw new AssertionError("the handle is not needed");
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                failure[0] = cause;
            }
        };
        reactor.registerSignalHandler(OsSignal.WINCH, empty);
        send(OsSignal.WINCH);
        runUntil(() -> failure[0] != null);
        assertTrue(failure[0].getMessage().contains("SIGWINCH"), failure[0]::getMessage);
        assertTrue(failure[0].getMessage().contains("handleSignal"), failure[0]::getMessage);
    }

    @Test
    void removingWhatIsNotRegisteredDoesNothing() {
        reactor.removeSignalHandler(OsSignal.TERM, new Recorder("stranger"));
    }
}
