package dev.sluice.samples.logging;

import static dev.sluice.samples.logging.SyslogClient.counted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.TcpState;
import dev.sluice.testing.Depth;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How bytes on connections become lines. */
@EnabledOnOs(OS.LINUX)
class LoggingFramingTest {

    private static final String FIRST = "<13>1 2026-11-21T10:00:00Z host app 42 ID - the first";
    private static final String SECOND = "<14>Nov 21 10:00:01 host app[42]: the second";

    @TempDir
    private Path directory;

    @Test
    @Tag(Depth.IN_QUICK)
    void recordsCutAcrossWritesArriveWhole() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory);
                SyslogClient client = logging.connect();
                SyslogClient witness = logging.connect()) {
            List<String> expected = new ArrayList<>();
            for (String framed : List.of(counted(FIRST), SECOND + "\n", SECOND + "\r\n", FIRST + "\0")) {
                for (int cut = 1; cut < framed.length(); cut += 7) {
                    client.send(framed.substring(0, cut));
                    // Its line tells that the first part has been received by itself.
                    String between = "<15>between " + expected.size();
                    witness.send(between + "\n");
                    expected.add(between);
                    logging.awaitLines(expected.toArray(String[]::new));
                    client.send(framed.substring(cut));
                    expected.add(framed.contains("the first") ? FIRST : SECOND);
                    logging.awaitLines(expected.toArray(String[]::new));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#hardestTrigger")
    void slowAndStuckClientsDelayNoOther(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--demultiplexer", demultiplexer);
                SyslogClient stuck = logging.connect();
                SyslogClient slow = logging.connect();
                SyslogClient other = logging.connect()) {
            List<String> expected = new ArrayList<>();
            byte[] framed = counted(FIRST).getBytes(UTF_8);
            stuck.send(framed, 0, framed.length / 2);
            for (int i = 0; i < framed.length; i++) {
                String record = "<15>meanwhile " + i;
                other.send(record + "\n");
                expected.add(record);
                logging.awaitLines(expected.toArray(String[]::new));
                slow.send(framed, i, 1);
            }
            expected.add(FIRST);
            logging.awaitLines(expected.toArray(String[]::new));
            stuck.send(framed, framed.length / 2, framed.length - framed.length / 2);
            expected.add(FIRST);
            logging.awaitLines(expected.toArray(String[]::new));
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void oversizedAndMalformedRecordsAreCountedAndTheConnectionGoesOn() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--max-record", "100");
                SyslogClient client = logging.connect()) {
            client.send(counted("<13>" + "x".repeat(97)));
            client.send("<13>" + "y".repeat(100_000) + "\n");
            client.send(counted("no priority"));
            client.send("<999>priority out of range\n");
            client.send("\n\r\n");
            client.send(counted("<13>" + "z".repeat(96)));
            client.send(SECOND + "\n");
            logging.awaitLines("<13>" + "z".repeat(96), SECOND);
            assertEquals("2 records accepted, 2 malformed, 2 oversized, 0 truncated, 0 framing errors, 1 connections",
                    logging.stop());
        }
    }

    @Test
    void theEndOfAConnectionEndsItsLastRecord() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory);
                SyslogClient line = logging.connect();
                SyslogClient record = logging.connect()) {
            line.send(SECOND);
            line.end();
            record.send("50 <13>too little");
            record.end();
            assertEquals("1 records accepted, 0 malformed, 0 oversized, 1 truncated, 0 framing errors, 2 connections",
                    logging.stop());
            logging.awaitLines(SECOND);
        }
    }

    @Test
    void thereIsALimitToConnections() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--max-connections", "2");
                SyslogClient first = logging.connect()) {
            try (SyslogClient second = logging.connect(); SyslogClient third = logging.connect()) {
                third.expectEnd();
                second.send("<13>second\n");
                second.end();
            }
            try (SyslogClient fourth = logging.connect()) {
                fourth.send("<13>fourth\n");
                logging.awaitLines("<13>second", "<13>fourth");
                first.send("<13>first\n");
                logging.awaitLines("<13>second", "<13>fourth", "<13>first");
            }
            assertTrue(logging.stop().endsWith(", 3 connections"));
        }
    }

    @Test
    void connectionsAreKeptAlive() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>record\n");
            logging.awaitLines("<13>record");
            assertTrue(TcpState.connectionsTo(client.localPort()).get(logging.address().getPort()).keptAlive());
        }
    }

    @Test
    void aResetDropsTheRecordThatItCuts() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory)) {
            logging.process().awaitReadyLine();
            long before = logging.process().figures().openSockets();
            try (SyslogClient client = logging.connect()) {
                client.send(SECOND + "\n" + SECOND);
                logging.awaitLines(SECOND);
                client.reset();
            }
            Patience.until("it is closed", () -> logging.process().figures().openSockets() == before);
            assertEquals("1 records accepted, 0 malformed, 0 oversized, 1 truncated, 0 framing errors, 1 connections",
                    logging.stop());
            logging.awaitLines(SECOND);
        }
    }

    @Test
    void aFramingErrorClosesItsConnectionOnly() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory);
                SyslogClient other = logging.connect();
                SyslogClient broken = logging.connect()) {
            other.send("<13>other, be");
            broken.send(counted(FIRST) + "12x" + SECOND + "\n");
            expectClose(broken);
            other.send("fore and after\n");
            logging.awaitLines(FIRST, "<13>other, before and after");
            assertEquals("2 records accepted, 0 malformed, 0 oversized, 0 truncated, 1 framing errors, 2 connections",
                    logging.stop());
        }
    }

    private static void expectClose(SyslogClient client) throws Exception {
        try {
            client.expectEnd();
        } catch (SocketException e) {
            assertTrue(e.getMessage().contains("reset"), e::toString);
        }
    }

    @Test
    void aRecordStaysOneLineWhateverIsInIt() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send(counted("<13>one\n<13>two\r\n\t\u0000\u001b[31m\u007f €"));
            client.send(counted("<13>end\n"));
            logging.awaitLines("<13>one#012<13>two#015#012#011#000#033[31m#177 €", "<13>end#012");
        }
    }
}
