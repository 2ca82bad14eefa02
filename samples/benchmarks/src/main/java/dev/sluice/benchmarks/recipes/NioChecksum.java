package dev.sluice.benchmarks.recipes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.zip.CRC32;

/** The CRC-32 of a file, its standard input, as gzip computes it, with eight reads at a time by a pool of threads. */
public final class NioChecksum {

    private static final int DEPTH = 8;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        ByteBuffer blocks = ByteBuffer.allocateDirect(DEPTH * BLOCK);
        CRC32 crc = new CRC32();
        try (AsynchronousFileChannel file = AsynchronousFileChannel.open(Path.of("/dev/stdin"))) {
            int read = DEPTH * BLOCK;
            for (long position = 0; read == DEPTH * BLOCK; position += read) {
                List<Future<Integer>> reads = new ArrayList<>();
                for (int at = 0; at < DEPTH * BLOCK; at += BLOCK) {
                    reads.add(file.read(blocks.slice(at, BLOCK), position + at));
                }
                read = 0;
                for (Future<Integer> each : reads) {
                    read += Math.max(0, each.get());
                }
                crc.update(blocks.clear().limit(read));
            }
        }
        System.out.println(Long.toHexString(crc.getValue()));
    }
}
