package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.eventloop.HandleSet;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import dev.sluice.testing.Depth;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads ahead, on each demultiplexer. */
@ParameterizedClass(name = "{0}")
@MethodSource("demultiplexers")
@Tag(Depth.REPEATED)
class PrefetchTest extends LeakChecked {

    private static final int LENGTH = 1_000_003;
    private static final int READS = Depth.times(24, 80, 3000, 30_000);

    private final String demultiplexer;

    @TempDir
    Path path;

    private byte[] content;
    private FileLoop loop;

    PrefetchTest(String demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @BeforeEach
    void write() throws IOException {
        loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
        content = new byte[LENGTH];
        new Random(LENGTH).nextBytes(content);
        try (SluiceDirectory directory = open(TestedDirectory.CACHED, 0);
                IndexOutput output = directory.createOutput("file", IOContext.DEFAULT)) {
            output.writeBytes(content, LENGTH);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private SluiceDirectory open(TestedDirectory way, int prefetches) throws IOException {
        return way.open(path, loop, prefetches);
    }

    private void requireContent(IndexInput input, int offset, int at, int count) throws IOException {
        byte[] read = new byte[count];
        input.seek(at);
        input.readBytes(read, 0, count);
        assertArrayEquals(Arrays.copyOfRange(content, offset + at, offset + at + count), read);
    }

    /** Announces ranges of any length anywhere, and reads these and others. */
    private void readAtRandom(IndexInput input, int offset, Random random, int reads) throws IOException {
        int length = (int) input.length();
        for (int i = 0; i < reads; i++) {
            int announced = random.nextInt(5);
            int[] positions = new int[announced + 1];
            for (int k = 0; k <= announced; k++) {
                positions[k] = random.nextInt(length);
                if (k < announced) {
                    input.prefetch(positions[k], Math.min(1L << random.nextInt(22), length - positions[k]));
                }
            }
            for (int position : positions) {
                requireContent(input, offset, position, random.nextInt(Math.min(150_000, length - position) + 1));
            }
        }
    }

    @Test
    void readsWhatHasBeenAnnounced() throws IOException {
        for (TestedDirectory way : TestedDirectory.values()) {
            try (SluiceDirectory directory = open(way, 8); IndexInput input = directory.openInput("file",
                    IOContext.DEFAULT)) {
                readAtRandom(input, 0, new Random(1), READS / 4);
                readAtRandom(input.slice("slice", 12_345, 700_000), 12_345, new Random(2), READS / 4);
            }
        }
    }

    @Test
    void readsAFileInOrder() throws IOException {
        for (TestedDirectory way : TestedDirectory.values()) {
            try (SluiceDirectory directory = open(way, 8); IndexInput input = directory.openInput("file",
                    IOContext.DEFAULT)) {
                Random random = new Random(3);
                for (int at = 0; at < LENGTH; ) {
                    int count = Math.min(LENGTH - at, random.nextInt(3000));
                    byte[] read = new byte[count];
                    input.readBytes(read, 0, count);
                    assertArrayEquals(Arrays.copyOfRange(content, at, at + count), read);
                    at += count;
                }
                assertThrows(EOFException.class, input::readByte);
            }
        }
    }

    @Test
    void threadsShareAFileAndItsPrefetches() throws Exception {
        for (TestedDirectory way : List.of(TestedDirectory.CACHED_BY_LOOP, TestedDirectory.DIRECT)) {
            try (SluiceDirectory directory = open(way, 3); IndexInput input = directory.openInput("file",
                    IOContext.DEFAULT)) {
                AtomicReference<Throwable> failure = new AtomicReference<>();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    IndexInput clone = input.clone();
                    Random random = new Random(i);
                    Runnable reading = () -> {
                        try {
                            readAtRandom(clone, 0, random, READS / 8);
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                        }
                    };
                    threads.add(i % 2 == 0 ? new Thread(reading) : virtual(reading));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertNull(failure.get());
            }
        }
    }

    private static Thread virtual(Runnable task) {
        return Thread.ofVirtual().unstarted(task);
    }

    @Test
    void announcingDoesNotWaitForTheDisk() throws IOException {
        CountDownLatch disk = new CountDownLatch(1);
        try (FaultInjection faults = FaultInjection.install();
                FileLoop slow = FileLoop.open(Proactor.builder().demultiplexer("poll"));
                SluiceDirectory directory = TestedDirectory.CACHED_BY_LOOP.open(path, slow, 4);
                IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
            faults.before("pread", () -> {
                try {
                    disk.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            for (int i = 0; i < 100; i++) {
                // More than may be read ahead: the others are ignored.
                input.prefetch(i * 9000L, 100);
            }
            disk.countDown();
            for (int i = 0; i < 100; i++) {
                requireContent(input, 0, i * 9000, 100);
            }
        }
    }

    @Test
    void ignoresWhatIsOutsideOfTheInput() throws IOException {
        try (SluiceDirectory directory = open(TestedDirectory.CACHED_BY_LOOP, 4); IndexInput input =
                directory.openInput("file", IOContext.DEFAULT)) {
            IndexInput slice = input.slice("slice", 100, 50);
            slice.prefetch(0, Long.MAX_VALUE);
            slice.prefetch(49, 2);
            slice.prefetch(50, 1);
            slice.prefetch(-1, 1);
            slice.prefetch(0, 0);
            requireContent(slice, 100, 0, 50);
            slice.seek(50);
            assertThrows(EOFException.class, slice::readByte);
        }
    }

    @Test
    void aFileMayBeClosedWhileItIsReadAhead() throws IOException {
        for (TestedDirectory way : List.of(TestedDirectory.CACHED_BY_LOOP, TestedDirectory.DIRECT)) {
            try (SluiceDirectory directory = open(way, 4)) {
                for (int i = 0; i < 20; i++) {
                    IndexInput input = directory.openInput("file", IOContext.DEFAULT);
                    input.prefetch(0, LENGTH);
                    IndexInput clone = input.clone();
                    input.close();
                    assertThrows(AlreadyClosedException.class, () -> requireContent(clone, 0, LENGTH - 9000, 9000));
                    clone.prefetch(0, LENGTH);
                }
                try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
                    input.prefetch(0, 100_000);
                    requireContent(input, 0, 0, 100_000);
                }
            }
        }
    }

    @Test
    void inputsReadOnAfterTheLoopHasEnded() throws IOException {
        for (TestedDirectory way : TestedDirectory.values()) {
            FileLoop ending = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
            try (SluiceDirectory directory = way.open(path, ending, 4); IndexInput input = directory.openInput("file",
                    IOContext.DEFAULT); IndexInput other = directory.openInput("file", IOContext.DEFAULT)) {
                input.prefetch(0, 200_000);
                ending.close();
                requireContent(input, 0, 0, 300_000);
                other.prefetch(0, 200_000);
                requireContent(other, 0, 0, 300_000);
                if (way != TestedDirectory.MAPPED) {
                    input.prefetch(500_000, 100);
                    requireContent(input, 0, 500_000, 200_000);
                }
            }
        }
    }

    @Test
    void aFileThatHasBecomeShorterEnds() throws IOException {
        for (TestedDirectory way : List.of(TestedDirectory.CACHED_BY_LOOP, TestedDirectory.DIRECT,
                TestedDirectory.CACHED)) {
            try (SluiceDirectory directory = open(way, 4); IndexInput input = directory.openInput("file",
                    IOContext.DEFAULT)) {
                try (FileChannel channel = FileChannel.open(path.resolve("file"), StandardOpenOption.WRITE)) {
                    channel.truncate(input.length() - 10_000);
                }
                long end = input.length() - 10_000;
                input.prefetch(end - 9000, 19_000);
                assertThrows(EOFException.class, () -> requireContent(input, 0, (int) end - 1000, 2000));
                assertThrows(EOFException.class, () -> requireContent(input, 0, (int) end + 1000, 2000));
                requireContent(input, 0, (int) end - 9000, 4096);
            }
        }
    }

    /** What is read after that can only come from memory. */
    private void truncate() throws IOException {
        try (FileChannel channel = FileChannel.open(path.resolve("file"), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    @Test
    void announcedRangesAreReadAgainFromMemory() throws IOException {
        try (SluiceDirectory directory = open(TestedDirectory.CACHED_BY_LOOP, 4); IndexInput input =
                directory.openInput("file", IOContext.DEFAULT)) {
            input.prefetch(5000, 30_000);
            requireContent(input, 0, 5000, 30_000);
            truncate();
            requireContent(input, 0, 5000, 30_000);
            requireContent(input.clone(), 0, 6000, 20_000);
            requireContent(input.slice("slice", 5500, 10_000), 5500, 100, 9000);
            assertThrows(EOFException.class, () -> requireContent(input, 0, 100_000, 10));
        }
    }

    @Test
    void theOldestRangesAreDiscardedForOthers() throws IOException {
        // Of the memory, three quarters are for what is announced: three ranges of the maximum length.
        try (SluiceDirectory directory = open(TestedDirectory.CACHED_BY_LOOP, 2); IndexInput input =
                directory.openInput("file", IOContext.DEFAULT)) {
            for (int i = 0; i < 4; i++) {
                input.prefetch((long) i * Prefetches.MAX_LENGTH, 60 * 1024);
                requireContent(input, 0, i * Prefetches.MAX_LENGTH, 60 * 1024);
            }
            truncate();
            for (int i = 1; i < 4; i++) {
                requireContent(input, 0, i * Prefetches.MAX_LENGTH, 60 * 1024);
            }
            assertThrows(EOFException.class, () -> requireContent(input, 0, 0, 60 * 1024));
        }
    }

    /** The last buffer of a range has bytes behind it. */
    @Test
    void announcedRangesAreReadToTheEndOfTheirBuffers() throws IOException {
        try (SluiceDirectory directory = open(TestedDirectory.CACHED_BY_LOOP, 4); IndexInput input =
                directory.openInput("file", IOContext.DEFAULT)) {
            input.prefetch(4000, 96);
            input.prefetch(50_000, 30_000);
            requireContent(input, 0, 4000, 96);
            requireContent(input, 0, 50_000, 4096);
            truncate();
            requireContent(input.clone(), 0, 4000, 96);
            requireContent(input.clone(), 0, 79_990, 10);
        }
    }

    @Test
    void aFileThatIsWrittenAgainHasItsNewContent() throws IOException {
        try (SluiceDirectory directory = open(TestedDirectory.CACHED_BY_LOOP, 4)) {
            for (int seed = 1; seed < 3; seed++) {
                try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
                    input.prefetch(0, 50_000);
                    requireContent(input, 0, 0, 50_000);
                }
                directory.deleteFile("file");
                new Random(seed).nextBytes(content);
                try (IndexOutput output = directory.createOutput("file", IOContext.DEFAULT)) {
                    output.writeBytes(content, LENGTH);
                }
            }
        }
    }

    @Test
    void aDirectoryOfItsOwnLoopClosesThat() throws IOException {
        SluiceDirectory directory = new SluiceDirectory(path);
        try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
            input.prefetch(0, 100);
            requireContent(input, 0, 0, 100);
        }
        directory.close();
        directory.close();
        assertThrows(AlreadyClosedException.class, () -> directory.openInput("file", IOContext.DEFAULT));
    }

    @Test
    void refusesANegativeSizeOfItsMemory() {
        assertThrows(IllegalArgumentException.class, () -> open(TestedDirectory.CACHED, -1));
    }
}
