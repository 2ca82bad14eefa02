package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file that all contestants work on. */
final class BlockFile {

    private BlockFile() {
    }

    /**
     * Writes every block, which brings the whole file into the page cache, in pages: Linux would keep what is written
     * in larger portions in larger pieces, and ext4 looks through all of a piece when a part of it changes.
     *
     * @param path of the file, which is created if there is none
     * @param size in bytes
     * @throws IOException if it cannot be written
     */
    static void write(Path path, long size) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(Slot.BLOCK).order(ByteOrder.nativeOrder());
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (long at = 0; at < size; at += Slot.BLOCK) {
                Slot.fill(block, at, 0);
                file.write(block.clear());
            }
        }
    }
}
