package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool that the system refuses threads, and one whose threads take several calls at a time. */
class FilePoolTest {

    private static final long PATIENCE_SECONDS = 30;
    private static final int ROUNDS = 20;
    private static final int CALLS = 20;
    private static final int CLOSINGS = 200;
    private static final int SPINS = 50;
    private static final OutOfMemoryError REFUSAL = new OutOfMemoryError("unable to create native thread");

    private final Semaphore signals = new Semaphore(0);
    private final Semaphore allowedThreads = new Semaphore(0);
    private OperationProcessor processor;
    private FilePool pool;

    @BeforeEach
    void open() throws IOException {
        processor = (OperationProcessor) OpenedDemultiplexers.openAsynchronous(Mechanism.AUTO);
        pool = new FilePool("files", FilePool.configuredThreads(), signals::release, failure -> { }, this::start);
    }

    @AfterEach
    void close() {
        pool.close();
        processor.close();
    }

    private void start(Thread thread) {
        if (!allowedThreads.tryAcquire()) {
            throw REFUSAL;
        }
        thread.start();
    }

    /** A call for an operation that can be cancelled. */
    private Call call(CountDownLatch until) {
        OperationSlot operation = (OperationSlot) processor.newOperation();
        operation.timeout(Long.MAX_VALUE);
        return new Call(operation, until);
    }

    private PooledCall performed() throws InterruptedException {
        PooledCall next = pool.takePerformed();
        while (next == null) {
            signals.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            next = pool.takePerformed();
        }
        return next;
    }

    @Test
    void callerRunsCloseIfNoThreadCanBeStarted() throws Exception {
        try (Pipe pipe = Pipe.open()) {
            OperationSlot operation = (OperationSlot) processor.newOperation();
            operation.close(processor.associate(pipe.source()));
            Call close = new Call(operation, new CountDownLatch(0));
            pool.submit(close);
            assertSame(Thread.currentThread(), close.performer.poll());
            assertSame(close, performed());
            assertEquals(Call.RESULT, close.result());
        }
    }

    @Test
    void withoutAnyNothingElseIsAccepted() {
        Call call = call(new CountDownLatch(0));
        assertSame(REFUSAL, assertThrows(OutOfMemoryError.class, () -> pool.submit(call)));
        assertNull(call.performer.poll());
    }

    @Test
    void thoseThereAreComeToWhatAnotherOneWasRefusedFor() throws Exception {
        allowedThreads.release();
        CountDownLatch until = new CountDownLatch(1);
        Call first = call(until);
        Call second = call(until);
        pool.submit(first);
        Thread only = first.performer.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        pool.submit(second);
        until.countDown();
        assertSame(only, second.performer.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    /**
     * Calls that return quickly are taken several at a time. While one of them waits, the loop finds the results of the
     * others, and other threads make those that have not been begun.
     */
    @Test
    void callThatWaitsHoldsNoOtherUp() throws Exception {
        allowedThreads.release(2);
        List<OperationSlot> resumed = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch until = new CountDownLatch(1);
            Call waiting = call(until);
            List<Call> others = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                others.add(call(new CountDownLatch(0)));
            }
            for (Call each : others.subList(0, CALLS / 2)) {
                pool.submit(each);
            }
            pool.submit(waiting);
            others.subList(CALLS / 2, CALLS).forEach(pool::submit);
            runUntil(resumed, others);
            assertFalse(resumed.contains(waiting.operation()));
            until.countDown();
            runUntil(resumed, List.of(waiting));
            assertEquals(CALLS + 1, resumed.size(), "resumed more than once");
            resumed.clear();
        }
    }

    /** Not even if a thread has taken it. */
    @Test
    void withdrawnCallIsNotMade() throws Exception {
        allowedThreads.release();
        List<OperationSlot> resumed = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch until = new CountDownLatch(1);
            List<Call> calls = new ArrayList<>();
            calls.add(call(new CountDownLatch(0)));
            calls.add(call(until));
            for (int i = 0; i < CALLS; i++) {
                calls.add(call(new CountDownLatch(0)));
            }
            calls.forEach(pool::submit);
            runUntil(resumed, calls.subList(0, 1));
            assertNotNull(calls.get(1).performer.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
            for (Call each : calls.subList(2, calls.size())) {
                assertTrue(pool.withdraw(each));
            }
            assertFalse(pool.withdraw(calls.get(1)));
            until.countDown();
            runUntil(resumed, calls.subList(1, 2));
            assertEquals(2, resumed.size());
            for (Call each : calls.subList(2, calls.size())) {
                assertNull(each.performer.poll());
            }
            resumed.clear();
        }
    }

    /** A close must not wait for it, whatever the thread does next. */
    @Test
    void threadIsDetachedIfItsCallIsAbandonedBeforeItIsMade() {
        List<Thread> asked = new ArrayList<>();
        try (FilePool unstarted = new FilePool("files", 1, signals::release, failure -> { }, asked::add)) {
            OperationSlot operation = (OperationSlot) processor.newOperation();
            operation.timeout(Long.MAX_VALUE);
            Detachable call = new Detachable(operation);
            unstarted.submit(call);
            FilePoolThread worker = (FilePoolThread) asked.get(0);
            assertTrue(unstarted.take(worker));
            assertFalse(worker.isDetached());
            assertTrue(unstarted.withdraw(call));
            assertTrue(worker.isDetached());
            unstarted.perform(worker);
            assertFalse(call.isMade);
            assertFalse(worker.isDetached());
        }
    }

    /** Closes pools while their threads begin calls that have just been abandoned. */
    @Test
    void closeWaitsForNoAbandonedCall() {
        for (int round = 0; round < CLOSINGS; round++) {
            FilePool closed = new FilePool("files", 2, signals::release, failure -> { });
            List<Detachable> calls = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                OperationSlot operation = (OperationSlot) processor.newOperation();
                operation.timeout(Long.MAX_VALUE);
                calls.add(new Detachable(operation));
                closed.submit(calls.get(i));
            }
            for (int i = round % SPINS; i > 0; i--) {
                Thread.onSpinWait();
            }
            try {
                calls.forEach(call -> assertTrue(closed.withdraw(call)));
                assertTimeoutPreemptively(Duration.ofSeconds(PATIENCE_SECONDS), closed::close);
            } finally {
                calls.forEach(call -> call.until.countDown());
            }
        }
    }

    /** Runs the loop until calls have returned. */
    private void runUntil(List<OperationSlot> resumed, List<Call> calls) throws InterruptedException {
        Outcomes outcomes = (Outcomes) Proxy.newProxyInstance(Outcomes.class.getClassLoader(),
                new Class<?>[] {Outcomes.class}, (proxy, method, arguments) -> {
                    // None of these operations has been begun, so none can be continued.
                    assertEquals("failed", method.getName());
                    resumed.add((OperationSlot) arguments[0]);
                    return null;
                });
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!resumed.containsAll(calls.stream().map(PooledCall::operation).toList())) {
            assertTrue(System.nanoTime() - end < 0, "calls have not returned");
            pool.announce();
            long timeout = pool.bound(-1);
            if (timeout != 0) {
                signals.tryAcquire(timeout < 0 ? TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) : timeout,
                        TimeUnit.NANOSECONDS);
            }
            pool.resumePerformed(outcomes);
        }
    }

    /** Says by whom it is performed, and waits. */
    private static final class Call extends PooledCall {

        private static final long RESULT = 42;

        private final LinkedBlockingQueue<Thread> performer = new LinkedBlockingQueue<>();
        private final CountDownLatch until;

        Call(OperationSlot operation, CountDownLatch until) {
            super(operation);
            this.until = until;
        }

        @Override
        protected long make() {
            performer.add(Thread.currentThread());
            try {
                until.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return RESULT;
        }
    }

    /** Waits until it is allowed to return, as an open of a FIFO does. */
    private static final class Detachable extends DetachableCall {

        private final CountDownLatch until = new CountDownLatch(1);
        private volatile boolean isMade;

        Detachable(OperationSlot operation) {
            super(operation);
        }

        @Override
        protected long make() {
            isMade = true;
            try {
                until.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 0;
        }

        @Override
        protected void releaseResult(long got) {
        }
    }
}
