package dev.sluice.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Reads a file, or a part of it, by positions, and ahead of that where it is asked to. */
final class SluiceIndexInput extends BufferedIndexInput {

    private static final int BUFFER = 4096;
    /** The maximum length of what is read from its first byte on, such as a vector; of longer ranges, parts are. */
    private static final int READ_AS_A_WHOLE = 4 * BUFFER;
    /**
     * How far a direct file is read ahead while it is read in order: the system does that for cached files alone. It
     * begins after a quarter of that, as the parts of one document or vector are read in order, too.
     */
    private static final int WINDOW = 4 * Prefetches.MAX_LENGTH;

    private final IndexFile file;
    private final SluiceDirectory directory;
    private final long begin;
    private final long end;
    private boolean ownsFile;
    /** The position after the bytes read last. */
    private long next = -1;
    /** The number of bytes that have been read in order. */
    private long inOrder;
    private long readAheadTo;

    /**
     * Creates an input of the whole file, which its close closes.
     *
     * @param description of the input
     * @param file        the file
     * @param directory   says which parts of a compound file are mapped
     */
    SluiceIndexInput(String description, IndexFile file, SluiceDirectory directory) {
        this(description, file, directory, 0, file.length());
        ownsFile = true;
    }

    private SluiceIndexInput(String description, IndexFile file, SluiceDirectory directory, long begin,
            long end) {
        super(description, BUFFER);
        this.file = file;
        this.directory = directory;
        this.begin = begin;
        this.end = end;
    }

    @Override
    protected void readInternal(ByteBuffer destination) throws IOException {
        long position = begin + getFilePointer();
        if (destination.remaining() > end - position) {
            throw new EOFException("read past EOF: " + this);
        }
        if (file.isDirect()) {
            readAhead(position, destination.remaining());
        }
        boolean isFilled = false;
        try {
            file.read(destination, position);
            isFilled = true;
        } finally {
            if (!isFilled) {
                // It may be the buffer of the superclass, which would take it for filled.
                destination.limit(0);
            }
        }
    }

    private void readAhead(long position, int count) {
        if (position != next) {
            inOrder = 0;
            readAheadTo = 0;
        }
        next = position + count;
        inOrder += count;
        if (inOrder < WINDOW / 4) {
            return;
        }
        long from = Math.max(next, readAheadTo);
        if (from < end && from - next <= WINDOW / 2) {
            readAheadTo = Math.min(end, next + WINDOW);
            file.readAhead(from, readAheadTo - from);
        }
    }

    /**
     * Starts to read a range, at most 1 MiB of it, and does not wait for that. The buffer that is filled last reaches
     * beyond the range, and so does what is read. If the file is read directly, and there is no memory for more until
     * other reads have completed, the rest of the range is not read.
     */
    @Override
    public void prefetch(long offset, long count) {
        if (offset >= 0 && count > 0 && offset < length()) {
            long left = length() - offset;
            file.prefetch(begin + offset, Math.min(filled(Math.min(count, left)), left), directory.advises());
        }
    }

    /**
     * {@return the number of bytes that buffers are filled with when a range is read} The last buffer reaches beyond
     * the range. If its end were not read ahead, that would take a further read, which the thread waits for.
     */
    private static long filled(long count) {
        return count <= READ_AS_A_WHOLE ? count + BUFFER - 1 & -BUFFER : count + BUFFER;
    }

    @Override
    protected void seekInternal(long position) throws IOException {
        if (position > length()) {
            throw new EOFException("read past EOF: pos=" + position + " vs length=" + length() + ": " + this);
        }
    }

    @Override
    public long length() {
        return end - begin;
    }

    @Override
    public SluiceIndexInput clone() {
        SluiceIndexInput clone = (SluiceIndexInput) super.clone();
        clone.ownsFile = false;
        clone.next = -1;
        return clone;
    }

    @Override
    public IndexInput slice(String description, long offset, long length) {
        requireInside(description, offset, length);
        return new SluiceIndexInput(getFullSliceDescription(description), file, directory, begin + offset,
                begin + offset + length);
    }

    /** Slices likewise, and maps the file into memory if that is what the name and the context of the part ask for. */
    @Override
    public IndexInput slice(String description, long offset, long length, IOContext context) throws IOException {
        requireInside(description, offset, length);
        MappedFiles files = directory.mappedFiles(description, context);
        return files == null ? slice(description, offset, length)
                : file.mapped(files).slice(description, begin + offset, length, context);
    }

    private void requireInside(String description, long offset, long length) {
        if (offset < 0 || length < 0 || length > length() - offset) {
            throw new IllegalArgumentException("slice() " + description + " out of bounds: offset=" + offset
                    + ",length=" + length + ",fileLength=" + length() + ": " + this);
        }
    }

    @Override
    public void close() throws IOException {
        if (ownsFile) {
            file.close();
        }
    }
}
