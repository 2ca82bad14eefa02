package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Announced ranges of several files share the memory of a directory. */
class KeptRangesTest extends LeakChecked {

    private static final String NAME = "file";
    private static final int FILES = 3;
    private static final int LENGTH = 1_000_003;
    private static final int PAGE = BlockPool.UNIT;
    /** Memory for two of the files, in units of {@link TestedDirectory#open}. */
    private static final int FOR_TWO_FILES = 22;
    private static final int READS = Depth.times(20, 80, 1000, 3000);

    @TempDir
    Path path;

    private final List<byte[]> contents = new ArrayList<>();
    private FileLoop loop;

    @BeforeEach
    void write() throws IOException {
        loop = own(FileLoop.open());
        for (int i = 0; i < FILES; i++) {
            byte[] content = new byte[LENGTH];
            new Random(i).nextBytes(content);
            Files.write(path.resolve(NAME + i), content);
            contents.add(content);
        }
    }

    private static IndexInput open(SluiceDirectory directory, int file) throws IOException {
        return directory.openInput(NAME + file, IOContext.DEFAULT);
    }

    private void requireContent(IndexInput input, int file, int at, int count) throws IOException {
        byte[] read = new byte[count];
        input.seek(at);
        input.readBytes(read, 0, count);
        assertArrayEquals(Arrays.copyOfRange(contents.get(file), at, at + count), read);
    }

    /** What is read after that can only come from memory. */
    private void truncate(int file) throws IOException {
        try (FileChannel channel = FileChannel.open(path.resolve(NAME + file), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    @Test
    void partsOfTheMemoryAreUsedInTurn() throws IOException {
        try (SluiceDirectory directory = TestedDirectory.CACHED_BY_LOOP.open(path, loop, FOR_TWO_FILES);
                IndexInput first = open(directory, 0);
                IndexInput second = open(directory, 1);
                IndexInput third = open(directory, 2)) {
            List<IndexInput> inputs = List.of(first, second, third);
            for (int i = 0; i < FILES; i++) {
                inputs.get(i).prefetch(0, LENGTH);
                requireContent(inputs.get(i), i, 0, LENGTH);
                truncate(i);
            }
            requireContent(second, 1, 0, LENGTH);
            requireContent(third, 2, 0, LENGTH);
            assertThrows(EOFException.class, () -> requireContent(first, 0, 0, 10));
        }
    }

    /** The files have more bytes than the memory. */
    @Test
    void threadsReadSeveralFilesAhead() throws Exception {
        for (TestedDirectory way : List.of(TestedDirectory.CACHED_BY_LOOP, TestedDirectory.DIRECT)) {
            try (SluiceDirectory directory = way.open(path, loop, FOR_TWO_FILES);
                    IndexInput first = open(directory, 0);
                    IndexInput second = open(directory, 1);
                    IndexInput third = open(directory, 2)) {
                List<IndexInput> inputs = List.of(first, second, third);
                AtomicReference<Throwable> failure = new AtomicReference<>();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 2 * FILES; i++) {
                    int file = i % FILES;
                    IndexInput clone = inputs.get(file).clone();
                    Random random = new Random(i);
                    threads.add(new Thread(() -> {
                        try {
                            readAtRandom(clone, file, random);
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                        }
                    }));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertNull(failure.get());
            }
        }
    }

    private void readAtRandom(IndexInput input, int file, Random random) throws IOException {
        for (int i = 0; i < READS; i++) {
            int at = random.nextInt(LENGTH);
            int count = random.nextInt(Math.min(200_000, LENGTH - at) + 1);
            input.prefetch(at, count);
            requireContent(input, file, at, count);
        }
    }

    @Test
    void whatLiesBetweenRangesInMemoryIsReadAhead() throws IOException {
        try (SluiceDirectory directory = TestedDirectory.CACHED_BY_LOOP.open(path, loop, FOR_TWO_FILES);
                IndexInput input = open(directory, 0)) {
            for (int i = 0; i < 30; i++) {
                input.prefetch(2L * i * PAGE, 10);
                requireContent(input, 0, 2 * i * PAGE, 10);
            }
            for (int i = 0; i < 2; i++) {
                input.prefetch(0, 300_000);
                requireContent(input, 0, 0, 300_000);
                truncate(0);
            }
        }
    }

    @Test
    void announcingForAClosedFileDiscardsNothing() throws IOException {
        try (SluiceDirectory directory = TestedDirectory.CACHED_BY_LOOP.open(path, loop, 2);
                IndexInput input = open(directory, 0)) {
            IndexInput clone;
            try (IndexInput closed = open(directory, 1)) {
                closed.prefetch(0, 10);
                clone = closed.clone();
            }
            input.prefetch(0, 10_000);
            requireContent(input, 0, 0, 10_000);
            truncate(0);
            clone.prefetch(0, LENGTH);
            requireContent(input, 0, 0, 10_000);
        }
    }
}
