package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program promises that computes the CRC-32 of a file past the system's cache. */
public abstract class DirectReadsContract {

    private static final int ROUND = 1024 * 1024;

    @TempDir
    private Path folder;
    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the program
     */
    protected DirectReadsContract(Recipe recipe) {
        this.recipe = recipe;
    }

    private static void assumeDirect(Path file) throws IOException {
        try (FileHandle opened = FileHandle.open(file, StandardOpenOption.READ, FileOption.DIRECT)) {
            assumeTrue(opened.handle().isOpen());
        } catch (SystemCallException e) {
            assumeTrue(!e.errorName().equals("EINVAL"), "no direct access to files here");
            throw e;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2 * ROUND, 3 * ROUND + 100_000})
    void readsAllOfTheFile(int size) throws Exception {
        byte[] bytes = RandomBytes.of(7, size);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        Path file = Files.write(folder.resolve("file"), bytes);
        assumeDirect(file);
        try (SampleProcess run = SampleProcess.start(recipe.process(file.toString()))) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals(Long.toHexString(crc.getValue()) + System.lineSeparator(), run.output().text());
        }
    }
}
