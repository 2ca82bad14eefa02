package dev.sluice.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The recorded events, and those that are kept. */
@Tag(Depth.IN_QUICK)
class DispatchTraceTest {

    private final DispatchTrace trace = new DispatchTrace();

    private void call(Object handler, Object handle) {
        trace.begin("handleInput", handler, handle);
        trace.end();
    }

    @Test
    void recordsHookHandlerHandleThreadAndTime() {
        Instant before = Instant.now();
        trace.begin("handleInput", "a handler", "a handle");
        TracedHook running = trace.hooks().get(0);
        assertTrue(running.running());
        trace.end();
        assertEquals(1, trace.hooks().size());
        TracedHook hook = trace.hooks().get(0);
        assertEquals("handleInput of a handler on a handle", hook.hook() + " of " + hook.handler() + " on "
                + hook.handle());
        assertSame(Thread.currentThread(), hook.thread());
        assertFalse(hook.running());
        assertEquals(running.began(), hook.began());
        // The two clocks may differ slightly, and the wall clock may be set.
        assertTrue(Duration.between(before, hook.began()).abs().compareTo(Duration.ofHours(1)) < 0);
        assertFalse(hook.duration().isNegative());
        assertTrue(hook.toString().contains("handleInput of a handler on a handle, "), hook::toString);
        assertTrue(running.toString().contains(", running for "), running::toString);
    }

    @Test
    void keepsTheLastThousand() {
        for (int i = 0; i < DispatchTrace.CAPACITY + 10; i++) {
            call(i, null);
        }
        List<Object> expected = IntStream.range(10, DispatchTrace.CAPACITY + 10).<Object>mapToObj(i -> i).toList();
        assertEquals(expected, trace.hooks().stream().map(TracedHook::handler).toList());
    }

    @Test
    void nestedHookIsRecordedAfterTheOuterOne() {
        trace.begin("outer", 1, null);
        trace.enter();
        call(2, null);
        call(3, null);
        trace.leave();
        assertEquals(List.of(true, false, false), trace.hooks().stream().map(TracedHook::running).toList());
        trace.end();
        assertEquals(List.of(false, false, false), trace.hooks().stream().map(TracedHook::running).toList());
        assertEquals(List.of(1, 2, 3), trace.hooks().stream().map(TracedHook::handler).toList());
    }

    @Test
    void endOfAnOverwrittenHookDoesNotChangeAnother() {
        trace.begin("outer", -1, null);
        for (int i = 0; i < DispatchTrace.CAPACITY - 1; i++) {
            call(i, null);
        }
        trace.begin("in its place", -2, null);
        trace.end();
        trace.begin("running", -3, null);
        trace.end();
        trace.end();
        assertFalse(trace.hooks().stream().anyMatch(hook -> hook.handler().equals(-1)));
        assertEquals(DispatchTrace.CAPACITY, trace.hooks().size());
    }

    @Test
    void handlerWhoseToStringFailsIsNamedByItsClass() {
        Object bad = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("not now");
            }
        };
        call(bad, bad);
        assertTrue(trace.toString().contains(bad.getClass().getName()), trace::toString);
    }

    @Test
    void recordsAreNeverMixedHoweverManyThreadsWrite() throws InterruptedException {
        AtomicReference<AssertionError> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                Thread self = Thread.currentThread();
                for (int call = 0; call < 100_000; call++) {
                    call(self, self);
                }
            });
            threads.add(thread);
            thread.start();
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            for (TracedHook hook : trace.hooks()) {
                if (hook.handler() != hook.handle() || hook.handler() != hook.thread()) {
                    failure.set(new AssertionError(hook.toString()));
                }
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertNull(failure.get());
        // A thread suspended while it recorded a call may have kept a later call from that slot.
        assertTrue(trace.hooks().size() >= DispatchTrace.CAPACITY - threads.size(), () -> "" + trace.hooks().size());
    }

    @Test
    void traceBelongsToOneLoop() {
        trace.bind("one");
        trace.bind("one");
        assertThrows(IllegalStateException.class, () -> trace.bind("another"));
        assertTrue(trace.toString().startsWith("trace of one\n"));
    }

    @Test
    void isOffUnlessThePropertyTurnsItOn() {
        assertNull(System.getProperty(DispatchTrace.PROPERTY));
        assertNull(DispatchTrace.configured());
        try {
            System.setProperty(DispatchTrace.PROPERTY, "0");
            assertEquals(List.of(), DispatchTrace.configured().hooks());
            for (String wrong : List.of("", "on", "-1", "1.5")) {
                System.setProperty(DispatchTrace.PROPERTY, wrong);
                IllegalArgumentException refusal =
                        assertThrows(IllegalArgumentException.class, DispatchTrace::configured);
                assertTrue(refusal.getMessage().startsWith("-Dsluice.trace=" + wrong + ":"), refusal::getMessage);
            }
        } finally {
            System.clearProperty(DispatchTrace.PROPERTY);
        }
    }

    @Test
    void printAllPrintsOpenTraces() throws Exception {
        trace.bind("a loop that is open");
        trace.enter();
        call("a handler", null);
        trace.leave();
        StringBuilder printed = new StringBuilder();
        DispatchTrace.printAll(printed);
        assertTrue(printed.toString().contains("trace of a loop that is open\n"), printed::toString);
        trace.close();
        printed.setLength(0);
        DispatchTrace.printAll(printed);
        assertFalse(printed.toString().contains("a loop that is open"), printed::toString);
        assertEquals(1, trace.hooks().size());
    }
}
