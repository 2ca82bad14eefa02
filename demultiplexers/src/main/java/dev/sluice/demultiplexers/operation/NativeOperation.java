package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.Operation;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An operation on its way from its start to its completion. A subclass adds what its mechanism has to remember. What is
 * not said to be for any thread is the loop's.
 */
public class NativeOperation extends PreparedOperation {

    /** Where an operation that has been started is. */
    enum Phase { STARTED, WAITING, TO_BEGIN, BEGUN, STARVING, COMPLETED }

    private final OperationProcessor processor;

    // From any thread
    private volatile int starts;
    private volatile int startsAtCancel;
    private final AtomicBoolean cancelCommanded = new AtomicBoolean();
    final Command startCommand = new Command() {
        @Override
        void perform() {
            processor.accept(NativeOperation.this);
        }
    };
    private final Command cancelCommand = new Command() {
        @Override
        void perform() {
            cancelCommanded.set(false);
            cancelStart(startsAtCancel);
        }
    };

    // Its place among others
    long key;
    Direction direction;
    Phase phase = Phase.COMPLETED;
    NativeOperation previous;
    NativeOperation following;
    private boolean cancelRequested;

    /**
     * Makes one.
     *
     * @param processor  that will execute it
     * @param attachment as for {@link Operation}
     */
    public NativeOperation(OperationProcessor processor, Object attachment) {
        super(processor, attachment);
        this.processor = processor;
    }

    // From any thread

    @Override
    protected final void start() {
        direction = Direction.of(type());
        checkBuffers();
        cancelRequested = false;
        phase = Phase.STARTED;
        starts++;
        processor.start(this);
    }

    @Override
    public final void cancel() {
        int current = starts;
        if (!isInFlight()) {
            return;
        }
        if (processor.inLoop()) {
            cancelStart(current);
            return;
        }
        startsAtCancel = current;
        if (cancelCommanded.compareAndSet(false, true)) {
            processor.command(cancelCommand);
        }
    }

    private void cancelStart(int which) {
        if (which != starts || !isInFlight()) {
            return;
        }
        if (phase == Phase.STARTED) {
            cancelRequested = true;
        } else {
            processor.cancelAccepted(this);
        }
    }

    // On the loop thread

    final void collected() {
        finished();
        processor.countCollected();
    }

    final void requestCancel() {
        cancelRequested = true;
    }

    /** {@return whether it should not be attempted again} */
    public final boolean isCancelRequested() {
        return cancelRequested;
    }

    /** {@return what tells it from other operations in flight, and from itself another time; never negative} */
    public final long key() {
        return key;
    }

    /** {@return the operation accepted after this one on the same handle, or null} */
    public final NativeOperation following() {
        return following;
    }

    /** {@return whether it is being executed} */
    public final boolean isBegun() {
        return phase == Phase.BEGUN;
    }
}
