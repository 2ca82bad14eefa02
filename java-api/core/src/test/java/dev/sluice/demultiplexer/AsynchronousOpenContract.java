package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Opening a demultiplexer when system calls fail. It may be opened without optional resources; the check for leaks
 * after each test shows that a failed opening releases everything.
 */
@Tag(Depth.CORE)
abstract class AsynchronousOpenContract extends OperationContract {

    AsynchronousOpenContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    /** Lets the first call fail, then the second, and so on. */
    @Test
    void failedOpeningReleasesItsResources() throws IOException {
        int refused = 0;
        FailingCalls calls = new FailingCalls(Bindings.current(), 1);
        for (int failing = 1; refuses(calls); failing++) {
            refused++;
            calls = new FailingCalls(Bindings.current(), failing + 1);
        }
        assertTrue(refused > 0, "opening it makes no call");
    }

    /** {@return whether one of the calls failed} */
    private boolean refuses(FailingCalls calls) throws IOException {
        try (AsynchronousEventDemultiplexer opened = openSmall(calls.binding())) {
            return calls.stop();
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
        try (AsynchronousEventDemultiplexer opened = openSmall(calls.binding())) {
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
        try (AsynchronousEventDemultiplexer opened = openSmall(scarce)) {
            return left.get() <= 0;
        } catch (OutOfMemoryError e) {
            return true;
        }
    }
}
