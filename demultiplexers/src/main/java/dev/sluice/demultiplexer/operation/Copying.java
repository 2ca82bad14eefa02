package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.handle.spi.DirectTransfer;
import dev.sluice.system.RangeCopy;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file to copy, and the file to copy it to, which is held open. Each call copies a part, so that the
 * operation can be cancelled in between, and the thread that makes the calls serves others. While the parts take no
 * time, because the file system shares the blocks, they grow: each of them costs the file system an entry.
 */
public final class Copying extends Arguments {

    private static final long FIRST_PART = 4 << 20;
    private static final long MAX_PART = 1 << 30;
    private static final int GROWTH = 8;
    /** The duration below which a part grows. Copying the bytes of the first part within it takes 4 GB/s. */
    private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The file to copy to, for the message of an error.
     *
     * @param file the file
     */
    record Target(FileHandle file) {

        @Override
        public String toString() {
            return file.toString();
        }
    }

    private final RangeCopy parts = new RangeCopy();
    private @Nullable FileHandle target;
    private long targetPosition;
    private long count;
    private long done;
    /** The maximum number of bytes of the next part. */
    private long part;
    private long targetDescriptor;
    private boolean holdsTarget;

    Copying(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(long from, long number, FileHandle to, long toPosition) {
        position = from;
        count = number;
        target = to;
        targetPosition = toPosition;
    }

    @Override
    void check() {
        Objects.requireNonNull(target, "target");
        DirectTransfer.requireCopyTarget(target());
        requireNotNegative(position, "position");
        requireNotNegative(targetPosition, "targetPosition");
        requireNotNegative(count, "count");
        // The system refuses a range that ends beyond the largest number.
        count = Math.min(count, Long.MAX_VALUE - Math.max(position, targetPosition));
        // Here, because a start may be cancelled before it is prepared.
        done = 0;
        part = FIRST_PART;
        parts.begin(target().appends());
    }

    private Descriptor target() {
        assert target != null;
        return Descriptors.of(target.handle());
    }

    @Override
    long prepare() {
        try {
            targetDescriptor = target().acquire();
            holdsTarget = true;
        } catch (HandleClosedException e) {
            return -Errno.EBADF.number();
        }
        return count == 0 ? 0 : NEEDS_CALL;
    }

    /** {@inheritDoc} Copies a part. */
    @Override
    public long makeCall() {
        HandleAssociation source = operation.handleAssociation();
        long begin = System.nanoTime();
        long copied = parts.part(source.held.system(), source.descriptor(), position + done, targetDescriptor,
                targetPosition + done, Math.min(count - done, part));
        part = System.nanoTime() - begin < QUICK_NANOS ? Math.min(GROWTH * part, MAX_PART) : FIRST_PART;
        return copied;
    }

    @Override
    public boolean moved(long bytes) {
        done += bytes;
        return bytes > 0 && done < count;
    }

    @Override
    long result(long lastAttempt) {
        return done;
    }

    @Override
    void release() {
        if (holdsTarget) {
            holdsTarget = false;
            target().release();
        }
    }

    @Override
    @Nullable Object subject() {
        return target == null ? null : new Target(target);
    }

    @Override
    String call() {
        return parts.call();
    }

    @Override
    @Nullable String advice(long result) {
        return done > 0 ? done + " bytes were copied before" : null;
    }

    @Override
    void forget() {
        target = null;
    }
}
