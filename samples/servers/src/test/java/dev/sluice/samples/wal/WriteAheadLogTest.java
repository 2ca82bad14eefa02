package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.samples.Patience;
import dev.sluice.samples.server.VirtualThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends of many threads, and the end of a log by a failure of the system. */
@Timeout(120)
class WriteAheadLogTest extends LeakChecked {

    private static final int THREADS = 8;
    private static final int EACH = 40;
    /** Two blocks, so that a segment is soon full. */
    private static final String LONG = "x".repeat(6_000);

    @TempDir
    private Path directory;

    private WriteAheadLog open(String demultiplexer) throws IOException {
        return WriteAheadLog.open(directory, WrittenLog.settings(demultiplexer), (number, bytes) -> { });
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.wal.WrittenLog#demultiplexers")
    void hasTheRecordsOfAllThreadsInTheOrderOfTheirNumbers(String demultiplexer) throws Exception {
        ConcurrentSkipListMap<Long, String> acknowledged = new ConcurrentSkipListMap<>();
        try (WriteAheadLog log = open(demultiplexer)) {
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                FutureTask<Void> task = new FutureTask<>(() -> {
                    for (int i = 0; i < EACH; i++) {
                        String record = thread + " " + i + " " + LONG.substring(i * i % LONG.length());
                        acknowledged.put(log.append(WrittenLog.record(record)), record);
                    }
                    return null;
                });
                tasks.add(task);
            }
            WrittenLog.start(tasks);
            for (FutureTask<Void> each : tasks) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertEquals(THREADS * EACH, acknowledged.size());
        assertEquals(List.copyOf(acknowledged.values()), WrittenLog.read(directory));
        assertTrue(new LogDirectory(directory).segments().size() > 2, "one segment is enough");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatIsAppendedDuringAForceIsTheNextGroup() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); WriteAheadLog log = open("poll")) {
            CountDownLatch others = new CountDownLatch(1);
            faults.beforeNth("fdatasync", 1, () -> await(others));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                FutureTask<Long> task = new FutureTask<>(() -> log.append(WrittenLog.record("record")));
                Thread thread = new Thread(task);
                threads.add(thread);
                thread.start();
                long number = i + 1;
                Patience.until("its record is added", () -> log.appended() == number);
            }
            others.countDown();
            for (Thread each : threads) {
                each.join();
            }
            assertEquals(2, log.groups());
        }
        assertEquals(THREADS, WrittenLog.read(directory).size());
    }

    @Test
    void continuesAfterEachOpening() throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            List<String> found = new ArrayList<>();
            try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                    WrittenLog.into(found))) {
                assertEquals(all, found);
                String record = i + LONG;
                assertEquals(i, log.append(WrittenLog.record(record)));
                all.add(record);
            }
        }
        assertEquals(all, WrittenLog.read(directory));
    }

    @Test
    void refusesRecordsThatDoNotFit() throws IOException {
        try (WriteAheadLog log = open(Mechanism.AUTO)) {
            assertThrows(IllegalArgumentException.class, () -> log.append(ByteBuffer.allocate(0)));
            assertThrows(IllegalArgumentException.class, () -> log.append(ByteBuffer.allocate(log.maxLength() + 1)));
            ByteBuffer longest = ByteBuffer.allocate(log.maxLength());
            assertEquals(1, log.append(longest));
            assertEquals(0, longest.position());
        }
        assertEquals(1, WrittenLog.read(directory).size());
    }

    /** A log with a gap in the numbers of its records is damaged. */
    @Test
    void recordThatCannotBeReadTakesNoNumber() throws Exception {
        ForeignMemory.assumeThere();
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer gone = ForeignMemory.buffer(arena);
        arena.close();
        try (WriteAheadLog log = open(Mechanism.AUTO)) {
            assertEquals(1, log.append(WrittenLog.record("first")));
            assertThrows(IllegalStateException.class, () -> log.append(gone));
            assertEquals(2, log.append(WrittenLog.record("second")));
        }
        assertEquals(List.of("first", "second"), WrittenLog.read(directory));
    }

    @Test
    void closedLogTakesNothing() throws IOException {
        WriteAheadLog log = open(Mechanism.AUTO);
        log.append(WrittenLog.record("first"));
        log.close();
        log.close();
        IOException refusal = assertThrows(IOException.class, () -> log.append(WrittenLog.record("late")));
        assertEquals(directory + ": the log is closed", refusal.getMessage());
        assertEquals(List.of("first"), WrittenLog.read(directory));
    }

    /** Which of them is refused: the thread that creates segments, and that of the Proactor. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void openingThatGetsNoThreadLeavesNothing(int refused) throws IOException {
        OutOfMemoryError refusal = new OutOfMemoryError("unable to create native thread");
        AtomicInteger started = new AtomicInteger();
        assertSame(refusal, assertThrows(OutOfMemoryError.class, () -> WriteAheadLog.open(directory,
                WrittenLog.settings(Mechanism.AUTO), (number, bytes) -> { }, thread -> {
                    if (started.incrementAndGet() == refused) {
                        throw refusal;
                    }
                    thread.start();
                })));
        try (WriteAheadLog log = open(Mechanism.AUTO)) {
            assertEquals(1, log.append(WrittenLog.record("first")));
        }
    }

    @Test
    void interruptEndsNoAppend() throws IOException {
        try (WriteAheadLog log = open(Mechanism.AUTO)) {
            Thread.currentThread().interrupt();
            assertEquals(1, log.append(WrittenLog.record("interrupted")));
            assertTrue(Thread.interrupted(), "the interrupt is forgotten");
            assertEquals(2, log.append(WrittenLog.record("next")));
        }
    }

    /** By another thread, again and again, while an earlier record is forced: each interrupt wakes the thread. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(OS.LINUX)
    void interruptDuringTheWaitEndsNoAppend(boolean virtual) throws Exception {
        ExecutorService threads = virtual ? VirtualThreads.newExecutor() : Executors.newSingleThreadExecutor();
        own(() -> threads.shutdown());
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch disk = new CountDownLatch(1);
        AtomicReference<Thread> appending = new AtomicReference<>();
        try (FaultInjection faults = FaultInjection.install(); WriteAheadLog log = open("poll")) {
            faults.beforeNth("fdatasync", 1, () -> {
                forcing.countDown();
                await(disk);
            });
            try {
                FutureTask<Long> first = new FutureTask<>(() -> log.append(WrittenLog.record("first")));
                new Thread(first).start();
                assertTrue(forcing.await(1, TimeUnit.MINUTES), "nothing is forced");
                Future<Boolean> append = threads.submit(() -> {
                    appending.set(Thread.currentThread());
                    assertEquals(2, log.append(WrittenLog.record("interrupted")));
                    return Thread.interrupted();
                });
                Patience.until("its record is added", () -> log.appended() == 2);
                Thread thread = appending.get();
                for (int i = 0; i < 3; i++) {
                    Patience.until("it waits", () -> thread.getState() == Thread.State.WAITING);
                    thread.interrupt();
                    Patience.until("the interrupt is noticed", () -> !thread.isInterrupted());
                }
                Patience.until("it waits again", () -> thread.getState() == Thread.State.WAITING);
                assertFalse(append.isDone(), "an interrupt has ended the wait");
                disk.countDown();
                assertTrue(append.get(1, TimeUnit.MINUTES), "the interrupt is forgotten");
                assertEquals(1, first.get(1, TimeUnit.MINUTES));
            } finally {
                disk.countDown();
            }
            assertEquals(3, log.append(WrittenLog.record("next")));
        }
        assertEquals(List.of("first", "interrupted", "next"), WrittenLog.read(directory));
    }

    /** No other thread has to be woken up then; but a virtual one would keep its carrier from others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(OS.LINUX)
    void onlyAPlatformThreadForcesItsRecordItself(boolean virtual) throws Exception {
        ExecutorService threads = virtual ? VirtualThreads.newExecutor() : Executors.newSingleThreadExecutor();
        own(() -> threads.shutdown());
        AtomicReference<Thread> forcing = new AtomicReference<>();
        try (FaultInjection faults = FaultInjection.install(); WriteAheadLog log = open("poll")) {
            faults.beforeNth("fdatasync", 1, () -> forcing.set(Thread.currentThread()));
            Thread appending = threads.submit(() -> {
                log.append(WrittenLog.record("record"));
                return Thread.currentThread();
            }).get(1, TimeUnit.MINUTES);
            assertNotNull(forcing.get(), "nothing is forced");
            assertEquals(!virtual, forcing.get() == appending);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isOpenedOnceAtATime() throws IOException {
        try (WriteAheadLog log = open(Mechanism.AUTO)) {
            log.append(WrittenLog.record("first"));
            IOException refusal = assertThrows(IOException.class, () -> open(Mechanism.AUTO));
            assertEquals(directory + ": another process appends to this log", refusal.getMessage());
            log.append(WrittenLog.record("second"));
        }
    }

    /**
     * What PostgreSQL learned in 2018: the system marks pages as clean that it could not write, so that the next force
     * succeeds, and proves nothing.
     */
    @ParameterizedTest
    @CsvSource({"fdatasync, EIO", "pwrite, ENOSPC"})
    @EnabledOnOs(OS.LINUX)
    void nothingIsClaimedAfterAFailure(String call, String error) throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            try (WriteAheadLog log = open("poll")) {
                log.append(WrittenLog.record("first"));
                faults.failNth(call, 1, Errno.valueOf(error));
                IOException failure = assertThrows(IOException.class, () -> log.append(WrittenLog.record("failed")));
                assertTrue(failure.getMessage().startsWith(directory + ": the log has stopped: " + call + " ")
                        && failure.getMessage().contains(error), failure.getMessage());
                int writes = faults.calls("pwrite");
                int forces = faults.calls("fdatasync");
                for (int i = 0; i < 3; i++) {
                    IOException later = assertThrows(IOException.class, () -> log.append(WrittenLog.record("later")));
                    assertEquals(failure.getMessage(), later.getMessage());
                }
                assertEquals(writes, faults.calls("pwrite"));
                assertEquals(forces, faults.calls("fdatasync"));
            }
        }
        List<String> found = new ArrayList<>();
        try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings("poll"), WrittenLog.into(found))) {
            // The bytes may have reached the file, or not.
            assertEquals("first", found.get(0));
            assertTrue(found.size() <= 2, found::toString);
            assertEquals(found.size() + 1, log.append(WrittenLog.record("again")));
        }
        found.add("again");
        assertEquals(found, WrittenLog.read(directory));
    }

    /** The one of them that writes a group fails with those that wait for it, and those of the next group. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void failureEndsTheAppendsOfAllThreads() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); WriteAheadLog log = open("poll")) {
            int writes = faults.calls("pwrite");
            CountDownLatch added = new CountDownLatch(1);
            faults.beforeNth("pwrite", 1, () -> await(added));
            faults.failNth("fdatasync", 1, Errno.EIO);
            List<FutureTask<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                tasks.add(new FutureTask<>(() -> log.append(WrittenLog.record("record"))));
            }
            WrittenLog.start(tasks);
            Patience.until("all are added", () -> log.appended() == THREADS);
            added.countDown();
            for (FutureTask<Long> each : tasks) {
                ExecutionException failure = assertThrows(ExecutionException.class,
                        () -> each.get(1, TimeUnit.MINUTES));
                assertTrue(failure.getCause().getMessage().startsWith(directory + ": the log has stopped: fdatasync "),
                        () -> failure.getCause().getMessage());
            }
            assertEquals(writes + 1, faults.calls("pwrite"));
        }
    }

    /** The records of a log that has been opened are written once more before anything is claimed. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void openingForcesWhatItHasFound() throws IOException {
        try (WriteAheadLog log = open("poll")) {
            log.append(WrittenLog.record("first"));
        }
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach("fsync", Errno.EIO);
            IOException failure = assertThrows(IOException.class, () -> open("poll"));
            assertTrue(failure.getMessage().startsWith("fsync "), failure.getMessage());
        }
        assertEquals(List.of("first"), WrittenLog.read(directory));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void stopsIfThereIsNoSpaceForASegment() throws IOException {
        List<String> acknowledged = new ArrayList<>();
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("fallocate", 3, Errno.ENOSPC);
            try (WriteAheadLog log = open("poll")) {
                IOException failure = assertThrows(IOException.class, () -> {
                    while (true) {
                        log.append(WrittenLog.record(acknowledged.size() + LONG));
                        acknowledged.add(acknowledged.size() + LONG);
                    }
                });
                assertTrue(failure.getMessage().contains("no further segment: fallocate ")
                        && failure.getMessage().contains("ENOSPC"), failure.getMessage());
            }
        }
        // Two segments of groups of two blocks.
        assertEquals(14, acknowledged.size());
        assertEquals(acknowledged, WrittenLog.read(directory).subList(0, acknowledged.size()));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(new TreeSet<>(List.of("0000000000000001.wal", "0000000000000002.wal", "lock")),
                    files.map(file -> file.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }
}
