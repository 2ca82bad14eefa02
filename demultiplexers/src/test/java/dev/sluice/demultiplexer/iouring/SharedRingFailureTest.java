package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
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

/** A binding throws while a thread prepares its wait on a ring that threads share. */
@EnabledIfIoUring
@Timeout(60)
class SharedRingFailureTest extends LeakChecked {

    private static final int DEADLINE_SECONDS = 30;

    private final IllegalStateException failure = new IllegalStateException("thrown by the test");
    private final CountDownLatch waiting = new CountDownLatch(1);
    private volatile boolean failing;
    private Binding previous;

    private final class Throwing implements Binding.Decorator {

        @Override
        public <T> T decorate(Class<T> family, T calls) {
            return family != Linux.class ? calls : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                    new Class<?>[] {family}, (proxy, method, arguments) -> call(calls, method, arguments)));
        }

        private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("io_uring_enter")) {
                boolean waits = (int) arguments[2] > 0;
                if (waits) {
                    waiting.countDown();
                } else if (failing) {
                    throw failure;
                }
            }
            try {
                return method.invoke(calls, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @BeforeEach
    void decorate() {
        previous = Bindings.current();
        Bindings.use(previous.decorated("throwing", new Throwing()));
    }

    @AfterEach
    void restore() {
        Bindings.use(previous);
    }

    private static int await(AsynchronousEventDemultiplexer demultiplexer, long timeoutNanos) throws IOException {
        try (Completions completions = demultiplexer.newCompletions(8)) {
            return demultiplexer.awaitCompletions(completions, timeoutNanos);
        }
    }

    /** A thread that counted as waiting forever would keep the close from ending. */
    @Test
    void closeEndsAfterTheFailureOfAWaitThatIsPrepared() throws Exception {
        MultiThreadedIoUringDemultiplexer demultiplexer =
                new MultiThreadedIoUringDemultiplexer(IoUringSize.configured(), false);
        FutureTask<Integer> other = new FutureTask<>(
                () -> await(demultiplexer, AsynchronousEventDemultiplexer.FOREVER));
        new Thread(other).start();
        waiting.await();
        failing = true;
        demultiplexer.newOperation().timeout(TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS));
        assertSame(failure, assertThrows(IllegalStateException.class,
                () -> await(demultiplexer, TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS))));
        failing = false;
        // The failure of the start is thrown by a wait, of either thread.
        try {
            demultiplexer.close();
        } catch (IllegalStateException e) {
            assertSame(failure, e);
        }
        ExecutionException end = assertThrows(ExecutionException.class,
                () -> other.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
        if (end.getCause() != failure) {
            assertInstanceOf(HandleClosedException.class, end.getCause());
        }
    }
}
