package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class IoUringByHandTest {

    private static final int ROUND = 512 * 1024;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ROUND, 3 * ROUND + 100_000})
    void readsAllOfTheFile(int size) throws Exception {
        assumeTrue(Mechanism.available().stream()
                .anyMatch(mechanism -> mechanism.name().equals("io_uring") && mechanism.availability().usable()),
                "this kernel or container refuses io_uring");
        byte[] bytes = RandomBytes.of(5, size);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        Path file = Files.write(folder.resolve("file"), bytes);
        ProcessBuilder process = Recipe.process(IoUringByHand.class).redirectInput(file.toFile());
        try (SampleProcess run = SampleProcess.start(process)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals(Long.toHexString(crc.getValue()) + System.lineSeparator(), run.output().text());
        }
    }
}
