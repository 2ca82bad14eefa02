package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of SPECweb99, and who is asked for how often. */
class FileSetTest {

    private static final int FILES = 36;
    private static final int REQUESTS = 200_000;
    private static final double MIB = 1024 * 1024;

    @TempDir
    private Path directory;

    @Test
    void hasAsManyFilesAsSpecWeb99SaysForALoad() {
        assertEquals(680, FileSet.directories(1_000));
        assertEquals(25, FileSet.directories(1));
        assertEquals(3_320, Math.round(new FileSet(680).bytes() / MIB));
    }

    @Test
    void hasFourClassesOfNineFiles() {
        FileSet files = new FileSet(2);
        assertEquals("/dir00000/class0_1", files.page(0).path());
        assertEquals(102, files.page(0).size());
        assertEquals(921, files.page(8).size());
        assertEquals("/dir00000/class1_5", files.page(13).path());
        assertEquals(5_120, files.page(13).size());
        assertEquals("/dir00001/class3_9", files.page(FILES + 35).path());
        assertEquals(921_600, files.page(35).size());
    }

    @Test
    void writesThemAllAndRemovesThem() throws IOException {
        FileSet files = new FileSet(2);
        Path root = directory.resolve("root");
        files.write(root);

        ByteBuffer pattern = new Pattern(921_600).view();
        Set<ByteBuffer> beginnings = new HashSet<>();
        for (int number = 0; number < 2 * FILES; number++) {
            Page page = files.page(number);
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(root.resolve(page.path().substring(1))));
            assertEquals(page.size(), content.limit());
            pattern.limit(page.place() + page.size()).position(page.place());
            assertEquals(-1, content.mismatch(pattern), page.path());
            assertTrue(beginnings.add(content.slice(0, 64)), page.path() + " begins like another file");
        }
        try (Stream<Path> all = Files.walk(root)) {
            assertEquals(2 * FILES, all.filter(Files::isRegularFile).count());
        }

        FileSet.remove(root);
        assertFalse(Files.exists(root));
    }

    @Test
    void areAskedForAsOftenAsTheBenchmarkSays() {
        FileSet files = new FileSet(10);
        SplittableRandom random = new SplittableRandom(1);
        Map<String, Integer> classes = new HashMap<>();
        Map<String, Integer> directories = new HashMap<>();
        Map<String, Integer> ofSecondClass = new HashMap<>();
        double bytes = 0;
        for (int i = 0; i < REQUESTS; i++) {
            Page page = files.choose(random);
            String[] parts = page.path().split("[/_]");
            directories.merge(parts[1], 1, Integer::sum);
            classes.merge(parts[2], 1, Integer::sum);
            if (parts[2].equals("class1")) {
                ofSecondClass.merge(parts[3], 1, Integer::sum);
            }
            bytes += page.size();
        }

        assertEquals(14_726, bytes / REQUESTS, 300);
        assertNear(0.35, classes.get("class0"), REQUESTS);
        assertNear(0.5, classes.get("class1"), REQUESTS);
        assertNear(0.14, classes.get("class2"), REQUESTS);
        assertNear(0.01, classes.get("class3"), REQUESTS);
        // 1 of 1 + 1/2 + ... + 1/10 = 2.929, and of 1 + ... + 1/9 = 2.829.
        assertNear(1 / 2.929, directories.get("dir00000"), REQUESTS);
        assertNear(1 / 29.29, directories.get("dir00009"), REQUESTS);
        int all = ofSecondClass.values().stream().mapToInt(Integer::intValue).sum();
        List<String> byPopularity = List.of("5", "4", "6", "3", "7", "2", "8", "9", "1");
        for (int rank = 0; rank < byPopularity.size(); rank++) {
            assertNear(1 / 2.829 / (rank + 1), ofSecondClass.get(byPopularity.get(rank)), all);
        }
    }

    private static void assertNear(double share, int count, int all) {
        assertEquals(share, count / (double) all, 0.005);
    }
}
