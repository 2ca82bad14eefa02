package dev.sluice.benchmarks.seda.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each server does every task of each round; and a task that fails is noticed. */
class CachedReadsTest {

    private static final int TASKS = 50;

    @TempDir
    private Path directory;
    private Path path;

    @BeforeEach
    void write() throws IOException {
        path = directory.resolve("file");
        CachedFile.write(path);
        assertEquals(8192, Files.size(path));
    }

    @ParameterizedTest
    @EnumSource
    void doesEveryTaskOfEachRound(ServerKind kind) throws IOException {
        Round round = new Round(TASKS);
        try (CachedFile file = CachedFile.open(path)) {
            List<ReadTask> tasks = IntStream.range(0, TASKS).mapToObj(number -> new ReadTask(round, file)).toList();
            try (TaskServer server = kind.open(tasks)) {
                for (int i = 0; i < 3; i++) {
                    round.begin();
                    for (int number = 0; number < TASKS; number++) {
                        tasks.get(number).handOver();
                        server.handOver(number);
                    }
                    round.await();
                    assertTrue(tasks.stream().allMatch(task -> task.responseTime() > 0));
                }
            }
        }
    }

    /** So that one that is linear in the number of tasks shows as the same value for each number. */
    @ParameterizedTest
    @EnumSource
    void dividesTheResponseTimeByTheTasks(ServerKind kind) throws IOException {
        Map<String, Double> figures = new HashMap<>();
        try (CachedReads reads = new CachedReads(CachedReads.arguments(kind, TASKS, path))) {
            reads.work(Duration.ZERO, new Recorder() {
                @Override
                public void record(String figure, double value) {
                    figures.put(figure, value);
                }

                @Override
                public void recordAt(String at, String figure, double value) {
                    throw new AssertionError(figure);
                }
            });
        }
        double micros = figures.get(CachedReads.TIME);
        assertTrue(micros > 0, figures::toString);
        assertEquals(micros * 1000, figures.get(CachedReads.TIME_BY_TASKS) * TASKS, micros);
    }

    @ParameterizedTest
    @EnumSource
    void noticesWhatWasNotWritten(ServerKind kind) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        bytes[bytes.length - 1]++;
        Files.write(path, bytes);
        assertFailure(kind, "other ones than were written");
    }

    @ParameterizedTest
    @EnumSource
    void noticesTooFewBytes(ServerKind kind) throws IOException {
        Files.write(path, new byte[100]);
        assertFailure(kind, "a read brought 100 bytes");
    }

    private void assertFailure(ServerKind kind, String complaint) throws IOException {
        Round round = new Round(1);
        try (CachedFile file = CachedFile.open(path)) {
            ReadTask task = new ReadTask(round, file);
            try (TaskServer server = kind.open(List.of(task))) {
                round.begin();
                task.handOver();
                server.handOver(0);
                IOException thrown = assertThrows(IOException.class, round::await);
                assertTrue(thrown.getMessage().contains(complaint), thrown.getMessage());
            }
        }
    }
}
