package dev.sluice.benchmarks.recipes;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;

/** The recipe {@code DirectReads} on a {@code FileChannel}, with a thread for each block that is read ahead. */
public final class NioDirectReads {

    private static final int DEPTH = 16;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args)
            throws IOException, InterruptedException, ExecutionException, ReflectiveOperationException {
        Path path = Path.of(args[0]);
        // The compiler warns of each use of it.
        OpenOption direct = (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT")
                .get(null);
        ExecutorService threads = Executors.newFixedThreadPool(DEPTH);
        try (FileChannel file = FileChannel.open(path, READ, direct)) {
            int unit = (int) Files.getFileStore(path).getBlockSize();
            Deque<Future<ByteBuffer>> reads = new ArrayDeque<>();
            long position = 0;
            for (int i = 0; i < DEPTH; i++, position += BLOCK) {
                reads.add(read(threads, file, ByteBuffer.allocateDirect(BLOCK + unit).alignedSlice(unit), position));
            }
            CRC32 crc = new CRC32();
            boolean ended = false;
            for (; !ended; position += BLOCK) {
                ByteBuffer block = reads.remove().get();
                ended = block.limit() < BLOCK;
                crc.update(block.duplicate());
                reads.add(read(threads, file, block, position));
            }
            for (Future<ByteBuffer> each : reads) {
                each.get();
            }
            System.out.println(Long.toHexString(crc.getValue()));
        } finally {
            threads.shutdown();
        }
    }

    private static Future<ByteBuffer> read(ExecutorService threads, FileChannel file, ByteBuffer block, long position) {
        return threads.submit(() -> {
            block.clear().limit(BLOCK);
            int bytes = 0;
            while (block.hasRemaining() && bytes >= 0 && block.position() % 512 == 0) {
                bytes = file.read(block, position + block.position());
            }
            return block.flip();
        });
    }
}
