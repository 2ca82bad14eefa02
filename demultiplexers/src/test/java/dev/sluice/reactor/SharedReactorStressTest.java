package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
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
 * timers, give tasks, and register, pause, replace, remove and close handles all the while: no handle is dispatched by
 * two threads, nothing is lost, nothing happens twice, and no thread is stuck.
 */
@Tag(Depth.OPTIMIZED)
class SharedReactorStressTest extends SharedReactorContract {

    private static final int CLIENTS = 6;
    private static final int RUNNERS = 6;

    private final AtomicInteger registered = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger timers = new AtomicInteger();
    private final AtomicInteger timersOver = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicInteger tasksRun = new AtomicInteger();
    private volatile boolean finished;
    private volatile boolean closing;

    @Test
    void nothingIsLostAndNothingHappensTwice() throws Exception {
        stress(40);
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
        List<ExclusiveEchoHandler> echoes = new ArrayList<>();
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Connection connection = own(i % 2 == 0 ? Connection.unix() : Connection.tcp());
            echoes.add(new ExclusiveEchoHandler(reactor, connection, violations));
            int seed = i;
            clients.add(OtherThread.start(() -> {
                exchange(connection, seed, rounds);
                connection.far().close();
                return null;
            }));
        }
        List<OtherThread<Void>> others = List.of(OtherThread.start(this::openAndClose),
                OtherThread.start(this::openAndClose), OtherThread.start(this::scheduleAndCancel),
                OtherThread.start(this::giveTasks), OtherThread.start(this::stopNowAndThen));
        for (OtherThread<Void> client : clients) {
            client.result(Duration.ofMinutes(10));
        }
        OtherThread.await(() -> echoes.stream().allMatch(ExclusiveEchoHandler::isOver));
        finished = true;
        for (OtherThread<Void> other : others) {
            other.result();
        }
        OtherThread.await(() -> timers.get() == timersOver.get());
        OtherThread.await(() -> tasks.get() == tasksRun.get());
        for (int i = 0; i < 10; i++) {
            new Counter(own(Connection.unix())).register(reactor, Interest.READ);
            registered.incrementAndGet();
        }
        closing = true;
        reactor.close();
        for (OtherThread<Void> runner : runners) {
            runner.result();
        }
        assertEquals(registered.get(), ended.get());
        assertEquals(timers.get(), timersOver.get());
        assertEquals(tasks.get(), tasksRun.get());
        assertTrue(registered.get() > 0 && timers.get() > 0 && tasks.get() > 0);
    }

    private Void runNowAndThen() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
            try {
                if (random.nextBoolean()) {
                    reactor.run();
                    // It returns at once as long as another one has not stopped.
                    pause(200_000);
                } else {
                    reactor.runOnce(Duration.ofNanos(random.nextInt(1_000_000)));
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
            reactor.stop();
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
            Timer timer = reactor.schedule(token -> timersOver.incrementAndGet(), "token",
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
            reactor.execute(() -> {
                if (tasksRun.getAndIncrement() != number) {
                    violations.add("tasks out of order");
                }
            });
            pause(500_000);
        }
        return null;
    }

    /** Takes a byte at a time; now and then its hook runs the loop. Several registrations may be of one handler. */
    private final class Counter extends OneHandleHandler {

        private final Connection connection;
        private final ByteBuffer room = ByteBuffer.allocate(1);
        private final AtomicInteger inside = new AtomicInteger();
        private int depth;

        Counter(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Handle handle() {
            return connection.near().handle();
        }

        private void in() {
            if (depth == 0 && inside.getAndIncrement() != 0) {
                violations.add("two hooks at once");
            }
            depth++;
        }

        private void out() {
            depth--;
            if (depth == 0) {
                inside.decrementAndGet();
            }
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            in();
            try {
                if (depth > 1) {
                    violations.add("entered again");
                }
                ThreadLocalRandom random = ThreadLocalRandom.current();
                if (random.nextInt(10) == 0) {
                    reactor.runOnce(Duration.ofNanos(100_000));
                }
                if (connection.near().receive(room.clear()) < 0 || random.nextInt(20) == 0) {
                    registration.close();
                }
            } finally {
                out();
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            // The test closes handles at any time.
            if (!(cause instanceof HandleClosedException) && !(cause instanceof SystemCallException)) {
                violations.add(cause.toString());
            }
        }

        @Override
        public void handleClose(Registration registration) {
            in();
            ended.incrementAndGet();
            out();
        }
    }

    /** Handles that live for a moment: each registration ends, once. */
    private Void openAndClose() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!finished) {
            try (Connection connection = Connection.unix()) {
                Counter counter = new Counter(connection);
                connection.send("abcdef");
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    if (!counter.isRegistered()) {
                        register(counter);
                    }
                    counter.registration().pause();
                    counter.registration().interest(Interest.READ);
                    counter.registration().resume();
                    connection.send("x");
                    pause(100_000);
                    if (random.nextBoolean()) {
                        counter.registration().close();
                    }
                }
            }
        }
        OtherThread.await(() -> registered.get() == ended.get());
        return null;
    }

    private void register(Counter counter) throws IOException {
        // Counted first, since it may end before the method returns.
        registered.incrementAndGet();
        counter.register(reactor, Interest.READ);
    }
}
