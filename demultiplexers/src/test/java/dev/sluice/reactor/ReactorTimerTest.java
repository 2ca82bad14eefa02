package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag(Depth.IN_QUICK)
class ReactorTimerTest extends ReactorContract {

    private static final Duration SOON = Duration.ofMillis(3);
    private static final Duration A_DAY = Duration.ofDays(1);

    /** The strategies. */
    enum Strategy {
        HEAP(Duration.ZERO) {
            @Override
            TimerQueue open() {
                return TimerQueue.heap();
            }
        },
        WHEEL(Duration.ofMillis(1)) {
            @Override
            TimerQueue open() {
                return TimerQueue.wheel();
            }
        };

        /** How far apart the deadlines of timers may be that come in any order, in nanoseconds. */
        private final long tick;

        Strategy(Duration tick) {
            this.tick = tick.toNanos();
        }

        abstract TimerQueue open();
    }

    private void use(Strategy strategy) throws IOException {
        reactor = own(Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), strategy.open(), kind));
    }

    @ParameterizedTest
    @EnumSource
    void fireOnceWithTheirTokenAndNeverEarly(Strategy strategy) throws Exception {
        use(strategy);
        for (Duration delay : new Duration[] {Duration.ZERO, Duration.ofNanos(1), SOON, Duration.ofMillis(20)}) {
            long[] fired = new long[1];
            Recorder handler = new Recorder("timed").onTimeout(() -> fired[0] = System.nanoTime());
            long start = System.nanoTime();
            Timer timer = reactor.schedule(handler, delay, delay);
            runUntil(() -> handler.called("timeout"));
            assertTrue(fired[0] - start >= delay.toNanos(), "early");
            assertFalse(timer.isPending());
            runUntilIdle();
            assertEquals(List.of("timeout " + delay), handler.calls());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endTheWaitThatIsLongerThanThey(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("timed");
        reactor.schedule(handler, null, SOON);
        int count = 0;
        while (count == 0) {
            count = reactor.runOnce(A_DAY);
        }
        assertEquals(1, count);
        assertEquals(List.of("timeout null"), handler.calls());
    }

    @ParameterizedTest
    @EnumSource
    void fireInTheOrderOfTheirDeadlines(Strategy strategy) throws Exception {
        use(strategy);
        List<Timer> order = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 50; i++) {
            Timer[] timer = new Timer[1];
            Recorder handler = new Recorder("timed").onTimeout(() -> order.add(timer[0]));
            timer[0] = reactor.schedule(handler, null, Duration.ofNanos(random.nextInt(30_000_000)));
        }
        runUntil(() -> order.size() == 50);
        for (int i = 1; i < 50; i++) {
            long before = order.get(i - 1).deadline();
            long after = order.get(i).deadline();
            assertTrue(before - after <= strategy.tick, () -> before + " came before " + after);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areCancelledOnce(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("timed");
        Timer timer = reactor.schedule(handler, "token", SOON);
        assertTrue(timer.cancel());
        assertFalse(timer.cancel());
        Recorder later = new Recorder("later");
        reactor.schedule(later, null, SOON.multipliedBy(2));
        runUntil(() -> later.called("timeout"));
        assertEquals(List.of(), handler.calls());
    }

    @ParameterizedTest
    @EnumSource
    void areNotCancelledOnceTheyHaveFired(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("timed");
        Timer timer = reactor.schedule(handler, "token", Duration.ZERO);
        runUntil(() -> handler.called("timeout"));
        assertFalse(timer.cancel());
    }

    @ParameterizedTest
    @EnumSource
    void firePeriodicallyUntilTheyAreCancelled(Strategy strategy) throws Exception {
        use(strategy);
        Duration period = Duration.ofMillis(2);
        List<Long> times = new ArrayList<>();
        Recorder handler = new Recorder("periodic").onTimeout(() -> times.add(System.nanoTime()));
        long start = System.nanoTime();
        Timer timer = reactor.schedule(handler, "token", SOON, period);
        runUntil(() -> times.size() == 10);
        for (int i = 0; i < 10; i++) {
            assertTrue(times.get(i) - start >= SOON.toNanos() + i * period.toNanos(), "early");
        }
        assertTrue(timer.isPending());
        assertTrue(timer.cancel());
        Recorder later = new Recorder("later");
        reactor.schedule(later, null, period.multipliedBy(3));
        runUntil(() -> later.called("timeout"));
        assertEquals(10, times.size());
    }

    @ParameterizedTest
    @EnumSource
    void areCancelledInsideTheirOwnHandler(Strategy strategy) throws Exception {
        use(strategy);
        Timer[] timers = new Timer[2];
        List<Object> tokens = new ArrayList<>();
        Recorder periodic = new Recorder("periodic").onTimeout(() -> tokens.add(timers[0].cancel()));
        Recorder once = new Recorder("once").onTimeout(() -> tokens.add("once " + timers[1].cancel()));
        timers[0] = reactor.schedule(periodic, "token", Duration.ZERO, Duration.ofNanos(1));
        runUntil(() -> periodic.called("timeout"));
        timers[1] = reactor.schedule(once, "unused", Duration.ZERO);
        runUntil(() -> once.called("timeout"));
        runUntilIdle();
        assertEquals(List.of(true, "once false"), tokens);
        assertEquals(1, periodic.calls().size());
    }

    @ParameterizedTest
    @EnumSource
    void cancelOthersThatAreDueAsWell(Strategy strategy) throws Exception {
        use(strategy);
        Timer[] timers = new Timer[2];
        List<Object> events = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            Recorder handler = new Recorder("rival").onTimeout(() -> {
                events.add("fired");
                events.add(timers[other].cancel());
            });
            timers[i] = reactor.schedule(handler, "token", Duration.ZERO);
        }
        runUntil(() -> !events.isEmpty());
        runUntilIdle();
        assertEquals(List.of("fired", true), events);
    }

    @ParameterizedTest
    @EnumSource
    void doNotKeepHandlesFromBeingServedWhenTheyScheduleThemselvesWithoutDelay(Strategy strategy) throws Exception {
        use(strategy);
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.register(reactor, Interest.READ);
        int[] fired = new int[1];
        TimeoutHandler[] self = new TimeoutHandler[1];
        self[0] = token -> {
            fired[0]++;
            reactor.schedule(self[0], null, Duration.ZERO);
        };
        reactor.schedule(self[0], null, Duration.ZERO);
        for (int i = 1; i <= 10; i++) {
            int expected = i;
            send(pipe);
            runUntil(() -> reader.received() == expected);
            runUntil(() -> fired[0] > expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areScheduledAndCancelledByOtherThreadsWhileTheLoopWaits(Strategy strategy) throws Exception {
        use(strategy);
        LoopRunner loop = runInBackground();
        Recorder handler = new Recorder("timed");
        Recorder cancelled = new Recorder("cancelled");
        reactor.schedule(new Recorder("far"), null, A_DAY);
        Timer timer = reactor.schedule(cancelled, "token", Duration.ofHours(1));
        assertTrue(timer.cancel());
        reactor.schedule(handler, "sooner", SOON);
        OtherThread.await(() -> handler.called("timeout"));
        assertEquals(Set.of(loop.thread()), handler.threads());
        assertEquals(List.of(), cancelled.calls());
    }

    @ParameterizedTest
    @EnumSource
    void fireOrAreCancelledButNotBoth(Strategy strategy) throws Exception {
        use(strategy);
        LoopRunner loop = runInBackground();
        int cancelled = 0;
        int[] fired = new int[1];
        TimeoutHandler handler = token -> fired[0]++;
        int count = 2_000;
        for (int i = 0; i < count; i++) {
            Timer timer = reactor.schedule(handler, "token", Duration.ofNanos(i % 10 * 10_000));
            cancelled += timer.cancel() ? 1 : 0;
        }
        loop.close();
        int expected = count - cancelled;
        runUntil(() -> fired[0] == expected);
        runUntilIdle();
        assertEquals(expected, fired[0]);
    }

    @ParameterizedTest
    @EnumSource
    void mayBeAsLongAsOneLikes(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("patient");
        reactor.schedule(handler, "centuries", Duration.ofSeconds(Long.MAX_VALUE));
        reactor.schedule(handler, "a century", Duration.ofDays(36_500), Duration.ofSeconds(Long.MAX_VALUE));
        assertEquals(0, reactor.runOnce(Duration.ZERO));
        assertEquals(0, reactor.runOnce(SOON));
        reactor.schedule(handler, "soon", SOON);
        runUntil(() -> handler.called("timeout soon"));
        assertEquals(1, handler.calls().size());
    }

    @ParameterizedTest
    @EnumSource
    void areRefusedIfTheirTimesMakeNoSense(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("never");
        Duration negative = Duration.ofNanos(-1);
        assertThrows(IllegalArgumentException.class, () -> reactor.schedule(handler, null, negative));
        assertThrows(IllegalArgumentException.class, () -> reactor.schedule(handler, null, negative, SOON));
        assertThrows(IllegalArgumentException.class, () -> reactor.schedule(handler, null, SOON, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> reactor.schedule(handler, null, SOON, negative));
        assertThrows(NullPointerException.class, () -> reactor.schedule((TimeoutHandler) null, null, SOON));
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
    }

    @ParameterizedTest
    @EnumSource
    void areDroppedWithTheReactor(Strategy strategy) throws Exception {
        use(strategy);
        Recorder handler = new Recorder("dropped");
        reactor.schedule(handler, null, Duration.ZERO);
        Timer timer = reactor.schedule(handler, "token", SOON);
        reactor.close();
        assertEquals(List.of(), handler.calls());
        assertThrows(IllegalStateException.class, () -> reactor.schedule(handler, null, SOON));
        assertTrue(timer.cancel());
    }
}
