package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Background;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each datagram that is sent is accounted for, also during a stop: the server stores it or counts it
 * among the malformed, the oversized or the dropped; or the system counts it, because it came when there was no socket
 * yet or no longer (NoPorts of {@code /proc/net/snmp}), or more came than may wait for the network's soft interrupt
 * (the second column of {@code /proc/net/softnet_stat}). These two are counted for all sockets together.
 */
@EnabledOnOs(OS.LINUX)
class LoggingAccountTest {

    private static final Pattern COUNTS = Pattern.compile("(\\d+) records accepted, (\\d+) malformed, (\\d+) oversized,"
            + ".* connections(?:, (\\d+) datagrams dropped)?");
    private static final int LONGEST_RECORD = 2_000;
    /** The shortest one is malformed. An empty one is none for the JDK's sockets that are connected. */
    private static final int[] LENGTHS = {3, 10, 100, 1_000, LONGEST_RECORD, LONGEST_RECORD + 1, 9_000, 60_000};

    @TempDir
    private Path directory;

    /** Sends as long as there is a server; tells how many were sent. */
    private static int flood(InetSocketAddress address, Random random, Runnable midst) throws IOException {
        byte[] octets = "<13>".concat("x".repeat(60_000)).getBytes(US_ASCII);
        int sent = 0;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            for (int burst = 0; ; burst++) {
                if (burst == 5) {
                    midst.run();
                }
                for (int i = random.nextInt(200); i >= 0; i--) {
                    socket.send(new DatagramPacket(octets, LENGTHS[random.nextInt(LENGTHS.length)]));
                    sent++;
                }
                Thread.onSpinWait();
            }
        } catch (PortUnreachableException e) {
            return sent;
        }
    }

    /**
     * {@return the number of datagrams that the system has had no socket for, and how many it dropped before looking
     * for one}
     */
    private static long lostBeforeSockets() throws IOException {
        List<String[]> udp = Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                .filter(line -> line.startsWith("Udp: ")).map(line -> line.split(" ")).toList();
        long lost = Long.parseLong(udp.get(1)[Arrays.asList(udp.get(0)).indexOf("NoPorts")]);
        for (String line : Files.readAllLines(Path.of("/proc/net/softnet_stat"))) {
            lost += Long.parseLong(line.split(" ")[1], 16);
        }
        return lost;
    }

    private static void assertAllAccountedFor(long sent, long lostBefore, LoggingSample logging, String counts)
            throws IOException {
        Matcher matcher = COUNTS.matcher(counts);
        assertTrue(matcher.matches(), counts);
        long records = Long.parseLong(matcher.group(1));
        long others = Stream.of(2, 3, 4).map(matcher::group).filter(text -> text != null).mapToLong(Long::parseLong)
                .sum();
        assertEquals(records, logging.lines().size());
        long missing = sent - records - others;
        long lost = lostBeforeSockets() - lostBefore;
        assertTrue(missing >= 0 && missing <= lost, () -> missing + " of " + sent + " are missing, of which the system"
                + " had no socket for " + lost + "; " + counts);
    }

    @Test
    @Tag(Campaign.TAG)
    void everyDatagramOfAFloodIsAccountedFor() throws Exception {
        Campaign campaign = Campaign.begin("account of datagrams");
        for (int round = 0; round < Campaign.count(4, 300); round++) {
            Random random = campaign.random(round);
            long lost = lostBeforeSockets();
            Files.deleteIfExists(directory.resolve("log"));
            try (LoggingSample logging = LoggingSample.start(directory, "--max-record",
                    Integer.toString(LONGEST_RECORD), "--receive-buffer",
                    Integer.toString(20_000 << random.nextInt(8)), "--host", random.nextBoolean() ? "127.0.0.1"
                    : "0.0.0.0")) {
                InetSocketAddress address = new InetSocketAddress("127.0.0.1", logging.address().getPort());
                Random others = new Random(random.nextLong());
                Background<Integer> other = Background.run(() -> flood(address, others, () -> { }));
                int sent = flood(address, random, logging.process()::terminate);
                assertAllAccountedFor(sent + other.result(), lost, logging, logging.stop());
            } catch (AssertionError e) {
                throw new AssertionError(campaign + ", round " + round, e);
            }
        }
    }

    /** Each time that the server has found nothing more there, another one comes. */
    @Test
    void noDatagramComesBetweenTheLastReceiveAndTheClose() throws Exception {
        Binding real = Bindings.current();
        LateSender sender = new LateSender();
        Bindings.use(real.decorated(real.name(), sender));
        try (DatagramSocket socket = new DatagramSocket();
                LoggingSample logging = LoggingSample.start(directory)) {
            long lost = lostBeforeSockets();
            InetSocketAddress address = logging.address();
            socket.connect(address);
            sender.sendTo(socket);
            String counts = logging.stop();
            assertTrue(sender.sent > 0, "none came late");
            assertAllAccountedFor(sender.sent, lost, logging, counts);
        } finally {
            Bindings.use(real);
        }
    }

    /** Sends a datagram when a receive has taken fewer than there was space for. */
    private static final class LateSender implements Binding.Decorator {

        private static final int MAX_DATAGRAMS = 10;

        private final byte[] record = "<13>late".getBytes(US_ASCII);
        private volatile DatagramSocket socket;
        private int sent;

        void sendTo(DatagramSocket to) {
            socket = to;
        }

        @Override
        public <T> T decorate(Class<T> family, T functions) {
            return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                    (proxy, method, arguments) -> {
                        Object result;
                        try {
                            result = method.invoke(functions, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                        if (method.getName().equals("recvmmsg") && (int) result < (int) arguments[2]) {
                            send();
                        }
                        return result;
                    }));
        }

        private void send() throws IOException {
            DatagramSocket to = socket;
            if (to != null && sent < MAX_DATAGRAMS) {
                try {
                    to.send(new DatagramPacket(record, record.length));
                    sent++;
                } catch (PortUnreachableException e) {
                    // This one has not been sent; the system has counted the one before.
                    socket = null;
                }
            }
        }
    }
}
