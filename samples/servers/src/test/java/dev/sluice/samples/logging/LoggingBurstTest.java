package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import java.io.File;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More datagrams at once than the receive buffer holds: each is stored, or reported as dropped. */
@EnabledOnOs(OS.LINUX)
class LoggingBurstTest {

    /** Fewer than may wait for the network's soft interrupt: drops in that queue are not counted for the socket. */
    private static final int BURST = 900;
    private static final Pattern COUNTED =
            Pattern.compile("(\\d+) records accepted, .*?(?:, (\\d+) datagrams dropped)?");
    private static final Pattern REPORTED = Pattern.compile(".* WARN .*: (\\d+) datagrams dropped by the system.*");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#hardestTrigger")
    void storedAndToldIsSent(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--demultiplexer", demultiplexer,
                "--receive-buffer", "20000"); DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            // Nothing is received meanwhile, so that some are dropped for certain.
            logging.suspend();
            burst(socket, address, BURST / 3);
            logging.resume();
            // And with the server awake.
            burst(socket, address, BURST - BURST / 3);
            assertStoredAndToldIs(BURST, logging, true);
        }
    }

    /** Also what is dropped just after the server has asked the system for the last time. */
    @Test
    void isToldWhileTheServerRuns() throws Exception {
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--receive-buffer", "20000");
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            burst(socket, address, 1);
            Patience.until("the first is stored", () -> logging.lines().size() == 1);
            logging.suspend();
            burst(socket, address, BURST / 3);
            logging.resume();
            Patience.until("the dropped datagrams are reported", () -> logging.process().errors().lines().stream()
                    .anyMatch(line -> REPORTED.matcher(line).matches()));
            assertStoredAndToldIs(1 + BURST / 3, logging, true);
        }
    }

    @Test
    void recordsDroppedAtTheStopAreReported() throws Exception {
        // A pipe that is not read: the writer blocks, and the queue is full.
        Path pipe = directory.resolve("log");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        Process reader = new ProcessBuilder("sh", "-c", "exec sleep 600 <\"$0\"", pipe.toString()).start();
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--queue", "1", "--receive-buffer", "200000",
                "--stop-timeout", "0.5");
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            byte[] record = ("<13>" + "x".repeat(996)).getBytes(US_ASCII);
            for (int i = 0; i < BURST; i++) {
                socket.send(new DatagramPacket(record, record.length, address));
            }
            logging.process().terminate();
            assertEquals(1, logging.process().awaitExit());
            List<String> said = logging.process().errors().lines();
            Matcher counts = matching(COUNTED, last(said));
            assertEquals(BURST, number(counts, 1) + number(counts, 2), () -> String.join("\n", said));
        } finally {
            reader.destroyForcibly().waitFor();
        }
    }

    @Test
    void saysWhenTheSystemGrantsLess() throws Exception {
        long limit = Long.parseLong(Files.readAllLines(Path.of("/proc/sys/net/core/rmem_max")).get(0));
        int granted = (int) Math.min(limit, 1 << 20);
        assertFalse(warns(granted));
        assumeTrue(limit < Integer.MAX_VALUE / 2 - 1, "there is no such limit here");
        assertTrue(warns((int) limit + 1));
    }

    private boolean warns(int receiveBuffer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--receive-buffer",
                Integer.toString(receiveBuffer))) {
            logging.address();
            logging.stop();
            return logging.process().errors().lines().stream().anyMatch(line -> line.contains(
                    "receive buffer of " + (receiveBuffer - 1) + " bytes instead of " + receiveBuffer)
                    && line.contains("net.core.rmem_max"));
        }
    }

    @Test
    void logger() throws Exception {
        assumeTrue(Programs.has("logger"), "no logger here");
        Path file = directory.resolve("lines");
        Files.write(file, IntStream.range(0, BURST).mapToObj(i -> "line " + i).toList());
        try (LoggingSample logging = LoggingSample.start(directory)) {
            InetSocketAddress address = logging.address();
            File input = file.toFile();
            Process logger = new ProcessBuilder("logger", "--udp", "--server", "127.0.0.1", "--port",
                    Integer.toString(address.getPort()), "--tag", "tests").redirectInput(input).start();
            assertTrue(logger.waitFor(1, TimeUnit.MINUTES));
            assertEquals(0, logger.exitValue());
            assertStoredAndToldIs(BURST, logging, false);
        }
    }

    @Test
    void rsyslog() throws Exception {
        assumeTrue(Programs.has("rsyslogd"), "no rsyslogd here");
        Path lines = Files.write(directory.resolve("lines"),
                IntStream.range(0, BURST).mapToObj(i -> "line " + i).toList());
        Path sent = directory.resolve("sent");
        try (LoggingSample logging = LoggingSample.start(directory)) {
            Path configuration = Files.writeString(directory.resolve("rsyslog.conf"), String.join("\n",
                    "module(load=\"imfile\")",
                    "global(workDirectory=\"" + directory + "\")",
                    "ruleset(name=\"burst\") {",
                    "action(type=\"omfwd\" target=\"127.0.0.1\" protocol=\"udp\" port=\""
                            + logging.address().getPort() + "\")",
                    "action(type=\"omfile\" file=\"" + sent + "\")",
                    "}",
                    "input(type=\"imfile\" file=\"" + lines + "\" tag=\"burst\" ruleset=\"burst\")", ""));
            Process rsyslog = new ProcessBuilder("rsyslogd", "-n", "-f", configuration.toString(), "-i",
                    directory.resolve("pid").toString()).inheritIO().start();
            try {
                Patience.until("rsyslog has sent all", () -> Files.exists(sent)
                        && Files.readAllLines(sent).size() == BURST);
            } finally {
                rsyslog.destroy();
                assertTrue(rsyslog.waitFor(1, TimeUnit.MINUTES));
            }
            assertStoredAndToldIs(BURST, logging, false);
        }
    }

    private static void burst(DatagramSocket socket, InetSocketAddress address, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            byte[] record = ("<13>" + socket.getLocalPort() + " " + System.nanoTime()).getBytes(US_ASCII);
            socket.send(new DatagramPacket(record, record.length, address));
        }
    }

    private static void assertStoredAndToldIs(int sent, LoggingSample logging, boolean someDropped) throws Exception {
        Matcher counts = matching(COUNTED, logging.stop());
        List<String> said = logging.process().errors().lines();
        int reported = said.stream().map(REPORTED::matcher).filter(Matcher::matches)
                .mapToInt(line -> number(line, 1)).sum();
        List<String> lines = logging.lines();
        assertEquals(number(counts, 2), reported, () -> String.join("\n", said));
        assertEquals(number(counts, 1), lines.size());
        assertEquals(sent, lines.size() + reported, () -> String.join("\n", said));
        assertEquals(lines.size(), new HashSet<>(lines).size(), "stored twice");
        if (someDropped) {
            assertTrue(reported > 0, "none dropped");
        }
    }

    private static Matcher matching(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertTrue(matcher.matches(), line);
        return matcher;
    }

    private static String last(List<String> said) {
        String line = said.get(said.size() - 1);
        return line.substring(line.indexOf(" - ") + 3);
    }

    private static int number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }
}
