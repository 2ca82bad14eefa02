package dev.sluice.demultiplexer.emulated;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A constructor fails for another reason than a system call: the check for leaks after each test shows that it keeps
 * no memory. The handle set is still the caller's.
 */
@EnabledOnOs(OS.LINUX)
class EmulationOpeningTest extends LeakChecked {

    @Test
    void failingConstructorFreesItsMemory() throws IOException {
        SynchronousEventDemultiplexer set = own(new EpollDemultiplexer("epoll", Trigger.LEVEL));
        assertThrows(IllegalArgumentException.class,
                () -> new EmulatedDemultiplexer(set, ProvidedBuffers.Size.DEFAULT, 0));
    }

    @Test
    void failingMultiThreadedConstructorFreesItsMemory() throws IOException {
        SynchronousEventDemultiplexer set = own(new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT));
        assertThrows(IllegalArgumentException.class,
                () -> new MultiThreadedEmulatedDemultiplexer(set, ProvidedBuffers.Size.DEFAULT, 0));
    }
}
