package dev.sluice.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorContract;
import dev.sluice.reactor.Reactors;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A reactor whose dispatch is traced. */
class ReactorTraceTest extends ReactorContract {

    private static final Duration SHORT = Duration.ofMillis(20);

    private Reactor traced(DispatchTrace trace) throws IOException {
        reactor.close();
        SynchronousEventDemultiplexer opened = OpenedDemultiplexers.openSynchronous(demultiplexer);
        reactor = own(Reactors.on(opened, TimerQueue.heap(), opened.handleSetKind(), trace));
        return reactor;
    }

    private static List<String> calls(DispatchTrace trace) {
        return trace.hooks().stream().map(hook -> hook.hook() + " of " + hook.handler()).toList();
    }

    @Test
    void hasNoneUnlessAskedFor() {
        assertTrue(reactor.trace().isEmpty());
    }

    @Test
    void recordsTheHooksOfHandlesTimersAndTasks() throws Exception {
        DispatchTrace trace = new DispatchTrace();
        Reactor recorded = traced(trace);
        assertEquals(trace, recorded.trace().orElseThrow());
        Pipe pipe = readablePipe();
        Recorder reader = reader("reader", pipe);
        reader.register(recorded, Interest.READ);
        runUntil(() -> reader.called("input"));
        TracedHook input = trace.hooks().get(0);
        assertEquals("handleInput of reader", input.hook() + " of " + input.handler());
        assertEquals(pipe.source(), input.handle());
        Recorder timer = new Recorder("timer");
        recorded.schedule(timer, "token", Duration.ZERO);
        runUntil(() -> timer.called("timeout token"));
        Recorder task = new Recorder("task");
        recorded.execute(new Runnable() {
            @Override
            public void run() {
                task.handleFailure(null, null);
            }

            @Override
            public String toString() {
                return "a task";
            }
        });
        runUntil(() -> task.called("failure"));
        reader.registration().close();
        assertEquals(List.of("handleInput of reader", "handleTimeout of timer", "run of a task",
                "handleClose of reader"), calls(trace));
        assertEquals("token", trace.hooks().get(1).handle());
        assertFalse(trace.hooks().stream().anyMatch(TracedHook::running));
    }

    @Test
    void recordsHooksThatFailAndWhatTheyLeadTo() throws Exception {
        DispatchTrace trace = new DispatchTrace();
        Reactor recorded = traced(trace);
        Recorder reader = reader("reader", readablePipe()).onInput(() -> {
            throw new StackOverflowError();
        });
        reader.register(recorded, Interest.READ);
        runUntil(() -> reader.called("close READ"));
        assertEquals(List.of("handleInput of reader", "handleFailure of reader", "handleClose of reader"),
                calls(trace));
        assertFalse(trace.hooks().stream().anyMatch(TracedHook::running));
    }

    @Test
    void aHookIsReportedWhileItStillRuns() throws Exception {
        try (StallReports reports = new StallReports()) {
            traced(new DispatchTrace(SHORT));
            CountDownLatch reported = new CountDownLatch(1);
            Recorder reader = reader("slow reader", readablePipe()).onInput(reported::await);
            // It waits until the loop runs, so it comes before what stalls the loop.
            runInBackground();
            reader.register(reactor, Interest.READ);
            try {
                reports.await("has called handleInput of slow reader on ");
                reports.await("which has not returned for ");
                reports.await("CountDownLatch.await");
                reports.await("trace of " + reactor);
                reports.await(", running for ");
            } finally {
                reported.countDown();
            }
        }
    }

    @Test
    void insideAHookThatRunsTheLoopAnotherIsReported() throws Exception {
        try (StallReports reports = new StallReports()) {
            traced(new DispatchTrace(SHORT));
            CountDownLatch reported = new CountDownLatch(1);
            Pipe pipe = pipe();
            Recorder inner = reader("slow inner", pipe).onInput(reported::await);
            Recorder timer = new Recorder("timer").onTimeout(() -> send(pipe));
            Recorder outer = reader("outer", readablePipe()).onInput(() -> {
                inner.register(reactor, Interest.READ);
                // The wait takes longer than a hook may.
                reactor.schedule(timer, null, SHORT.multipliedBy(10));
                while (!inner.called("input")) {
                    reactor.runOnce(LIMIT);
                }
            });
            runInBackground();
            outer.register(reactor, Interest.READ);
            try {
                reports.await("has called handleInput of slow inner on ");
            } finally {
                reported.countDown();
            }
        }
    }

    @Test
    void thePropertyTurnsItOn() throws Exception {
        try {
            System.setProperty(DispatchTrace.PROPERTY, "0");
            reactor.close();
            reactor = own(Reactor.open(demultiplexer));
        } finally {
            System.clearProperty(DispatchTrace.PROPERTY);
        }
        Recorder reader = reader("reader", readablePipe());
        reader.register(reactor, Interest.READ);
        runUntil(() -> reader.called("input"));
        assertEquals(List.of("handleInput of reader"), calls(reactor.trace().orElseThrow()));
    }
}
