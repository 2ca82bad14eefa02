package dev.sluice.demultiplexer.kqueue;

import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waking up a waiter where {@code EVFILT_USER} is an invalid argument, as in OpenBSD before 7.8. */
@EnabledIfKqueue
class KqueueWithoutUserEventsTest {

    /** Fails the first change of a queue, which adds the user event. */
    private static Binding withoutUserEvents() {
        AtomicBoolean first = new AtomicBoolean(true);
        return Bindings.current().decorated("no user events", new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family != Bsd.class ? calls : family.cast(Proxy.newProxyInstance(
                        family.getClassLoader(), new Class<?>[] {family}, (proxy, method, arguments) -> {
                            if (method.getName().equals("kevent") && first.getAndSet(false)) {
                                return -Errno.EINVAL.number();
                            }
                            try {
                                return method.invoke(calls, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        });
    }

    private static SynchronousEventDemultiplexer open(Trigger trigger) throws IOException {
        Binding previous = Bindings.use(withoutUserEvents());
        try {
            return new KqueueDemultiplexer("kqueue", trigger);
        } finally {
            Bindings.use(previous);
        }
    }

    @ParameterizedTest
    @EnumSource
    void wakeUpEndsAWait(Trigger trigger) throws IOException {
        try (SynchronousEventDemultiplexer kqueue = open(trigger); ReadyBatch ready = kqueue.newReadyBatch(4)) {
            for (int round = 0; round < 3; round++) {
                kqueue.wakeUp();
                assertEquals(0, kqueue.awaitReady(ready, FOREVER));
            }
            try (Pipe pipe = Pipe.open()) {
                kqueue.register(pipe.sink(), WRITE, null);
                assertEquals(1, kqueue.awaitReady(ready, FOREVER));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closeEndsAWait(Trigger trigger) throws Exception {
        ExecutorService waiter = Executors.newSingleThreadExecutor();
        SynchronousEventDemultiplexer kqueue = open(trigger);
        try (ReadyBatch ready = kqueue.newReadyBatch(4)) {
            Future<Integer> wait = waiter.submit(() -> kqueue.awaitReady(ready, FOREVER));
            kqueue.close();
            ExecutionException ended = assertThrows(ExecutionException.class, () -> wait.get(30, TimeUnit.SECONDS));
            assertTrue(ended.getCause() instanceof HandleClosedException, () -> "ended by " + ended.getCause());
        } finally {
            kqueue.close();
            waiter.shutdownNow();
        }
    }
}
