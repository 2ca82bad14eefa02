package dev.sluice.samples.haboob;

import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.FileOperation;
import dev.sluice.stages.io.FileStage;
import dev.sluice.stages.io.StagedFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a file into the memory of a page, some blocks at a time. The thread that takes the last completion continues.
 */
final class PageReading {

    /** Reads that are asked for at once: as many as half of what a file may be asked for. */
    private static final int AT_ONCE = StagedFile.MAX_PENDING_REQUESTS / 2;

    private final PageRequest request;
    private final Page page;
    private final FileEntry entry;
    private StagedFile file;
    private int nextBlock;
    private int underWay;
    private long missing;
    private IOException failure;

    /** The reply of the request holds the file open until the end. */
    PageReading(PageRequest request, Page page, FileEntry entry) {
        this.request = request;
        this.page = page;
        this.entry = entry;
        this.missing = page.size();
    }

    PageRequest request() {
        return request;
    }

    Page page() {
        return page;
    }

    /** Starts to read the first blocks. */
    void begin(FileStage files, EventQueue<Object> completions) throws IOException {
        file = new StagedFile(files, entry.path(), entry.file(), completions);
        proceed();
    }

    /** Starts to read further blocks. */
    synchronized void proceed() throws IOException {
        int end = Math.min(page.memory().count(), nextBlock + AT_ONCE);
        while (nextBlock < end) {
            ByteBuffer block = page.memory().block(nextBlock);
            long before = (long) nextBlock * PageMemory.BLOCK;
            block.limit((int) Math.min(page.size() - before, PageMemory.BLOCK));
            if (file.read(block, this) != EnqueueResult.ACCEPTED) {
                throw new IOException(file + " takes no more requests");
            }
            nextBlock++;
            underWay++;
        }
    }

    /** {@return whether no read is in progress any more} */
    synchronized boolean ended(FileCompletion completion) {
        if (completion.operation() != FileOperation.READ) {
            return false;
        }
        underWay--;
        missing -= Math.max(0, completion.result());
        if (completion.cause() != null && failure == null) {
            failure = completion.cause();
        }
        return underWay == 0;
    }

    /**
     * {@return whether all of the file is there}
     *
     * @throws IOException if it could not be read, or is shorter than it was
     */
    synchronized boolean isComplete() throws IOException {
        if (failure != null) {
            throw failure;
        }
        boolean all = nextBlock == page.memory().count();
        if (all && missing > 0) {
            throw new EOFException(file + " has been truncated while it was being read");
        }
        return all;
    }

    /** Nothing more is read. */
    void end() {
        file.close(null);
    }
}
