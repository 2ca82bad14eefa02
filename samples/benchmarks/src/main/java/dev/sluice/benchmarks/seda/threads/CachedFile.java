package dev.sluice.benchmarks.seda.threads;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The file that all tasks read: always the same, so that the system has it in its cache. For any number of threads. */
final class CachedFile implements Closeable {

    /** How much a task reads: all of the file. */
    static final int BYTES = 8 * 1024;

    private static final long FIRST = 0x53454441_00000001L;
    private static final long LAST = 0x53454441_00000002L;

    private final FileChannel channel;
    /** As many as there are threads that read at the same time: one for each task would not fit into memory. */
    private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();

    private CachedFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Writes it.
     *
     * @param path of the file
     * @throws IOException if it cannot be written
     */
    static void write(Path path) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(0, FIRST);
        bytes.putLong(BYTES - Long.BYTES, LAST);
        Files.write(path, bytes.array());
    }

    static CachedFile open(Path path) throws IOException {
        return new CachedFile(FileChannel.open(path));
    }

    /**
     * Reads it.
     *
     * @throws IOException if that fails, or brings something else than what was written
     */
    void read() throws IOException {
        ByteBuffer buffer = buffers.poll();
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(BYTES);
        }
        buffer.clear();
        int read = channel.read(buffer, 0);
        if (read != BYTES || buffer.getLong(0) != FIRST || buffer.getLong(BYTES - Long.BYTES) != LAST) {
            throw new IOException("a read brought " + read + " bytes, or other ones than were written");
        }
        buffers.add(buffer);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
