package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Opening a demultiplexer when system calls fail. */
@Tag(Depth.CORE)
public abstract class OpenContract extends DemultiplexerContract {

    protected OpenContract(String name) {
        super(name);
    }

    /** Lets the first call fail, then the second, and so on; the check for leaks runs after the test. */
    @Test
    void failedOpeningReleasesItsResources() throws IOException {
        int failing = 1;
        while (failsToOpen(new FailingCalls(Bindings.current(), failing))) {
            failing++;
        }
        assertTrue(failing > 1, "opening it makes no call");
    }

    private boolean failsToOpen(FailingCalls calls) throws IOException {
        try (SynchronousEventDemultiplexer opened = openDemultiplexer(calls.binding())) {
            assertFalse(calls.stop(), () -> opened.name() + " was opened although a call failed");
            return false;
        } catch (IOException | IllegalStateException e) {
            // The latter if Winsock could not be started.
            assertTrue(e.getMessage().contains("EMFILE"), e.getMessage());
            return true;
        }
    }

    /** As above, with calls that throw an error. */
    @Test
    void openingThatAnErrorInterruptsReleasesItsResources() throws IOException {
        int failing = 1;
        while (isInterrupted(failing)) {
            failing++;
        }
        assertTrue(failing > 1, "opening it makes no call");
    }

    private boolean isInterrupted(int failing) throws IOException {
        OutOfMemoryError planned = new OutOfMemoryError("planned");
        FailingCalls calls = new FailingCalls(Bindings.current(), failing, planned);
        try (SynchronousEventDemultiplexer opened = openDemultiplexer(calls.binding())) {
            return calls.stop();
        } catch (OutOfMemoryError e) {
            assertSame(planned, e);
            return true;
        }
    }

    /** As above, with allocations. */
    @Test
    void openingWithoutMemoryReleasesItsResources() throws IOException {
        int failing = 1;
        while (runsOutOfMemory(failing)) {
            failing++;
        }
        assertTrue(failing > 1, "opening it takes no memory");
    }

    private boolean runsOutOfMemory(int failing) throws IOException {
        AtomicInteger left = new AtomicInteger(failing);
        Binding scarce = ScarceMemory.of(Bindings.current(), () -> left.decrementAndGet() == 0);
        try (SynchronousEventDemultiplexer opened = openDemultiplexer(scarce)) {
            assertTrue(left.get() > 0, () -> opened.name() + " was opened although memory ran out");
            return false;
        } catch (OutOfMemoryError e) {
            return true;
        }
    }

    @Test
    void unknownNameIsRefusedWithTheRightOnes() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> OpenedDemultiplexers.openSynchronous("no-such")).getMessage();
        assertTrue(message.contains("'no-such'") && message.contains(name()), message);
    }
}
