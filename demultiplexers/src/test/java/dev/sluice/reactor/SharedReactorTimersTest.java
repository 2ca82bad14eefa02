package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.SharedLoopContract;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers, tasks and signals of a reactor that several threads run. */
class SharedReactorTimersTest extends SharedReactorContract implements SharedLoopContract {

    @Override
    public EventLoop shared() {
        return reactor;
    }

    @Override
    public void start(int threads) throws IOException {
        runBy(threads);
    }

    @Override
    public Set<String> violations() {
        return violations;
    }

    @Test
    void aTimerDoesNotWaitForTheThreadThatWouldHaveKeptIt() throws Exception {
        runBy(2);
        Pipe pipe = pipe();
        CountDownLatch[] fired = new CountDownLatch[1];
        Recorder busy = reader("busy", pipe);
        busy.onInput(() -> OtherThread.await(fired[0]));
        busy.register(reactor, Interest.READ);
        for (int i = 1; i <= 20; i++) {
            int expected = i;
            // The timekeeper may be the thread that gets the event whose hook keeps it busy.
            fired[0] = new CountDownLatch(1);
            reactor.schedule(token -> fired[0].countDown(), null, Duration.ofMillis(3));
            send(pipe);
            OtherThread.await(() -> busy.count("input") == expected);
            OtherThread.await(fired[0]);
        }
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void signalsAreHandledWhileAHookIsBusy() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        beginHook(own(Connection.unix()), end);
        Recorder handler = new Recorder("signalled");
        reactor.onSignal(OsSignal.URG, handler.signal(OsSignal.URG));
        raise();
        OtherThread.await(() -> handler.called("signal"));
        reactor.removeSignal(OsSignal.URG);
        end.countDown();
    }

    private static void raise() throws Exception {
        Process kill = new ProcessBuilder("kill", "-URG", Long.toString(ProcessHandle.current().pid())).start();
        assertEquals(0, kill.waitFor());
    }
}
