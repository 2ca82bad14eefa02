package dev.sluice.campaign.faults;

import dev.sluice.handle.ScarceMemory;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What a fault may lead to. */
final class Outcome {

    private Outcome() {
    }

    /** {@return whether a caller has to expect it when the system refuses something, or has no memory} */
    static boolean isLegitimate(Throwable failure) {
        return failure instanceof IOException || failure instanceof UncheckedIOException
                // A hook wants to go on while the loop is being closed.
                || failure instanceof IllegalStateException && failure.getMessage().endsWith(" is shut down")
                || failure instanceof IllegalArgumentException && failure.getMessage().startsWith("demultiplexer '")
                || failure instanceof OutOfMemoryError && failure.getMessage().startsWith(ScarceMemory.PLANNED);
    }
}
