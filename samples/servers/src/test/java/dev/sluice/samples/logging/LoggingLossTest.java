package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Destinations that do not take what they are given: the records are lost, and the server says so. */
@EnabledOnOs(OS.LINUX)
class LoggingLossTest {

    private static final Pattern LOST = Pattern.compile(".*: (?:up to )?(\\d+) records lost(?:,.*)?");
    private static final Pattern ACCEPTED = Pattern.compile(".* - (\\d+) records accepted.*");
    private static final int RECORD = 128;
    private static final String GRACE = "0.5";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#hardestTrigger")
    void stopDoesNotWaitForAnUnreadConsole(String demultiplexer) throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--console", "--queue", "1",
                "--demultiplexer", demultiplexer, "--stop-timeout", GRACE).holdingOutput().start();
                FloodingPeer peer = new FloodingPeer(logging.awaitAddress(), records(FloodingPeer.FLOOD / 2))) {
            peer.untilStuck(logging);
            logging.terminate();
            Patience.until("it ends", () -> !logging.isAlive());
            logging.output().release();
            assertEquals(1, logging.awaitExit(), logging.errors()::text);
            assertLostAtMost(logging, logging.output().text().substring(logging.awaitReadyLine().length() + 1));
        }
    }

    @Test
    void stopDoesNotWaitForOutputAfterClientsLeft() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--stop-timeout", GRACE)
                .holdingOutput().start();
                FloodingPeer peer = new FloodingPeer(logging.awaitAddress(), records(FloodingPeer.FLOOD / 2))) {
            // Less than the queue holds, and more than the pipe.
            peer.finish(RECORD * (1 << 13));
            assertEquals(-1, peer.blocking().read(ByteBuffer.allocate(1)));
            logging.terminate();
            Patience.until("it ends", () -> !logging.isAlive());
            logging.output().release();
            assertEquals(1, logging.awaitExit(), logging.errors()::text);
            assertEquals(1 << 13, number(ACCEPTED, logging));
            assertLostAtMost(logging, logging.output().text().substring(logging.awaitReadyLine().length() + 1));
        }
    }

    /** It is unknown how much of the write in progress has been written. */
    private static void assertLostAtMost(RunningSample logging, String output) throws Exception {
        long accepted = number(ACCEPTED, logging);
        long lost = number(LOST, logging);
        long seen = output.chars().filter(c -> c == '\n').count();
        assertTrue(seen < accepted, () -> seen + " of " + accepted + " have got through");
        assertTrue(lost >= accepted - seen, () -> accepted + " accepted, " + seen + " seen, " + lost + " lost");
        assertTrue(lost <= accepted, () -> accepted + " accepted, " + lost + " lost");
        assertSame(records(output.length()), output);
    }

    // Not assertEquals, which would print megabytes.
    private static void assertSame(ByteBuffer expected, String text) {
        int difference = expected.mismatch(ByteBuffer.wrap(text.getBytes(US_ASCII)));
        assertEquals(-1, difference, () -> text.substring(Math.max(0, difference - RECORD), difference));
    }

    @Test
    void fullDiskIsReportedOnceAndAtTheEnd() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--file", "/dev/full", "--console")
                .start(); SyslogClient client = new SyslogClient(logging.awaitAddress())) {
            int count = 50;
            for (int i = 0; i < count; i++) {
                String record = "<13>record " + i;
                client.send(record + "\n");
                // The console comes after the file, so each is a batch of its own.
                logging.output().awaitLine("the record", record::equals);
            }
            logging.terminate();
            assertEquals(1, logging.awaitExit(), logging.errors()::text);
            assertEquals(count + 1, logging.output().lines().size());
            assertEquals(count, number(LOST, logging));
            List<String> logged = logged(logging, "ENOSPC");
            assertFalse(logged.isEmpty());
            // The first one, and in ten seconds another.
            assertTrue(logged.size() < count / 2, logged::toString);
            assertEquals(List.of(), logged(logging, "works again"));
        }
    }

    @Test
    void whatFitsIsThere() throws Exception {
        Path file = directory.resolve("log");
        int count = 10_000;
        // In blocks of 512 bytes. Room enough for the files that the virtual machine and JNA make.
        int limit = 2048;
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--file", file.toString())
                .after("ulimit -f " + limit).start();
                SyslogClient client = new SyslogClient(logging.awaitAddress())) {
            client.send(records(count * RECORD).array(), 0, count * RECORD);
            client.end();
            logging.terminate();
            assertEquals(1, logging.awaitExit(), logging.errors()::text);
            String text = Files.readString(file, US_ASCII);
            assertEquals(limit * 512, text.length());
            assertSame(records(limit * 512), text);
            assertEquals(count, number(ACCEPTED, logging));
            assertEquals(count - limit * 512 / RECORD, number(LOST, logging));
            assertFalse(logged(logging, "EFBIG").isEmpty(), logging.errors()::text);
        }
    }

    private static List<String> logged(RunningSample logging, String what) {
        List<String> logged = new ArrayList<>(logging.errors().lines());
        logged.removeIf(line -> !line.contains(what));
        return logged;
    }

    private static long number(Pattern pattern, RunningSample logging) {
        List<String> said = logging.errors().lines();
        for (int i = said.size() - 1; i >= 0; i--) {
            Matcher matcher = pattern.matcher(said.get(i));
            if (matcher.matches()) {
                return Long.parseLong(matcher.group(1));
            }
        }
        throw new AssertionError("nothing like " + pattern + " in " + said);
    }

    /** Records of 128 bytes, the last one cut perhaps. */
    private static ByteBuffer records(int size) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = 0; records.size() < size; i++) {
            String start = "<13>r" + i + " ";
            records.writeBytes((start + "x".repeat(RECORD - 1 - start.length()) + "\n").getBytes(US_ASCII));
        }
        return ByteBuffer.wrap(Arrays.copyOf(records.toByteArray(), size));
    }
}
