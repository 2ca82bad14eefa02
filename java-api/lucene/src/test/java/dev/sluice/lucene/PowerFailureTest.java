package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.power.Lie;
import dev.sluice.campaign.power.RecordedDisk;
import dev.sluice.campaign.power.Tearing;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Bits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An index after a power failure at any point is that of the last commit that has returned, or of a later one. */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class PowerFailureTest extends LeakChecked {

    private static final int COMMITS = 6;
    private static final int BOOKS_OF_A_COMMIT = 2;
    private static final int RUNS_OF_A_LIE = 100;
    private static final String COMMIT = "commit";

    @TempDir
    Path directory;

    /** The numbers of the books of each commit. */
    private final List<TreeSet<Integer>> commits = new ArrayList<>();

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void lastCommitIsThere(String demultiplexer) throws Exception {
        Campaign campaign = Campaign.begin("power failure under Lucene on " + demultiplexer);
        RecordedDisk disk = record(demultiplexer, Lie.NONE);
        for (int run = 0; run < Campaign.count(30, 3_000); run++) {
            boolean continues = Campaign.isLong() || run % 8 == 0;
            failPower(disk, campaign.random(run), continues, campaign + ", run " + run);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void forcesThatAreNotExecutedAreFound(Lie lie) throws Exception {
        Campaign campaign = Campaign.begin("disk under Lucene that does not force " + lie);
        RecordedDisk disk = record(Mechanism.AUTO, lie);
        assertTrue(disk.points() > 1, "nothing is recorded");
        assertThrows(AssertionError.class, () -> {
            for (int run = 0; run < RUNS_OF_A_LIE; run++) {
                failPower(disk, campaign.random(run), false, campaign + ", run " + run);
            }
        });
    }

    /** Commits several times; with deletions, and with merges, after which files are deleted. */
    private RecordedDisk record(String demultiplexer, Lie lie) throws IOException {
        Path path = Files.createDirectory(directory.resolve("recorded"));
        TreeSet<Integer> books = new TreeSet<>();
        commits.add(new TreeSet<>());
        IndexWriterConfig config = new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler())
                .setMergePolicy(new TieredMergePolicy().setSegmentsPerTier(2));
        try (RecordedDisk disk = RecordedDisk.install(path, lie);
                FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
                Directory index = TestedDirectory.DEFAULT.open(path, loop, 4);
                IndexWriter writer = new IndexWriter(index, config)) {
            for (int commit = 1; commit <= COMMITS; commit++) {
                writer.getConfig().setUseCompoundFile(commit % 2 == 0);
                for (int i = 0; i < BOOKS_OF_A_COMMIT; i++) {
                    int number = commit * BOOKS_OF_A_COMMIT + i;
                    writer.addDocument(Books.book(number));
                    books.add(number);
                }
                writer.deleteDocuments(new Term("number", Integer.toString(commit)));
                books.remove(commit);
                writer.setLiveCommitData(Map.of(COMMIT, Integer.toString(commit)).entrySet());
                commits.add(new TreeSet<>(books));
                writer.commit();
                disk.acknowledge(commit);
            }
            writer.rollback();
            return disk;
        }
    }

    private void failPower(RecordedDisk disk, Random random, boolean continues, String run) throws IOException {
        int point = random.nextInt(disk.points());
        Path copy = directory.resolve("copy");
        disk.disk(point, Tearing.SECTORS, random).writeTo(copy);
        long acknowledged = disk.acknowledged(point);
        try (Directory index = new MMapDirectory(copy)) {
            if (acknowledged < 0 && !DirectoryReader.indexExists(index)) {
                return;
            }
            assertIndex(index, acknowledged, run);
            assertTrue(Books.isClean(index), run + ": not clean");
            if (continues) {
                Books.write(index, 0, 1, false);
            }
        } catch (IOException | RuntimeException e) {
            throw new AssertionError(run + ": acknowledged " + acknowledged + ", and not opened", e);
        }
    }

    private void assertIndex(Directory index, long acknowledged, String run) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(index)) {
            int commit = Integer.parseInt(reader.getIndexCommit().getUserData().getOrDefault(COMMIT, "0"));
            assertTrue(commit >= acknowledged, run + ": commit " + commit + ", and acknowledged " + acknowledged);
            TreeSet<Integer> found = new TreeSet<>();
            for (LeafReaderContext leaf : reader.leaves()) {
                Bits live = leaf.reader().getLiveDocs();
                for (int i = 0; i < leaf.reader().maxDoc(); i++) {
                    if (live == null || live.get(i)) {
                        Books.requireStored(leaf.reader().storedFields().document(i));
                        found.add(Integer.parseInt(leaf.reader().storedFields().document(i).get("number")));
                    }
                }
            }
            assertEquals(commits.get(commit), found, run);
        }
    }
}
