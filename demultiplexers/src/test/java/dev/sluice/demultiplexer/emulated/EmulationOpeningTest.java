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
 * Something fails while an emulation is made that is no call of the system: the check for leaks after each test shows
 * that its handle set is closed, and its memory freed.
 */
@EnabledOnOs(OS.LINUX)
class EmulationOpeningTest extends LeakChecked {

    @Test
    void emulationThatCannotBeMadeClosesItsHandleSet() throws IOException {
        SynchronousEventDemultiplexer set = new EpollDemultiplexer("epoll", Trigger.LEVEL);
        assertThrows(IllegalArgumentException.class,
                () -> new EmulatedDemultiplexer(set, ProvidedBuffers.Size.DEFAULT, 0));
    }

    @Test
    void emulationForManyThreadsThatCannotBeMadeClosesItsHandleSet() throws IOException {
        SynchronousEventDemultiplexer set = new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT);
        assertThrows(IllegalArgumentException.class,
                () -> new MultiThreadedEmulatedDemultiplexer(set, ProvidedBuffers.Size.DEFAULT, 0));
    }
}
