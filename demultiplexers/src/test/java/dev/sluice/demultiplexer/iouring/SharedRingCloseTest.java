package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring that threads share is closed while they are about to enter the kernel. */
@EnabledIfIoUring
@Timeout(60)
class SharedRingCloseTest extends LeakChecked {

    private static final int DEADLINE_SECONDS = 30;
    private static final int MOMENT_MILLIS = 100;

    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch polls = new CountDownLatch(1);
    private final CountDownLatch polled = new CountDownLatch(1);
    private MultiThreadedIoUringDemultiplexer demultiplexer;
    private volatile Thread waiter;
    private volatile Thread poller;
    private volatile Thread closer;
    private Binding previous;

    /** Delays the first system call of each of two threads. */
    private final class Delaying implements Binding.Decorator {

        @Override
        public <T> T decorate(Class<T> family, T calls) {
            return family != Linux.class ? calls : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                    new Class<?>[] {family}, (proxy, method, arguments) -> call(calls, method, arguments)));
        }

        private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("io_uring_enter")) {
                delay();
            }
            try {
                return method.invoke(calls, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private void delay() throws InterruptedException {
            Thread current = Thread.currentThread();
            if (current == waiter) {
                waits.countDown();
                polled.await();
            } else if (current == poller && polls.getCount() > 0) {
                polls.countDown();
                // It pauses when it has signalled.
                while (closer == null || closer.getState() != Thread.State.TIMED_WAITING) {
                    Thread.sleep(1);
                }
                // The kernel receives the signal in the thread that has submitted the read of it.
                Thread.sleep(MOMENT_MILLIS);
            }
        }
    }

    @BeforeEach
    void decorate() {
        previous = Bindings.current();
        Bindings.use(previous.decorated("delaying", new Delaying()));
    }

    @AfterEach
    void restore() {
        Bindings.use(previous);
    }

    private int await(long timeoutNanos) throws IOException {
        try (Completions completions = demultiplexer.newCompletions(8)) {
            return demultiplexer.awaitCompletions(completions, timeoutNanos);
        }
    }

    private static void assertClosed(FutureTask<Integer> wait) {
        ExecutionException end = assertThrows(ExecutionException.class,
                () -> wait.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
        assertInstanceOf(HandleClosedException.class, end.getCause());
    }

    /** The poll takes the signal of the close, before the thread that it is for has entered the kernel. */
    @Test
    void closeEndsAWaitWhoseSignalAPollHasTaken() throws Exception {
        demultiplexer = new MultiThreadedIoUringDemultiplexer(IoUringSize.configured(), false);
        // Submits the read of the signal: a wait that submits something does not sleep if another thread has done so.
        assertEquals(0, await(0));
        FutureTask<Integer> wait = new FutureTask<>(() -> await(AsynchronousEventDemultiplexer.FOREVER));
        waiter = new Thread(wait);
        waiter.start();
        waits.await();
        FutureTask<Integer> poll = new FutureTask<>(() -> await(0));
        poller = new Thread(poll);
        poller.start();
        polls.await();
        FutureTask<Void> close = new FutureTask<>(() -> {
            demultiplexer.close();
            return null;
        });
        closer = new Thread(close);
        closer.start();
        assertClosed(poll);
        polled.countDown();
        assertClosed(wait);
        close.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
}
