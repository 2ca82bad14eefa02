package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What is tied to a processor that another thread shuts down meanwhile. */
@EnabledOnOs(OS.LINUX)
class AssociationsTest extends LeakChecked {

    private boolean shutDown;

    @Test
    void shutdownThatIsSeenLateReleasesItsHandle() throws IOException {
        ProvidedBuffers.Size size = new ProvidedBuffers.Size(4096, 1, 1);
        OperationProcessor processor = own(new EmulatedDemultiplexer(new PollDemultiplexer(), size,
                FilePool.DEFAULT_MAX));
        Associations associations = new Associations(processor, () -> shutDown);
        Handle handle = own(Pipe.open()).source();
        shutDown = true;
        assertThrows(HandleClosedException.class, () -> associations.add(handle));
        shutDown = false;
        HandleAssociation association = associations.add(handle);
        assertSame(handle, association.handle());
        assertThrows(IllegalStateException.class, () -> associations.add(handle), "associated already");
        associations.remove(association);
        association.abandon();
    }
}
