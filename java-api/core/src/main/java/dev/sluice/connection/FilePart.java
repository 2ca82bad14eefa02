package dev.sluice.connection;

import dev.sluice.handle.FileHandle;
import java.util.Objects;

/** A range of a file. */
final class FilePart extends Piece {

    final FileHandle file;
    private final Runnable returned;
    private long position;
    private long count;

    FilePart(FileHandle file, long position, long count, Runnable returned) {
        this.file = Objects.requireNonNull(file, "file");
        this.position = position;
        this.count = count;
        this.returned = Objects.requireNonNull(returned, "returned");
    }

    long position() {
        return position;
    }

    void advance(long sent) {
        position += sent;
        count -= sent;
    }

    @Override
    long remaining() {
        return count;
    }

    @Override
    void release() {
        release(returned);
    }
}
