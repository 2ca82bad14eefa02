package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/**
 * The part of the contract of {@link AsynchronousEventDemultiplexer} about ranges, copies, locks and attributes of
 * files and about names, which a mechanism leaves to threads if the system cannot execute them.
 */
public abstract class AsynchronousFileContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected AsynchronousFileContract(AsynchronousMechanism mechanism) {
        this.mechanism = mechanism;
    }

    @Nested
    class Ranges extends FileRangeContract {
        Ranges() {
            super(mechanism);
        }
    }

    @Nested
    class Flags extends FileFlagContract {
        Flags() {
            super(mechanism);
        }
    }

    @Nested
    class RegisteredBuffers extends RegisteredBufferContract {
        RegisteredBuffers() {
            super(mechanism);
        }
    }

    @Nested
    class Copies extends FileCopyContract {
        Copies() {
            super(mechanism);
        }
    }

    @Nested
    class Locks extends FileLockContract {
        Locks() {
            super(mechanism);
        }
    }

    @Nested
    class Order extends FileOrderContract {
        Order() {
            super(mechanism);
        }
    }

    @Nested
    class Names extends NameContract {
        Names() {
            super(mechanism);
        }
    }
}
