package dev.sluice.handle;

import dev.sluice.handle.spi.DirectTransfer;
import dev.sluice.system.RangeCopy;
import java.io.IOException;

/** Copies ranges from one file to another, by the system if it can. */
final class FileCopy {

    private final OpenFile from;
    private final OpenFile to;
    private final RangeCopy parts = new RangeCopy();

    /**
     * Prepares a copy.
     *
     * @throws IllegalArgumentException if each write to the target has to be atomic
     */
    FileCopy(OpenFile from, OpenFile to) {
        DirectTransfer.requireCopyTarget(to.descriptor);
        this.from = from;
        this.to = to;
        parts.begin(to.descriptor.appends());
    }

    long copy(long position, long count, long targetPosition) throws IOException {
        long done = 0;
        while (done < count) {
            long copied = part(position + done, count - done, targetPosition + done);
            if (copied == 0) {
                break;
            }
            done += copied;
        }
        return done;
    }

    private long part(long position, long count, long targetPosition) throws IOException {
        long source = from.descriptor.acquire();
        try {
            long target = to.descriptor.acquire();
            try {
                long copied = parts.part(from.system, source, position, target, targetPosition, count);
                return (parts.isReading() ? from : to).check(parts.call(), copied);
            } finally {
                to.descriptor.release();
            }
        } finally {
            from.descriptor.release();
        }
    }
}
