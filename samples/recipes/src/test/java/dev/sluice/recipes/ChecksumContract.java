package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program promises that computes the CRC-32 of its standard input, a file. */
public abstract class ChecksumContract {

    private static final int ROUND = 512 * 1024;

    @TempDir
    private Path folder;
    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the program
     */
    protected ChecksumContract(Recipe recipe) {
        this.recipe = recipe;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ROUND, 3 * ROUND + 100_000})
    void readsAllOfTheFile(int size) throws Exception {
        byte[] bytes = RandomBytes.of(5, size);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        Path file = Files.write(folder.resolve("file"), bytes);
        ProcessBuilder process = recipe.process().redirectInput(file.toFile());
        try (SampleProcess run = SampleProcess.start(process)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals(Long.toHexString(crc.getValue()) + System.lineSeparator(), run.output().text());
        }
    }
}
