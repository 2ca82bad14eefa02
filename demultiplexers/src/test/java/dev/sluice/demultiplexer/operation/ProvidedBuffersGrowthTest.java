package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Buffers that there was no memory for are made once there is memory again, and it is not asked for each time. */
@EnabledOnOs(OS.LINUX)
class ProvidedBuffersGrowthTest extends LeakChecked {

    private static final int BYTES = 1 << 20;
    private static final int MANY = 10_000;

    private boolean refuses;
    private int asked;

    /** Memory without room for buffers, as long as it refuses. */
    private Memory scarce(Memory real) {
        return (Memory) Proxy.newProxyInstance(Memory.class.getClassLoader(), new Class<?>[] {Memory.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("allocate") && (Integer) arguments[0] >= BYTES) {
                        asked++;
                        if (refuses) {
                            throw new OutOfMemoryError("no room for buffers");
                        }
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void continuesOnceThereIsMemoryAgain() throws IOException {
        Binding real = Bindings.current();
        Bindings.use(new Binding("scarce", real.os(), scarce(real.memory()), real.posix(), real.linux(), null, null));
        try (OperationProcessor processor = new EmulatedDemultiplexer(new PollDemultiplexer(), new ProvidedBuffers.Size(
                new BufferGroup.Size(1024, 1, 4), new BufferGroup.Size(BYTES, 1, 4), 4), FilePool.DEFAULT_MAX);
                Completions completions = processor.newCompletions(1)) {
            // The thread that has waited is the loop thread.
            assertEquals(0, processor.awaitCompletions(completions, 0));
            assertTrue(processor.enterInside());
            try {
                ProvidedBuffers buffers = processor.memory.providedBuffers;
                refuses = true;
                for (int i = 0; i < 10; i++) {
                    assertFalse(buffers.growLarge());
                }
                assertEquals(1, asked, "asked with each message");
                refuses = false;
                int times = 0;
                while (!buffers.growLarge()) {
                    assertTrue(++times < MANY, "never asked again");
                }
                assertTrue(buffers.growLarge(), "there may be more");
            } finally {
                processor.leaveInside();
            }
        } finally {
            Bindings.use(real);
        }
    }
}
