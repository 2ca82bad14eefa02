package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A record a datagram. */
@EnabledOnOs(OS.LINUX)
class LoggingDatagramTest {

    private static final int DATAGRAMS = 1_000;
    /** Sent before the lines of the earlier ones are waited for: fewer than any receive buffer holds. */
    private static final int WINDOW = 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#hardestTrigger")
    void writesALineForEach(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--demultiplexer", demultiplexer);
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            List<String> expected = new ArrayList<>();
            long size = 0;
            for (int i = 0; i < DATAGRAMS; i++) {
                String record = "<13>datagram " + i;
                send(socket, address, record);
                expected.add(record);
                size += record.length() + 1;
                if (i % WINDOW == WINDOW - 1) {
                    logging.awaitSize(size);
                }
            }
            assertEquals(DATAGRAMS + " records accepted, 0 malformed, 0 oversized, 0 truncated, 0 framing errors,"
                    + " 0 connections", logging.stop());
            assertEquals(expected, logging.lines());
        }
    }

    @Test
    void passesOverWhatIsNoRecord() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--max-record", "100");
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.address();
            send(socket, address, "no priority");
            send(socket, address, "");
            send(socket, address, "<13>" + "x".repeat(97));
            send(socket, address, "<13>" + "x".repeat(60_000));
            send(socket, address, "<13>two\nlines\n");
            send(socket, address, "<13>" + "y".repeat(96));
            logging.awaitLines("<13>two#012lines", "<13>" + "y".repeat(96));
            assertEquals("2 records accepted, 2 malformed, 2 oversized, 0 truncated, 0 framing errors, 0 connections",
                    logging.stop());
        }
    }

    private static void send(DatagramSocket socket, InetSocketAddress address, String record) throws Exception {
        byte[] octets = record.getBytes(US_ASCII);
        socket.send(new DatagramPacket(octets, octets.length, address));
    }
}
