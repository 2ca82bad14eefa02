package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many records from many connections: none is lost, altered or out of its connection's order. */
@EnabledOnOs(OS.LINUX)
class LoggingVolumeTest {

    private static final int CONNECTIONS = 50;
    private static final int RECORDS = Depth.times(100, 500, 2_000);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#someDemultiplexers")
    void keepsEveryRecord(String demultiplexer) throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--demultiplexer", demultiplexer)) {
            keepsEveryRecord(logging);
        }
    }

    private static void keepsEveryRecord(LoggingSample logging) throws Exception {
        List<SyslogClient> clients = new ArrayList<>();
        try {
            List<Background<List<String>>> running = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(logging.connect());
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                SyslogClient client = clients.get(i);
                int number = i;
                running.add(Background.run(() -> sendMany(client, number)));
            }
            List<List<String>> sent = new ArrayList<>();
            for (Background<List<String>> each : running) {
                sent.add(each.result());
            }
            assertEquals(CONNECTIONS * RECORDS + " records accepted, 0 malformed, 0 oversized, 0 truncated,"
                    + " 0 framing errors, " + CONNECTIONS + " connections", logging.stop());
            assertSame(sent, logging.lines());
        } finally {
            for (SyslogClient client : clients) {
                client.close();
            }
        }
    }

    private static void assertSame(List<List<String>> sent, List<String> lines) {
        assertEquals(CONNECTIONS * RECORDS, lines.size());
        Map<String, List<String>> received = lines.stream().collect(Collectors.groupingBy(LoggingVolumeTest::host));
        for (int i = 0; i < CONNECTIONS; i++) {
            // Not assertEquals, which would print megabytes.
            assertTrue(sent.get(i).equals(received.get("c" + i)), "records of connection " + i);
        }
    }

    private static String host(String line) {
        return line.split(" ", 4)[2];
    }

    private static List<String> sendMany(SyslogClient client, int number) throws IOException {
        Random random = new Random(number);
        List<String> records = new ArrayList<>();
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < RECORDS; i++) {
            String record = "<" + random.nextInt(192) + ">1 - c" + number + " app " + i + " - - "
                    + "payload é€ ".repeat(random.nextInt(20)) + i;
            records.add(record);
            stream.writeBytes(framed(record, random).getBytes(UTF_8));
        }
        sendInRandomChunks(client, stream.toByteArray(), random);
        client.end();
        return records;
    }

    private static String framed(String record, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> record + "\n";
            case 1 -> record + "\r\n";
            case 2 -> record + "\0";
            default -> SyslogClient.counted(record);
        };
    }

    private static void sendInRandomChunks(SyslogClient client, byte[] octets, Random random) throws IOException {
        int sent = 0;
        while (sent < octets.length) {
            int length = Math.min(octets.length - sent, 1 + random.nextInt(1 << random.nextInt(17)));
            client.send(octets, sent, length);
            sent += length;
        }
    }
}
