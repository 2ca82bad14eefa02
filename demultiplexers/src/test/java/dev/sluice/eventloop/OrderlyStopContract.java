package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The orderly stop of a loop, by one thread or many. */
public interface OrderlyStopContract {

    Duration LATER = EventLoopContract.LIMIT.multipliedBy(2);
    Duration SOON = Duration.ofMillis(30);

    /** {@return the loop under test} */
    EventLoop stopping();

    /** {@return whether many threads may run it} */
    boolean runsOnManyThreads();

    /** Starts a thread that runs the loop until that returns. */
    default OtherThread<Void> running() {
        CountDownLatch begun = new CountDownLatch(1);
        OtherThread<Void> runner = OtherThread.start(() -> {
            stopping().execute(begun::countDown);
            stopping().run();
            return null;
        });
        OtherThread.await(begun);
        return runner;
    }

    /** {@return a member that has been added to the loop} */
    default StopMember member(String name, List<String> calls) {
        StopMember member = new StopMember(name, stopping(), calls);
        stopping().addMember(member);
        return member;
    }

    private static List<String> newCalls() {
        return Collections.synchronizedList(new ArrayList<>());
    }

    @Test
    default void aLoopWithoutMembersStopsAtOnce() throws Exception {
        OtherThread<Void> runner = running();
        assertFalse(stopping().isStopping());
        stopping().stop(LATER);
        assertTrue(stopping().isStopping());
        runner.result();
        assertTrue(stopping().isOpen());
        assertTrue(stopping().isStopping());
    }

    @Test
    default void aLoopThatNoThreadRunsStopsWhenOneDoes() throws Exception {
        List<String> calls = newCalls();
        StopMember member = member("member", calls);
        member.onFinish(() -> stopping().removeMember(member));
        stopping().stop(LATER);
        assertEquals(List.of(), calls);
        running().result();
        assertEquals(List.of("finish member"), calls);
    }

    @Test
    default void aRunAfterTheStopReturnsAtOnce() throws Exception {
        stopping().stop(LATER);
        OtherThread<Void> runner = OtherThread.start(() -> {
            stopping().run();
            stopping().run();
            stopping().run();
            return null;
        });
        runner.result();
    }

    @Test
    default void acceptorsFinishFirst() throws Exception {
        List<String> calls = newCalls();
        for (StopMember each : List.of(member("first", calls), member("second", calls))) {
            each.onFinish(() -> stopping().removeMember(each));
        }
        StopMember.Acceptor acceptor = new StopMember.Acceptor(stopping(), calls);
        stopping().addMember(acceptor);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        runner.result();
        assertEquals(List.of("finish acceptor", "finish first", "finish second"), calls);
        assertEquals(runner.thread(), acceptor.thread());
    }

    @Test
    default void theLoopRunsUntilTheLastMemberHasLeft() throws Exception {
        List<String> calls = newCalls();
        StopMember first = member("first", calls);
        StopMember second = member("second", calls);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 2);
        stopping().removeMember(first);
        stopping().removeMember(first);
        assertServes();
        stopping().execute(() -> stopping().removeMember(second));
        runner.result();
        assertEquals(List.of("finish first", "finish second"), calls);
    }

    /** Asserts that the loop still does what it is asked for. */
    private void assertServes() {
        CountDownLatch served = new CountDownLatch(2);
        stopping().execute(served::countDown);
        stopping().schedule(token -> served.countDown(), null, Duration.ofMillis(1));
        OtherThread.await(served);
    }

    @Test
    default void aMemberThatHasLeftIsNotAsked() throws Exception {
        List<String> calls = newCalls();
        StopMember member = member("member", calls);
        stopping().removeMember(member);
        stopping().stop(LATER);
        running().result();
        assertEquals(List.of(), calls);
    }

    @Test
    default void whatIsLeftAtTheDeadlineIsEnded() throws Exception {
        List<String> calls = newCalls();
        member("first", calls);
        member("second", calls);
        OtherThread<Void> runner = running();
        long begun = System.nanoTime();
        stopping().stop(SOON);
        runner.result();
        assertTrue(System.nanoTime() - begun >= SOON.toNanos());
        assertEquals(List.of("finish first", "finish second", "end first", "end second"), calls);
    }

    @Test
    default void aMemberThatJoinsWhileOthersAreEndedHoldsUpNoStop() throws Exception {
        List<String> calls = newCalls();
        StopMember late = new StopMember("late", stopping(), calls);
        member("member", calls).onEnd(() -> stopping().addMember(late));
        OtherThread<Void> runner = running();
        stopping().stop(SOON);
        runner.result();
        assertEquals(List.of("finish member", "end member"), calls.subList(0, 2));
        stopping().close();
        assertTrue(calls.contains("end late"), calls::toString);
    }

    @Test
    default void withoutTimeAllAreAskedAndEnded() throws Exception {
        List<String> calls = newCalls();
        member("member", calls);
        OtherThread<Void> runner = running();
        stopping().stop(Duration.ZERO);
        runner.result();
        assertEquals(List.of("finish member", "end member"), calls);
    }

    @Test
    default void theEarliestOfSeveralDeadlinesCounts() throws Exception {
        List<String> calls = newCalls();
        member("member", calls);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 1);
        stopping().stop(SOON);
        stopping().stop(LATER);
        runner.result();
        assertEquals(List.of("finish member", "end member"), calls);
    }

    @Test
    default void anErrorInFinishEndsTheMemberAlone() throws Exception {
        List<String> calls = newCalls();
        StopMember failing = member("failing", calls);
        failing.onFinish(() -> {
            throw new LinkageError("thrown by the test");
        });
        StopMember other = member("other", calls);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 3);
        assertServes();
        stopping().removeMember(other);
        stopping().removeMember(failing);
        runner.result();
        assertEquals(List.of("finish failing", "end failing", "finish other"), calls);
    }

    @Test
    default void anErrorInTheEndKeepsNoOtherFromIt() throws Exception {
        List<String> calls = newCalls();
        StopMember failing = member("failing", calls);
        failing.onEnd(() -> {
            throw new StackOverflowError("thrown by the test");
        });
        member("other", calls);
        OtherThread<Void> runner = running();
        stopping().stop(SOON);
        runner.result();
        assertEquals(List.of("finish failing", "finish other", "end failing", "end other"), calls);
    }

    @Test
    default void aHookThatStopsTheLoopIsNotInterrupted() throws Exception {
        List<String> calls = newCalls();
        StopMember member = member("member", calls);
        member.onFinish(() -> stopping().removeMember(member));
        OtherThread<Void> runner = running();
        stopping().execute(() -> {
            stopping().stop(LATER);
            calls.add("hook over");
        });
        runner.result();
        assertEquals(List.of("hook over", "finish member"), calls);
    }

    @Test
    default void aMemberThatJoinsDuringTheStopIsAskedAsWell() throws Exception {
        List<String> calls = newCalls();
        StopMember late = new StopMember("late", stopping(), calls);
        StopMember early = member("early", calls);
        early.onFinish(() -> {
            stopping().addMember(late);
            stopping().removeMember(early);
        });
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 2);
        stopping().removeMember(late);
        runner.result();
        assertEquals(List.of("finish early", "finish late"), calls);
    }

    @Test
    default void finishMayRunTheLoopAndEndOthers() throws Exception {
        List<String> calls = newCalls();
        StopMember first = member("first", calls);
        StopMember second = member("second", calls);
        StopMember third = member("third", calls);
        first.onFinish(() -> {
            stopping().removeMember(second);
            CountDownLatch inside = new CountDownLatch(1);
            stopping().schedule(token -> inside.countDown(), null, Duration.ZERO);
            while (inside.getCount() > 0) {
                runInside();
            }
            stopping().removeMember(first);
        });
        third.onFinish(() -> stopping().removeMember(third));
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        runner.result();
        assertEquals(List.of("finish first", "finish third"), calls);
    }

    /** Runs the loop in a hook. */
    private void runInside() {
        try {
            stopping().runOnce(Duration.ofMillis(1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void theDeadlineMayPassWhileFinishRunsTheLoop() throws Exception {
        List<String> calls = newCalls();
        StopMember member = member("member", calls);
        member.onFinish(() -> {
            while (calls.size() < 2) {
                runInside();
            }
        });
        OtherThread<Void> runner = running();
        stopping().stop(SOON);
        runner.result();
        assertEquals(List.of("finish member", "end member"), calls);
    }

    @Test
    default void aPlainStopEndsTheRunAndTheNextOneContinues() throws Exception {
        List<String> calls = newCalls();
        StopMember member = member("member", calls);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 1);
        stopping().stop();
        runner.result();
        // The thread that runs a proactor stays the same, so the loop is closed and not run again.
        assertTrue(stopping().isStopping());
        stopping().removeMember(member);
    }

    @Test
    default void aCloseEndsTheRunDuringTheStop() throws Exception {
        List<String> calls = newCalls();
        member("member", calls);
        OtherThread<Void> runner = running();
        stopping().stop(LATER);
        OtherThread.await(() -> calls.size() == 1);
        stopping().close();
        runner.result();
        assertEquals(List.of("finish member", "end member"), calls);
        assertTrue(stopping().isStopping());
        assertFalse(stopping().isOpen());
    }

    @Test
    default void stoppingAClosedLoopDoesNothing() {
        stopping().close();
        stopping().stop(Duration.ZERO);
        assertTrue(stopping().isStopping());
        assertThrows(IllegalArgumentException.class, () -> stopping().stop(Duration.ofNanos(-1)));
    }

    @Test
    default void manyThreadsStop() throws Exception {
        if (!runsOnManyThreads()) {
            return;
        }
        List<String> calls = newCalls();
        AtomicReference<StopMember> last = new AtomicReference<>();
        for (int i = 0; i < 100; i++) {
            StopMember member = member("member", calls);
            member.onFinish(() -> {
                if (calls.size() < 100) {
                    stopping().removeMember(member);
                } else {
                    last.set(member);
                }
            });
        }
        List<OtherThread<Void>> runners = List.of(running(), running(), running(), running());
        OtherThread<Void> other = OtherThread.start(() -> {
            stopping().stop(LATER);
            return null;
        });
        stopping().stop(LATER);
        other.result();
        OtherThread.await(() -> last.get() != null);
        stopping().removeMember(last.get());
        for (OtherThread<Void> each : runners) {
            each.result();
        }
        assertEquals(100, calls.size());
    }
}
