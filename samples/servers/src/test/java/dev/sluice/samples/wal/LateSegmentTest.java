package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.samples.Patience;
import dev.sluice.samples.server.VirtualThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends that wait for the next segment, while no group is being written. */
@Timeout(120)
class LateSegmentTest extends LeakChecked {

    private static final int THREADS = 4;
    /** A record of two blocks. */
    private static final String LONG = "x".repeat(6_000);
    /** The number of such records that fill a segment. */
    private static final int FULL = 7;

    @TempDir
    private Path directory;

    /** One of the threads continues when there is a segment, and the close waits for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(OS.LINUX)
    void segmentThatIsLateEndsTheWaitsOfAppendsAndOfTheClose(boolean virtual) throws Exception {
        ExecutorService threads = virtual ? VirtualThreads.newExecutor() : Executors.newSingleThreadExecutor();
        own(() -> threads.shutdown());
        CountDownLatch space = new CountDownLatch(1);
        try (FaultInjection faults = FaultInjection.install(); WriteAheadLog log = WriteAheadLog.open(directory,
                WrittenLog.settings("poll"), (number, bytes) -> { })) {
            faults.beforeNth("fallocate", 1, () -> WriteAheadLogTest.await(space));
            try {
                for (int i = 1; i <= FULL; i++) {
                    assertEquals(i, log.append(WrittenLog.record(LONG)));
                }
                Future<Long> first = threads.submit(() -> log.append(WrittenLog.record(LONG)));
                Patience.until("its record is added", () -> log.appended() == FULL + 1);
                List<FutureTask<Long>> others = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    others.add(new FutureTask<>(() -> log.append(WrittenLog.record("other"))));
                }
                WrittenLog.start(others);
                Patience.until("all are added", () -> log.appended() == FULL + 1 + THREADS);
                FutureTask<Void> close = new FutureTask<>(() -> {
                    log.close();
                    return null;
                });
                Thread closing = new Thread(close);
                closing.start();
                Patience.until("the close waits", () -> closing.getState() == Thread.State.WAITING);
                assertEquals(FULL, log.groups());
                space.countDown();
                assertEquals(FULL + 1, first.get(1, TimeUnit.MINUTES));
                for (FutureTask<Long> each : others) {
                    each.get(1, TimeUnit.MINUTES);
                }
                close.get(1, TimeUnit.MINUTES);
                assertEquals(FULL + 1, log.groups());
            } finally {
                space.countDown();
            }
        }
        assertEquals(FULL + 1 + THREADS, WrittenLog.read(directory).size());
    }
}
