package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many connections, and threads that come and go, stop each other, run the loop inside of hooks, schedule and cancel
 * timers, give tasks, and open, cancel and close handles all the while: no handle is dispatched by two threads, nothing
 * is lost, nothing happens twice, and no thread is stuck.
 */
@Tag(Depth.OPTIMIZED)
class SharedProactorStressTest extends SharedProactorContract {

    private static final int CLIENTS = 6;
    private static final int RUNNERS = 6;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger over = new AtomicInteger();
    private final AtomicInteger timers = new AtomicInteger();
    private final AtomicInteger timersOver = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicInteger tasksRun = new AtomicInteger();
    private final AtomicInteger nextTask = new AtomicInteger();
    private volatile boolean finished;
    private volatile boolean closing;

    @Test
    void nothingIsLostAndNothingHappensTwice() throws Exception {
        stress(100);
    }

    @Tag("stress")
    @Test
    void nothingIsLostAndNothingHappensTwiceForLong() throws Exception {
        stress(6_000);
    }

    private void stress(int rounds) throws Exception {
        List<OtherThread<Void>> runners = new ArrayList<>();
        for (int i = 0; i < RUNNERS; i++) {
            runners.add(OtherThread.start(this::runNowAndThen));
        }
        List<ExclusiveEcho> echoes = new ArrayList<>();
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Connection connection = i % 2 == 0 ? unix() : tcp();
            echoes.add(new ExclusiveEcho(proactor, connection.near(), violations));
            int seed = i;
            clients.add(OtherThread.start(() -> {
                exchange(connection, seed, rounds);
                connection.far().close();
                return null;
            }));
        }
        List<OtherThread<Void>> others = List.of(OtherThread.start(this::openAndClose),
                OtherThread.start(this::scheduleAndCancel), OtherThread.start(this::giveTasks),
                OtherThread.start(this::stopNowAndThen));
        for (OtherThread<Void> client : clients) {
            client.result(Duration.ofMinutes(10));
        }
        OtherThread.await(() -> echoes.stream().allMatch(ExclusiveEcho::isOver));
        finished = true;
        for (OtherThread<Void> other : others) {
            other.result();
        }
        OtherThread.await(() -> started.get() == over.get());
        OtherThread.await(() -> timers.get() == timersOver.get());
        OtherThread.await(() -> tasks.get() == tasksRun.get());
        closeWithOperationsInFlight();
        for (OtherThread<Void> runner : runners) {
            runner.result();
        }
        assertEquals(started.get(), over.get());
        assertEquals(timers.get(), timersOver.get());
        assertEquals(tasks.get(), tasksRun.get());
        assertTrue(started.get() > 0 && timers.get() > 0 && tasks.get() > 0);
    }

    private void closeWithOperationsInFlight() throws IOException {
        for (int i = 0; i < 10; i++) {
            AsyncStream stream = new AsyncStream(proactor, unix().near(), new Counter());
            stream.receive(ByteBuffer.allocate(1), null);
            stream.receiveContinuously(null);
            started.addAndGet(2);
        }
        closing = true;
        proactor.close();
    }

    private Void runNowAndThen() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
            try {
                if (random.nextBoolean()) {
                    proactor.run();
                    // It returns at once as long as another one has not stopped.
                    pause(200_000);
                } else {
                    proactor.runOnce(Duration.ofNanos(random.nextInt(1_000_000)));
                }
            } catch (IllegalStateException e) {
                if (!closing) {
                    throw e;
                }
                return null;
            }
        }
    }

    private Void stopNowAndThen() {
        while (!finished) {
            proactor.stop();
            pause(10_000_000);
        }
        return null;
    }

    private static void pause(int maxNanos) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(maxNanos));
    }

    private Void scheduleAndCancel() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!finished) {
            Timer timer = proactor.schedule(token -> timersOver.incrementAndGet(), "token",
                    Duration.ofNanos(random.nextInt(3_000_000)));
            timers.incrementAndGet();
            pause(1_000_000);
            if (random.nextInt(3) == 0 && timer.cancel()) {
                timersOver.incrementAndGet();
            }
        }
        return null;
    }

    private Void giveTasks() {
        while (!finished) {
            int number = tasks.getAndIncrement();
            proactor.execute(() -> {
                if (nextTask.getAndIncrement() != number) {
                    violations.add("tasks out of order");
                }
                tasksRun.incrementAndGet();
            });
            pause(500_000);
        }
        return null;
    }

    /** Counts what is over; now and then its hook runs the loop. */
    private final class Counter implements CompletionHandler {

        private final AtomicInteger inside = new AtomicInteger();

        @Override
        public void handleCompletion(Completion completion) throws Exception {
            if (inside.getAndIncrement() != 0) {
                violations.add("two hooks at once");
            }
            if (ThreadLocalRandom.current().nextInt(20) == 0) {
                proactor.runOnce(Duration.ofNanos(100_000));
            }
            if (completion.isLast()) {
                over.incrementAndGet();
            }
            inside.decrementAndGet();
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            violations.add(cause.toString());
        }
    }

    /** Handles that live for a moment: what was started on them comes back, once. */
    private Void openAndClose() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!finished) {
            try (Connection connection = Connection.unix()) {
                int before = over.get();
                AsyncStream stream = new AsyncStream(proactor, connection.near(), new Counter());
                long first = stream.receive(ByteBuffer.allocate(8), null);
                stream.receive(ByteBuffer.allocateDirect(8), null);
                stream.send(heap("x"), null);
                long last = stream.receiveContinuously(null);
                started.addAndGet(4);
                stream.cancel(random.nextBoolean() ? first : last);
                for (int i = random.nextInt(3); i > 0; i--) {
                    connection.send("y");
                }
                stream.cancel(first);
                if (random.nextBoolean()) {
                    stream.cancel();
                }
                stream.close();
                OtherThread.await(() -> over.get() == before + 4);
            }
        }
        return null;
    }
}
