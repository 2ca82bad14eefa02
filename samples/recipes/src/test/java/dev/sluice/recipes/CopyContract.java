package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program promises that copies a file to a new one. */
public abstract class CopyContract {

    private static final int ROUND = 2 * 1024 * 1024;

    @TempDir
    private Path folder;
    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the program
     */
    protected CopyContract(Recipe recipe) {
        this.recipe = recipe;
    }

    private SampleProcess copy(Path source, Path target) throws Exception {
        return SampleProcess.start(recipe.process(source.toString(), target.toString()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ROUND, 2 * ROUND + 100_000})
    void copiesAllOfTheFile(int size) throws Exception {
        byte[] bytes = RandomBytes.of(6, size);
        Path target = folder.resolve("target");
        try (SampleProcess run = copy(Files.write(folder.resolve("source"), bytes), target)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertArrayEquals(bytes, Files.readAllBytes(target));
            assertTrue(run.output().text().endsWith(size + " bytes" + System.lineSeparator()), run.output().text());
        }
    }

    @Test
    void overwritesNothing() throws Exception {
        Path source = Files.write(folder.resolve("source"), RandomBytes.of(6, 10));
        Path target = Files.writeString(folder.resolve("target"), "precious");
        try (SampleProcess run = copy(source, target)) {
            assertNotEquals(0, run.awaitExit());
            assertEquals("precious", Files.readString(target));
            assertTrue(run.errors().text().contains(target.toString()), run.errors()::text);
        }
    }
}
