package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads, handlers that take their time, and others that register, remove, silence and close handles, add and
 * remove threads and set timers all the while: no handle is dispatched by two threads, no event is lost, no more than
 * one thread waits on an iterative set, and no thread is stuck.
 */
@Tag(Depth.IN_QUICK)
@Tag(Depth.OPTIMIZED)
class PoolStressTest extends PoolContract {

    private static final int THREADS = 16;
    private static final int LINES = 24;
    private static final int SENDERS = 3;
    private static final int CHANGERS = 3;

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<BusyLine> lines = new ArrayList<>();
    private final AtomicLong opened = new AtomicLong();
    private volatile boolean over;

    @Test
    void nothingIsLostAndNothingHappensTwice() throws Exception {
        stress(orderInTurn(), CalledSystem.times(Depth.times(200, 700, 2_000)));
    }

    /** The handle sets take the orders by turns, as there is no time for each order on each of them. */
    private PromotionOrder orderInTurn() {
        PromotionOrder[] orders = PromotionOrder.values();
        return orders[HandleSet.usable(Mode.SYNCHRONOUS).indexOf(handleSet) % orders.length];
    }

    @Tag("stress")
    @ParameterizedTest
    @EnumSource
    void nothingIsLostAndNothingHappensTwiceForLong(PromotionOrder order) throws Exception {
        stress(order, CalledSystem.times(30_000));
    }

    private void stress(PromotionOrder order, int eventsPerSender) throws Exception {
        CountedWaits waits = new CountedWaits(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()));
        HandleSetSource watched = new HandleSetSource(waits, handleSet.kind());
        LeaderFollowersPool stressed = ownPool(new LeaderFollowersPool(watched, order));
        for (int i = 0; i < LINES; i++) {
            BusyLine line = new BusyLine(stressed, pipe(), violations);
            lines.add(line);
            line.note(stressed.handleSet().register(line.handle(), Interest.READ, line, promotion(i)));
        }
        List<OtherThread<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean comesAndGoes = i % 4 == 0;
            threads.add(OtherThread.start(() -> serve(stressed, comesAndGoes)));
        }
        List<OtherThread<Void>> others = new ArrayList<>();
        for (int i = 0; i < CHANGERS; i++) {
            others.add(OtherThread.start(() -> change(stressed)));
        }
        others.add(OtherThread.start(() -> openAndClose(stressed)));
        others.add(OtherThread.start(() -> removeThreads(stressed, threads)));
        others.add(OtherThread.start(() -> setTimers(stressed)));
        List<OtherThread<Void>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(OtherThread.start(() -> send(eventsPerSender)));
        }
        for (OtherThread<Void> sender : senders) {
            sender.result(Duration.ofMinutes(10));
        }
        over = true;
        for (OtherThread<Void> other : others) {
            other.result();
        }
        OtherThread.await(() -> lines.stream().allMatch(BusyLine::hasAll));
        OtherThread.await(() -> stressed.threads(ThreadRole.PROCESSING).isEmpty());
        // No thread is stuck: all of them dispatch once more, and leave.
        for (BusyLine line : lines) {
            line.send();
        }
        OtherThread.await(() -> lines.stream().allMatch(BusyLine::hasAll));
        close(stressed);
        for (OtherThread<Void> thread : threads) {
            thread.result();
        }
        assertEquals(List.of(), List.copyOf(violations));
        assertEquals((long) SENDERS * eventsPerSender + LINES, lines.stream().mapToLong(BusyLine::received).sum());
        assertTrue(lines.stream().allMatch(line -> line.closed() > 0));
        assertTrue(opened.get() > 0);
        if (handleSet.hasLeader()) {
            assertEquals(1, waits.maxInside());
        }
    }

    private static Promotion promotion(int number) {
        return number % 3 == 0 ? Promotion.BY_HANDLER : Promotion.BEFORE_DISPATCH;
    }

    private Void serve(LeaderFollowersPool stressed, boolean comesAndGoes) throws Exception {
        while (!stressed.isClosed()) {
            if (comesAndGoes) {
                stressed.join(Duration.ofNanos(ThreadLocalRandom.current().nextInt(1_000_000)));
            } else {
                stressed.join();
            }
        }
        return null;
    }

    private Void send(int events) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < events; i++) {
            BusyLine line = lines.get(random.nextInt(LINES));
            line.send();
            if (random.nextInt(16) == 0) {
                OtherThread.await(line::hasAll);
            }
        }
        return null;
    }

    private Void change(LeaderFollowersPool stressed) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over) {
            int number = random.nextInt(LINES);
            BusyLine line = lines.get(number);
            HandleSetSource handles = stressed.handleSet();
            switch (random.nextInt(3)) {
                case 0 -> {
                    // A handle has one registration, and another thread may change the same line.
                    synchronized (line) {
                        line.registration().close();
                        line.note(handles.register(line.handle(), Interest.READ, line, promotion(number)));
                    }
                }
                case 1 -> {
                    line.registration().pause();
                    line.registration().resume();
                }
                default -> {
                    line.registration().interest(Interest.NONE);
                    line.registration().interest(Interest.READ);
                }
            }
            Thread.yield();
        }
        return null;
    }

    /** Handles that live for a moment: each registration hears of its end once, and the descriptor is let go. */
    private Void openAndClose(LeaderFollowersPool stressed) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over) {
            try (Pipe pipe = Pipe.open()) {
                BusyLine line = new BusyLine(stressed, pipe, violations);
                line.register(stressed, Interest.READ);
                for (int i = random.nextInt(3); i > 0; i--) {
                    line.send();
                }
                int registrations = 1 + random.nextInt(2);
                if (registrations == 2) {
                    line.registration().close();
                    line.register(stressed, Interest.READ);
                }
                line.handle().close();
                OtherThread.await(() -> line.closed() == registrations && line.isReleased());
                opened.incrementAndGet();
            }
        }
        return null;
    }

    /** The timekeeping thread may leave or run a hook at any moment: every timer fires once nevertheless. */
    private Void setTimers(LeaderFollowersPool stressed) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over) {
            AtomicInteger fired = new AtomicInteger();
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                stressed.schedule(token -> fired.incrementAndGet(), null, Duration.ofNanos(random.nextInt(2_000_000)));
            }
            OtherThread.await(() -> fired.get() >= count);
            if (fired.get() > count) {
                violations.add(fired + " of " + count + " timers fired");
            }
        }
        return null;
    }

    /** They come back at once, see {@link #serve}. */
    private Void removeThreads(LeaderFollowersPool stressed, List<OtherThread<Void>> threads) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over) {
            stressed.remove(threads.get(random.nextInt(THREADS)).thread());
            Thread.yield();
        }
        return null;
    }
}
