package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link AsynchronousEventDemultiplexer}, by topic. A demultiplexer is complete when it passes
 * {@link SingleThreadedDemultiplexerContract} or {@link MultiThreadedDemultiplexerContract},
 * {@link AsynchronousTransferContract}, {@link AsynchronousDataContract} and {@link AsynchronousFileContract}.
 */
public abstract class AsynchronousDemultiplexerContract {

    private final AsynchronousMechanism mechanism;

    /**
     * For subclasses.
     *
     * @param mechanism under test
     */
    protected AsynchronousDemultiplexerContract(AsynchronousMechanism mechanism) {
        this.mechanism = mechanism;
    }

    @Nested
    class Opening extends AsynchronousOpenContract {
        Opening() {
            super(mechanism);
        }
    }

    @Nested
    class Starting extends StartContract {
        Starting() {
            super(mechanism);
        }
    }

    @Nested
    class OtherDemultiplexers extends OtherDemultiplexerContract {
        OtherDemultiplexers() {
            super(mechanism);
        }
    }

    @Nested
    class Timers extends TimerContract {
        Timers() {
            super(mechanism);
        }
    }

    @Nested
    class BufferOwnership extends BufferOwnershipContract {
        BufferOwnership() {
            super(mechanism);
        }
    }

    @Nested
    class TouchedBuffers extends TouchedBufferContract {
        TouchedBuffers() {
            super(mechanism);
        }
    }

    @Nested
    class SharedArenas extends SharedArenaContract {
        SharedArenas() {
            super(mechanism);
        }
    }

    @Nested
    class RefusedSignals extends RefusedSignalContract {
        RefusedSignals() {
            super(mechanism);
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        Cancelling() {
            super(mechanism);
        }
    }

    @Nested
    class CancellingDuringWait extends CancelDuringWaitContract {
        CancellingDuringWait() {
            super(mechanism);
        }
    }

    @Nested
    class Associations extends AssociationContract {
        Associations() {
            super(mechanism);
        }
    }

    @Nested
    class Shutdown extends ShutdownContract {
        Shutdown() {
            super(mechanism);
        }
    }

    @Nested
    class Waiting extends LoopThreadContract {
        Waiting() {
            super(mechanism);
        }
    }

    @Nested
    class Unexpected extends UnexpectedFailureContract {
        Unexpected() {
            super(mechanism);
        }
    }

    @Nested
    class OtherThreads extends OtherThreadsContract {
        OtherThreads() {
            super(mechanism);
        }
    }

    @Nested
    class SmallQueues extends SmallQueueContract {
        SmallQueues() {
            super(mechanism);
        }
    }
}
