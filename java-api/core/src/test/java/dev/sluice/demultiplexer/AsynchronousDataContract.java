package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/**
 * The part of the contract of {@link AsynchronousEventDemultiplexer} about transferred data, and about each kind of
 * operation: an emulation implements all of it itself, whichever mechanism it waits with.
 */
public abstract class AsynchronousDataContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected AsynchronousDataContract(AsynchronousMechanism mechanism) {
        this.mechanism = mechanism;
    }

    @Nested
    class LongDatagrams extends LongDatagramContract {
        LongDatagrams() {
            super(mechanism);
        }
    }

    @Nested
    class HeadsAndTails extends HeadAndTailContract {
        HeadsAndTails() {
            super(mechanism);
        }
    }

    @Nested
    class Opening extends FileOpenContract {
        Opening() {
            super(mechanism);
        }
    }

    @Nested
    class Files extends FileContract {
        Files() {
            super(mechanism);
        }
    }

    @Nested
    class WritesAndForces extends WriteAndForceContract {
        WritesAndForces() {
            super(mechanism);
        }
    }

    @Nested
    class Endings extends EndingContract {
        Endings() {
            super(mechanism);
        }
    }
}
