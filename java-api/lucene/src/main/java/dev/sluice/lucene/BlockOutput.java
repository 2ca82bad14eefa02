package dev.sluice.lucene;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a new file by whole blocks, at multiples of their length. Used by one thread at a time. */
final class BlockOutput extends OutputStream {

    private final FileHandle file;
    private final BlockPool blocks;
    private @Nullable ByteBuffer block;
    /** Where the block is written. */
    private long position;
    private @Nullable Throwable failure;

    /**
     * Creates an output.
     *
     * @param file   an empty file, which the close closes
     * @param blocks where the block comes from
     */
    BlockOutput(FileHandle file, BlockPool blocks) {
        this.file = file;
        this.blocks = blocks;
        this.block = blocks.take();
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (failure != null) {
            throw new IOException("write " + file + ": refused, because an earlier write has failed", failure);
        }
        if (block == null) {
            throw new IOException("write " + file + ": the output is closed");
        }
        for (int done = 0; done < length; ) {
            int count = Math.min(length - done, block.remaining());
            block.put(bytes, offset + done, count);
            done += count;
            if (!block.hasRemaining()) {
                writeBlock(block);
            }
        }
    }

    private void writeBlock(ByteBuffer filled) throws IOException {
        filled.flip();
        try {
            int count = filled.remaining();
            file.writeFully(filled, position);
            position += count;
        } catch (Throwable e) {
            // What is in the file now has a gap, if anything is written behind it.
            failure = e;
            throw e;
        } finally {
            filled.clear();
        }
    }

    /** Writes the last block, unless a write has failed, and closes the file. Closing again does nothing. */
    @Override
    public void close() throws IOException {
        ByteBuffer last = block;
        if (last == null) {
            return;
        }
        block = null;
        try (file) {
            if (failure == null && last.position() > 0) {
                writeBlock(last);
            }
        } finally {
            blocks.giveBack(last);
        }
    }
}
