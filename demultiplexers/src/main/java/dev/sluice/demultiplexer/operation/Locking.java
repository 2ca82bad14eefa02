package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.RangeCall;
import java.io.Closeable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file to lock, and the lock. No call waits for it: a thread that waits in the system for a lock of
 * another process cannot be interrupted, so a cancelled operation would occupy it. Instead the call is repeated after
 * pauses, in which the operation occupies no thread.
 */
public final class Locking extends Timed {

    private static final long MIN_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PAUSE = TimeUnit.MILLISECONDS.toNanos(64);

    private long length;
    private boolean shared;
    private long nextPause;
    /** The lock as it will be when the range is locked. Created first: without it nothing could end the lock. */
    private @Nullable Closeable lock;

    Locking(OperationSlot operation, OperationType type) {
        super(operation, type);
    }

    void set(long from, long bytes, boolean isShared) {
        position = from;
        length = bytes;
        shared = isShared;
    }

    @Override
    void check() {
        length = RangeCall.lockedLength(position, length);
        HandleAssociation file = operation.handleAssociation();
        file.held.system().requireLock(position, length);
        lock = Descriptors.lock(file.held, position, length);
        nextPause = MIN_PAUSE;
    }

    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        OperatingSystem system = file.held.system();
        return system.lock(file.descriptor(), position, length, shared, false);
    }

    /** {@return whether the operation waits for another owner's lock, given the result of a call} */
    public boolean isToWait(long result) {
        return type == OperationType.LOCK && Errno.EAGAIN.is(result);
    }

    /** Begins a pause, whose end is the {@link #deadline()}. Each pause is longer than the last one. */
    public void beginPause() {
        setDeadline(nextPause);
        nextPause = Math.min(2 * nextPause, MAX_PAUSE);
    }

    /**
     * {@return the result of the operation, given that of its last call} If the range is locked, the completion has the
     * {@link #takeResource lock}.
     */
    public long outcome(long result) {
        if (result == 0) {
            return 0;
        }
        lock = null;
        return type == OperationType.TRY_LOCK && Errno.EAGAIN.is(result) ? 0 : result;
    }

    /** {@inheritDoc} The lock. */
    @Override
    public @Nullable Object takeResource() {
        Closeable taken = lock;
        lock = null;
        return taken;
    }

    @Override
    void free() {
        lock = null;
    }
}
