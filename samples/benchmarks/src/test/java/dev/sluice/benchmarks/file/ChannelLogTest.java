package dev.sluice.benchmarks.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.wal.LogSettings;
import dev.sluice.samples.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The log that the one of the samples is compared with has its format, and loses nothing either. */
@DisabledOnOs(OS.WINDOWS)
class ChannelLogTest {

    private static final int THREADS = 4;
    private static final int EACH = 25;
    /** So small that a segment is full after a few groups. */
    private static final LogSettings SETTINGS = new LogSettings(64 << 10, 16 << 10, Mechanism.AUTO);
    private static final String LONG = "x".repeat(5_000);

    @TempDir
    private Path directory;

    private static ByteBuffer record(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    /** Reads all records as those of the log of the samples. Their numbers have to be those from 1 on. */
    private List<String> read() throws IOException {
        List<String> records = new ArrayList<>();
        WriteAheadLog.read(directory, (number, bytes) -> {
            records.add(UTF_8.decode(bytes).toString());
            assertEquals(records.size(), number);
        });
        return records;
    }

    @Test
    void hasTheRecordsOfAllThreadsInTheOrderOfTheirNumbers() throws Exception {
        ConcurrentSkipListMap<Long, String> acknowledged = new ConcurrentSkipListMap<>();
        try (ChannelLog log = new ChannelLog(directory, SETTINGS)) {
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                FutureTask<Void> task = new FutureTask<>(() -> {
                    for (int i = 0; i < EACH; i++) {
                        String record = thread + " " + i + " " + LONG;
                        acknowledged.put(log.append(record(record)), record);
                    }
                    return null;
                });
                tasks.add(task);
                new Thread(task).start();
            }
            for (FutureTask<Void> each : tasks) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertEquals(THREADS * EACH, acknowledged.size());
        assertEquals(List.copyOf(acknowledged.values()), read());
        assertTrue(Files.exists(directory.resolve("0000000000000003.wal")), "two segments are enough");
        try (WriteAheadLog log = WriteAheadLog.open(directory, SETTINGS, (number, bytes) -> { })) {
            assertEquals(THREADS * EACH + 1, log.append(record("continued by the log of the samples")));
        }
    }

    @Test
    void stopsIfThereIsNoFurtherSegment() throws IOException {
        // A directory has the name that the next file needs.
        Files.createDirectory(directory.resolve("0000000000000002.wal.new"));
        List<String> acknowledged = new ArrayList<>();
        try (ChannelLog log = new ChannelLog(directory, SETTINGS)) {
            IOException failure = assertThrows(IOException.class, () -> {
                while (true) {
                    log.append(record(acknowledged.size() + LONG));
                    acknowledged.add(acknowledged.size() + LONG);
                }
            });
            assertTrue(failure.getMessage().startsWith(directory + ": the log has stopped: no further segment: "),
                    failure.getMessage());
            IOException later = assertThrows(IOException.class, () -> log.append(record("later")));
            assertEquals(failure.getMessage(), later.getMessage());
        }
        assertEquals(acknowledged, read());
    }

    @Test
    void closedLogTakesNothing() throws IOException {
        ChannelLog log = new ChannelLog(directory, SETTINGS);
        log.append(record("first"));
        log.close();
        log.close();
        IOException refusal = assertThrows(IOException.class, () -> log.append(record("late")));
        assertEquals(directory + ": the log is closed", refusal.getMessage());
        assertEquals(List.of("first"), read());
    }
}
