package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/** The part of the contract of {@link AsynchronousEventDemultiplexer} about operations that wait for a peer. */
public abstract class AsynchronousTransferContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected AsynchronousTransferContract(AsynchronousMechanism mechanism) {
        this.mechanism = mechanism;
    }

    @Nested
    class Accepting extends AcceptContract {
        Accepting() {
            super(mechanism);
        }
    }

    @Nested
    class Connecting extends ConnectContract {
        Connecting() {
            super(mechanism);
        }
    }

    @Nested
    class Receiving extends ReceiveContract {
        Receiving() {
            super(mechanism);
        }
    }

    @Nested
    class Sending extends SendContract {
        Sending() {
            super(mechanism);
        }
    }

    @Nested
    class Order extends OrderContract {
        Order() {
            super(mechanism);
        }
    }

    @Nested
    class Gaps extends StreamGapContract {
        Gaps() {
            super(mechanism);
        }
    }

    @Nested
    class ProvidedBuffers extends ProvidedBufferContract {
        ProvidedBuffers() {
            super(mechanism);
        }
    }

    @Nested
    class ScarceProvidedBuffers extends ScarceProvidedBufferContract {
        ScarceProvidedBuffers() {
            super(mechanism);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        Datagrams() {
            super(mechanism);
        }
    }

    @Nested
    class Transmitting extends TransmitFileContract {
        Transmitting() {
            super(mechanism);
        }
    }

    @Nested
    class FullSockets extends FullSocketContract {
        FullSockets() {
            super(mechanism);
        }
    }

    @Nested
    class Polling extends PollContract {
        Polling() {
            super(mechanism);
        }
    }
}
