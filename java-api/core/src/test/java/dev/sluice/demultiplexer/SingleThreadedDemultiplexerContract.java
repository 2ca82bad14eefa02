package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/** The contract of an {@link AsynchronousEventDemultiplexer} whose loop thread alone may wait. */
public abstract class SingleThreadedDemultiplexerContract extends AsynchronousDemultiplexerContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected SingleThreadedDemultiplexerContract(AsynchronousMechanism mechanism) {
        super(mechanism);
        this.mechanism = mechanism;
    }

    @Nested
    class OneWaiter extends OneWaiterContract {
        OneWaiter() {
            super(mechanism);
        }
    }
}
