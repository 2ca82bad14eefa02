package dev.sluice.demultiplexer.emulated;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MultiThreadedEmulatedDemultiplexerTest extends LeakChecked {

    private static final ProvidedBuffers.Size BUFFERS = new ProvidedBuffers.Size(4096, 1, 1);

    private final OutOfMemoryError failure = new OutOfMemoryError("thrown by the test");

    /** A set without memory for what a wait finds. */
    private SynchronousEventDemultiplexer withoutMemory(SynchronousEventDemultiplexer real) {
        return (SynchronousEventDemultiplexer) Proxy.newProxyInstance(real.getClass().getClassLoader(),
                new Class<?>[] {SynchronousEventDemultiplexer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("newReadyBatch")) {
                        throw failure;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The superclass finds memory that is not freed. */
    @Test
    void constructorWithoutMemoryForABatchKeepsNone() throws IOException {
        SynchronousEventDemultiplexer set = withoutMemory(
                own(new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)));
        assertSame(failure, assertThrows(OutOfMemoryError.class,
                () -> new MultiThreadedEmulatedDemultiplexer(set, BUFFERS, FilePool.DEFAULT_MAX)));
    }

    @Test
    void setThatIsNotOneShotIsRefused() throws IOException {
        SynchronousEventDemultiplexer level = own(new EpollDemultiplexer("epoll", Trigger.LEVEL));
        assertThrows(IllegalArgumentException.class,
                () -> new MultiThreadedEmulatedDemultiplexer(level, BUFFERS, FilePool.DEFAULT_MAX));
    }
}
