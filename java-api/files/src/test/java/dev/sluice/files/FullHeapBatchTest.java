package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.WatchedJvm;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While the heap is full, a batch may fail; when there is memory again, none of them is still waiting. */
class FullHeapBatchTest {

    private static final Duration PATIENCE = Duration.ofMinutes(Campaign.count(1, 10));
    private static final int SHORTAGES = 8;

    @TempDir
    Path directory;

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    @Tag(Campaign.TAG)
    @Tag(Depth.IN_MATRIX)
    void everyBatchCompletesWhenThereIsMemoryAgain(String demultiplexer) throws Exception {
        Path path = directory.resolve("pages");
        Files.write(path, FullHeapBatches.pages());
        try (WatchedJvm jvm = new WatchedJvm(PATIENCE, List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Xmx24m"), FullHeapBatches.class, List.of(demultiplexer, path.toString(),
                Integer.toString(Campaign.count(SHORTAGES, 20 * SHORTAGES))))) {
            assertEquals(FullHeapBatches.ALL_COMPLETED, jvm.line(), jvm::output);
            jvm.awaitEnd();
        }
    }

    @Test
    void failureIsSuppressedOnce() {
        IOException first = new IOException("first");
        IOException second = new IOException("second");
        IOException collected = null;
        // Two operations have the same failure; and they are collected again, as after a shortage of memory.
        for (IOException each : Arrays.asList(null, first, second, second, null, first, second)) {
            collected = FileBatch.collect(collected, each);
        }
        assertSame(first, collected);
        assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    }

    /** The wait for memory is no end of the wait for the batch, however long it lasts. */
    @Test
    void threadIsWokenWhenThereIsMemoryAgain() {
        int failures = 7;
        List<Thread> attempts = new ArrayList<>();
        Thread waiting = new Thread(() -> { });
        Thread.currentThread().interrupt();
        FileBatch.wake(waiting, thread -> {
            attempts.add(thread);
            if (attempts.size() == 1) {
                throw new RejectedExecutionException("as planned");
            }
            if (attempts.size() <= failures) {
                throw new OutOfMemoryError("as planned");
            }
        }, 2);
        assertTrue(Thread.interrupted(), "the interrupt is forgotten");
        assertEquals(failures + 1, attempts.size());
        attempts.forEach(thread -> assertSame(waiting, thread));
    }

    /** What has another reason than memory may never end, and other threads wait for the loop. */
    @Test
    void threadThatCannotBeWokenDoesNotHoldUpTheLoop() {
        AtomicInteger attempts = new AtomicInteger();
        FileBatch.wake(new Thread(() -> { }), thread -> {
            if (attempts.incrementAndGet() % 2 == 0) {
                throw new OutOfMemoryError("as planned");
            }
            throw new RejectedExecutionException("as planned");
        }, 3);
        // Refused three times, and out of memory in between.
        assertEquals(5, attempts.get());
    }

    /** A loop that has no thread and is not closed would accept batches. */
    @Test
    void loopIsClosedWhenThereIsMemoryAgain() {
        int failures = 3;
        AtomicInteger attempts = new AtomicInteger();
        FileLoop.closeRepeatedly(() -> {
            if (attempts.incrementAndGet() <= failures) {
                throw new OutOfMemoryError("as planned");
            }
        });
        assertEquals(failures + 1, attempts.get());
    }
}
