package dev.sluice.proactor;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.SharedLoopContract;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Timers and tasks of a proactor that several threads run. */
class SharedProactorTimersTest extends SharedProactorContract implements SharedLoopContract {

    @Override
    public EventLoop shared() {
        return proactor;
    }

    @Override
    public void start(int threads) {
        runBy(threads);
    }

    @Override
    public Set<String> violations() {
        return violations;
    }

    @Test
    void aTimerDoesNotWaitForTheThreadThatWouldHaveKeptIt() throws Exception {
        runBy(2);
        for (int i = 0; i < 20; i++) {
            int round = i + 1;
            // The timekeeper may be the thread that gets the event whose hook keeps it busy.
            CountDownLatch fired = new CountDownLatch(1);
            proactor.schedule(token -> fired.countDown(), null, Duration.ofMillis(3));
            proactor.post(completion -> {
                OtherThread.await(fired);
                recorder.handleTimeout(round);
            }, null, 0);
            OtherThread.await(() -> recorder.timeouts().size() == round);
        }
    }
}
