package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.io.IOException;

/** How contracts of {@link AsynchronousEventDemultiplexer} open the one under test, and its special properties. */
public interface AsynchronousMechanism {

    /**
     * Opens the demultiplexer as users do.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if a system call fails
     */
    AsynchronousEventDemultiplexer open() throws IOException;

    /**
     * Opens the demultiplexer with the smallest sizes that the mechanism supports: queues of a few entries, which
     * overflow, and four provided buffers of 4 KiB.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if a system call fails
     */
    AsynchronousEventDemultiplexer openSmall() throws IOException;

    /**
     * {@return whether cancelling a send resets its connection, as for zero-copy sends; bytes already sent do not
     * arrive}
     */
    default boolean cancellingASendResets() {
        return false;
    }

    /** {@return the number of operations that the mechanism completes within two minutes even on a busy machine} */
    default int manyOperations() {
        return 1_500_000;
    }

    /** {@return whether a handle that has been associated once cannot be associated with another demultiplexer} */
    default boolean tiesHandlesPermanently() {
        return false;
    }

    /** {@return whether the test plays a kernel that may have less than the running one} */
    default boolean isOnLesserKernel() {
        return false;
    }
}
