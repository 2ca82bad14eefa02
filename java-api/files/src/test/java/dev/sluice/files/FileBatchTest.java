package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches of threads that run no loop, on each demultiplexer. */
@ParameterizedClass(name = "{0}")
@MethodSource("demultiplexers")
class FileBatchTest extends LeakChecked {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PAGE = 4096;
    private static final int PAGES = 64;

    private final String demultiplexer;

    @TempDir
    Path directory;

    private Path path;
    private byte[] content;
    private FileLoop loop;

    FileBatchTest(String demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @BeforeEach
    void open() throws IOException {
        content = new byte[PAGES * PAGE + 100];
        new Random(7).nextBytes(content);
        path = Files.write(directory.resolve("pages"), content);
        loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private LoopFile file(int maxInFlight) throws IOException {
        return loop.add(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), maxInFlight);
    }

    private static ByteBuffer page() {
        return ByteBuffer.allocateDirect(PAGE);
    }

    private void assertContent(long position, ByteBuffer page) {
        page.flip();
        assertEquals(ByteBuffer.wrap(content, (int) position, page.remaining()), page, "at " + position);
    }

    @Test
    @Tag(Depth.BINDING)
    void readsPagesInAnyOrderAndAgain() throws IOException {
        FileBatch batch = new FileBatch(loop, PAGES);
        ByteBuffer[] pages = Stream.generate(FileBatchTest::page).limit(PAGES).toArray(ByteBuffer[]::new);
        try (LoopFile file = file(16)) {
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < PAGES; i++) {
                    pages[i].clear();
                    assertEquals(i, batch.read(file, pages[i], (long) (i * 29 % PAGES) * PAGE));
                }
                batch.await();
                assertEquals(PAGES, batch.size());
                for (int i = 0; i < PAGES; i++) {
                    assertEquals(PAGE, batch.bytes(i));
                    assertNull(batch.error(i));
                    assertContent((long) (i * 29 % PAGES) * PAGE, pages[i]);
                }
            }
        }
    }

    @Test
    void readsUpToTheEndOfTheFile() throws IOException {
        FileBatch batch = new FileBatch(loop, 3);
        try (LoopFile file = file(16)) {
            ByteBuffer last = page();
            batch.read(file, last, (long) PAGES * PAGE);
            batch.read(file, page(), content.length);
            batch.read(file, page(), Long.MAX_VALUE - PAGE);
            batch.await();
            assertEquals(100, batch.bytes(0));
            assertContent((long) PAGES * PAGE, last);
            assertEquals(FileHandle.END_OF_FILE, batch.bytes(1));
            assertEquals(FileHandle.END_OF_FILE, batch.bytes(2));
        }
    }

    @Test
    @Tag(Depth.BINDING)
    void readsDirectlyUpToTheEndOfTheFile() throws IOException {
        FileBatch batch = new FileBatch(loop, 2);
        try (LoopFile file = openDirect()) {
            ByteBuffer first = file.file().directAlignment().allocate(PAGE);
            ByteBuffer last = file.file().directAlignment().allocate(PAGE);
            batch.read(file, first, PAGE);
            batch.read(file, last, (long) PAGES * PAGE);
            batch.await();
            assertEquals(100, batch.bytes(1));
            assertContent(PAGE, first);
            assertContent((long) PAGES * PAGE, last);
            // Refused by name, and nothing else is affected.
            batch.read(file, first.clear(), 1);
            batch.read(file, last.clear(), 0);
            IOException refusal = assertThrows(IOException.class, batch::await);
            assertTrue(refusal.getMessage().contains("multiple"), refusal.getMessage());
            assertContent(0, last);
        }
    }

    private LoopFile openDirect() throws IOException {
        try {
            return loop.openFile(path, FileOption.DIRECT);
        } catch (SystemCallException e) {
            assumeTrue(!e.errorName().equals("EINVAL"), "no direct access to files here");
            throw e;
        }
    }

    /** With one operation in flight, each sees what those before it have written. */
    @Test
    void oneOperationInFlightKeepsTheOrder() throws IOException {
        int pairs = 50;
        FileBatch batch = new FileBatch(loop, 2 * pairs + 2);
        ByteBuffer[] read = Stream.generate(() -> ByteBuffer.allocateDirect(Integer.BYTES)).limit(pairs)
                .toArray(ByteBuffer[]::new);
        try (LoopFile file = file(1)) {
            for (int i = 0; i < pairs; i++) {
                batch.write(file, ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, i), 5);
                batch.read(file, read[i], 5);
            }
            batch.forceData(file);
            batch.force(file);
            batch.await();
            for (int i = 0; i < pairs; i++) {
                assertEquals(Integer.BYTES, batch.bytes(2 * i));
                assertEquals(i, read[i].getInt(0));
            }
            assertEquals(0, batch.bytes(2 * pairs));
        }
    }

    @Test
    @Tag(Depth.BINDING)
    void writesAndForcesAsOneOperation() throws IOException {
        FileBatch batch = new FileBatch(loop, 3);
        try (LoopFile file = file(16); LoopFile readOnly = loop.openFile(path)) {
            ByteBuffer zeros = page();
            batch.writeAndForceData(file, zeros, PAGE);
            batch.writeAndForceData(file, ByteBuffer.allocate(1), 0);
            batch.writeAndForceData(readOnly, ByteBuffer.allocate(1), 0);
            IOException failure = assertThrows(IOException.class, batch::await);
            assertTrue(failure.getMessage().startsWith("pwrite "), failure.getMessage());
            assertEquals(0, batch.bytes(2));
            assertEquals(PAGE, batch.bytes(0));
            assertFalse(zeros.hasRemaining());
            assertEquals(1, batch.bytes(1));
            content[0] = 0;
            Arrays.fill(content, PAGE, 2 * PAGE, (byte) 0);
            assertArrayEquals(content, Files.readAllBytes(path));
        }
    }

    /** With one operation in flight, in their order. */
    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag(Depth.BINDING)
    void changesAndAdvisesRanges() throws IOException {
        FileBatch batch = new FileBatch(loop, 7);
        try (LoopFile file = file(1)) {
            batch.truncate(file, 2 * PAGE);
            batch.allocate(file, 2 * PAGE, PAGE);
            batch.writeBack(file, 0, Long.MAX_VALUE);
            batch.punchHole(file, 0, PAGE);
            batch.evict(file, 0, 3 * PAGE);
            batch.prefetch(file, 0, 3 * PAGE);
            batch.force(file);
            batch.await();
            for (int i = 0; i < batch.size(); i++) {
                assertEquals(0, batch.bytes(i));
            }
            byte[] expected = Arrays.copyOf(Arrays.copyOf(content, 2 * PAGE), 3 * PAGE);
            Arrays.fill(expected, 0, PAGE, (byte) 0);
            assertArrayEquals(expected, Files.readAllBytes(path));
        }
        try (LoopFile readOnly = loop.openFile(path)) {
            batch.truncate(readOnly, 0);
            batch.allocate(readOnly, 0, 1);
            IOException failure = assertThrows(IOException.class, batch::await);
            assertTrue(failure.getMessage().startsWith("ftruncate " + readOnly), failure.getMessage());
            assertTrue(batch.error(1).getMessage().startsWith("fallocate " + readOnly), batch.error(1).getMessage());
        }
    }

    @Test
    @Tag(Depth.BINDING)
    void failureAffectsNoOtherOperation() throws IOException {
        FileBatch batch = new FileBatch(loop, 4);
        try (LoopFile file = file(16);
                LoopFile readOnly = loop.openFile(path);
                LoopFile closed = loop.openFile(path)) {
            closed.close();
            ByteBuffer first = ByteBuffer.allocate(PAGE);
            ByteBuffer last = page();
            batch.read(file, first, 0);
            batch.write(readOnly, ByteBuffer.allocateDirect(1), 0);
            batch.read(closed, page(), 0);
            batch.read(file, last, PAGE);
            IOException failure = assertThrows(IOException.class, batch::await);
            assertSame(batch.error(1), failure);
            assertTrue(failure.getMessage().contains("pwrite") && failure.getMessage().contains("EBADF")
                    || failure.getMessage().contains("EACCES"), failure.getMessage());
            assertEquals(1, failure.getSuppressed().length);
            assertSame(failure, assertThrows(IOException.class, batch::await), "completed, and nothing is new");
            assertEquals(1, failure.getSuppressed().length);
            assertNotNull(batch.error(2));
            assertNull(batch.error(0));
            assertNull(batch.error(3));
            assertContent(0, first);
            assertContent(PAGE, last);
            // The batch and the files that are open can be used again.
            batch.read(file, first.clear(), PAGE);
            batch.await();
            assertContent(PAGE, first);
        }
    }

    @Test
    void interruptEndsNothing() throws IOException {
        FileBatch batch = new FileBatch(loop, PAGES);
        try (LoopFile file = file(2)) {
            ByteBuffer[] pages = Stream.generate(FileBatchTest::page).limit(PAGES).toArray(ByteBuffer[]::new);
            for (int i = 0; i < PAGES; i++) {
                batch.read(file, pages[i], (long) i * PAGE);
            }
            Thread.currentThread().interrupt();
            batch.await();
            assertTrue(Thread.interrupted(), "the interrupt is forgotten");
            for (int i = 0; i < PAGES; i++) {
                assertContent((long) i * PAGE, pages[i]);
            }
            assertTrue(file.file().handle().isOpen());
        }
    }

    @Test
    void waitsForATimeAndCancelsWhatHasNotStarted() throws IOException {
        FileBatch batch = new FileBatch(loop, PAGES);
        try (LoopFile file = file(1)) {
            for (int i = 0; i < PAGES; i++) {
                batch.write(file, ByteBuffer.allocateDirect(1 << 20), 0);
            }
            batch.submit();
            batch.cancel();
            int cancelled = 0;
            try {
                while (!batch.await(Duration.ZERO)) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                for (int i = 0; i < PAGES; i++) {
                    cancelled += batch.error(i) == null ? 0 : 1;
                }
            }
            assertTrue(cancelled > 0, "none of the waiting operations was cancelled");
            ByteBuffer page = page();
            batch.read(file, page, PAGE);
            batch.await();
            assertEquals(PAGE, batch.bytes(0));
        }
    }

    @Test
    void misuseIsRefusedByName() throws IOException {
        FileBatch batch = new FileBatch(loop, 1);
        try (LoopFile file = file(1); FileLoop other = FileLoop.open();
                LoopFile ofOther = other.openFile(path)) {
            assertMessage("another loop's", IllegalArgumentException.class, "belongs to",
                    () -> batch.read(ofOther, page(), 0));
            assertMessage("negative", IllegalArgumentException.class, "position: -1",
                    () -> batch.read(file, page(), -1));
            assertMessage("negative size", IllegalArgumentException.class, "size: -1", () -> batch.truncate(file, -1));
            assertMessage("negative range", IllegalArgumentException.class, "position: -1",
                    () -> batch.allocate(file, -1, 1));
            assertMessage("empty range", IllegalArgumentException.class, "length: 0",
                    () -> batch.prefetch(file, 0, 0));
            assertMessage("too long", IllegalArgumentException.class, "length: ",
                    () -> batch.writeBack(file, 2, Long.MAX_VALUE - 1));
            assertMessage("no room", IllegalArgumentException.class, "no room",
                    () -> batch.read(file, ByteBuffer.allocate(0), 0));
            assertMessage("read-only", IllegalArgumentException.class, "read-only",
                    () -> batch.read(file, page().asReadOnlyBuffer(), 0));
            assertMessage("too early", IllegalStateException.class, "await()", () -> batch.bytes(0));
            batch.read(file, page(), 0);
            assertMessage("full", IllegalStateException.class, "full", () -> batch.read(file, page(), 0));
            batch.submit();
            assertMessage("submitted", IllegalStateException.class, "await()", () -> batch.force(file));
            batch.await();
            assertThrows(IndexOutOfBoundsException.class, () -> batch.bytes(1));
            assertThrows(IllegalArgumentException.class, () -> loop.add(file.file(), 0));
            FutureTask<Object> inside = new FutureTask<>(() -> {
                batch.read(file, page(), 0);
                return assertThrows(IllegalStateException.class, batch::await);
            });
            assertTrue(loop.execute(inside));
            assertTrue(inside.get(1, TimeUnit.MINUTES).toString().contains("would wait for itself"));
            batch.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertMessage(String what, Class<? extends Exception> type, String part, Callable<?> call) {
        Exception thrown = assertThrows(type, call::call, what);
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

    @Test
    void closedLoopCompletesEveryBatch() throws Exception {
        int threads = 8;
        AtomicInteger rounds = new AtomicInteger();
        AtomicBoolean end = new AtomicBoolean();
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        try (LoopFile file = file(4)) {
            for (int t = 0; t < threads; t++) {
                FutureTask<Integer> task = new FutureTask<>(() -> readUntil(file, rounds, end));
                tasks.add(task);
                new Thread(task).start();
            }
            long begin = System.nanoTime();
            while (rounds.get() < 50) {
                assertTrue(System.nanoTime() - begin < LIMIT.toNanos(), "no progress");
                Thread.onSpinWait();
            }
            loop.close();
            end.set(true);
            for (FutureTask<Integer> task : tasks) {
                assertTrue(task.get(1, TimeUnit.MINUTES) >= 0);
            }
            FileBatch batch = new FileBatch(loop, 1);
            batch.read(file, page(), 0);
            IOException refusal = assertThrows(IOException.class, batch::await);
            assertTrue(refusal.getMessage().contains("file loop"), refusal.getMessage());
        }
    }

    private int readUntil(LoopFile file, AtomicInteger rounds, AtomicBoolean end) {
        FileBatch batch = new FileBatch(loop, 8);
        int failed = 0;
        while (!end.get()) {
            ByteBuffer[] pages = Stream.generate(FileBatchTest::page).limit(8).toArray(ByteBuffer[]::new);
            for (int i = 0; i < pages.length; i++) {
                batch.read(file, pages[i], (long) i * PAGE);
            }
            try {
                batch.await();
                rounds.incrementAndGet();
                for (int i = 0; i < pages.length; i++) {
                    assertContent((long) i * PAGE, pages[i]);
                }
            } catch (IOException e) {
                failed++;
            }
        }
        return failed;
    }

    /** Virtual threads where there are some, else platform threads. */
    @Test
    void manyThreadsWaitAtOnce() throws Exception {
        ThreadFactory factory = FullHeapBatches.virtualThreads();
        int threads = 200;
        List<FutureTask<Void>> tasks = new ArrayList<>();
        try (LoopFile file = file(32)) {
            for (int t = 0; t < threads; t++) {
                int seed = t;
                FutureTask<Void> task = new FutureTask<>(() -> {
                    Random random = new Random(seed);
                    FileBatch batch = new FileBatch(loop, 2);
                    for (int round = 0; round < 20; round++) {
                        long first = random.nextInt(content.length - PAGE);
                        long second = random.nextInt(content.length - PAGE);
                        ByteBuffer one = page();
                        ByteBuffer other = page();
                        batch.read(file, one, first);
                        batch.read(file, other, second);
                        batch.await();
                        assertContent(first, one);
                        assertContent(second, other);
                    }
                    return null;
                });
                tasks.add(task);
                factory.newThread(task).start();
            }
            for (FutureTask<Void> task : tasks) {
                task.get(1, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    @Tag(Depth.BINDING)
    void closingTheFileCompletesItsOperations() throws IOException {
        FileBatch batch = new FileBatch(loop, PAGES);
        LoopFile file = file(2);
        for (int i = 0; i < PAGES; i++) {
            batch.read(file, page(), (long) i * PAGE);
        }
        batch.submit();
        file.close();
        assertTimeoutPreemptively(LIMIT, () -> {
            try {
                batch.await();
            } catch (IOException e) {
                assertFalse(file.file().handle().isOpen());
            }
        });
        loop.close();
        loop.close();
    }
}
