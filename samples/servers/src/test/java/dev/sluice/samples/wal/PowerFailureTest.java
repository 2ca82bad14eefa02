package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.power.Lie;
import dev.sluice.campaign.power.RecordedDisk;
import dev.sluice.campaign.power.Tearing;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A log after a power failure at any point has each record that was acknowledged, and only records that were appended,
 * in order. So it has after another power failure while it is opened or continues.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class PowerFailureTest extends LeakChecked {

    private static final int THREADS = 4;
    private static final int EACH = 15;
    private static final int RUNS_OF_A_LIE = 100;
    private static final String LOG = "log";
    private static final String LATER = "later";

    @TempDir
    private Path directory;

    /** The numbers and the texts of the records. */
    private final ConcurrentSkipListMap<Long, String> appended = new ConcurrentSkipListMap<>();

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.wal.WrittenLog#demultiplexers")
    void acknowledgedRecordsAreThereInOrder(String demultiplexer) throws Exception {
        Campaign campaign = Campaign.begin("power failure under the log on " + demultiplexer);
        RecordedDisk disk = record(demultiplexer, Lie.NONE);
        for (int run = 0; run < Campaign.count(100, 3_000); run++) {
            boolean failsTwice = Campaign.isLong() || run % 4 == 0;
            failPower(disk, campaign.random(run), failsTwice, campaign + ", run " + run);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void forcesThatAreNotExecutedAreFound(Lie lie) throws Exception {
        Campaign campaign = Campaign.begin("disk under the log that does not force " + lie);
        RecordedDisk disk = record(Mechanism.AUTO, lie);
        assertTrue(disk.points() > 1, "nothing is recorded");
        assertThrows(AssertionError.class, () -> {
            for (int run = 0; run < RUNS_OF_A_LIE; run++) {
                failPower(disk, campaign.random(run), false, campaign + ", run " + run);
            }
        });
    }

    /** Appends with several threads, and to several segments. */
    private RecordedDisk record(String demultiplexer, Lie lie) throws Exception {
        Path recorded = Files.createDirectory(directory.resolve("recorded"));
        try (RecordedDisk disk = RecordedDisk.install(recorded, lie);
                WriteAheadLog log = open(recorded, demultiplexer, new ArrayList<>())) {
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                FutureTask<Void> task = new FutureTask<>(() -> {
                    for (int count = 0; count < EACH; count++) {
                        String text = thread + " " + count + " " + "x".repeat((thread + 1) * count % 7 * 900);
                        long number = log.append(WrittenLog.record(text));
                        appended.put(number, text);
                        disk.acknowledge(number);
                    }
                    return null;
                });
                tasks.add(task);
            }
            WrittenLog.start(tasks);
            for (FutureTask<Void> each : tasks) {
                each.get(1, TimeUnit.MINUTES);
            }
            return disk;
        }
    }

    private static WriteAheadLog open(Path disk, String demultiplexer, List<String> found) throws IOException {
        return WriteAheadLog.open(disk.resolve(LOG), WrittenLog.settings(demultiplexer), WrittenLog.into(found));
    }

    private void failPower(RecordedDisk disk, Random random, boolean failsTwice, String run) throws IOException {
        int point = random.nextInt(disk.points());
        Path copy = directory.resolve("copy");
        disk.disk(point, Tearing.SECTORS, random).writeTo(copy);
        List<String> all = List.copyOf(appended.values());
        if (!failsTwice) {
            assertRecords(recover(copy, "poll", run, number -> { }), all, disk.acknowledged(point), run);
            return;
        }
        RecordedDisk again = RecordedDisk.install(copy);
        List<String> found;
        try (again) {
            found = recover(copy, Mechanism.AUTO, run, again::acknowledge);
        }
        assertRecords(found, all, disk.acknowledged(point), run);
        int second = random.nextInt(again.points());
        again.disk(second, Tearing.SECTORS, random).writeTo(copy);
        found.add(LATER);
        assertRecords(recover(copy, "poll", run, number -> { }), found, Math.max(disk.acknowledged(point),
                again.acknowledged(second)), run + ", and again");
    }

    /** Opens a log, and appends to it. Returns what was in it. */
    private static List<String> recover(Path disk, String demultiplexer, String run, LongConsumer acknowledged) {
        List<String> found = new ArrayList<>();
        try (WriteAheadLog log = open(disk, demultiplexer, found)) {
            acknowledged.accept(found.size());
            assertEquals(found.size() + 1, log.append(WrittenLog.record(LATER)), run);
            acknowledged.accept(found.size() + 1);
            List<String> all = new ArrayList<>(found);
            all.add(LATER);
            assertEquals(all, WrittenLog.read(disk.resolve(LOG)), run);
            return found;
        } catch (IOException e) {
            throw new AssertionError(run + ": not opened", e);
        }
    }

    private static void assertRecords(List<String> found, List<String> all, long acknowledged, String run) {
        assertTrue(found.size() >= acknowledged, run + ": " + found.size() + " records, and acknowledged "
                + acknowledged);
        assertTrue(found.size() <= all.size(), run + ": " + found.size() + " records of " + all.size());
        assertEquals(all.subList(0, found.size()), found, run);
    }
}
