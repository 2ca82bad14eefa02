package dev.sluice.handle;

import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.Scratch;
import org.jspecify.annotations.Nullable;

/** The calls that read and write a file with flags for each transfer (preadv2(2)). */
final class FlaggedCalls {

    final ByteTransfer.Call read;
    final ByteTransfer.Call write;
    final ByteTransfer.VectorCall readVector;
    final ByteTransfer.VectorCall writeVector;

    private FlaggedCalls(int readFlags, int writeFlags) {
        read = (system, fd, address, length, offset) -> system.read(fd, address, length, offset, readFlags);
        write = (system, fd, address, length, offset) -> system.write(fd, address, length, offset, writeFlags);
        readVector = (system, fd, scratch, elements, offset) ->
                system.readVector(fd, scratch.address(Scratch.VECTOR), elements, offset, readFlags);
        writeVector = (system, fd, scratch, elements, offset) ->
                system.writeVector(fd, scratch.address(Scratch.VECTOR), elements, offset, writeFlags);
    }

    /** {@return the calls for a file; null if they have no flags} */
    static @Nullable FlaggedCalls of(FileUse use) {
        return use.hasFlags() ? new FlaggedCalls(use.readFlags(), use.writeFlags()) : null;
    }
}
