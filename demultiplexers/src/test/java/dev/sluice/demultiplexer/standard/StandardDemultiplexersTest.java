package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The ownership of a handle set while an emulation over it is created; the superclass finds one that is left open. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no poll(2)")
class StandardDemultiplexersTest extends LeakChecked {

    @Test
    void failingEmulationClosesItsHandleSet() throws IOException {
        SynchronousEventDemultiplexer set = new PollDemultiplexer();
        OutOfMemoryError failure = new OutOfMemoryError("thrown by the test");
        assertSame(failure, assertThrows(OutOfMemoryError.class, () -> StandardDemultiplexers.owning(set, it -> {
            throw failure;
        })));
    }
}
