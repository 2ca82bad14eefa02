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
        pool.onSignal(OsSignal.WINCH, handler.signal(OsSignal.WINCH));
        pool.onSignal(OsSignal.URG, handler.signal(OsSignal.URG));
        send(OsSignal.WINCH);
        OtherThread.await(() -> handler.count("signal") == 1);
        send(OsSignal.URG);
        OtherThread.await(() -> handler.count("signal") == 2);
        assertEquals(List.of("signal SIGWINCH", "signal SIGURG"), handler.calls());
        assertTrue(members.threads().containsAll(handler.threads()));
        pool.removeSignal(OsSignal.WINCH);
        Recorder other = new Recorder("other");
        pool.onSignal(OsSignal.WINCH, other.signal(OsSignal.WINCH));
        send(OsSignal.WINCH);
        OtherThread.await(() -> other.called("signal"));
        assertEquals(2, handler.count("signal"));
    }

    @Test
    void aSignalThatComesDuringItsHookIsDispatchedAfterwardsOnce() throws Exception {
        Semaphore go = new Semaphore(0);
        Recorder handler = new Recorder("handler").onSignal(go::acquire);
        Recorder witness = new Recorder("witness");
        pool.onSignal(OsSignal.WINCH, handler.signal(OsSignal.WINCH));
        pool.onSignal(OsSignal.WINCH, witness.signal(OsSignal.WINCH));
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
    void aTaskThatThrowsIsRunAgain() throws Exception {
        Recorder failing = new Recorder("failing").onSignal(() -> {
            throw new IOException("on purpose");
        });
        pool.onSignal(OsSignal.WINCH, failing.signal(OsSignal.WINCH));
        join(1);
        for (int i = 1; i <= 2; i++) {
            int expected = i;
            send(OsSignal.WINCH);
            OtherThread.await(() -> failing.count("signal") == expected);
        }
    }

    @Test
    void aSignalThatCameBeforeAnyThreadJoinedIsNotLost() throws Exception {
        Recorder handler = new Recorder("handler");
        Recorder elsewhere = new Recorder("elsewhere");
        pool.onSignal(OsSignal.WINCH, handler.signal(OsSignal.WINCH));
        LeaderFollowersPool other = ownPool(openPool(PromotionOrder.LIFO));
        other.onSignal(OsSignal.WINCH, elsewhere.signal(OsSignal.WINCH));
        own(new Members(other, 1));
        send(OsSignal.WINCH);
        OtherThread.await(() -> elsewhere.called("signal"));
        join(1);
        OtherThread.await(() -> handler.called("signal"));
    }

    @Test
    void aClosedPoolTakesNoTaskForASignal() throws Exception {
        pool.onSignal(OsSignal.WINCH, () -> { });
        close(pool);
        assertThrows(IllegalStateException.class, () ->
                pool.onSignal(OsSignal.WINCH, () -> { }));
        pool.removeSignal(OsSignal.WINCH);
        // Its default action is to do nothing.
        send(OsSignal.WINCH);
    }
}
