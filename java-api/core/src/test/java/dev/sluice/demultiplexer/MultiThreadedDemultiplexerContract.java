package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/** The contract of an {@link AsynchronousEventDemultiplexer} on which several threads may wait. */
public abstract class MultiThreadedDemultiplexerContract extends AsynchronousDemultiplexerContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected MultiThreadedDemultiplexerContract(AsynchronousMechanism mechanism) {
        super(mechanism);
        this.mechanism = mechanism;
    }

    @Nested
    class SeveralWaiters extends SeveralWaitersContract {
        SeveralWaiters() {
            super(mechanism);
        }
    }

    @Nested
    class Holding extends HoldContract {
        Holding() {
            super(mechanism);
        }
    }

    @Nested
    class HoldingUnderStress extends HoldStressContract {
        HoldingUnderStress() {
            super(mechanism);
        }
    }
}
