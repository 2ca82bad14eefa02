package dev.sluice.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.Handle;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.proactor.Proactors;
import dev.sluice.reactor.Connection;
import dev.sluice.timer.TimerQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A proactor whose dispatch is traced. */
class ProactorTraceTest extends ProactorContract {

    private static final class Failing implements CompletionHandler {

        private volatile boolean failureHandled;

        @Override
        public void handleCompletion(Completion completion) {
            throw new AssertionError("this is what the test wants");
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            failureHandled = true;
        }

        @Override
        public String toString() {
            return "failing";
        }
    }

    private void trace(DispatchTrace trace) throws Exception {
        proactor.close();
        proactor = own(Proactors.on(OpenedDemultiplexers.openAsynchronous(demultiplexer), TimerQueue.heap(), trace));
    }

    private static List<String> calls(DispatchTrace trace) {
        return trace.hooks().stream().map(hook -> hook.hook() + " of " + hook.handler()).toList();
    }

    @Test
    void recordsCompletions() throws Exception {
        DispatchTrace trace = new DispatchTrace();
        trace(trace);
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        stream.receive(ByteBuffer.allocateDirect(1), "token");
        connection.send("x");
        result("token");
        assertEquals(List.of("handleCompletion(RECEIVE) of " + recorder), calls(trace));
        assertEquals(connection.near().handle(), trace.hooks().get(0).handle());
        assertFalse(trace.hooks().get(0).running());
    }

    @Test
    void recordsHooksThatFail() throws Exception {
        DispatchTrace trace = new DispatchTrace();
        trace(trace);
        Failing failing = new Failing();
        proactor.post(failing, null, 1);
        runUntil(() -> failing.failureHandled);
        assertEquals(List.of("handleCompletion(POST) of failing", "handleFailure of failing"), calls(trace));
        assertFalse(trace.hooks().stream().anyMatch(TracedHook::running));
    }

    @Test
    void aHookIsReportedWhileItStillRuns() throws Exception {
        try (StallReports reports = new StallReports()) {
            trace(new DispatchTrace(Duration.ofMillis(20)));
            CountDownLatch reported = new CountDownLatch(1);
            runInBackground();
            proactor.post(new CompletionHandler() {
                @Override
                public void handleCompletion(Completion completion) throws Exception {
                    reported.await();
                }

                @Override
                public String toString() {
                    return "slow";
                }
            }, null, 1);
            try {
                reports.await("has called handleCompletion(POST) of slow in thread ");
            } finally {
                reported.countDown();
            }
        }
    }
}
