package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import dev.sluice.samples.SampleProcess;
import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a program promises that appends lines to a log: what it says to be on the disk is found again. */
public abstract class LogContract {

    private static final int HEADER = 8;
    /** Units of 512 bytes. */
    private static final String LIMITED = "ulimit -f 1900";

    @TempDir
    private Path folder;
    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the program
     */
    protected LogContract(Recipe recipe) {
        this.recipe = recipe;
    }

    private SampleProcess append(Path log, List<String> lines) throws Exception {
        Path input = Files.write(folder.resolve("input"), lines);
        return SampleProcess.start(recipe.process(log.toString()).redirectInput(input.toFile()));
    }

    /** {@return records as a log has them: a checksum, the length, and the bytes} */
    private static byte[] records(List<String> lines) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (String line : lines) {
            byte[] text = line.getBytes(UTF_8);
            ByteBuffer record = ByteBuffer.allocate(HEADER + text.length).putInt(HEADER / 2, text.length)
                    .put(HEADER, text);
            CRC32C crc = new CRC32C();
            crc.update(record.slice(HEADER / 2, HEADER / 2 + text.length));
            records.writeBytes(record.putInt(0, (int) crc.getValue()).array());
        }
        return records.toByteArray();
    }

    /** A crash has torn the last record: it is cut off, and the next one takes its place. */
    @Test
    void continuesBehindTheLastWholeRecord() throws Exception {
        byte[] found = records(List.of("one", "", "three"));
        Path log = Files.write(folder.resolve("log"), Arrays.copyOf(found, found.length - 1));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            lines.add("a line, and its number: " + i);
        }
        try (SampleProcess run = append(log, lines)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            lines.addAll(0, List.of("one", ""));
            byte[] expected = records(lines);
            assertArrayEquals(expected, Files.readAllBytes(log));
            assertTrue(run.output().text().endsWith(expected.length + " bytes" + System.lineSeparator()),
                    run.output()::text);
        }
    }

    /** Longer than what is written together. */
    @Test
    void writesLinesOfAnyLength() throws Exception {
        List<String> lines = List.of("one", "x".repeat(600_000), "y".repeat(2_000_000), "", "z".repeat(1_200_000),
                "last");
        Path log = folder.resolve("log");
        try (SampleProcess run = append(log, lines)) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertArrayEquals(records(lines), Files.readAllBytes(log));
        }
    }

    /** The lower half of its length is that of its first record: no more must be taken for all of it. */
    @Test
    void leavesALogAsItIsThatIsTooLongToBeRead() throws Exception {
        byte[] first = records(List.of("one"));
        long length = (1L << 32) + first.length;
        Path log = folder.resolve("log");
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.write(first);
            file.setLength(length);
        }
        try (SampleProcess run = append(log, List.of("two"))) {
            assertNotEquals(0, run.awaitExit());
            assertEquals("", run.output().text());
            assertEquals(length, Files.size(log));
        }
    }

    /** The file must not grow: the first group has been written and claimed, and the second one is torn. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void claimsNothingThatIsNotOnTheDisk() throws Exception {
        List<String> lines = List.of("x".repeat(600_000), "y".repeat(600_000));
        Path log = folder.resolve("log");
        Path input = Files.write(folder.resolve("input"), lines);
        try (SampleProcess run = SampleProcess.start(recipe.processAfter(LIMITED, log.toString())
                .redirectInput(input.toFile()))) {
            assertNotEquals(0, run.awaitExit());
            byte[] first = records(lines.subList(0, 1));
            assertEquals(first.length + " bytes" + System.lineSeparator(), run.output().text());
            assertTrue(run.errors().text().contains("EFBIG") || run.errors().text().contains("File too large"),
                    run.errors()::text);
            byte[] written = Files.readAllBytes(log);
            assertArrayEquals(first, Arrays.copyOf(written, first.length));
        }
    }

    /** So that the name of a new log is on the disk. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forcesItsFolder() throws Exception {
        assumeTrue(Programs.has("strace"), "no strace here");
        Path log = folder.resolve("log");
        Path trace = folder.resolve("trace");
        ProcessBuilder builder = recipe.process(log.toString());
        builder.command().addAll(0, List.of("strace", "-f", "-qq", "-y", "-e", "trace=fsync", "-o",
                trace.toString()));
        Path input = Files.createFile(folder.resolve("input"));
        try (SampleProcess run = SampleProcess.start(builder.redirectInput(input.toFile()))) {
            int exit = run.awaitExit();
            assumeFalse(run.errors().text().contains("ptrace"), "tracing is not permitted here");
            assertEquals(0, exit, run.errors()::text);
        }
        String forced = "<" + folder.toRealPath() + ">";
        assertTrue(Files.readAllLines(trace).stream().anyMatch(call -> call.contains(forced)),
                () -> folder + " is not forced");
    }
}
