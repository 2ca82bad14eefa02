package dev.sluice.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OsSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real signals to this process, which are ignored by default. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class SignalsTest {

    private static final int LIMIT_SECONDS = 60;

    private final BlockingQueue<Runnable> arrivals = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> refusals = new LinkedBlockingQueue<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<OsSignal> handled = new ArrayList<>();
    private volatile boolean withoutMemory;
    private final Signals signals = new Signals(this::take, (handler, cause) -> failures.add(cause));

    private void take(Runnable signal) {
        if (withoutMemory) {
            withoutMemory = false;
            OutOfMemoryError refusal = new OutOfMemoryError("as a test wants it");
            refusals.add(refusal);
            throw refusal;
        }
        arrivals.add(signal);
    }

    private static void send() throws Exception {
        Process kill = new ProcessBuilder("kill", "-WINCH", Long.toString(ProcessHandle.current().pid()))
                .inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    private static <T> T await(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertNotNull(next, "nothing has come");
        return next;
    }

    @AfterEach
    void end() {
        signals.end();
    }

    @Test
    void signalThatIsLostForLackOfMemoryDoesNotCountAsOneWithTheNext() throws Exception {
        assertTrue(signals.add(OsSignal.WINCH, () -> handled.add(OsSignal.WINCH)));
        withoutMemory = true;
        send();
        await(refusals);
        // The flag of the lost signal may still be set for a moment, and another one may be combined with it.
        Runnable next = null;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (next == null && System.nanoTime() - end < 0) {
            send();
            next = arrivals.poll(1, TimeUnit.SECONDS);
        }
        assertNotNull(next, "no signal is taken any more");
        next.run();
        assertEquals(OsSignal.WINCH, handled.get(0));
    }

    @Test
    void failureOfATaskIsReported() throws Exception {
        RuntimeException failure = new RuntimeException("on purpose");
        signals.add(OsSignal.WINCH, () -> {
            throw failure;
        });
        send();
        await(arrivals).run();
        assertSame(failure, failures.get(0));
    }

    @Test
    void signalOnItsWayToATaskThatIsRemovedIsDropped() throws Exception {
        signals.add(OsSignal.WINCH, () -> handled.add(OsSignal.WINCH));
        send();
        Runnable late = await(arrivals);
        signals.remove(OsSignal.WINCH);
        late.run();
        assertEquals(List.of(), handled);
        signals.end();
        assertFalse(signals.add(OsSignal.WINCH, () -> { }));
    }
}
