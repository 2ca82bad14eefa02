package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group of loops. */
public interface LoopGroupContract {

    Duration LATER = EventLoopContract.LIMIT.multipliedBy(2);

    /** {@return what opens a group of two loops that are closed after the test} */
    LoopBuilder<? extends EventLoopGroup<?>> groups();

    /** Lets the test close something at its end. */
    void closeAfterwards(AutoCloseable resource);

    private EventLoopGroup<?> open() throws Exception {
        EventLoopGroup<?> group = groups().open();
        closeAfterwards(group);
        return group;
    }

    private static OtherThread<Void> running(EventLoopGroup<?> group) {
        OtherThread<Void> runner = OtherThread.start(() -> {
            group.run();
            return null;
        });
        for (EventLoop each : group.loops()) {
            CountDownLatch begun = new CountDownLatch(1);
            each.execute(begun::countDown);
            OtherThread.await(begun);
        }
        return runner;
    }

    @Test
    default void eachLoopHasAThreadOfItsOwn() throws Exception {
        EventLoopGroup<?> group = open();
        assertEquals(2, group.loops().size());
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (EventLoop each : group.loops()) {
            each.execute(() -> threads.add(Thread.currentThread()));
        }
        group.start();
        group.start();
        OtherThread.await(() -> threads.size() == 2);
        assertTrue(group.isOpen());
        assertFalse(group.isStopping());
        group.close();
        assertFalse(group.isOpen());
        assertTrue(group.isStopping());
    }

    @Test
    default void loopsComeInTurn() throws Exception {
        EventLoopGroup<?> group = open();
        EventLoop first = group.next();
        EventLoop second = group.next();
        assertNotSame(first, second);
        assertSame(first, group.next());
        second.close();
        assertSame(first, group.next());
        assertSame(first, group.next());
        first.close();
        IllegalStateException e = assertThrows(IllegalStateException.class, group::next);
        assertTrue(e.getMessage().contains("group of 2"), e::getMessage);
    }

    @Test
    default void aRunLastsUntilTheStop() throws Exception {
        EventLoopGroup<?> group = open();
        OtherThread<Void> runner = running(group);
        assertTrue(runner.thread().isAlive());
        group.stop();
        runner.result();
        assertFalse(group.isOpen(), "their threads close them");
    }

    @Test
    default void aRunLastsUntilTheLastMemberOfAnyLoopHasLeft() throws Exception {
        EventLoopGroup<?> group = open();
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        List<StopMember> members = new ArrayList<>();
        for (EventLoop each : group.loops()) {
            StopMember member = new StopMember("member", each, calls);
            each.addMember(member);
            members.add(member);
        }
        OtherThread<Void> runner = running(group);
        group.stop(LATER);
        assertTrue(group.isStopping());
        OtherThread.await(() -> calls.size() == 2);
        group.loops().get(0).removeMember(members.get(0));
        OtherThread.await(() -> !group.loops().get(0).isOpen());
        assertTrue(runner.thread().isAlive());
        group.loops().get(1).removeMember(members.get(1));
        runner.result();
        assertEquals(List.of("finish member", "finish member"), calls);
        assertThrows(IllegalArgumentException.class, () -> group.stop(Duration.ofNanos(-1)));
    }

    @Test
    default void aStopBeforeTheStartCounts() throws Exception {
        EventLoopGroup<?> group = open();
        group.stop(LATER);
        OtherThread.run(group::run);
    }

    @Test
    default void aRunInAHookIsRefused() throws Exception {
        EventLoopGroup<?> group = open();
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        group.loops().get(0).execute(() ->
                refusal.set(assertThrows(IllegalStateException.class, group::run)));
        group.start();
        OtherThread.await(() -> refusal.get() != null);
        assertTrue(refusal.get().getMessage().startsWith("run: would block the loop thread"));
    }

    @Test
    default void aClosedGroupDoesNotRun() throws Exception {
        EventLoopGroup<?> group = open();
        group.close();
        group.close();
        group.start();
        group.stop();
        group.stop(Duration.ZERO);
        assertThrows(IllegalStateException.class, group::run);
        assertThrows(IllegalStateException.class, () -> group.stopOnTermination(Duration.ZERO));
    }

    @Test
    default void aCloseEndsTheRun() throws Exception {
        EventLoopGroup<?> group = open();
        OtherThread<Void> runner = running(group);
        group.close();
        runner.result();
    }

    @Test
    default void twoThreadsOfAGroupMayCloseItAtTheSameTime() throws Exception {
        EventLoopGroup<?> group = open();
        CountDownLatch inside = new CountDownLatch(2);
        CountDownLatch returned = new CountDownLatch(2);
        for (EventLoop each : group.loops()) {
            each.execute(() -> {
                inside.countDown();
                OtherThread.await(inside);
                group.close();
                returned.countDown();
            });
        }
        group.start();
        OtherThread.await(returned);
        OtherThread.await(() -> !group.isOpen());
    }

    @Test
    default void anInterruptDoesNotEndTheRun() throws Exception {
        EventLoopGroup<?> group = open();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        OtherThread<Void> runner = OtherThread.start(() -> {
            Thread.currentThread().interrupt();
            group.run();
            interrupted.set(Thread.interrupted());
            return null;
        });
        CountDownLatch ran = new CountDownLatch(1);
        group.next().execute(ran::countDown);
        OtherThread.await(ran);
        group.stop();
        runner.result();
        assertTrue(interrupted.get());
    }

    @Test
    default void settingsThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> groups().loops(0));
        assertThrows(IllegalArgumentException.class, () -> groups().demultiplexer("none").open());
        assertThrows(NullPointerException.class, () -> groups().demultiplexer(null));
        assertThrows(NullPointerException.class, () -> groups().binding(null));
        assertThrows(NullPointerException.class, () -> groups().timers(null));
        assertThrows(NullPointerException.class, () -> groups().clock(null));
        assertThrows(IllegalArgumentException.class, () -> groups().buffers(0, 1));
        assertThrows(IllegalArgumentException.class, () -> groups().buffers(1 << 15 | 1, 1));
        assertThrows(IllegalArgumentException.class, () -> groups().buffers(1, 0));
        assertThrows(IllegalArgumentException.class, () -> groups().retainLimit(0));
        assertThrows(NullPointerException.class, () -> groups().trace(null));
        assertThrows(NullPointerException.class, () -> groups().threadFactory(null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void timersFollowTheClockOfTheBuilder(boolean wheel) throws Exception {
        AtomicLong clock = new AtomicLong(-1);
        EventLoopGroup<?> group = groups().clock(clock::get).timers(wheel ? TimerQueue::wheel : TimerQueue::heap)
                .open();
        closeAfterwards(group);
        EventLoop loop = group.loops().get(0);
        List<String> fired = new ArrayList<>();
        loop.schedule(() -> fired.add("once"), Duration.ofDays(1));
        loop.schedule(() -> fired.add("periodic"), Duration.ofDays(2), Duration.ofDays(1));
        Timer started = loop.newTimer(() -> fired.add("started"));
        started.start(Duration.ofDays(3));
        loop.runOnce(Duration.ZERO);
        assertEquals(List.of(), fired);
        clock.addAndGet(Duration.ofDays(1).toNanos());
        loop.runOnce(Duration.ZERO);
        assertEquals(List.of("once"), fired);
        clock.addAndGet(Duration.ofDays(1).toNanos());
        loop.runOnce(Duration.ZERO);
        assertEquals(List.of("once", "periodic"), fired);
        clock.addAndGet(Duration.ofDays(1).toNanos());
        loop.runOnce(Duration.ZERO);
        assertEquals(Set.of("once", "periodic", "started"), Set.copyOf(fired));
        assertEquals(4, fired.size());
    }

    /** A timer that is due again at once would be so forever. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void aClockThatStandsStillKeepsNoLoopFromItsTasks(boolean wheel) throws Exception {
        EventLoopGroup<?> group = groups().clock(() -> 0).timers(wheel ? TimerQueue::wheel : TimerQueue::heap).open();
        closeAfterwards(group);
        EventLoop loop = group.loops().get(0);
        int[] fired = new int[1];
        Timer[] again = new Timer[1];
        again[0] = loop.newTimer(() -> {
            // Fails instead of going on forever.
            assertTrue(++fired[0] < 1_000, "the loop does nothing else");
            again[0].start(Duration.ZERO);
        });
        again[0].start(Duration.ZERO);
        boolean[] ran = new boolean[1];
        loop.execute(() -> ran[0] = true);
        loop.runOnce(Duration.ZERO);
        assertTrue(ran[0]);
        // By a wheel, whose time goes in steps, it is never due.
        assertTrue(fired[0] < 1_000 && (wheel || fired[0] > 0), () -> "expired " + fired[0] + " times");
    }

    @Test
    default void aProcessHasOneBinding() throws Exception {
        closeAfterwards(groups().binding(Bindings.current().name()).open());
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> groups().binding("other").open());
        assertEquals("binding other: a process has one binding, and uses " + Bindings.current() + " already; name it"
                + " before the first handle or loop is opened, or by -Dsluice.native=other", e.getMessage());
    }

    @Test
    default void startContinuesWithRefusedThread() throws Exception {
        OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
        AtomicInteger starts = new AtomicInteger();
        EventLoopGroup<?> group = groups().threadFactory(task -> new Thread(task) {
            @Override
            public void start() {
                if (starts.incrementAndGet() == 2) {
                    throw lack;
                }
                super.start();
            }
        }).open();
        closeAfterwards(group);
        assertSame(lack, assertThrows(OutOfMemoryError.class, group::start));
        group.start();
        for (EventLoop each : group.loops()) {
            CountDownLatch begun = new CountDownLatch(1);
            each.execute(begun::countDown);
            OtherThread.await(begun);
        }
        group.start();
        assertEquals(3, starts.get());
    }

    @Test
    default void aThreadThatCannotBeMadeLeavesNothingOpen() {
        assertThrows(LinkageError.class, () -> groups().threadFactory(task -> {
            throw new LinkageError("thrown by the test");
        }).open());
    }
}
