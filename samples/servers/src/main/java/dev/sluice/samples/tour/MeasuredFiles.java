package dev.sluice.samples.tour;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Reads of 4 KiB at random places of a file that the system has in its cache. */
final class MeasuredFiles {

    static final int BLOCK = 4 * 1024;
    private static final int DEPTH = 32;

    private MeasuredFiles() {
    }

    /** One read at a time, by the calling thread. */
    static final class OfChannel implements MeasuredPeer {

        private final FileChannel file;
        private final long blocks;
        private final Random random = new Random(1);
        private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);

        OfChannel(Path path) throws IOException {
            file = FileChannel.open(path, StandardOpenOption.READ);
            blocks = file.size() / BLOCK;
        }

        @Override
        public String name() {
            return "FileChannel";
        }

        @Override
        public double measure(long nanos) throws IOException {
            long begin = System.nanoTime();
            long reads = 0;
            long time;
            do {
                for (int i = 0; i < DEPTH; i++) {
                    file.read(block.clear(), random.nextInt((int) blocks) * (long) BLOCK);
                }
                reads += DEPTH;
                time = System.nanoTime() - begin;
            } while (time < nanos);
            return reads * (double) TimeUnit.SECONDS.toNanos(1) / time;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** 32 reads in flight. */
    static final class OfProactor implements MeasuredPeer, CompletionHandler {

        private final Proactor proactor;
        private final FileHandle handle;
        private final AsyncFile file;
        private final long blocks;
        private final Random random = new Random(1);
        private final ByteBuffer[] buffers = new ByteBuffer[DEPTH];
        private IOException failure;
        private boolean continues;
        private long reads;
        private int inFlight;

        OfProactor(Path path) throws IOException {
            proactor = Proactor.open();
            try {
                handle = FileHandle.open(path, StandardOpenOption.READ);
                file = new AsyncFile(proactor, handle, this);
                blocks = handle.size() / BLOCK;
            } catch (Throwable e) {
                proactor.close();
                throw e;
            }
            for (int i = 0; i < DEPTH; i++) {
                buffers[i] = ByteBuffer.allocateDirect(BLOCK);
            }
        }

        @Override
        public String name() {
            return "Proactor, " + proactor.demultiplexer();
        }

        @Override
        public double measure(long nanos) throws IOException {
            long begin = System.nanoTime();
            reads = 0;
            continues = true;
            for (ByteBuffer buffer : buffers) {
                read(buffer);
            }
            while (inFlight > 0) {
                proactor.runOnce();
                continues &= System.nanoTime() - begin < nanos;
            }
            if (failure != null) {
                throw failure;
            }
            return reads * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begin);
        }

        private void read(ByteBuffer buffer) {
            file.read(buffer.clear(), random.nextInt((int) blocks) * (long) BLOCK, buffer);
            inFlight++;
        }

        @Override
        public void handleCompletion(Completion completion) {
            inFlight--;
            reads++;
            if (!completion.isSuccess()) {
                failure = completion.error();
                continues = false;
            } else if (continues) {
                read((ByteBuffer) completion.token());
            }
        }

        @Override
        public void close() {
            try (handle) {
                proactor.close();
            }
        }
    }
}
