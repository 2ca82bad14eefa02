package dev.sluice.benchmarks.recipes;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Copies a file to a new one, with 32 reads or writes at a time by a pool of threads, and prints how far it is. */
public final class NioCopy {

    private static final int DEPTH = 32;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        ByteBuffer blocks = ByteBuffer.allocateDirect(DEPTH * BLOCK);
        try (AsynchronousFileChannel source = AsynchronousFileChannel.open(Path.of(args[0]));
                AsynchronousFileChannel target = AsynchronousFileChannel.open(Path.of(args[1]), WRITE, CREATE_NEW)) {
            long copied = 0;
            for (int read = DEPTH * BLOCK; read == DEPTH * BLOCK; copied += read) {
                List<Future<Integer>> calls = new ArrayList<>();
                for (int at = 0; at < DEPTH * BLOCK; at += BLOCK) {
                    calls.add(source.read(blocks.slice(at, BLOCK), copied + at));
                }
                read = 0;
                for (Future<Integer> each : calls) {
                    read += Math.max(0, each.get());
                }
                calls.clear();
                for (int at = 0; at < read; at += BLOCK) {
                    calls.add(target.write(blocks.slice(at, Math.min(BLOCK, read - at)), copied + at));
                }
                int written = 0;
                for (Future<Integer> each : calls) {
                    written += each.get();
                }
                if (written < read) {
                    throw new IOException("a write was short");
                }
                System.out.println(copied + read + " bytes");
            }
            target.force(false);
        }
    }
}
