package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A provided buffer that is still in use when the demultiplexer is closed, as FFM notices. */
@EnabledOnOs(OS.LINUX)
class ProvidedBuffersCloseTest extends LeakChecked {

    private static final int BYTES = 1 << 20;

    private final IllegalStateException failure = new IllegalStateException("in use");
    private final List<MemoryBlock> slabs = new ArrayList<>();
    private boolean inUse = true;

    /** Memory of which the first slab of buffers is in use. */
    private Memory pinning(Memory real) {
        return (Memory) Proxy.newProxyInstance(Memory.class.getClassLoader(), new Class<?>[] {Memory.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof MemoryBlock block && block.buffer().capacity() >= BYTES
                                ? slab(block) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private MemoryBlock slab(MemoryBlock block) {
        boolean first = slabs.isEmpty();
        MemoryBlock slab = new MemoryBlock(block.buffer(), block.address(), () -> {
            if (first && inUse) {
                throw failure;
            }
            block.close();
        });
        slabs.add(slab);
        return slab;
    }

    @Test
    void doesNotKeepTheOthersFromBeingFreed() throws IOException {
        Binding real = Bindings.current();
        Bindings.use(new Binding("pinning", real.os(), pinning(real.memory()), real.posix(), real.linux(), null, null));
        try {
            ProvidedBuffers.Size size = new ProvidedBuffers.Size(new BufferGroup.Size(BYTES, 1, 4),
                    new BufferGroup.Size(2 * BYTES, 1, 1), 4);
            OperationProcessor processor = new EmulatedDemultiplexer(new PollDemultiplexer(), size,
                    FilePool.DEFAULT_MAX);
            // The thread that has waited is the loop thread.
            try (Completions completions = processor.newCompletions(1)) {
                assertEquals(0, processor.awaitCompletions(completions, 0));
            }
            assertTrue(processor.enterInside());
            try {
                processor.memory.providedBuffers.ordinary().grow(false, false);
                processor.memory.providedBuffers.ordinary().grow(false, false);
                processor.memory.providedBuffers.growLarge();
            } finally {
                processor.leaveInside();
            }
            assertSame(failure, assertThrows(IllegalStateException.class, processor::close));
        } finally {
            Bindings.use(real);
        }
        assertEquals(List.of(false, true, true), slabs.stream().map(MemoryBlock::isClosed).toList());
        inUse = false;
        slabs.get(0).close();
    }
}
