package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real signals to this process, whose default action is to do nothing, reach the threads of a pool. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PoolSignalTest extends PoolContract {

    private static void send(OsSignal signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal.name(), Long.toString(ProcessHandle.current().pid()))
                .inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    // The JVM's own thread that has brought the signal may still be on its way back out of the pool.
    @AfterEach
    void awaitTheThreadsOfTheSignals() {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("SIG\\w+ handler"))
                .forEach(OtherThread::awaitEnd);
    }

    @Test
    void aSignalReachesItsHandlerInAThreadOfThePool() throws Exception {
        Members members = join(2);
        Recorder handler = new Recorder("handler");
        pool.registerSignalHandler(OsSignal.WINCH, handler);
        pool.registerSignalHandler(OsSignal.WINCH, handler);
        pool.registerSignalHandler(OsSignal.URG, handler);
        send(OsSignal.WINCH);
        OtherThread.await(() -> handler.count("signal") == 1);
        send(OsSignal.URG);
        OtherThread.await(() -> handler.count("signal") == 2);
        assertEquals(List.of("signal SIGWINCH", "signal SIGURG"), handler.calls());
        assertTrue(members.threads().containsAll(handler.threads()));
        pool.removeSignalHandler(OsSignal.WINCH, handler);
        Recorder other = new Recorder("other");
        pool.registerSignalHandler(OsSignal.WINCH, other);
        send(OsSignal.WINCH);
        OtherThread.await(() -> other.called("signal"));
        assertEquals(2, handler.count("signal"));
    }

    @Test
    void aSignalThatComesDuringItsHookIsDispatchedAfterwardsOnce() throws Exception {
        Semaphore go = new Semaphore(0);
        Recorder handler = new Recorder("handler").onSignal(go::acquire);
        Recorder witness = new Recorder("witness");
        pool.registerSignalHandler(OsSignal.WINCH, handler);
        pool.registerSignalHandler(OsSignal.WINCH, witness);
        join(3);
        send(OsSignal.WINCH);
        OtherThread.await(() -> handler.called("signal") && witness.called("signal"));
        for (int i = 2; i <= 3; i++) {
            int expected = i;
            send(OsSignal.WINCH);
            OtherThread.await(() -> witness.count("signal") == expected);
        }
        assertEquals(1, handler.count("signal"));
        go.release();
        OtherThread.await(() -> handler.count("signal") == 2);
        go.release(2);
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(2, handler.count("signal"));
    }

    @Test
    void handlerThatThrowsGetsTheFailureAndStaysRegistered() throws Exception {
        IOException failure = new IOException("on purpose");
        Recorder handler = new Recorder("handler").onSignal(() -> {
            throw failure;
        });
        pool.registerSignalHandler(OsSignal.WINCH, handler);
        join(1);
        for (int i = 1; i <= 2; i++) {
            int expected = i;
            send(OsSignal.WINCH);
            OtherThread.await(() -> handler.failures().size() == expected);
        }
        assertEquals(List.of(failure, failure), handler.failures());
        assertEquals(List.of(), handler.handles());
    }

    @Test
    void aSignalThatCameBeforeAnyThreadJoinedIsNotLost() throws Exception {
        Recorder handler = new Recorder("handler");
        Recorder elsewhere = new Recorder("elsewhere");
        pool.registerSignalHandler(OsSignal.WINCH, handler);
        LeaderFollowersPool other = ownPool(openPool(PromotionOrder.LIFO));
        other.registerSignalHandler(OsSignal.WINCH, elsewhere);
        own(new Members(other, 1));
        send(OsSignal.WINCH);
        OtherThread.await(() -> elsewhere.called("signal"));
        join(1);
        OtherThread.await(() -> handler.called("signal"));
    }

    @Test
    void aClosedPoolTakesNoSignalHandler() throws Exception {
        pool.registerSignalHandler(OsSignal.WINCH, new Recorder("first"));
        close(pool);
        assertThrows(IllegalStateException.class, () ->
                pool.registerSignalHandler(OsSignal.WINCH, new Recorder("late")));
        pool.removeSignalHandler(OsSignal.WINCH, new Recorder("stranger"));
        // Its default action is to do nothing.
        send(OsSignal.WINCH);
    }
}
