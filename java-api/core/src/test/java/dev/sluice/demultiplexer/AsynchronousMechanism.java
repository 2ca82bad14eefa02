package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.io.IOException;

/** How contracts of {@link AsynchronousEventDemultiplexer} open the one under test, and what is special about it. */
public interface AsynchronousMechanism {

    /**
     * Opens the demultiplexer as users do.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if the system refuses
     */
    AsynchronousEventDemultiplexer open() throws IOException;

    /**
     * Opens the demultiplexer with the least room that the mechanism can do with: queues of a few entries that run full
     * and over, and four provided buffers of 4 KiB.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if the system refuses
     */
    AsynchronousEventDemultiplexer openSmall() throws IOException;

    /**
     * {@return whether a send that is cancelled takes its connection with it, as one without copying does; what has
     * been sent until then does not arrive}
     */
    default boolean cancellingASendResets() {
        return false;
    }

    /**
     * {@return the number of operations that the mechanism completes within the limit of two minutes on a busy machine,
     * too}
     */
    default int manyOperations() {
        return 1_500_000;
    }

    /** {@return whether a handle that has been associated once cannot be associated with another demultiplexer} */
    default boolean tiesHandlesPermanently() {
        return false;
    }
}
