package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** A pool whose dispatch is traced. */
class PoolTraceTest extends PoolContract {

    /** {@return what is recorded, a call in each line, without the line above them} */
    private static List<String> calls(DispatchTrace trace) {
        return trace.toString().lines().skip(1).toList();
    }

    private static void awaitCalls(int count, DispatchTrace trace) {
        OtherThread.await(() -> calls(trace).size() == count && !trace.toString().contains(", running for "));
    }

    private static void assertCalls(List<String> expected, List<String> calls) {
        assertEquals(expected.size(), calls.size());
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(calls.get(i).contains(" " + expected.get(i)), calls.get(i));
        }
    }

    @Test
    void recordsTheHooksOfAllThreads() throws Exception {
        assertTrue(pool.trace().isEmpty());
        DispatchTrace trace = new DispatchTrace();
        HandleSetSource source = new HandleSetSource(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()),
                handleSet.kind());
        Pipe early = pipe();
        Recorder before = reader("registered before the pool", early);
        before.register(source, Interest.READ);
        pool = ownPool(new LeaderFollowersPool(source, PromotionOrder.FIFO, trace));
        Members members = join(3);
        send(early);
        OtherThread.await(() -> before.called("input"));
        Pipe pipe = pipe();
        Recorder failing = register("failing", pipe).onInput(() -> {
            throw new IllegalStateException("this is what the test wants");
        });
        send(pipe);
        awaitCalls(4, trace);
        assertCalls(List.of("handleInput of registered before the pool", "handleInput of failing",
                "handleFailure of failing", "handleClose of failing"), calls(trace));
        assertTrue(calls(trace).stream().allMatch(call -> members.threads().stream()
                .anyMatch(thread -> call.contains(" " + thread.getName() + " handle"))), trace::toString);
        assertTrue(failing.called("failure"));
    }

    @Test
    void recordsElementsAndTimers() throws Exception {
        DispatchTrace trace = new DispatchTrace();
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>(List.of("element"));
        TimerSource timers = new TimerSource(TimerQueue.heap());
        Recorder timer = new Recorder("timer");
        timers.schedule(timer, "token", Duration.ZERO);
        MultipleLeadersPool sources = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO,
                List.of(new QueueSource<>(queue, element -> { }), timers), trace));
        own(new Members(sources, 2));
        awaitCalls(2, trace);
        assertEquals(1, calls(trace).stream().filter(call -> call.contains(" handleElement of ")).count());
        assertEquals(1, calls(trace).stream().filter(call -> call.contains(" handleTimeout of timer")).count());
        assertFalse(queue.contains("element"));
    }
}
