package dev.sluice.recipes;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Copies a file to a new one, with 32 reads or writes in flight, and prints how far it is. It runs no event loop. */
public final class Copy {

    private static final int DEPTH = 32;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args) throws IOException {
        try (FileLoop loop = FileLoop.open(); LoopFile source = loop.openFile(Path.of(args[0]));
                LoopFile target = loop.openFile(Path.of(args[1]), WRITE, CREATE_NEW)) {
            FileBatch batch = new FileBatch(loop, DEPTH);
            ByteBuffer blocks = ByteBuffer.allocateDirect(DEPTH * BLOCK);
            long copied = 0;
            for (int read = DEPTH * BLOCK; read == DEPTH * BLOCK; copied += read) {
                for (int at = 0; at < DEPTH * BLOCK; at += BLOCK) {
                    batch.read(source, blocks.slice(at, BLOCK), copied + at);
                }
                batch.await();
                read = 0;
                for (int i = 0; i < DEPTH && batch.bytes(i) > 0; i++) {
                    read += (int) batch.bytes(i);
                }
                for (int at = 0; at < read; at += BLOCK) {
                    batch.write(target, blocks.slice(at, Math.min(BLOCK, read - at)), copied + at);
                }
                batch.await();
                System.out.println(copied + read + " bytes");
            }
            target.file().forceData();
        }
    }
}
