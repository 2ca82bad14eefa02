package dev.sluice.recipes;

import static java.nio.file.StandardOpenOption.READ;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * Prints the CRC-32 of a file, which it reads past the system's cache. The system reads nothing ahead there, so the
 * next 16 blocks are read while those before them are used.
 */
public final class DirectReads {

    private static final int DEPTH = 16;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args) throws IOException {
        try (FileLoop loop = FileLoop.open();
                LoopFile file = loop.openFile(Path.of(args[0]), READ, FileOption.DIRECT)) {
            FileBatch[] batches = {new FileBatch(loop, DEPTH), new FileBatch(loop, DEPTH)};
            ByteBuffer memory = file.file().directAlignment().allocate(2 * DEPTH * BLOCK);
            CRC32 crc = new CRC32();
            boolean ended = false;
            submit(batches[0], file, memory, 0);
            for (long round = 0; !ended; round++) {
                submit(batches[(int) ((round + 1) % 2)], file, memory, round + 1);
                FileBatch batch = batches[(int) (round % 2)];
                batch.await();
                for (int i = 0; i < DEPTH && !ended; i++) {
                    int bytes = (int) Math.max(0, batch.bytes(i));
                    crc.update(memory.slice(((int) (round % 2) * DEPTH + i) * BLOCK, bytes));
                    ended = bytes < BLOCK;
                }
            }
            batches[0].await();
            batches[1].await();
            System.out.println(Long.toHexString(crc.getValue()));
        }
    }

    private static void submit(FileBatch batch, LoopFile file, ByteBuffer memory, long round) {
        for (int i = 0; i < DEPTH; i++) {
            ByteBuffer block = memory.slice(((int) (round % 2) * DEPTH + i) * BLOCK, BLOCK);
            batch.read(file, block, (round * DEPTH + i) * BLOCK);
        }
        batch.submit();
    }
}
