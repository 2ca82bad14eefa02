package dev.sluice.demultiplexer;

import java.io.IOException;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link AsynchronousEventDemultiplexer}, by topic. A demultiplexer is done when it passes all of this:
 * its test extends this class and says how it is opened.
 */
public abstract class AsynchronousDemultiplexerContract {

    /** For subclasses. */
    protected AsynchronousDemultiplexerContract() {
    }

    /**
     * Opens the demultiplexer as users do.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if the system refuses
     */
    protected abstract AsynchronousEventDemultiplexer open() throws IOException;

    /**
     * Opens the demultiplexer with the least room that the mechanism can do with: queues of a few entries that run full
     * and over, and four provided buffers of 4 KiB.
     *
     * @return the demultiplexer, which the caller closes
     * @throws IOException if the system refuses
     */
    protected abstract AsynchronousEventDemultiplexer openSmall() throws IOException;

    /**
     * {@return whether a send that is cancelled takes its connection with it, as one without copying does; what has
     * been sent until then does not arrive}
     */
    protected boolean cancellingASendResets() {
        return false;
    }

    /** {@return how many operations the mechanism completes in less than two minutes, which is the limit} */
    protected int manyOperations() {
        return 5_000_000;
    }

    /** {@return whether a handle that has been associated once cannot be associated with another demultiplexer} */
    protected boolean tiesHandlesForGood() {
        return false;
    }

    @Nested
    class Starting extends StartContract {
        Starting() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class OtherDemultiplexers extends OtherDemultiplexerContract {
        OtherDemultiplexers() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Accepting extends AcceptContract {
        Accepting() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Connecting extends ConnectContract {
        Connecting() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Receiving extends ReceiveContract {
        Receiving() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Sending extends SendContract {
        Sending() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        Pipes() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Order extends OrderContract {
        Order() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class ProvidedBuffers extends ProvidedBufferContract {
        ProvidedBuffers() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class ScarceProvidedBuffers extends ScarceProvidedBufferContract {
        ScarceProvidedBuffers() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        Datagrams() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class LongDatagrams extends LongDatagramContract {
        LongDatagrams() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Transmitting extends TransmitFileContract {
        Transmitting() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class HeadsAndTails extends HeadAndTailContract {
        HeadsAndTails() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class FullSockets extends FullSocketContract {
        FullSockets() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Opening extends FileOpenContract {
        Opening() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Files extends FileContract {
        Files() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Polling extends PollContract {
        Polling() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Timers extends TimerContract {
        Timers() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class BufferOwnership extends BufferOwnershipContract {
        BufferOwnership() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class TouchedBuffers extends TouchedBufferContract {
        TouchedBuffers() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class RefusedSignals extends RefusedSignalContract {
        RefusedSignals() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        Cancelling() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class CancellingDuringWait extends CancelDuringWaitContract {
        CancellingDuringWait() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Associations extends AssociationContract {
        Associations() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Endings extends EndingContract {
        Endings() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Shutdown extends ShutdownContract {
        Shutdown() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Waiting extends LoopThreadContract {
        Waiting() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class SeveralWaiters extends SeveralWaitersContract {
        SeveralWaiters() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Holding extends HoldContract {
        Holding() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class HoldingUnderStress extends HoldStressContract {
        HoldingUnderStress() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class Unexpected extends UnexpectedFailureContract {
        Unexpected() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class OtherThreads extends OtherThreadsContract {
        OtherThreads() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }

    @Nested
    class SmallQueues extends SmallQueueContract {
        SmallQueues() {
            super(AsynchronousDemultiplexerContract.this);
        }
    }
}
