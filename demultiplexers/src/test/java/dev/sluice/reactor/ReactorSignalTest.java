package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
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
            reactor.onSignal(signal, handler.signal(signal));
            for (int i = 1; i <= 2; i++) {
                int expected = i;
                send(signal);
                runUntil(() -> handler.count("signal") == expected);
            }
            reactor.removeSignal(signal);
            assertEquals(List.of("signal SIG" + signal.name(), "signal SIG" + signal.name()), handler.calls());
            assertSame(Thread.currentThread(), handler.threads().iterator().next());
        }
    }

    @Test
    void aSignalWithoutAHandlerKeepsItsDefaultAction() throws Exception {
        assertThrows(NullPointerException.class, () -> reactor.onSignal(OsSignal.URG, null));
        assertThrows(NullPointerException.class, () -> reactor.onSignal(null, () -> { }));
        assertFalse(Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void aSignalEndsTheWaitOfTheLoop() throws Exception {
        LoopRunner loop = runInBackground();
        Recorder handler = new Recorder("handler");
        reactor.onSignal(OsSignal.WINCH, handler.signal(OsSignal.WINCH));
        send(OsSignal.WINCH);
        OtherThread.await(() -> handler.called("signal"));
        reactor.removeSignal(OsSignal.WINCH);
        assertTrue(handler.threads().contains(loop.thread()));
    }

    @Test
    void everyTaskOfEveryReactorIsRun() throws Exception {
        Reactor other = own(openAnother());
        own(new LoopRunner(other));
        Recorder[] here = {new Recorder("first"), new Recorder("second")};
        Recorder there = new Recorder("third");
        reactor.onSignal(OsSignal.USR1, here[0].signal(OsSignal.USR1));
        reactor.onSignal(OsSignal.USR1, here[1].signal(OsSignal.USR1));
        other.onSignal(OsSignal.USR1, there.signal(OsSignal.USR1));
        send(OsSignal.USR1);
        runUntil(() -> here[0].called("signal") && here[1].called("signal"));
        OtherThread.await(() -> there.called("signal"));
        reactor.removeSignal(OsSignal.USR1);
        send(OsSignal.USR1);
        OtherThread.await(() -> there.count("signal") == 2);
        runUntilIdle();
        assertEquals(1, here[0].count("signal"));
        assertEquals(1, here[1].count("signal"));
    }

    @Test
    void oneHandlerIsNotifiedOfSeveralSignals() throws Exception {
        Recorder handler = new Recorder("handler");
        reactor.onSignal(OsSignal.USR1, handler.signal(OsSignal.USR1));
        reactor.onSignal(OsSignal.WINCH, handler.signal(OsSignal.WINCH));
        send(OsSignal.WINCH);
        runUntil(() -> handler.count("signal") == 1);
        send(OsSignal.USR1);
        runUntil(() -> handler.count("signal") == 2);
        assertEquals(List.of("signal SIGWINCH", "signal SIGUSR1"), handler.calls());
    }

    @Test
    void theDispositionIsRestoredWhenTheLastTaskIsRemoved() throws Exception {
        Reactor other = own(openAnother());
        for (OsSignal signal : new OsSignal[] {OsSignal.WINCH, OsSignal.URG, OsSignal.CONT}) {
            Recorder one = new Recorder("one");
            boolean before = Disposition.isCaught(signal);
            reactor.onSignal(signal, one.signal(signal));
            other.onSignal(signal, () -> { });
            assertTrue(Disposition.isCaught(signal));
            reactor.removeSignal(signal);
            reactor.removeSignal(signal);
            other.removeSignal(OsSignal.USR1);
            assertTrue(Disposition.isCaught(signal));
            other.removeSignal(signal);
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
        reactor.onSignal(OsSignal.URG, () -> { });
        assertTrue(Disposition.isCaught(OsSignal.URG));
        reactor.close();
        assertEquals(before, Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void noSignalHandlerIsTakenWhileTheReactorCloses() throws Exception {
        boolean before = Disposition.isCaught(OsSignal.URG);
        Recorder handler = reader("closing", pipe());
        handler.onClose(() -> assertThrows(IllegalStateException.class,
                () -> reactor.onSignal(OsSignal.URG, () -> { })));
        handler.register(reactor, Interest.READ);
        reactor.close();
        assertEquals(List.of("close READ"), handler.calls());
        assertEquals(before, Disposition.isCaught(OsSignal.URG));
    }

    @Test
    void aTaskThatIsRemovedWhileTheSignalIsOnItsWayIsNotRun() throws Exception {
        Recorder removed = new Recorder("removed");
        reactor.onSignal(OsSignal.WINCH, removed.signal(OsSignal.WINCH));
        Reactor other = own(openAnother());
        Recorder arrived = new Recorder("arrived");
        other.onSignal(OsSignal.WINCH, arrived.signal(OsSignal.WINCH));
        own(new LoopRunner(other));
        send(OsSignal.WINCH);
        // Reactors hear of it in the order in which they asked, so by now it is queued here.
        OtherThread.await(() -> arrived.called("signal"));
        reactor.removeSignal(OsSignal.WINCH);
        runUntilIdle();
        assertEquals(List.of(), removed.calls());
    }

    @Test
    void aTaskThatThrowsIsRunAgain() throws Exception {
        Recorder failing = new Recorder("failing").onSignal(() -> {
            throw new StackOverflowError("thrown by the test");
        });
        Recorder other = new Recorder("other");
        reactor.onSignal(OsSignal.WINCH, failing.signal(OsSignal.WINCH));
        reactor.onSignal(OsSignal.WINCH, other.signal(OsSignal.WINCH));
        for (int i = 1; i <= 2; i++) {
            int expected = i;
            send(OsSignal.WINCH);
            runUntil(() -> failing.count("signal") == expected && other.count("signal") == expected);
        }
    }

    @Test
    void removingWhatIsNotThereDoesNothing() {
        reactor.removeSignal(OsSignal.TERM);
    }
}
