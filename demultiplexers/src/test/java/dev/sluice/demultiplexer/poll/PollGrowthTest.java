package dev.sluice.demultiplexer.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.ScarceMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** There is no memory for a larger array. */
@EnabledOnOs(OS.LINUX)
class PollGrowthTest extends LeakChecked {

    private static final int MORE_THAN_AT_FIRST = 64;

    @Test
    void outOfMemoryLeavesNoHandleRegistered() throws Exception {
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        Binding real = Bindings.current();
        List<Pipe> pipes = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_AT_FIRST; i++) {
            Pipe pipe = own(Pipe.open());
            pipe.send(ByteBuffer.allocate(1));
            pipes.add(pipe);
        }
        Bindings.use(ScarceMemory.of(real, () -> left.decrementAndGet() == 0));
        try (PollDemultiplexer demultiplexer = new PollDemultiplexer();
             ReadyBatch ready = demultiplexer.newReadyBatch(2 * MORE_THAN_AT_FIRST)) {
            Pipe last = pipes.remove(pipes.size() - 1);
            for (Pipe pipe : pipes) {
                demultiplexer.register(pipe.source(), EventType.READ, null);
            }
            left.set(1);
            assertThrows(OutOfMemoryError.class,
                    () -> demultiplexer.register(last.source(), EventType.READ, null));
            assertEquals(pipes.size(), demultiplexer.awaitReady(ready, 0));
            demultiplexer.register(last.source(), EventType.READ, null);
            assertEquals(pipes.size() + 1, demultiplexer.awaitReady(ready, 0));
        } finally {
            Bindings.use(real);
        }
    }
}
