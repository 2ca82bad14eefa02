package dev.sluice.benchmarks.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.benchmarks.file.Contestants.Entry;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contestant does the work that it is measured for, and what was not done is noticed. */
class FileWorkloadTest {

    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int DEPTH = 3;
    private static final int PROCESSORS = 2;

    @TempDir
    private Path directory;

    /** Takes the figures of one measurement. */
    private static final class Taken extends HashMap<String, Double> implements Recorder {

        private static final long serialVersionUID = 1;

        @Override
        public void record(String figure, double value) {
            put(figure, value);
        }

        @Override
        public void recordAt(String at, String figure, double value) {
            throw new AssertionError(figure);
        }
    }

    static Set<String> transferring() {
        return Contestants.transferring(PROCESSORS).keySet();
    }

    static Set<String> appending() {
        return Contestants.appending().keySet();
    }

    static Stream<String> noticesAWrongBlock() {
        return transferring().stream();
    }

    private static Workload open(String name, Entry entry, List<String> arguments) throws Exception {
        String demultiplexer = Contestants.DEMULTIPLEXERS.get(name);
        assumeTrue(demultiplexer == null || Contestants.missing(demultiplexer) == null, "not available here");
        return entry.workload().getConstructor(List.class).newInstance(arguments);
    }

    private Workload open(String name, Job job) throws Exception {
        Entry entry = Contestants.transferring(PROCESSORS).get(name);
        return open(name, entry, job.arguments(entry.own()));
    }

    private Path blocks() throws IOException {
        Path path = directory.resolve("blocks");
        BlockFile.write(path, 64 * Slot.BLOCK);
        return path;
    }

    @ParameterizedTest
    @MethodSource("transferring")
    void readsAndWritesAndMeasures(String name) throws Exception {
        Path path = blocks();
        List<Job> jobs = List.of(Job.cached(false, DEPTH), Job.cached(true, DEPTH),
                new Job(null, true, true, false, 4 * Slot.BLOCK, DEPTH, false),
                new Job(null, false, true, false, 4 * Slot.BLOCK, DEPTH, true));
        for (Job job : jobs) {
            Map<String, Double> figures = work(open(name, job.on(path)));
            assertTrue(figures.get(Figures.PER_SECOND) > 0, figures::toString);
            assertEquals(figures.get(Figures.PER_SECOND) * job.size() / (1 << 20), figures.get(Figures.BYTES), 1);
            assertTrue(figures.get(Figures.MEDIAN) > 0 && figures.get(Figures.MEDIAN) <= figures.get(Figures.HIGH)
                    && figures.get(Figures.HIGH) <= figures.get(Figures.HIGHEST), figures::toString);
            assertEquals(job.computing(), figures.containsKey(Figures.COMPUTED));
        }
    }

    /** {@return the figures of a workload that has warmed up} */
    private static Map<String, Double> work(Workload workload) throws IOException, InterruptedException {
        Taken figures = new Taken();
        try (workload) {
            workload.warmUp(SHORT, new Taken());
            workload.work(SHORT, figures);
        }
        return figures;
    }

    /** Takes the length of the operations of each measurement. */
    private static final class Lengths implements Recorder {

        private final List<Long> all = new ArrayList<>();
        private double perSecond;

        @Override
        public void record(String figure, double value) {
            if (figure.equals(Figures.PER_SECOND)) {
                perSecond = value;
            } else if (figure.equals(Figures.BYTES)) {
                all.add(Math.round(value * (1 << 20) / perSecond));
            }
        }

        @Override
        public void recordAt(String at, String figure, double value) {
            throw new AssertionError(figure);
        }
    }

    /** The compiler counts operations, of which large ones are few. */
    @Test
    void warmsUpLargeOperationsWithBlocksAsWell() throws Exception {
        Path path = blocks();
        long block = Slot.BLOCK;
        Map<Job, List<Long>> expected = Map.of(Job.cached(false, DEPTH), List.of(block),
                new Job(null, true, false, false, 4 * Slot.BLOCK, DEPTH, false), List.of(block, 4 * block));
        for (Map.Entry<Job, List<Long>> each : expected.entrySet()) {
            Lengths lengths = new Lengths();
            try (Workload workload = open(Contestants.CHANNEL, each.getKey().on(path))) {
                workload.warmUp(SHORT, lengths);
            }
            assertEquals(each.getValue(), lengths.all);
        }
    }

    @ParameterizedTest
    @MethodSource
    void noticesAWrongBlock(String name) throws Exception {
        Path path = blocks();
        byte[] wrong = new byte[64 * Slot.BLOCK];
        Arrays.fill(wrong, (byte) -1);
        Files.write(path, wrong);
        try (Workload workload = open(name, Job.cached(false, DEPTH).on(path))) {
            IOException refusal = assertThrows(IOException.class, () -> workload.work(SHORT, new Taken()));
            assertTrue(refusal.getMessage().contains("say that they belong to"), refusal.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("appending")
    void appendsAndMeasures(String name) throws Exception {
        Path path = directory.resolve("appended");
        Entry entry = Contestants.appending().get(name);
        Map<String, Double> figures = work(
                open(name, entry, AppendWorkload.arguments(path, DEPTH, entry.own())));
        assertTrue(figures.get(Figures.PER_SECOND) > 0, figures::toString);
        if (entry.workload().equals(LogAppends.class)) {
            assertTrue(Files.notExists(path), "a workload leaves no log");
        } else {
            assertTrue(Files.size(path) > 0 && Files.size(path) % Appender.RECORD == 0, () -> name);
        }
    }

    /** Appends that lose a record, or leave one twice. */
    private static final class BadAppends extends FileAppends {

        private final int lost;
        private final int twice;

        BadAppends(Path path, int lost, int twice) throws IOException {
            super(AppendWorkload.arguments(path, 1, ""));
            this.lost = lost;
            this.twice = twice;
        }

        @Override
        void run() throws IOException {
            try (FileChannel file = FileChannel.open(path(), StandardOpenOption.APPEND)) {
                Appender appender = appenders().get(0);
                for (int i = 0; i < DEPTH; i++) {
                    appender.begin();
                    ByteBuffer again = appender.record().duplicate();
                    if (i == lost) {
                        appender.record().position(Appender.RECORD);
                    } else {
                        file.write(appender.record());
                    }
                    if (i == twice) {
                        file.write(again);
                    }
                    appender.end();
                }
            }
        }

        @Override
        public void close() {
        }
    }

    @Test
    void noticesRecordsThatAreLostOrThereTwice() throws Exception {
        Path path = directory.resolve("appended");
        new BadAppends(path, -1, -1).work(SHORT, new Taken());
        for (int bad = 0; bad < DEPTH; bad++) {
            int number = bad;
            assertThrows(IOException.class, () -> new BadAppends(path, number, -1).work(SHORT, new Taken()));
            assertThrows(IOException.class, () -> new BadAppends(path, -1, number).work(SHORT, new Taken()));
        }
    }
}
