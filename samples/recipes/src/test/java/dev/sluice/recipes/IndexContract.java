package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program promises that indexes lines: what it has counted, another process finds. */
public abstract class IndexContract {

    private static final int LINES = 2000;

    @TempDir
    private Path folder;
    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the program
     */
    protected IndexContract(Recipe recipe) {
        this.recipe = recipe;
    }

    private SampleProcess add(List<String> lines) throws Exception {
        Path input = Files.write(folder.resolve("input"), lines);
        return SampleProcess.start(recipe.process(index().toString()).redirectInput(input.toFile()));
    }

    private Path index() {
        return folder.resolve("index");
    }

    private List<String> search(String... words) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.add(0, index().toString());
        try (SampleProcess run = SampleProcess.start(recipe.process(arguments.toArray(String[]::new)))) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            return run.output().text().lines().toList();
        }
    }

    private void addAndCount(List<String> lines, int all) throws Exception {
        try (SampleProcess run = add(lines)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals(all + " lines" + System.lineSeparator(), run.output().text());
        }
    }

    @Test
    void findsTheLinesThatMatchBest() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            lines.add("line number " + i + " of " + LINES);
        }
        addAndCount(lines, LINES);
        List<String> found = search("number", "1234");
        assertEquals(lines.get(1234), found.get(0));
        assertEquals(10, found.size());
        assertTrue(lines.containsAll(found), found::toString);
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void addsToWhatIsThere() throws Exception {
        addAndCount(List.of("one", ""), 2);
        addAndCount(List.of("three"), 3);
        assertEquals(List.of("three"), search("three"));
        assertEquals(List.of("one"), search("ONE!", "four"));
        assertEquals(List.of(), search("..."));
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void leavesAnIndexAloneThatAnotherProcessWrites() throws Exception {
        Path lock = Files.createDirectories(index()).resolve("write.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            try (SampleProcess run = add(List.of("one"))) {
                assertNotEquals(0, run.awaitExit());
                assertEquals("", run.output().text());
                assertTrue(run.errors().text().contains("LockObtainFailedException"), run.errors()::text);
            }
        }
    }
}
