package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool that the system refuses threads. */
class FilePoolTest {

    private static final long PATIENCE_SECONDS = 30;
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
}
