package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.Refusal;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A console that is not read for a while. */
@EnabledOnOs(OS.LINUX)
class LoggingBackpressureTest {

    private static final int PEERS = 4;
    private static final int MAX_MEBIBYTES = 64;
    private static final int RECORD = 128;
    private static final int DATAGRAMS = 20;
    private static final List<byte[]> RECORDS = IntStream.range(0, PEERS).mapToObj(peer -> records(peer)).toList();

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#hardestTrigger")
    void losesNothingAndHoardsNothing(String demultiplexer) throws Exception {
        assertLosesNothing(SampleCommand.of("logging", "--port", "0", "--console", "--queue", "1",
                "--demultiplexer", demultiplexer));
    }

    /** There is place for more batches in the queue than there is memory for. */
    @Test
    void losesNothingIfMemoryLacksBeforeTheQueueIsFull() throws Exception {
        assertLosesNothing(SampleCommand.of("logging", "--port", "0", "--console", "--queue", "65536")
                .withOption("-XX:MaxDirectMemorySize=8m"));
    }

    private static void assertLosesNothing(SampleCommand command) throws Exception {
        List<FloodingPeer> peers = new ArrayList<>();
        try (RunningSample logging = command.holdingOutput().start()) {
            InetSocketAddress address = logging.awaitAddress();
            long before = logging.figures().residentMebibytes();
            for (int i = 0; i < PEERS; i++) {
                peers.add(new FloodingPeer(address, ByteBuffer.wrap(RECORDS.get(i))));
            }
            FloodingPeer.untilStuck(peers, logging);
            long after = logging.figures().residentMebibytes();
            assertTrue(after - before < MAX_MEBIBYTES,
                    () -> before + " MiB before, " + after + " MiB when the peers are stuck");
            logging.output().release();
            List<Integer> sent = finish(peers);
            // Its own line and then the records.
            logging.output().awaitSize(logging.awaitReadyLine().length() + 1 + (long) RECORD * sum(sent));
            logging.stop();
            assertAllThere(sent, logging.output().lines());
        } finally {
            for (FloodingPeer peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void writesWhatIsQueuedWhenItIsStoppedMeanwhile() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--console", "--queue", "1")
                .holdingOutput().start();
                FloodingPeer peer = new FloodingPeer(logging.awaitAddress(), ByteBuffer.wrap(RECORDS.get(0)))) {
            peer.untilStuck(logging);
            int delivered = peer.delivered();
            logging.terminate();
            logging.output().release();
            assertEquals(0, logging.awaitExit());
            List<String> lines = logging.output().lines();
            assertTrue(lines.size() - 1 >= delivered / RECORD, () -> lines.size() - 1 + " of " + delivered / RECORD);
            // The stop may have come in the middle of a record, which is dropped.
            for (int i = 1; i < lines.size(); i++) {
                assertEquals(record(0, i - 1), lines.get(i));
            }
        }
    }

    @Test
    void writesDatagramsThatWaitWhenItIsStoppedMeanwhile() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--console", "--queue", "1")
                .holdingOutput().start();
                FloodingPeer peer = new FloodingPeer(logging.awaitAddress(), ByteBuffer.wrap(RECORDS.get(0)));
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress address = logging.awaitAddress();
            peer.untilStuck(logging);
            byte[] datagram = "<13>datagram".getBytes(US_ASCII);
            for (int i = 0; i < DATAGRAMS; i++) {
                socket.send(new DatagramPacket(datagram, datagram.length, address));
            }
            logging.terminate();
            // So that it has begun to stop before there is room again.
            Refusal.await(address);
            logging.output().release();
            assertEquals(0, logging.awaitExit());
            assertEquals(DATAGRAMS, logging.output().lines().stream().filter("<13>datagram"::equals).count());
        }
    }

    private static List<Integer> finish(List<FloodingPeer> peers) throws IOException {
        List<Integer> sent = new ArrayList<>();
        for (FloodingPeer peer : peers) {
            int count = peer.sent() / RECORD + 1000;
            peer.finish(count * RECORD);
            sent.add(count);
        }
        return sent;
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }

    private static void assertAllThere(List<Integer> sent, List<String> lines) {
        assertEquals(1 + sum(sent), lines.size());
        Map<Character, List<String>> received =
                lines.stream().skip(1).collect(Collectors.groupingBy(line -> line.charAt(4)));
        for (int peer = 0; peer < sent.size(); peer++) {
            List<String> records = received.get((char) ('a' + peer));
            assertEquals(sent.get(peer), records.size());
            for (int i = 0; i < records.size(); i++) {
                assertEquals(record(peer, i), records.get(i));
            }
        }
    }

    private static String record(int peer, int number) {
        String start = "<13>" + (char) ('a' + peer) + " " + number + " ";
        return start + "x".repeat(RECORD - 1 - start.length());
    }

    private static byte[] records(int peer) {
        ByteBuffer records = ByteBuffer.allocate(FloodingPeer.FLOOD / 2);
        for (int i = 0; records.hasRemaining(); i++) {
            records.put((record(peer, i) + "\n").getBytes(US_ASCII));
        }
        return records.array();
    }
}
