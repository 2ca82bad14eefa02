package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.IOException;

/** Copies ranges from one file to another, by the system if it can. */
final class FileCopy {

    private final OpenFile from;
    private final OpenFile to;
    private final OperatingSystem system;
    /** Whether the bytes have to be read and written. */
    private boolean passes;

    FileCopy(OpenFile from, OpenFile to) {
        this.from = from;
        this.to = to;
        this.system = from.system;
        // A call with a position could not append.
        this.passes = to.descriptor.appends();
    }

    long copy(long position, long count, long targetPosition) throws IOException {
        long done = 0;
        try (Scratch scratch = Scratch.withCapacity(from.descriptor.binding(), Scratch.COPY_SIZE)) {
            while (done < count) {
                long copied = part(position + done, count - done, targetPosition + done, scratch);
                if (copied == 0) {
                    break;
                }
                done += copied;
            }
        }
        return done;
    }

    private long part(long position, long count, long targetPosition, Scratch scratch) throws IOException {
        if (!passes) {
            long copied = between(position, count, targetPosition, scratch);
            if (copied > 0) {
                return copied;
            }
            // Files that the system makes up while they are read seem to be empty here.
            passes = true;
            if (copied < 0 && !Errno.ENOSYS.is(copied)) {
                throw new SystemCallException("copy_file_range", to.handle(), copied);
            }
        }
        long read = from.check("pread", from.call(fd -> system.read(fd, scratch.address(Scratch.COPY),
                Math.min(count, Scratch.COPY_SIZE), position)));
        long written = 0;
        while (written < read) {
            written += write(scratch.address(Scratch.COPY) + written, read - written, targetPosition + written);
        }
        return read;
    }

    private long write(long address, long length, long position) throws IOException {
        return to.descriptor.appends()
                ? to.check("write", to.call(fd -> system.append(fd, address, length)))
                : to.check("pwrite", to.call(fd -> system.write(fd, address, length, position)));
    }

    private long between(long position, long count, long targetPosition, Scratch scratch) throws IOException {
        Descriptor target = to.descriptor;
        long descriptor = target.acquire();
        try {
            return from.call(fd -> system.copy(fd, position, descriptor, targetPosition, count, scratch));
        } finally {
            target.release();
        }
    }
}
