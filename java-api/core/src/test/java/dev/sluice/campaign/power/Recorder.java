package dev.sluice.campaign.power;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;

/**
 * Adds what a program asks of the kernel to the history of a disk, however it asks. Used by one thread at a time. Each
 * method returns what takes the result; what is not about the recorded directory is ignored.
 */
final class Recorder {

    /** What takes the result of a request that changes no file. */
    static final LongConsumer IGNORED = result -> { };

    private final Memory memory;
    private final NameScan scan;
    private final Lie lie;
    private final History history;

    Recorder(Memory memory, NameScan scan, Lie lie) {
        this.memory = memory;
        this.scan = scan;
        this.lie = lie;
        this.history = new History(scan.root(), scan.names());
    }

    History history() {
        return history;
    }

    /** Notes which names have changed. */
    void scanNames() {
        try {
            scan.scan(history);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LongConsumer open(int flags) {
        scanNames();
        return descriptor -> {
            try {
                opened((int) descriptor, flags);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private void opened(int descriptor, int flags) throws IOException {
        int exclusive = FileConstants.O_CREAT | FileConstants.O_EXCL;
        if (descriptor < 0) {
            return;
        }
        if ((flags & exclusive) == exclusive) {
            scan.forget(descriptor);
        }
        scanNames();
        Inode file = scan.inode(descriptor);
        if (file != null && (flags & FileConstants.O_TRUNC) != 0) {
            history.completed(history.begin(new Resize(file, 0, false)), 0);
        }
        if (file != null && (flags & FileConstants.O_APPEND) != 0) {
            throw new AssertionError("writes to a file that was opened for appending are not recorded");
        }
    }

    LongConsumer write(int descriptor, long position, byte[] bytes) {
        Inode file = file(descriptor);
        return file == null ? IGNORED : completed(history.begin(new Write(file, position, bytes)));
    }

    LongConsumer resize(int descriptor, long size, boolean extendsOnly) {
        Inode file = file(descriptor);
        return file == null ? IGNORED : completed(history.begin(new Resize(file, size, extendsOnly)));
    }

    LongConsumer allocate(int descriptor, int mode, long position, long length) {
        if (mode == LinuxFileConstants.FALLOC_FL_KEEP_SIZE) {
            return IGNORED;
        }
        return mode == 0 ? resize(descriptor, position + length, true)
                : refuse("fallocate with mode " + mode, descriptor);
    }

    private Inode file(int descriptor) {
        Inode file = scan.inode(descriptor);
        if (file == null) {
            // It may have got its name since the last scan.
            scanNames();
            file = scan.inode(descriptor);
        }
        return file;
    }

    private LongConsumer completed(Change change) {
        return result -> history.completed(change, result);
    }

    LongConsumer force(int descriptor) {
        return force(descriptor, null);
    }

    /** {@return the write of a descriptor that has just begun; null if it is not recorded} */
    Change lastWrite(int descriptor) {
        return scan.inode(descriptor) == null ? null : history.last();
    }

    LongConsumer force(int descriptor, Change follows) {
        scanNames();
        Inode inode = scan.inode(descriptor);
        if (inode == null || lie.isAbout(inode)) {
            return IGNORED;
        }
        History.Force force = history.beginForce(inode, follows);
        return result -> {
            if (result == 0) {
                history.completed(force);
            }
        };
    }

    /** Refuses what changes a file in a way that is not recorded. */
    LongConsumer refuse(String request, int descriptor) {
        if (scan.inode(descriptor) != null) {
            throw new AssertionError(request + " is not recorded");
        }
        return IGNORED;
    }

    // Memory

    byte[] bytes(long address, long length) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        if (length > 0) {
            try (MemoryBlock block = memory.wrap(address, bytes.length, () -> { })) {
                block.buffer().get(0, bytes);
            }
        }
        return bytes;
    }

    byte[] gather(long vector, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryBlock block = memory.wrap(vector, count * Iovec.SIZE, () -> { })) {
            for (int i = 0; i < count; i++) {
                long base = block.buffer().getLong(i * Iovec.SIZE + Iovec.BASE);
                bytes.writeBytes(bytes(base, Iovec.length(block.buffer(), i * Iovec.SIZE)));
            }
        }
        return bytes.toByteArray();
    }

    long number(long address) {
        try (MemoryBlock block = memory.wrap(address, Long.BYTES, () -> { })) {
            return block.buffer().getLong(0);
        }
    }
}
