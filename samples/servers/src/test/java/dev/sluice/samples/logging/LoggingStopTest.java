package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.TcpState;
import dev.sluice.testing.Depth;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that the server has not looked at yet when it is asked to stop. */
@EnabledOnOs(OS.LINUX)
class LoggingStopTest {

    private static final String TRIGGERS = "dev.sluice.samples.Setups#hardestTrigger";
    private static final int RECORDS = 10_000;
    private static final int RECORDS_IN_A_BUFFER = 1_000;
    /** More than are accepted in a row while the server runs. */
    private static final int BACKLOG = 300;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(TRIGGERS)
    void writesEverythingThatWasSent(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--demultiplexer", demultiplexer);
                SyslogClient client = logging.connect()) {
            List<String> records = records(RECORDS);
            for (String record : records) {
                client.send(record + "\n");
            }
            logging.stop();
            logging.awaitLines(records.toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @MethodSource(TRIGGERS)
    void writesWhatLiesInSocketBuffers(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--demultiplexer", demultiplexer);
                SyslogClient client = logging.connect();
                DatagramSocket datagrams = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            client.send("<13>accepted\n");
            logging.awaitLines("<13>accepted");
            // Stopped, so that all of it is still there when it is told to end.
            logging.suspend();
            List<String> records = records(RECORDS_IN_A_BUFFER);
            for (String record : records) {
                client.send(SyslogClient.counted(record));
            }
            byte[] datagram = "<13>datagram".getBytes(US_ASCII);
            datagrams.send(new DatagramPacket(datagram, datagram.length, address));
            Patience.until("it has arrived", () -> TcpState.connectionsTo(address.getPort())
                    .get(client.localPort()).unacknowledged() == 0);
            logging.process().terminate();
            logging.resume();
            assertEquals(0, logging.process().awaitExit());
            List<String> lines = new ArrayList<>(logging.lines());
            assertTrue(lines.remove("<13>datagram"));
            records.add(0, "<13>accepted");
            assertEquals(records, lines);
        }
    }

    @ParameterizedTest
    @Tag(Depth.IN_QUICK)
    @MethodSource(TRIGGERS)
    void dropsARecordThatHasArrivedInPart(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--demultiplexer", demultiplexer);
                SyslogClient line = logging.connect();
                SyslogClient counted = logging.connect()) {
            line.send("<13>whole\n<13>to be contin");
            counted.send("9 <13>whole50 <13>to be contin");
            logging.awaitLines("<13>whole", "<13>whole");
            assertEquals("2 records accepted, 0 malformed, 0 oversized, 2 truncated, 0 framing errors, 2 connections",
                    logging.stop());
            logging.awaitLines("<13>whole", "<13>whole");
        }
    }

    @ParameterizedTest
    @MethodSource(TRIGGERS)
    void keepsTheLastLineOfAClientThatHasEnded(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--demultiplexer", demultiplexer);
                SyslogClient client = logging.connect()) {
            client.send("<13>accepted\n");
            logging.awaitLines("<13>accepted");
            logging.suspend();
            client.send("<13>without a newline");
            client.endOutput();
            ServerSide.awaitEndOfInput(logging.address().getPort(), client.localPort());
            logging.process().terminate();
            logging.resume();
            assertEquals(0, logging.process().awaitExit());
            logging.awaitLines("<13>accepted", "<13>without a newline");
        }
    }

    @ParameterizedTest
    @MethodSource(TRIGGERS)
    void servesWhoHasNotBeenAcceptedYet(String demultiplexer) throws Exception {
        assumeTrue(Programs.has("logger"), "no logger here");
        List<SyslogClient> clients = new ArrayList<>();
        try (LoggingSample logging = LoggingSample.startProcess(directory, "--demultiplexer", demultiplexer)) {
            InetSocketAddress address = logging.address();
            logging.suspend();
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < BACKLOG; i++) {
                SyslogClient client = logging.connect();
                clients.add(client);
                client.send("<13>waiting " + i + "\n");
                expected.add("<13>waiting " + i);
            }
            // This client has left before its connection is accepted.
            expected.add(UtilLinuxLogger.send(address, "--tcp --octet-count --rfc5424", "last of all"));
            Patience.until("it has arrived", () -> {
                Map<Integer, TcpState> states = TcpState.connectionsTo(address.getPort());
                return clients.stream().allMatch(client -> states.get(client.localPort()).unacknowledged() == 0);
            });
            logging.process().terminate();
            logging.resume();
            assertEquals(0, logging.process().awaitExit());
            for (SyslogClient client : clients) {
                assertDoesNotThrow(client::expectEnd, logging.process().errors()::text);
            }
            List<String> lines = logging.lines();
            assertEquals(expected, new TreeSet<>(lines));
            assertEquals(BACKLOG + 1, lines.size());
        } finally {
            for (SyslogClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void endsInOrderWhenInterrupted() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>before the interrupt\n");
            logging.awaitLines("<13>before the interrupt");
            logging.process().interrupt();
            client.expectEnd();
            assertEquals(0, logging.process().awaitExit());
            logging.awaitLines("<13>before the interrupt");
        }
    }

    private static List<String> records(int count) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add("<13>record " + i);
        }
        return records;
    }
}
