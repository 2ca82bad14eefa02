package dev.sluice.samples.wal;

import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The segment that groups are written to, one at a time, until the next segment takes its place. Used under the lock of
 * the log.
 */
final class OpenSegment {

    private final LogDirectory directory;
    private final Proactor proactor;
    private final CompletionHandler handler;
    private AsyncFile file;
    private int position;
    private long end;
    /** Whether the next segment has been requested; it is when this one is half full. */
    private boolean nextIsPrepared;

    /**
     * Creates an object without a file.
     *
     * @param directory the directory of the log
     * @param proactor  executes what is {@linkplain #start started}
     * @param handler   receives the completions
     */
    OpenSegment(LogDirectory directory, Proactor proactor, CompletionHandler handler) {
        this.directory = directory;
        this.proactor = proactor;
        this.handler = handler;
    }

    /**
     * Opens a file, to write groups to it.
     *
     * @param path the file
     * @param at   the position of the next group
     * @throws IOException if the system refuses; the file that was open before is not closed
     */
    void open(Path path, int at) throws IOException {
        FileHandle opened = directory.openToAppend(path);
        try {
            file = new AsyncFile(proactor, opened, handler);
            end = opened.size();
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
        position = at;
        nextIsPrepared = false;
    }

    /**
     * Continues in the next segment, if a group does not fit into the rest of this one.
     *
     * @param length the length of the group in bytes
     * @param supply has the next segment
     * @return whether there is space for the group; if not, the supply calls back when there is a segment
     * @throws IOException if there is no further segment
     */
    boolean makeSpace(int length, SegmentSupply supply) throws IOException {
        if (position + length > end) {
            Path next = supply.take();
            if (next == null) {
                return false;
            }
            close();
            open(next, SegmentHeader.BLOCK);
        }
        if (!nextIsPrepared && position >= end / 2) {
            nextIsPrepared = true;
            supply.prepare();
        }
        return true;
    }

    /** {@return the file, to write the next group without a Proactor} */
    FileHandle file() {
        return file.file();
    }

    /** {@return the position of the next group} */
    int position() {
        return position;
    }

    /** Lets the Proactor write and force the next group. */
    void start(ByteBuffer group) {
        file.writeAndForceData(group, position, null);
    }

    /** The next group is on the disk, and the one after it follows. */
    void advance(int length) {
        position += length;
    }

    void close() {
        file().close();
    }
}
