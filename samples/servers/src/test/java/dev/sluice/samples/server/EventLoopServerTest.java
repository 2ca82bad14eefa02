package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that come and go while they run one proactor. */
@EnabledOnOs(OS.LINUX)
class EventLoopServerTest {

    private static final String NAME = "resized";

    private final StopRequest stop = new StopRequest();

    private static Proactor concurrentProactor() throws IOException {
        String name = Mechanism.available().stream().filter(each -> each.mode() == Mode.ASYNCHRONOUS
                && each.isConcurrent() && each.availability().usable())
                .map(Mechanism::name).findFirst().orElseThrow();
        return Proactor.open(name);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A server may be stopped as soon as it has registered its threads. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void hasAsManyThreadsAsItWasToHaveBeforeItServed(int count) throws Exception {
        try (EventLoopServer<Proactor> server = new EventLoopServer<>(NAME, 1, 3,
                EventLoopServerTest::concurrentProactor, stop)) {
            server.resize(count);
            assertEquals(count, server.threads());
            CountDownLatch ready = new CountDownLatch(1);
            Background<Void> serving = Background.run(() -> {
                server.serve(List.of(), ready::countDown);
                return null;
            });
            await(ready);
            awaitThreads(server, count);
            stop.request();
            serving.result();
        }
    }

    /** Occupies this number of threads, and fails unless the server has exactly these. */
    private static void awaitThreads(EventLoopServer<Proactor> server, int count) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Proactor proactor = server.loops().get(0);
        for (int i = 0; i < count; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            proactor.post(new PostedHook(() -> {
                begun.countDown();
                await(end);
            }), null, 0);
            await(begun);
        }
        Patience.until("all are busy", () -> server.busy() == count);
        Patience.until("the others have ended", () -> Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith(NAME)).count() == count);
        end.countDown();
        Patience.until("none is busy", () -> server.busy() == 0);
    }

    private record PostedHook(Runnable task) implements CompletionHandler {

        @Override
        public void handleCompletion(Completion completion) {
            task.run();
        }
    }

    @Test
    void hasMoreAndFewerThreadsWhileItServes() throws Exception {
        try (EventLoopServer<Proactor> server = new EventLoopServer<>(NAME, 1, 2,
                EventLoopServerTest::concurrentProactor, stop)) {
            CountDownLatch ready = new CountDownLatch(1);
            Background<Void> serving = Background.run(() -> {
                server.serve(List.of(), ready::countDown);
                return null;
            });
            await(ready);
            for (int count : new int[] {2, 6, 1, 4}) {
                server.resize(count);
                assertEquals(count, server.threads());
                awaitThreads(server, count);
            }
            stop.request();
            serving.result();
        }
    }
}
